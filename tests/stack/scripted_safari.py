"""A bridge that is played from a script, and a Safari of a few lines behind it: every answer that a test needs.

`Safari.answers` has what a method answers in place of its own: a value, or a function of the request. `SILENT` answers
nothing; bytes are written as they are; `Died` ends the process. What was asked is in `heard`.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import anyio
import trio
from trio.testing import MockClock

from stack.contract import Program
from stack.safari_jxa import SafariJxa, Settings, open
from stack.safari_jxa.session import Session
from tests.stack.scripted_host import ScriptedHost, ScriptedProcess

SILENT = object()
READY = b'{"method":"ready","params":{"bridge":1}}\n'
FORM = {"route": "http://shop.test/", "viewport": "1200x800", "fields": "f0", "content": "c0"}
GUARD = {"fields": "f1", "target": "t1", "around": "a1"}
RECT = {"x": 1, "y": 2.5, "w": 30, "h": 4}


class Died(Exception):
    """Raised by an answer: osascript ends here."""


def element(number: int, kind: str = "click", **more: Any) -> dict[str, Any]:
    """An action of the page's."""
    action = {"id": f"e{number}", "kind": kind, "label": f"{kind} {number}", "node": number, "role": "button"}
    return {**action, "rect": RECT, "value": "", **more}


ACTIONS = [
    element(1),
    element(2, "fill"),
    element(3, "select", option=1),
    {"id": "scroll-down", "kind": "scroll", "label": "Scroll down"},
    {"id": "wait", "kind": "wait", "label": "Wait for the page to update"},
]


@dataclass
class Safari:
    """pids: that run; tabs, position: of the window 7, the user's; epoch: of its document; records: nonce -> phase."""

    pids: list[int] = field(default_factory=lambda: [763])
    tabs: int = 2
    visible: list[int] = field(default_factory=lambda: [1])
    epoch: str = ""
    url: str = "http://shop.test/"
    actions: list[dict[str, Any]] = field(default_factory=lambda: [dict(action) for action in ACTIONS])
    records: dict[str, dict[str, Any]] = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)
    heard: list[dict[str, Any]] = field(default_factory=list)
    pages: dict[str, Any] = field(default_factory=dict)
    first: list[Any] = field(default_factory=lambda: [READY])
    closed: int = 0

    def asked(self, *methods: str) -> list[dict[str, Any]]:
        """The params of the requests of these methods."""
        return [request["params"] for request in self.heard if request["method"] in methods]

    async def script(self, process: ScriptedProcess) -> int:
        """What osascript does."""
        for line in self.first:
            await process.say(line)
        while (line := await process.line()) is not None:
            request = json.loads(line)
            self.heard.append(request)
            given = self.answers.get(request["method"], self.answer)
            try:
                said = given(request) if callable(given) else given
                if isinstance(said, Awaitable):
                    said = await said
            except Died:
                return 1
            if said is SILENT:
                continue
            await process.say(said if isinstance(said, bytes) else reply(request, said))
        return 0

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The usual answer of each method."""
        params, method = request["params"], request["method"]
        if method in ("read", "act", "resolve"):
            return self.guarded(method, params)
        if method == "close":
            if params["tabs"] != self.tabs:
                return {"closed": False, "tabs": self.tabs}
            self.closed += 1
            return {"closed": True, "tabs": self.tabs}
        if method == "open":
            self.tabs, self.visible, self.epoch = 1, [0], ""
        usual: dict[str, dict[str, Any]] = {
            "start": {"pids": self.pids},
            "displays": {"displays": [[0, 31, 1440, 2529], [-1920, 351, 1920, 1080]]},
            "windows": {"windows": [self.row(7, [0, 31, 1200, 900], params)]},
            "open": {"window": 9},
            "look": {"tabs": self.tabs, "visible": self.visible, "position": (self.visible or [0])[0]},
        }
        return usual.get(method, {})

    def row(self, window: int, bounds: list[int], params: dict[str, Any]) -> dict[str, Any]:
        titles = {"title": "Shop", "url": self.url} if params.get("titles") else {}
        return {"window": window, "tabs": self.tabs, "position": 0, "bounds": bounds, **titles}

    def guarded(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        fits = params["tabs"] in (None, self.tabs) and (not self.visible or params["position"] in self.visible)
        if method != "resolve" and not fits:
            return {"tabs": self.tabs, "visible": self.visible, "lost": True}
        said = self.page(params["argument"])
        return {"tabs": self.tabs, "visible": self.visible, "value": said if said is None else json.dumps(said)}

    def page(self, argument: dict[str, Any]) -> Any:
        """The page program's answer."""
        op = argument["op"]
        if op in self.pages:
            given = self.pages[op]
            return given(argument) if callable(given) else given
        if op == "bind":
            self.epoch = self.epoch or argument["epoch"]
            return self.bound()
        if op == "observe":
            return self.snapshot(argument)
        if argument["epoch"] != self.epoch:
            return {"status": "document"}
        if op == "fresh":
            return {"status": "ok"}
        if op == "act":
            self.records[argument["nonce"]] = {"phase": "finished", "changed": True}
            return {"status": "finished", "changed": True}
        return {"status": "ok", **self.records.setdefault(argument["nonce"], {"phase": "void"})}

    def bound(self) -> dict[str, Any]:
        return {"status": "ok", "epoch": self.epoch, "url": self.url, "title": "Shop", "ready": "complete"}

    def snapshot(self, argument: dict[str, Any]) -> dict[str, Any]:
        rebound = argument["epoch"] != self.epoch
        if rebound and argument["rebind"] is None:
            return {"status": "document"}
        self.epoch = self.epoch or argument["rebind"]
        guards = {str(action["node"]): dict(GUARD) for action in self.actions if "node" in action}
        scroll = {"y": 0, "height": 900}
        seen = {"text": "Shop", "scroll": scroll, "actions": self.actions, "page": dict(FORM), "guards": guards}
        return {**self.bound(), "rebound": rebound, **seen}


def reply(request: dict[str, Any], result: Any) -> bytes:
    """The line that answers a request."""
    return json.dumps({"id": request["id"], "result": result}).encode() + b"\n"


def failing(number: int, *, sent: bool = False, text: str = "Fehler") -> Callable[[dict[str, Any]], bytes]:
    """An answer: an Apple Event failed with this number."""

    def answer(request: dict[str, Any]) -> bytes:
        error = {"code": number, "message": text, "data": {"sent": sent}}
        return json.dumps({"id": request["id"], "error": error}).encode() + b"\n"

    return answer


def never(request: dict[str, Any]) -> Any:
    """An answer that ends the process."""
    raise Died


@asynccontextmanager
async def driving(safari: Safari, settings: Settings | None = None) -> AsyncIterator[tuple[ScriptedHost, SafariJxa]]:
    """A stack on this Safari; when it ends, nothing runs any more."""
    raised: list[Exception] = []
    async with anyio.create_task_group() as tasks:
        host = ScriptedHost(tasks, {Program.OSASCRIPT: safari.script})
        try:
            async with open(host, settings or Settings()) as stack:
                yield host, stack
        except Exception as error:  # as it is, and not in a group of this task group's
            raised.append(error)
        assert host.running() == []
        tasks.cancel_scope.cancel()
    if raised:
        raise raised[0]


def play(main: Callable[[], Awaitable[None]]) -> float:
    """Run it on virtual time; the seconds that passed there."""
    clock = MockClock(autojump_threshold=0)

    async def timed() -> float:
        began = trio.current_time()
        with trio.fail_after(100_000):
            await main()
        return trio.current_time() - began

    return trio.run(timed, clock=clock)


Check: TypeAlias = Callable[[Session], Awaitable[None]]


def lent(safari: Safari, check: Check, settings: Settings | None = None) -> float:
    """Run a check with a session on a window of the user's."""

    async def main() -> None:
        async with driving(safari, settings) as (_, stack):
            await check(await stack.attach(7))

    return play(main)


def owned(safari: Safari, check: Check) -> float:
    """Run a check with a session on a window of its own."""

    async def main() -> None:
        async with driving(safari) as (_, stack):
            await check(await stack.open("http://shop.test/"))

    return play(main)
