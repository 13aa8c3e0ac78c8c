"""A small system for the tests of the laws: a panel of buttons behind one program, and a stack that presses them.

Everything is run by the stage. The stack is honest; `DEFECTS` names one deliberately broken stack for each law, which
does one thing worse. Buttons: `stop` may be pressed by anybody, `arm` needs the grant `arm`, `jam` refuses. A press
holds the panel's claim until it is over; the panel shows a secret text, which has no business anywhere else.
"""
from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio

from harness.faults.steps import At, Exit, Send, Wait
from harness.kept import KeptRun, Origin, Provenance
from harness.scenario.runner import run
from harness.serve.machine import Silent
from harness.subjects import Subject
from harness.wire.jsontext import dumps

if TYPE_CHECKING:
    from harness.faults.steps import Handler
    from harness.serve.machine import Record
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

SECRET = "hush-93-SECRET"
BUTTONS = ("stop", "arm", "jam")
DEADLINE_MS = 10_000
NAME = "panel"
HERE = "tests.harness.laws.panel"
SUBJECT = Subject(
    name=NAME, stack=f"{HERE}:open_stack", settings=f"{HERE}:settings", host="none", ask_failed=f"{HERE}:AskFailed",
    programs=f"{HERE}:PROGRAMS", world=f"{HERE}:Panel", uses=(NAME,), dialects={NAME: "jsonrpc"},
)  # fmt: skip
PROGRAMS = {NAME: f"{HERE}:PanelProgram"}


class AskFailed(Exception):
    """The client can't be asked; this stack never asks."""


class ProgramRefused(Exception):
    """The program answered with an error: it says that nothing was done."""


class Panel:
    """What is true: which buttons there are, and what was pressed."""

    def __init__(self, record: Record, settings: Mapping[str, Json]) -> None:
        self._record = record
        self._holders: set[int] = set()
        self.secret = settings.get("secret")

    def look(self, p: int) -> list[str]:
        for button in BUTTONS:
            self._record.record("shown", p=p, ref=button, what={"app": NAME, "node": button})
        return list(BUTTONS)

    def press(self, p: int, button: str) -> bool:
        if button == "jam":
            self._record.record("refused", p=p, verb="press", why="it is jammed")
            return False
        fields = {"needs": "arm"} if button == "arm" else {}
        self._record.record("effect", p=p, verb="press", target={"app": NAME, "node": button}, value=None, **fields)
        return True

    def hold(self, p: int, held: bool) -> None:
        (self._holders.add if held else self._holders.discard)(p)
        self._record.record("held" if held else "freed", p=p, what="claim", id=NAME)

    def change(self, by: str, **what: Json) -> None:
        self._record.record("changed", what=what, by=by)

    def process_ended(self, p: int) -> None:
        if p in self._holders:
            self.hold(p, False)


class PanelProgram(Silent):
    """JSON-RPC: look, press, claim, release. EOF ends it."""

    wires = {"stdio": "jsonrpc"}
    moments = ("before_effect", "after_effect")

    def received(self, wire: str, frame: Frame) -> Handler:
        request: Any = frame.value
        p, method = self.given.p, frame.method
        result: Json = {}
        yield Wait(3)
        if method == "look":
            result = {"buttons": self.world.look(p), "note": self.world.secret}
        elif method == "press":
            yield At("before_effect", {"verb": "press"})
            result = {"pressed": self.world.press(p, request["params"]["button"])}
            yield At("after_effect", {"verb": "press"})
        else:
            self.world.hold(p, method == "claim")
        yield Send(dumps({"id": request["id"], "result": result}).encode() + b"\n")

    def ended(self, wire: str) -> Handler:
        yield Exit(0)


@dataclass(frozen=True)
class Reply:
    """In the shape of the stack's port."""

    outcome: str
    code: str | None = None
    content: tuple[Any, ...] = ()
    structured: Any = None
    evidence: Mapping[str, Any] = field(default_factory=dict)


def settings(given: Mapping[str, Any]) -> Mapping[str, Any]:
    return given


class HonestStack:
    """Starts the program for its first call and again after one that failed; each call has a deadline."""

    def __init__(self, host: Any) -> None:
        self.host = host
        self.program: Any = None
        self.granted = False
        self.shown: tuple[str, ...] = ()
        self._id = 0
        self._tail = b""

    async def tell(self, event: str, data: Any) -> None:
        if event in ("grant", "revoke"):
            self.granted = event == "grant"

    async def call(self, tool: str, arguments: Mapping[str, Any], caller: Any) -> Reply:
        if tool == "press" and arguments["button"] not in self.shown:
            return Reply("refused", "not_shown")
        if tool == "press" and not self.may_press(arguments["button"]):
            return Reply("refused", "no_grant")
        try:
            with anyio.fail_after(DEADLINE_MS / 1000 / 2):
                return await self.work(tool, arguments)
        except ProgramRefused:
            await self.close()
            return Reply("refused", "error")
        except (TimeoutError, anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError, ValueError):
            await self.close()
            return Reply("unknown", "no_answer")

    def may_press(self, button: str) -> bool:
        return button != "arm" or self.granted

    async def work(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        if tool == "look":
            self.shown = tuple((await self.ask("look"))["buttons"])
            return Reply("done")
        await self.ask("claim")
        pressed = await self.press(arguments["button"])
        await self.ask("release")
        return Reply("done") if pressed else Reply("refused", "jammed")

    async def press(self, button: str) -> bool:
        return bool((await self.ask("press", button=button))["pressed"])

    async def ask(self, method: str, **params: Any) -> Any:
        if self.program is None:
            self.program = await self.host.start(NAME, [], env={}, cwd="/")
            self._tail = b""
        self._id += 1
        await self.program.stdin.send(dumps({"id": self._id, "method": method, "params": params}).encode() + b"\n")
        while True:
            while b"\n" not in self._tail:
                self._tail += await self.program.stdout.receive()
            line, _, self._tail = self._tail.partition(b"\n")
            value = json.loads(line)
            if value.get("id") == self._id and "error" in value:
                raise ProgramRefused
            if value.get("id") == self._id:
                return value["result"]

    async def close(self) -> None:
        if self.program is not None:
            program, self.program = self.program, None
            with anyio.CancelScope(shield=True):
                await program.aclose()


class PressesTwice(HonestStack):
    """To be sure."""

    async def press(self, button: str) -> bool:
        await super().press(button)
        return await super().press(button)


class PressesTheNeighbour(HonestStack):
    """Counts buttons from the wrong end."""

    async def press(self, button: str) -> bool:
        return await super().press("arm" if button == "stop" else button)


class SaysDone(HonestStack):
    """Whatever happened."""

    async def press(self, button: str) -> bool:
        return True


class SaysRefused(HonestStack):
    """Although it pressed."""

    async def press(self, button: str) -> bool:
        await super().press(button)
        return False


class SaysUnknown(HonestStack):
    """Nobody can prove it wrong, it thinks."""

    async def work(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        await super().work(tool, arguments)
        return Reply("unknown", "who_knows")


class WaitsTooLong(HonestStack):
    """Gives the program three times the time that the call has, and half as much again to itself."""

    async def work(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        with anyio.CancelScope(shield=True):
            await anyio.sleep(DEADLINE_MS / 1000 + 0.001)
        return await super().work(tool, arguments)


class KeepsOldGrants(HonestStack):
    """Once allowed, always allowed."""

    async def tell(self, event: str, data: Any) -> None:
        self.granted = self.granted or event == "grant"


class PassesSecretsOn(HonestStack):
    """Sends what it read along with the next request, an escape and a base64 away from plain text."""

    note: str = ""

    async def ask(self, method: str, **params: Any) -> Any:
        import base64

        result = await super().ask(method, **params, trace=base64.b64encode(f"seen: {self.note}".encode()).decode())
        self.note = result.get("note", self.note)
        return result


class WalksAway(HonestStack):
    """Never gives the claim back, and leaves the program running."""

    async def ask(self, method: str, **params: Any) -> Any:
        return {} if method == "release" else await super().ask(method, **params)

    async def close(self) -> None:
        self.program = None


class RefusesEverything(HonestStack):
    """Keeps every other law."""

    async def call(self, tool: str, arguments: Mapping[str, Any], caller: Any) -> Reply:
        return Reply("refused", "not_today")


DEFECTS: Mapping[str, tuple[int, Callable[[Any], HonestStack]]] = {
    "presses twice": (1, PressesTwice),
    "presses the neighbour": (2, PressesTheNeighbour),
    "says done": (3, SaysDone),
    "says refused": (3, SaysRefused),
    "says unknown": (3, SaysUnknown),
    "waits too long": (4, WaitsTooLong),
    "keeps old grants": (5, KeepsOldGrants),
    "passes secrets on": (6, PassesSecretsOn),
    "walks away": (7, WalksAway),
    "refuses everything": (8, RefusesEverything),
}
"""Name of a deliberately broken stack -> (the law that it breaks, the stack)."""


@asynccontextmanager
async def open_stack(host: Any, given: Mapping[str, Any]) -> AsyncIterator[HonestStack]:
    defect = given.get("defect")
    stack = HonestStack(host) if defect is None else DEFECTS[defect][1](host)
    try:
        yield stack
    finally:
        await stack.close()


def press(button: str, expect: str = "done", **more: Any) -> dict[str, Any]:
    return {
        "call": {"tool": "press", "arguments": {"button": button}},
        "means": {"verb": "press", "ref": button, "value": None},
        "expect": {"outcome": expect},
        **more,
    }


STEPS: list[dict[str, Any]] = [
    {"call": {"tool": "look"}, "means": None, "expect": {"outcome": "done"}},
    press("stop"),
    press("jam", "refused"),
    {"tell": "grant", "data": {"grant": "arm"}},
    press("arm"),
    {"tell": "revoke", "data": {"grant": "arm"}},
    press("arm", "refused"),
    {"call": {"tool": "look"}, "means": None, "expect": {"outcome": "done"}, "again": True},
    press("stop", again=True),
]
"""What the clean run does: every law finds something to judge in it."""


def sheet(defect: str | None = None, faults: Any = (), steps: Any = None) -> dict[str, Any]:
    """A run sheet. Every law has something to judge in it."""
    return {
        "v": 1, "scenario": "panel/press.yaml", "subject": NAME, "back": "model", "mode": "virtual", "seed": 3,
        "world": {"secret": SECRET},
        "settings": {} if defect is None else {"defect": defect},
        "plan": {"v": 1, "seed": 3, "faults": list(faults)},
        "bounds": {"call_ms": DEADLINE_MS, "frame_bytes": 4096},
        "canaries": [{"name": "note", "value": SECRET, "allowed": ["wire.panel.stdio.out"]}],
        "goal": [{"e": "effect", "verb": "press", "target": {"node": "stop"}}],
        "steps": STEPS if steps is None else steps,
    }  # fmt: skip


def played(given: Mapping[str, Any]) -> KeptRun:
    """The run of a sheet through the stage, as it is judged. SUBJECT must stand in `harness.subjects.SUBJECTS`."""
    records = run(given)
    provenance = Provenance("linux", {"harness": "0" * 64}, {NAME: Origin("model", "1.0")})
    return KeptRun(given, records.history, records.world, records.journal, provenance)
