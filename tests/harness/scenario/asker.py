"""A small system with a service, for the tests of whole runs: a stack that asks an oracle over HTTP."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest

from harness import subjects
from harness.subjects import Profile, Subject
from stack.errors import StackError
from stack.http import request
from tests.harness.scenario.clerk import Reply, settings
from tests.harness.serve.oracle import ADDRESS

HERE = "tests.harness.scenario.asker"
NAME = "asker"
PROGRAMS = {"oracle": "tests.harness.serve.oracle:Oracle"}
URL = "http://127.0.0.1:8791"
LISTENED = "tcp:127.0.0.1:8800"
SUBJECT = Subject(
    name=NAME, stack=f"{HERE}:open_stack", settings=f"{HERE}:settings", host="stack.host:RealHost",
    ask_failed="tests.harness.scenario.clerk:AskFailed", programs=f"{HERE}:PROGRAMS",
    world="tests.harness.scenario.clerk:Numbers", uses=(), services={"oracle": ADDRESS},
    dialects={"oracle": "http"}, error="tests.harness.scenario.clerk:ClerkError",
    profiles={"1.0": Profile({"oracle": {}}, {"oracle": "1.0"})}, bounds={"call_ms": 9000},
)  # fmt: skip
__all__ = ["settings"]


class Asker:
    """`add` asks once; `leak` never closes its connection; `meet` talks with itself over an address."""

    def __init__(self, host: Any) -> None:
        self.host = host
        self.kept: list[Any] = []

    async def call(self, tool: str, arguments: Mapping[str, Any], caller: Any) -> Reply:
        work: Any = getattr(self, f"do_{tool}")
        reply: Reply = await work(arguments)
        return reply

    async def do_add(self, arguments: Mapping[str, Any]) -> Reply:
        body = json.dumps({"amount": arguments.get("amount", 1)}).encode()
        try:
            answer = await request(self.host, "POST", f"{URL}/add", body=body, timeout_ms=6000)
        except StackError as error:
            return Reply("refused" if error.code == "http_unreachable" else "unknown", error.code)
        try:
            number = json.loads(answer.body)["number"]
        except (ValueError, KeyError, TypeError):
            return Reply("unknown", "unreadable")
        return Reply("done", structured=number) if type(number) is int else Reply("unknown", "unreadable")

    async def do_leak(self, arguments: Mapping[str, Any]) -> Reply:
        self.kept.append(await self.host.dial(ADDRESS))
        return Reply()

    async def do_listen(self, arguments: Mapping[str, Any]) -> Reply:
        self.kept.append(await self.host.listen(LISTENED))
        return Reply()

    async def do_meet(self, arguments: Mapping[str, Any]) -> Reply:
        async def answer(stream: Any) -> None:
            async with stream:
                await stream.send(b"heard " + await stream.receive())

        async with await self.host.listen(LISTENED) as listener, anyio.create_task_group() as group:
            group.start_soon(listener.serve, answer)
            async with await self.host.dial(LISTENED) as stream:
                await stream.send(b"hello")
                said = await stream.receive()
            group.cancel_scope.cancel()
        try:
            await self.host.dial(LISTENED)
        except ConnectionRefusedError:
            return Reply(structured=said.decode())
        return Reply("unknown")


@asynccontextmanager
async def open_stack(host: Any, given: Mapping[str, Any]) -> AsyncIterator[Asker]:
    yield Asker(host)


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the asker a system of the harness for one test."""
    monkeypatch.setitem(subjects.SUBJECTS, NAME, SUBJECT)


def add(amount: int = 1) -> dict[str, Any]:
    """A step that adds through the oracle."""
    means = {"verb": "add", "ref": None, "value": amount}
    return {"call": {"tool": "add", "arguments": {"amount": amount}}, "means": means}


def asker_sheet(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A run sheet with these steps."""
    return {
        "v": 1, "scenario": "asker/desk.yaml", "subject": NAME, "profile": "1.0", "back": "model", "mode": "virtual",
        "seed": 5, "steps": list(steps), "bounds": {"call_ms": 9000}, "world": {"number": 1},
        "services": {"oracle": ADDRESS}, "wires": {"oracle": {"stdio": "http"}}, **more,
    }  # fmt: skip
