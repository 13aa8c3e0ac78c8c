"""A stranger as a stack that the runner opens: its tools, its answers, and what an answer says of the world.

done: an answer that is no error. refused: an error, for a caller reads in it that the thing was not done. unknown: an
error in the words by which the adapter says that the stranger can't tell (`unsure`), of a call that means to change
something: where nothing was to happen, there is nothing to be unsure of.
"""
from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import trio

from harness.strangers.adapter import Adapter, call_of
from harness.strangers.client import Client
from harness.strangers.problem import StrangerError
from harness.strangers.process import Surroundings, died

GREETING_MS = 90_000
"""How long a stranger may take to start: on a busy machine Node.js and Python need long."""


@dataclass(frozen=True, slots=True)
class Block:
    """One content block, in the shape of the stack's port."""

    block: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to one call, in the shape of the stack's port."""

    outcome: str
    code: str | None
    content: tuple[Block, ...]
    structured: Any
    is_error: bool
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Listed:
    """One tool as the stranger lists it."""

    name: str
    description: str
    input_schema: Mapping[str, Any]
    annotations: Mapping[str, Any]


def from_sheet(settings: Mapping[str, Any]) -> Adapter:
    """The adapter in a run sheet's settings."""
    return Adapter.from_json(settings)


@asynccontextmanager
async def open(host: Surroundings, settings: Adapter) -> AsyncIterator[Stranger]:
    """The stranger, started and greeted. Raises Problem where it is not there, or is no MCP server."""
    async with host.running(settings) as running, trio.open_nursery() as nursery:
        client = Client(running.stdin, running.stdout)
        nursery.start_soon(client.listen)
        try:
            about = await client.greet(GREETING_MS)
        except StrangerError as error:
            raise died(running, error) from None
        yield Stranger(client, settings, about)
        nursery.cancel_scope.cancel()


class Stranger:
    """See the module."""

    def __init__(self, client: Client, adapter: Adapter, about: Mapping[str, Any]) -> None:
        self._client = client
        self._adapter = adapter
        self._about = about

    async def tools(self) -> Sequence[Listed]:
        answer = await self._client.ask("tools/list", {}, self._adapter.call_ms)
        result = answer.get("result")
        if not isinstance(result, Mapping) or not isinstance(result.get("tools"), list):
            raise StrangerError("the stack answered tools/list without a list of tools")
        return [
            Listed(str(tool.get("name")), str(tool.get("description", "")), tool.get("inputSchema") or {},
                   tool.get("annotations") or {})
            for tool in result["tools"] if isinstance(tool, Mapping)
        ]  # fmt: skip

    async def call(self, tool: str, arguments: Mapping[str, Any], caller: Any) -> Reply:
        params = {"name": tool, "arguments": dict(arguments)}
        answer = await self._client.ask("tools/call", params, self._adapter.call_ms)
        return self.reply(answer, changing=call_of(tool, arguments) in self._adapter.changing)

    def reply(self, answer: Mapping[str, Any], *, changing: bool) -> Reply:
        """What an answer of MCP says. Raises StrangerError where it is none."""
        error, result = answer.get("error"), answer.get("result")
        if isinstance(error, Mapping):
            text = str(error.get("message", ""))
            said = (Block({"type": "text", "text": text}),)
            return Reply(self._outcome(text, changing), "protocol_error", said, None, True)
        if not isinstance(result, Mapping) or not isinstance(result.get("content"), list):
            raise StrangerError("the stack answered tools/call with no result that MCP has")
        content = tuple(Block(block) for block in result["content"] if isinstance(block, Mapping))
        text = "\n".join(str(each.block["text"]) for each in content if "text" in each.block)
        structured = result.get("structuredContent")
        if result.get("isError") is True or any(words in text for words in self._adapter.failed):
            return Reply(self._outcome(text, changing), "tool_error", content, structured, True)
        return Reply("done", None, content, structured, False)

    def _outcome(self, text: str, changing: bool) -> str:
        unsure = changing and any(words in text for words in self._adapter.unsure)
        return "unknown" if unsure else "refused"

    async def tell(self, event: str, data: Any) -> None:
        raise StrangerError(f"nothing of a stranger is told of {event}: MCP has no word for it")

    async def status(self) -> Mapping[str, Any]:
        about = {"server": self._about.get("serverInfo"), "protocol": self._about.get("protocolVersion")}
        return {**about, "lines_that_are_no_messages": self._client.junk}
