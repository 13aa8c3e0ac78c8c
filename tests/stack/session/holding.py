"""A session's server over real sockets in a folder of the test, with a Safari stack of a few lines behind it.

As a program (`python -m tests.stack.session.holding FOLDER NAME`) it is a server in a process of its own.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import anyio

from stack.contract import Caller, Content, Json, Outcome, Program, Reply
from stack.host import RealHost
from stack.safari_jxa.settings import Settings
from stack.session import server

T = TypeVar("T")
ACTIONS: list[Json] = [
    {"id": "e1", "kind": "click", "label": "Buy", "node": 1, "role": "button", "value": "", "rect": {}},
    {"id": "e2", "kind": "fill", "label": "Name", "node": 2, "role": "textbox", "value": "", "rect": {}},
    {"id": "wait", "kind": "wait", "label": "Wait"},
]


def seen(number: int = 1, text: str = "none", **more: Any) -> dict[str, Any]:
    """An observation as the tool gives it."""
    page = {
        "observation": number, "url": "http://shop.test/", "title": "Shop", "text": text, "actions": ACTIONS,
        "scroll": {"y": 0, "height": 900}, "ready": "complete", "rebound": False, "fingerprint": text * 4,
    }  # fmt: skip
    return {**page, **more}


class Safari:
    """A stack with the driver's tools. answers: tool -> a reply in place of its own; session: what is open."""

    def __init__(self, answers: Mapping[str, Reply] | None = None) -> None:
        self.answers = dict(answers or {})
        self.calls: list[tuple[str, dict[str, Json]]] = []
        self.session: object | None = None
        self.looks = 0
        self.text = "none"

    async def call(self, tool: str, arguments: Mapping[str, Json], caller: Caller) -> Reply:
        self.calls.append((tool, dict(arguments)))
        if tool in self.answers:
            return self.answers[tool]
        found: dict[str, Any] = {}
        if tool in ("open", "attach"):
            self.session = found = {"state": "live", "window": 7, "held": "lent"}
        elif tool == "observe":
            self.looks += 1
            found = seen(self.looks, self.text)
        elif tool == "act":
            self.text += "!"
            found = {"changed": True, "landed": False}
        elif tool == "close":
            found = {"closed": "left open", "why": "it is the user's"}
        elif tool == "text":
            found = {"text": "one\ntwo"}
        elif tool in ("windows", "displays"):
            found = {tool: [{"id": 7, "tabs": 1}]}
        return Reply("done", structured=found)


def refused(code: str, outcome: Outcome = "refused", **details: Json) -> Reply:
    return Reply(outcome, code, (Content({"type": "text", "text": f"{code}: so"}),), {"error": code, **details}, True)


def host_in(folder: Path, **programs: str) -> RealHost:
    """The real host, with all of its folders here."""
    table = {Program(name): path for name, path in programs.items()}
    return RealHost(table, folder=folder / "s", locks=folder / "l", meeting=folder / "m")


def opening(safari: Safari) -> Any:
    """Stands for `stack.safari_jxa.open`."""

    @asynccontextmanager
    async def open(host: object, settings: object) -> AsyncIterator[Safari]:
        yield safari

    return open


def run(main: Callable[[], Awaitable[T]]) -> T:
    async def bounded() -> T:
        with anyio.fail_after(30):
            return await main()

    return anyio.run(bounded, backend="trio")


if __name__ == "__main__":
    server.safari_jxa.open = opening(Safari())  # type: ignore[attr-defined]
    anyio.run(server.serve, host_in(Path(sys.argv[1])), Settings(), sys.argv[-1], None, backend="trio")
