"""The commands around the native host: `browser-extension install-host | uninstall-host | status`.

Separate from the tables of what is written where. Each says every path that it looked at or changed, and can be run
again at any time.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from stack.chrome.bridge import BridgeError, connect
from stack.chrome.endpoint import endpoints
from stack.chrome.files import Files, RealFiles, home, platform, python
from stack.chrome.process import VERSION
from stack.chrome.registration import (
    BROWSERS,
    CAUSES,
    OTHER_CAUSES,
    Registration,
    install,
    looked,
    program_path,
    uninstall,
)
from stack.contract import Host, Json

OK, BROKEN, COULD_NOT_RUN = 0, 1, 3
SERVER: Final = "0" * 32
"""The name under which `status` greets a host: it asks for nothing, so it never holds a claim."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What the commands work on. All of it is this machine's in production."""

    files: Files = field(default_factory=RealFiles)
    system: str = field(default_factory=platform)
    home: str = field(default_factory=home)
    python: str = field(default_factory=python)

    @property
    def program(self) -> str:
        return program_path(self.home, self.system)


def add(commands: Any) -> None:
    """The command line of `browser-extension`, below a parser's commands."""
    root = commands.add_parser("browser-extension", help="register the native host with browsers", allow_abbrev=False)
    actions = root.add_subparsers(dest="action", required=True)
    for name, text in (
        ("install-host", "register the host, where it is not registered as it should be"),
        ("uninstall-host", "take the registration away"),
        ("status", "say where browsers look, what is wrong there, and which versions are connected"),
    ):
        action = actions.add_parser(name, help=text, allow_abbrev=False)
        action.add_argument("--browser", choices=BROWSERS, action="append", help="this browser alone; may be repeated")
        action.add_argument("--json", action="store_true", help="one JSON document")


async def run(given: argparse.Namespace, host: Host, machine: Machine) -> tuple[int, list[str]]:
    """(exit code, lines to print)."""
    browsers = tuple(given.browser or BROWSERS)
    where = {"system": machine.system, "home": machine.home, "program": machine.program}
    document: dict[str, Json] = {"host": VERSION, "browsers": [*browsers]}
    try:
        if given.action == "install-host":
            written = install(browsers, machine.files, python=machine.python, **where)
            document["written"] = [*written]
        elif given.action == "uninstall-host":
            document["removed"] = [*uninstall(browsers, machine.files, **where)]
        rows = looked(browsers, machine.files, **where)
    except OSError as error:
        return COULD_NOT_RUN, [f"a file can't be used: {error}"]
    document["registrations"] = [_shown(row) for row in rows]
    if given.action == "status":
        document["connected"] = await _connected(host)
    bad = [row for row in rows if row.cause is not None]
    code = BROKEN if bad and given.action != "uninstall-host" else OK
    return code, [json.dumps(document)] if given.json else _lines(document, rows)


def _shown(row: Registration) -> dict[str, Json]:
    return {"browser": row.browser, "path": row.path, "cause": row.cause, "found": row.cause is None}


def _lines(document: Mapping[str, Json], rows: list[Registration]) -> list[str]:
    lines = [f"host {document['host']}"]
    for name in ("written", "removed"):
        paths = document.get(name)
        if isinstance(paths, list):
            lines += [f"{name} {path}" for path in paths] or [f"nothing to be {name}"]
    texts = {**CAUSES, **OTHER_CAUSES}
    for row in rows:
        why = "registered" if row.cause is None else f"not found: {texts[row.cause]} ({row.cause})"
        lines.append(f"{row.browser}: {why}: {row.path}")
    connected = document.get("connected")
    if isinstance(connected, list):
        lines += [f"connected: {json.dumps(each)}" for each in connected] or ["no browser is connected"]
    return lines


async def _connected(host: Host) -> list[Json]:
    """The browsers whose hosts run, with the versions at both ends, or the reason why one can't be asked."""
    found: list[Json] = []
    for endpoint in endpoints(host):
        row: dict[str, Json] = {"host": endpoint.version}
        try:
            bridge = await connect(host, endpoint, SERVER, lambda event, data: None)
        except BridgeError as error:
            row["reason"] = error.reason
        except OSError:
            row["reason"] = "bridge_disconnected"
        else:
            extension = bridge.extension
            row.update(browser=extension["browser"]["name"], browser_version=extension["browser"]["version"],
                       extension=extension["version"])  # fmt: skip
            await bridge.aclose()
        found.append(row)
    return found
