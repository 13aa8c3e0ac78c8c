"""The JavaScript of this driver: the bridge for osascript, and the one page program that it is given at its start.

Separate from what uses them, because both are constants: no value of a call ever becomes part of their text. The page
program is put together from names.js, snapshot.js and page.js, without comments and indentation, since it goes over
the wire to Safari with every event.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def _source(name: str) -> str:
    return files("stack.safari_jxa").joinpath(name).read_text(encoding="ascii")


def _packed(source: str) -> str:
    """A source without indentation, empty lines and whole-line comments; nothing in it spans lines but statements."""
    lines = (line.strip() for line in source.split("\n"))
    return "\n".join(line for line in lines if line and not line.startswith("//"))


@cache
def bridge() -> str:
    """The program that osascript runs, for `-e`."""
    return _source("bridge.js")


def names() -> str:
    """The part of the page program that names elements: a factory of `{name, role, …}`."""
    return _packed(_source("names.js"))


@cache
def program() -> str:
    """The page program: a function of one request that gives one JSON text.

    The bridge sends `(` + this + newline + `)(` + JSON + `)`; neither this nor the JSON has a line that begins so.
    """
    snapshot, page = _packed(_source("snapshot.js")), _packed(_source("page.js"))
    return "\n".join(
        (
            'function (request) {\n"use strict";',
            f"const names = ({names()})();",
            f"const snapshot = ({snapshot})(names);",
            f"return ({page})(request, names, snapshot);\n}}",
        )
    )
