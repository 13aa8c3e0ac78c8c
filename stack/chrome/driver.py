"""The driver: tools, calls, events and status of one Chrome stack. Every call gives a Reply, whatever happened."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Final

import anyio
from anyio.abc import TaskGroup

from stack.chrome.acting import Actor
from stack.chrome.bridge import BridgeError
from stack.chrome.bridges import Bridges
from stack.chrome.desktop import Desktop
from stack.chrome.process import VERSION
from stack.chrome.reading import Read, Reader
from stack.chrome.reasons import outcome_of, stack_error
from stack.chrome.schema import PROTOCOL
from stack.chrome.served import TOOLS, VERBS, check_arguments
from stack.chrome.settings import Settings
from stack.chrome.snapshots import Snapshot, Snapshots
from stack.contract import Caller, Content, Host, Json, Reply, StackEvent, Tool
from stack.errors import CallError, StackError
from stack.tasks import task_group

ENDS_CLAIMS: Final[frozenset[StackEvent]] = frozenset({"task_end", "session_switch"})
"""Events after which the browser is let go of: another server may have the claim."""


@asynccontextmanager
async def open(host: Host, settings: Settings) -> AsyncIterator[Chrome]:
    """A Chrome stack; when the context ends, so does its connection to every browser."""
    async with task_group() as tasks:
        stack = Chrome(host, settings, tasks)
        try:
            yield stack
        finally:
            await stack.close()  # with its connections what runs for them ends


class Chrome:
    """The Stack of this system."""

    def __init__(self, host: Host, settings: Settings, tasks: TaskGroup) -> None:
        self._snapshots = Snapshots()
        self._bridges = Bridges(host, tasks, self._snapshots.told)
        desktop = Desktop(host)
        self._reader = Reader(self._bridges, desktop, self._snapshots, settings)
        self._actor = Actor(desktop, settings)
        self._settings = settings
        self._calls: dict[anyio.CancelScope, anyio.Event] = {}
        """Calls that run, and what is set when one is over."""
        self._closed = False

    async def tools(self) -> Sequence[Tool]:
        return TOOLS

    async def call(self, tool: str, arguments: Mapping[str, Json], caller: Caller) -> Reply:
        """Run one tool; see the port for taking a call back."""
        scope = anyio.CancelScope()
        over = self._calls[scope] = anyio.Event()
        reply: Reply | None = None
        try:
            with scope:
                reply = await self._run(tool, arguments)
        except anyio.get_cancelled_exc_class():
            reply = None  # the caller's next checkpoint raises
        finally:
            del self._calls[scope]
            over.set()
        if reply is None:
            error = BridgeError("cancelled", "the caller took the call back", dispatched=VERBS.get(tool) is not None)
            reply = _failed(stack_error(error), error)
        return reply

    async def _run(self, tool: str, arguments: Mapping[str, Json]) -> Reply:
        try:
            if self._closed:
                raise CallError("stack_closed", "the stack has been closed")
            check_arguments(tool, arguments)
            if tool == "ax_targets":
                return _done(await self._reader.targets())
            if tool == "ax_read":
                return _read(await self._reader.read(_text(arguments, "target"), _text(arguments, "title")))
            return await self._act(VERBS[tool], arguments)
        except BridgeError as error:
            return _failed(stack_error(error), error)
        except StackError as error:
            return _failed(error, None)

    async def _act(self, verb: str, arguments: Mapping[str, Json]) -> Reply:
        snapshot = self._snapshots.get(str(arguments["snapshot_id"]))
        node = self._node(snapshot, arguments)
        done = await self._actor.act(snapshot, node, verb, arguments.get("value"))
        return _done({"route": done.route, "effect": [*done.effect], **done.result})

    def _node(self, snapshot: Snapshot, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
        if "node_id" in arguments:
            return snapshot.node(str(arguments["node_id"]))
        return snapshot.called(str(arguments["name"]), _text(arguments, "role"))

    async def tell(self, event: StackEvent, data: Json) -> None:
        """task_end and session_switch give the claim up; cancel takes back every call in flight."""
        if event == "cancel":
            for scope in tuple(self._calls):
                scope.cancel()
        elif event in ENDS_CLAIMS:
            await self._take_back()
            await self._bridges.aclose()

    async def _take_back(self) -> None:
        """Take back every call, and wait for its end: what came of it is still told while the connection is there."""
        calls = dict(self._calls)
        for scope in calls:
            scope.cancel()
        for over in calls.values():
            await over.wait()

    async def close(self) -> None:
        """Let go of every browser, and take no call any more."""
        self._closed = True
        await self._take_back()
        await self._bridges.end()

    async def status(self) -> Mapping[str, Json]:
        """Which browsers are connected, with the versions of host and extension; dispatches nothing."""
        connected: list[Json] = [
            {
                "browser": bridge.extension["browser"]["name"],
                "browserVersion": bridge.extension["browser"]["version"],
                "extension": bridge.extension["version"],
                "host": bridge.endpoint.version,
            }
            for bridge in self._bridges.open.values()
        ]
        registered: list[Json] = [*self._settings.registered()]
        return {
            "system": "chrome",
            "version": VERSION,
            "protocol": PROTOCOL,
            "connected": connected,
            "registered": registered,
            "binariesVerified": bool(registered),
            "cleanup": {"verified": True, "problems": []},
        }


def _text(arguments: Mapping[str, Json], name: str) -> str | None:
    value = arguments.get(name)
    return value if isinstance(value, str) else None


def _done(structured: dict[str, Json]) -> Reply:
    return Reply("done", None, (_block(structured),), structured)


def _read(read: Read) -> Reply:
    blocks = [_block(read.structured)]
    if read.picture is not None:
        blocks.append(Content(read.picture))
    return Reply("done", None, tuple(blocks), read.structured)


def _block(structured: Mapping[str, Json]) -> Content:
    return Content({"type": "text", "text": json.dumps(structured, separators=(",", ":"))})


def _failed(error: StackError, cause: BridgeError | None) -> Reply:
    structured: Json = None
    evidence: dict[str, Json] = {}
    if cause is not None:
        structured = {"reason": cause.reason, **cause.detail}
        evidence = {"dispatched": cause.dispatched}
    outcome = outcome_of(cause) if cause is not None else error.outcome
    content = (Content({"type": "text", "text": str(error)}),)
    return Reply(outcome, error.code, content, structured, is_error=True, evidence=evidence)
