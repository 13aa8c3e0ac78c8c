"""A gate over a scripted endpoint, in virtual time: what the endpoint was asked, and what the gate made of replies."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import anyio
import trio
from anyio.abc import ByteStream
from trio.testing import MockClock

from stack.consent.gate import ConsentGate
from stack.consent.settings import Judge, Settings
from stack.contract import Answer, Json, Proposal, Question
from tests.stack.test_http import Scripted

Result = TypeVar("Result")
JUDGES = {
    "openai": Judge("openai", "http://127.0.0.1:8791/v1/chat/completions", "guard", "a-key"),
    "anthropic": Judge("anthropic", "http://127.0.0.1:8791/v1/messages", "guard", "a-key"),
}
FRESH: dict[str, Json] = {"text": "put it into the basket", "source": "fresh", "interactive": True}
ALLOW: dict[str, Json] = {"command": "allow", "interactive": True}
APPROVE = '{"decision":"approve"}'
CLICK = Proposal("click", "interact", {"action": {"type": "click", "node": "1"}}, {"text": "Buy"})


class Somebody:
    """A caller whose user can be asked in a form, and must not be."""

    modes = frozenset({"form"})

    async def ask(self, question: Question) -> Answer:
        raise AssertionError("no dialog is shown")

    async def tools_changed(self) -> None:
        raise AssertionError("no tool changes")


class Nobody(Somebody):
    modes = frozenset()


class Endpoint:
    """A host whose every connection is the judge's. reply: text of its completion, or bytes of the whole reply."""

    def __init__(self, reply: str | bytes = APPROVE, style: str = "openai", wait_s: float = 0.0, **more: Any) -> None:
        self.raw = reply if isinstance(reply, bytes) else http(completion(style, reply, **more))
        self.wait_s = wait_s
        self.streams: list[Scripted] = []

    async def dial(self, address: str) -> ByteStream:
        self.streams.append(Slow([self.raw], self.wait_s))
        return self.streams[-1]

    @property
    def requests(self) -> list[tuple[list[str], Any]]:
        """(lines of the head, body) of each request."""
        parts = [stream.sent.partition(b"\r\n\r\n") for stream in self.streams]
        return [(head.decode().split("\r\n"), json.loads(body)) for head, _, body in parts]


class Slow(Scripted):
    def __init__(self, pieces: list[bytes], wait_s: float) -> None:
        super().__init__(pieces)
        self._wait_s = wait_s

    async def receive(self, max_bytes: int = 65536) -> bytes:
        await anyio.sleep(self._wait_s)
        return await super().receive(max_bytes)


def completion(style: str, text: str, **more: Any) -> dict[str, Any]:
    """A reply of that style. more: members put over it."""
    if style == "openai":
        choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        return {"choices": [choice], "usage": {"prompt_tokens": 5, "said": "words"}, **more}
    content = [{"type": "text", "text": text}]
    return {"content": content, "stop_reason": "end_turn", "usage": {"input_tokens": 5}, **more}


def http(body: Mapping[str, Any] | str, status: int = 200) -> bytes:
    data = (body if isinstance(body, str) else json.dumps(body)).encode()
    return b"HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n" % (status, len(data)) + data


def gate(endpoint: Endpoint | None = None, style: str = "openai", judge: bool = True) -> ConsentGate:
    host: Any = endpoint or Endpoint(style=style)
    return ConsentGate(host, Settings(JUDGES[style] if judge else None))


def played(body: Callable[[], Awaitable[Result]]) -> Result:
    """Run in virtual time."""
    return trio.run(body, clock=MockClock(autojump_threshold=0))
