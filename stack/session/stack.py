"""A Safari stack with two tools more: `run`, the decision loop over its own session, and `command`, the session
commands in process, whose servers are tasks instead of processes.

Separate from the driver, which knows nothing of models and sockets. Everything else is the driver's own.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import anyio
from anyio.abc import TaskGroup

from stack import decide, safari_jxa
from stack.contract import Caller, Content, Host, Json, Reply, StackEvent, Tool
from stack.decide.driving import ToolDriver
from stack.decide.plan import reply
from stack.decide.schema import RUN
from stack.errors import CallError, StackError
from stack.safari_jxa.driver import SafariJxa
from stack.session import arguments, commands, server
from stack.session.exits import USAGE
from stack.session.machine import Machine
from stack.session.settings import Settings
from stack.session.wire import failed
from stack.tasks import task_group

_TEXT: Final[dict[str, Any]] = {"type": "string"}
_RUN: Final[dict[str, Any]] = {"type": "object", "properties": RUN, "additionalProperties": False}
_COMMAND: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"words": {"type": "array", "items": _TEXT}},
    "required": ["words"],
    "additionalProperties": False,
}
_ACTS: Final[Mapping[str, Json]] = {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": True}
TOOLS: Final = (
    Tool("run", "Let a typed-choice model decide over the open session, one observed action at a time.", _RUN, _ACTS),
    Tool("command", "Run one session command, such as `observe --session a`.", _COMMAND, _ACTS),
)


@asynccontextmanager
async def open(host: Host, settings: Settings) -> AsyncIterator[SessionStack]:
    """A stack; when the context ends, so do its session and the servers that it started."""
    async with safari_jxa.open(host, settings.safari) as safari, task_group() as tasks:
        stack = SessionStack(host, settings, safari, tasks)
        try:
            yield stack
        finally:
            stack.stop()


class SessionStack:
    """See the module."""

    def __init__(self, host: Host, settings: Settings, safari: SafariJxa, tasks: TaskGroup) -> None:
        self._host = host
        self._settings = settings
        self._safari = safari
        self._tasks = tasks
        self._servers: list[anyio.Event] = []

    async def tools(self) -> Sequence[Tool]:
        """The driver's tools, and two more."""
        return (*await self._safari.tools(), *TOOLS)

    async def tell(self, event: StackEvent, data: Json) -> None:
        """As the driver. Servers stay: they are other processes in production."""
        await self._safari.tell(event, data)

    async def status(self) -> Mapping[str, Json]:
        """The driver's, with the names of its tools."""
        return {**await self._safari.status(), "tools": [tool.name for tool in await self.tools()]}

    async def call(self, tool: str, arguments: Mapping[str, Json], caller: Caller) -> Reply:
        """Run one tool."""
        try:
            if tool == "run":
                return await self._run(arguments, caller)
            if tool == "command":
                return await self._command(arguments)
        except StackError as error:
            return failed(error)
        return await self._safari.call(tool, arguments, caller)

    async def _run(self, arguments: Mapping[str, Json], caller: Caller) -> Reply:
        options = decide.options_from(arguments)
        if self._settings.model is None:
            raise CallError("model_missing", "this stack was opened without a model")

        async def ask(tool: str, given: Mapping[str, Json]) -> Reply:
            return await self._safari.call(tool, given, caller)

        ran = await decide.run(self._host, ToolDriver(ask), self._settings.model, options)
        return reply(ran)

    async def _command(self, given: Mapping[str, Json]) -> Reply:
        words = given.get("words")
        if set(given) != {"words"} or not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise CallError("invalid_arguments", "a command has words, a list of texts, and nothing else")
        lines: list[str] = []
        remarks: list[str] = []
        machine = Machine(
            self._host, self._spawn, lines.append, remarks.append, self._settings.safari, model=self._settings.model
        )
        try:
            parsed = arguments.parse([str(word) for word in words])
        except CallError as error:
            return _said(USAGE, [], [str(error)], error)
        status = await commands.run(parsed, machine)
        return _said(status, lines, remarks, machine.error)

    async def _spawn(self, name: str) -> None:
        stop = anyio.Event()
        self._servers.append(stop)
        self._tasks.start_soon(self._serve, name, stop)

    async def _serve(self, name: str, stop: anyio.Event) -> None:
        try:
            await server.serve(self._host, self._settings.safari, name, stop)
        except (StackError, OSError):
            return  # its client is told that nobody listens, as it would be by a process that has ended

    def stop(self) -> None:
        """End the servers as a signal would end their processes."""
        for stop in self._servers:
            stop.set()


def _said(status: int, lines: list[str], remarks: list[str], error: StackError | None) -> Reply:
    """What a command came to: its exit code and lines; the outcome is that of its error."""
    said: list[Json] = [_value(line) for line in lines]
    structured: Json = {"exit": status, "lines": said, "remarks": [*remarks]}
    content = (Content({"type": "text", "text": json.dumps(structured)}),)
    if error is None:
        return Reply("done", None, content, structured)
    return Reply(error.outcome, error.code, content, structured, is_error=True)


def _value(line: str) -> Json:
    """A line that is a JSON object as its value, for whoever compares it; any other as it is."""
    try:
        value: Json = json.loads(line)
    except ValueError:
        return line
    return value if isinstance(value, dict) else line
