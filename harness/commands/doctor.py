"""`trailcam doctor`: what is here, what is missing, what that means, and how to get it. Changes nothing.

Exit code 0, or 3 where something that --require names is missing or is another build than the pinned one.
"""
from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from harness.engines import ENGINES, Engine, ask_version, digest, locate
from harness.problem import UsageProblem

State = Literal["here", "missing", "other build"]

PACKAGES = {
    "anyio": "without it no stack and no stage runs",
    "trio": "without it no run in virtual time",
    "pyyaml": "without it no scenario and no claim can be read",
    "jinja2": "without it no report can be written",
    "mcp": "without it no stack can be served to MCP clients",
    "h11": "without it no stack can ask a model",
    "quickjs-ng": "without it the fake osascript runs no script",
    "greenlet": "without it the fake osascript runs no script",
}
"""Distribution -> what its absence means. The same names as the dependencies in pyproject.toml."""

MAC_PROGRAMS = {
    "safaridriver": "/usr/bin/safaridriver",
    "osascript": "/usr/bin/osascript",
    "codesign": "/usr/bin/codesign",
    "lsappinfo": "/usr/bin/lsappinfo",
}
"""Programs of macOS, at the only place where they may lie. On other systems fakes stand in for them."""
MAC_MEANS = "claims about it reach `live` on a Mac only; here a fake stands in for it"


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that was looked for. found: its version or place, as it says itself; get: how to install it."""

    name: str
    kind: Literal["system", "package", "engine", "mac"]
    state: State
    found: str | None
    path: str | None
    means: str
    get: str | None


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("doctor", help="say what is here, what is missing and what that means")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.add_argument(
        "--require", action="append", default=[], metavar="NAME", help="exit 3 where NAME is missing; may be repeated"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Look, print, and judge what --require names."""
    known = {"python", *PACKAGES, *MAC_PROGRAMS, *(row.name for row in ENGINES)}
    for name in args.require:
        if name not in known:
            raise UsageProblem(f"--require {name}", f"one of {', '.join(sorted(known))}", "see `trailcam doctor`")
    rows = examine()
    lacking = [row for row in rows if row.name in args.require and row.state != "here"]
    if args.json:
        document = {"rows": [asdict(row) for row in rows], "lacking": [row.name for row in lacking]}
        print(json.dumps(document, indent=2))
    else:
        print("\n".join(as_text(rows)))
    for row in lacking:
        print(f"trailcam: {row.name} is required and {row.state}: {row.get or row.means}", file=sys.stderr)
    return 3 if lacking else 0


def examine() -> list[Row]:
    """Everything that doctor looks for, in the order in which it is shown."""
    return [
        system_row(),
        python_row(),
        *(package_row(name, means, version) for name, means in PACKAGES.items()),
        *engine_rows(ENGINES, locate),
        *(mac_row(name, Path(path)) for name, path in MAC_PROGRAMS.items()),
    ]


def system_row() -> Row:
    """The platform, for which alone the evidence of a run counts."""
    found = f"{platform.system()} {platform.release()} {platform.machine()}"
    return Row("platform", "system", "here", found, None, "evidence counts for this platform only", None)


def python_row() -> Row:
    """The real interpreter, behind virtual environments and shims: the one that fakes start with."""
    path = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    found = f"{platform.python_implementation()} {platform.python_version()}"
    return Row("python", "system", "here", found, path, "fakes, tap and player start with this interpreter", None)


def package_row(name: str, means: str, ask: Callable[[str], str]) -> Row:
    """One distribution. ask: gives its version or raises PackageNotFoundError."""
    try:
        return Row(name, "package", "here", ask(name), None, means, None)
    except PackageNotFoundError:
        return Row(name, "package", "missing", None, None, means, f"pip install {name}")


def engine_rows(engines: Iterable[Engine], find: Callable[[Engine], Path | None]) -> Iterable[Row]:
    """Real programs. A pinned one is hashed, because another build may differ where the facts were measured."""
    for engine in engines:
        path = find(engine)
        get = "make engines" if engine.wanted else f"apt-get install {engine.debian}"
        if path is None:
            yield Row(engine.name, "engine", "missing", None, None, engine.means, get)
            continue
        state: State = "here"
        if engine.sha256 is not None:
            print(f"trailcam doctor: hashing {engine.name}", file=sys.stderr)
            state = "here" if digest(path) == engine.sha256 else "other build"
        yield Row(engine.name, "engine", state, ask_version(engine, path), str(path), engine.means, get)


def mac_row(name: str, path: Path) -> Row:
    """One program of macOS, at its fixed place; a program of that name elsewhere is none."""
    if os.access(path, os.X_OK):
        return Row(name, "mac", "here", None, str(path), MAC_MEANS, None)
    return Row(name, "mac", "missing", None, None, MAC_MEANS, "a Mac")


def as_text(rows: Iterable[Row]) -> list[str]:
    """A line a row; what is missing also says what that means and how to get it."""
    lines = []
    for row in rows:
        lines.append(f"{row.state:<12}{row.name:<16}{row.found or row.path or ''}".rstrip())
        if row.state != "here":
            lines.append(f"{'':<12}{row.means}" + (f" ({row.get})" if row.get else ""))
    return lines
