"""A small system for the tests of runner, play and verify: a clerk with one program and a world of one number."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
import pytest

from harness import subjects
from harness.subjects import Profile, Subject
from tests.harness.serve.machines import Counter

HERE = "tests.harness.scenario.clerk"
NAME = "clerk"
PROGRAMS = {NAME: "tests.harness.serve.machines:Echo"}
SUBJECT = Subject(
    name=NAME, stack=f"{HERE}:open_stack", settings=f"{HERE}:settings", host="stack.host:RealHost",
    ask_failed=f"{HERE}:AskFailed", programs=f"{HERE}:PROGRAMS", world=f"{HERE}:Numbers", uses=(NAME,),
    packages=("stack", "harness", "fakes"), dialects={NAME: "jsonrpc"}, error=f"{HERE}:ClerkError",
    profiles={"1.0": Profile({}, {NAME: "1.0"}), "2.0": Profile({}, {NAME: "2.0"}, {NAME: ("clerk-2.0", "jsonrpc")})},
    writes={"clerk.log": "log"}, bounds={"call_ms": 9000},
)  # fmt: skip


class Numbers(Counter):
    """Refuses what is no number of its own, as a world should."""

    def change(self, by: str, **what: Any) -> None:
        if set(what) != {"number"}:
            raise ValueError(f"saw {sorted(what)}; expected number")
        super().change(by, **what)


class AskFailed(Exception):
    """The client can't be asked."""


class ClerkError(Exception):
    """What the stack raises where it has no reply to put it into."""


def settings(given: Mapping[str, Any]) -> Mapping[str, Any]:
    if given:
        raise ValueError(f"saw {sorted(given)}; expected nothing")
    return given


@dataclass(frozen=True)
class Block:
    block: Mapping[str, Any]


@dataclass(frozen=True)
class Reply:
    outcome: str = "done"
    code: str | None = None
    content: tuple[Block, ...] = ()
    structured: Any = None
    is_error: bool = False
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Tool:
    name: str = "greet"
    description: str = "Greets"
    input_schema: Mapping[str, Any] = field(default_factory=dict)
    annotations: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Question:
    mode: str = "form"
    message: str = "Go on?"
    params: Mapping[str, Any] = field(default_factory=dict)


class Clerk:
    """Does what the name of a tool says."""

    def __init__(self, host: Any) -> None:
        self.host = host
        self.striking = False
        self.leases: list[Any] = []

    async def tools(self) -> list[Tool]:
        if self.striking:
            raise ClerkError("on strike")
        return [Tool()]

    async def status(self) -> dict[str, Any]:
        return {"open": True}

    async def tell(self, event: str, data: Any) -> None:
        return

    async def call(self, tool: str, arguments: Mapping[str, Any], caller: Any) -> Reply:
        work: Any = getattr(self, f"do_{tool}")
        reply: Reply = await work(arguments, caller)
        return reply

    async def do_greet(self, arguments: Mapping[str, Any], caller: Any) -> Reply:
        return Reply(content=(Block({"type": "text", "text": f"hello {arguments.get('name', 'there')}"}),))

    async def do_long(self, arguments: Mapping[str, Any], caller: Any) -> Reply:
        return Reply(content=(Block({"type": "text", "text": "x" * 100_000}),))

    async def do_wait(self, arguments: Mapping[str, Any], caller: Any) -> Reply:
        try:
            await anyio.sleep(arguments["ms"] / 1000)
        except anyio.get_cancelled_exc_class():
            return Reply("unknown", "cancelled")
        return Reply()

    async def do_fail(self, arguments: Mapping[str, Any], caller: Any) -> Reply:
        return Reply(structured=1 / 0)

    async def do_fail_typed(self, arguments: Mapping[str, Any], caller: Any) -> Reply:
        raise ClerkError("no such form")

    async def do_ask(self, arguments: Mapping[str, Any], caller: Any) -> Reply:
        try:
            answer = await caller.ask(Question())
        except AskFailed:
            return Reply("refused", "not_asked")
        return Reply(structured=answer.action)

    async def do_change(self, arguments: Mapping[str, Any], caller: Any) -> Reply:
        await caller.tools_changed()
        return Reply()

    async def do_strike(self, arguments: Mapping[str, Any], caller: Any) -> Reply:
        self.striking = True
        return Reply()

    async def do_lock(self, arguments: Mapping[str, Any], caller: Any) -> Reply:
        lease = self.host.try_lock("desk.lock")
        if lease is None:
            return Reply("refused", "busy")
        self.leases.append(lease)
        return Reply()

    async def do_note(self, arguments: Mapping[str, Any], caller: Any) -> Reply:
        self.host.append_private("clerk.log", f"{arguments['text']}\n".encode())
        return Reply()

    async def do_work(self, arguments: Mapping[str, Any], caller: Any) -> Reply:
        """Starts the program, has it add to the number, and ends it. Says unknown where no whole answer comes."""
        process, folder = await self._start()
        outcome = "unknown"
        with anyio.move_on_after(5):
            try:
                await process.stdin.send(b'{"id":1,"method":"add","params":{"amount":1}}\n')
                outcome = await self._outcome(process)
            except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError, ValueError):
                pass
        await process.stdin.aclose()
        with anyio.move_on_after(1):
            await process.wait()
        await process.aclose()
        self.host.remove_folder(folder)
        return Reply(outcome, None if outcome == "done" else "failed")

    async def _outcome(self, process: Any) -> str:
        said = b""
        while b"\n" not in said:
            said += await process.stdout.receive()
        answer = json.loads(said.partition(b"\n")[0])
        if not isinstance(answer, dict) or answer.get("id") != 1:
            return "unknown"
        result = answer.get("result")
        if "error" in answer:
            return "refused"
        return "done" if isinstance(result, dict) and type(result.get("number")) is int else "unknown"

    async def do_abandon(self, arguments: Mapping[str, Any], caller: Any) -> Reply:
        await self._start()
        return Reply()

    async def _start(self) -> tuple[Any, str]:
        folder = self.host.make_folder("desk")
        return await self.host.start(NAME, [], env={"HOME": folder}, cwd=folder), folder


@asynccontextmanager
async def open_stack(host: Any, given: Mapping[str, Any]) -> AsyncIterator[Clerk]:
    clerk = Clerk(host)
    try:
        yield clerk
    finally:
        for lease in clerk.leases:
            lease.release()


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the clerk a system of the harness for one test."""
    monkeypatch.setitem(subjects.SUBJECTS, NAME, SUBJECT)


def call(tool: str, name: str | None = None, /, background: bool = False, **arguments: Any) -> dict[str, Any]:
    """A step that calls."""
    step: dict[str, Any] = {"call": {"tool": tool, "arguments": arguments}, "means": None}
    if name is not None:
        step["as"] = name
    return {**step, "background": True} if background else step


def clerk_sheet(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A run sheet with these steps."""
    return {
        "v": 1, "scenario": "clerk/desk.yaml", "subject": NAME, "profile": "1.0", "back": "model", "mode": "virtual",
        "seed": 5, "steps": list(steps), "bounds": {"call_ms": 9000}, "world": {"number": 1}, **more,
    }  # fmt: skip


def lines(history: list[dict[str, Any]], e: str) -> list[dict[str, Any]]:
    """The lines of one kind."""
    return [line for line in history if line["e"] == e]
