"""The driver: tools, calls, events and status of one Safari stack.

Every call gives a Reply, whatever happened: what went wrong is a code, and what is known about the effect is the
outcome. Arguments are checked first, then consent is asked for, and only then does the call wait for its turn.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import Final, TypeAlias

import anyio
from anyio.abc import TaskGroup

from stack.contract import (
    Caller,
    Content,
    Gate,
    Host,
    Json,
    Outcome,
    Permit,
    Program,
    Proposal,
    Reply,
    StackEvent,
    Tool,
)
from stack.errors import CallError, DeadlineError, ProtocolError, StackError
from stack.safari_mcp import acting, observing, searching
from stack.safari_mcp.addresses import web_url
from stack.safari_mcp.arguments import check
from stack.safari_mcp.drivers import Drivers
from stack.safari_mcp.gate import RESTRICTED, RefusesAll
from stack.safari_mcp.listing import TOOLS, check_action
from stack.safari_mcp.observed import Observed
from stack.safari_mcp.observing import expected_url
from stack.safari_mcp.operation import Operation
from stack.safari_mcp.results import content_of
from stack.safari_mcp.settings import PLATFORM, Settings
from stack.safari_mcp.tabs import Target
from stack.tasks import task_group

ENDS_SESSIONS: Final[frozenset[str]] = frozenset(
    {"session_start", "session_switch", "session_fork", "session_reload", "session_shutdown"}
)
"""Events after which nothing that waits is run, and no target of before can be used."""
Arguments: TypeAlias = Mapping[str, Json]
Asks: TypeAlias = tuple[Proposal, Caller]
"""Leave for this, by this caller's user."""
Work: TypeAlias = Callable[[Operation, Target, Arguments], Awaitable[dict[str, Json]]]


def _without_target(work: Callable[[Operation, Arguments], Awaitable[dict[str, Json]]]) -> Work:
    return lambda operation, _, arguments: work(operation, arguments)


@dataclass(frozen=True, slots=True)
class Row:
    """One tool. changes: its outcome is what became of its change; the others are done where they have answered."""

    work: Work
    changes: bool = False


ROWS: Final[Mapping[str, Row]] = {
    "tabs": Row(lambda operation, _, __: observing.tabs(operation)),
    "open": Row(_without_target(acting.open_url), changes=True),
    "search": Row(_without_target(lambda operation, arguments: searching.Search(operation).run(arguments))),
    "close": Row(acting.close, changes=True),
    "read": Row(observing.read),
    "follow_link": Row(acting.follow_link, changes=True),
    "activate": Row(acting.activate, changes=True),
    "snapshot": Row(observing.snapshot),
    "find": Row(observing.find),
    "inspect": Row(observing.inspect),
    "wait": Row(observing.wait),
    "navigate": Row(acting.navigate, changes=True),
    "interact": Row(acting.interact, changes=True),
    "screenshot": Row(observing.screenshot),
    "console": Row(observing.console),
    "network": Row(observing.network),
}
"""What each tool of listing.py does."""


@asynccontextmanager
async def open(host: Host, settings: Settings) -> AsyncIterator[SafariMcp]:
    """A Safari stack; when the context ends, so does everything that it started. No driver is started before a call."""
    opener = settings.gate
    gates: AbstractAsyncContextManager[Gate] = nullcontext(RefusesAll()) if opener is None else opener(host)
    async with gates as gate, task_group() as tasks:
        stack = SafariMcp(host, settings, gate, tasks)
        try:
            yield stack
        finally:
            with anyio.CancelScope(shield=True):
                await stack.close()


class SafariMcp:
    """The Stack of this system."""

    def __init__(self, host: Host, settings: Settings, gate: Gate, tasks: TaskGroup) -> None:
        self._host = host
        self._settings = settings
        self._gate = gate
        self._drivers = Drivers(host, settings, tasks)
        self._observed = Observed()
        self._calls: set[anyio.CancelScope] = set()
        self._closed = False

    @property
    def epoch(self) -> str | None:
        """The epoch whose targets can be used now; None: there is none."""
        return self._drivers.epoch

    async def tools(self) -> Sequence[Tool]:
        """The tools, which are always the same: no driver is asked."""
        return tuple(TOOLS.values())

    async def call(self, tool: str, arguments: Arguments, caller: Caller) -> Reply:
        """Run one tool; see the port for what a Reply says, and for taking a call back."""
        call = _Call(tool, arguments)
        scope = anyio.CancelScope()
        self._calls.add(scope)
        try:
            with scope:
                await self._run(call, caller)
        except StackError as error:
            call.fail(error)
        except anyio.get_cancelled_exc_class():
            call.taken_back()  # the reply still says what happened; the caller's next checkpoint raises
        finally:
            self._calls.discard(scope)
        if scope.cancelled_caught:
            call.taken_back()
        return call.reply(self._settings.bounds.result_bytes)

    def _check_open(self) -> None:
        if self._closed:
            raise CallError("stack_closed", "the stack has been closed")

    async def _run(self, call: _Call, caller: Caller) -> None:
        self._check_open()
        target = self._checked(call)
        permit = await self._permit(call, target, caller)
        await self._in_turn(call, target, permit, lambda operation: self._work(call, target, operation))

    async def _in_turn(
        self,
        call: _Call,
        target: Target | None,
        permit: Permit | None,
        work: Callable[[Operation], Awaitable[None]],
    ) -> None:
        """Wait for the call's turn, and do its work in its time."""
        async with self._drivers.turn():
            if target is not None:
                self._check_shown(call, target)
            limit_ms = self._settings.deadlines.work
            with anyio.move_on_after(limit_ms / 1000) as scope:
                connection = await self._drivers.connection()
                call.operation = Operation(self._drivers, connection, self._settings, permit)
                await work(call.operation)
            if scope.cancelled_caught:
                code = "operation_timeout" if call.operation is None else call.operation.lost
                raise DeadlineError(code, f"{call.tool} was not done within {limit_ms} ms")

    async def operate(
        self, name: str, target: Target, work: Callable[[Operation], Awaitable[None]], asks: Asks | None = None
    ) -> None:
        """One operation of code in this process, in a tab: in its turn, in its time, and taken back like a call. asks:
        leave that it needs, which is asked for first and ends as a tool's does. What it changes goes through
        `Operation.run_once`.

        Raises StackError, whose outcome is what is known of the operation's effect.
        """
        call = _Call(name, {})
        scope = anyio.CancelScope()
        self._calls.add(scope)
        try:
            with scope:
                self._check_open()
                self._drivers.check(target)
                permit = None if asks is None else await self._leave(call, *asks)
                await self._in_turn(call, target, permit, work)
                return
        except StackError as error:
            raise call.known(error) from error
        except anyio.get_cancelled_exc_class():
            pass  # said below; the caller's next checkpoint raises
        finally:
            self._calls.discard(scope)
        raise call.known(CallError("cancelled", f"{name} was taken back"))

    def _checked(self, call: _Call) -> Target | None:
        """The call's target. CallError for arguments that are refused before anything is asked or started."""
        tool = TOOLS.get(call.tool)
        if tool is None:
            raise CallError("unknown_tool", f"no tool is called {call.tool[:80]!r}")
        arguments = call.arguments
        check(tool.input_schema, dict(arguments))
        if "url" in arguments:
            web_url(str(arguments["url"]))
        if "expectedUrl" in arguments:
            expected_url(arguments)
        action = arguments.get("action")
        if isinstance(action, dict):
            check_action(action)
        if "targetId" not in arguments:
            return None
        target = Target(str(arguments["targetId"]), str(arguments["epoch"]))
        self._check_shown(call, target)
        return target

    def _check_shown(self, call: _Call, target: Target) -> None:
        """CallError for a target, or a node of it, that is not of what was shown last."""
        self._drivers.check(target)
        action = call.arguments.get("action")
        if isinstance(action, dict) and "node" in action:
            self._observed.check_node(target, str(call.arguments["expectedUrl"]), str(action["node"]))

    async def _permit(self, call: _Call, target: Target | None, caller: Caller) -> Permit | None:
        """Leave for a restricted call; None where none is needed. StackError where it is refused."""
        action = call.arguments.get("action")
        scope = str(action["type"]) if isinstance(action, dict) else call.tool
        if scope not in RESTRICTED or target is None:
            return None
        context = self._observed.context(target, str(call.arguments.get("expectedUrl")))
        return await self._leave(call, Proposal(scope, call.tool, dict(call.arguments), context), caller)

    async def _leave(self, call: _Call, proposal: Proposal, caller: Caller) -> Permit:
        permit = await self._gate.authorize(proposal, caller)
        call.evidence["consent"] = dict(permit.evidence)
        permit.check()
        return permit

    async def _work(self, call: _Call, target: Target | None, operation: Operation) -> None:
        row = ROWS[call.tool]
        given = target or Target("", operation.epoch)
        if call.tool == "navigate":
            self._observed.drop(given)
        call.data = await row.work(operation, given, call.arguments)
        if not row.changes:
            operation.outcome = "done"
        if call.tool == "snapshot":
            self._observed.keep(given, str(call.data["url"]), str(call.data["text"]), call.data["truncated"] is True)

    async def tell(self, event: StackEvent, data: Json) -> None:
        """The gate hears of everything first. cancel takes back every call in flight; a session that ends or begins
        drops what waits, and closes the driver."""
        await self._gate.tell(event, data)
        if event == "cancel":
            for scope in tuple(self._calls):
                scope.cancel()
        elif event in ENDS_SESSIONS:
            self._observed.clear()
            await self._drivers.end_session()

    async def close(self) -> None:
        """End everything, and take no call any more."""
        self._closed = True
        await self._drivers.close()

    async def status(self) -> Mapping[str, Json]:
        """What the driver is set to, and what the ends of drivers so far have come to."""
        return {
            "system": "safari-mcp",
            "driver": self._host.path(Program.SAFARIDRIVER),
            "platformHasSafari": self._settings.platform == PLATFORM,
            "binariesVerified": self._settings.platform == PLATFORM,  # its place is one that only the system can change
            "epoch": self._drivers.epoch,
            "consent": self._settings.gate is not None,
            "cleanup": {"verified": self._drivers.ended, "problems": [*self._drivers.problems]},
        }


class _Call:
    """One call in flight, and what its reply will say."""

    def __init__(self, tool: str, arguments: Arguments) -> None:
        self.tool = tool
        self.arguments = arguments
        self.evidence: dict[str, Json] = {}
        self.operation: Operation | None = None
        self.data: dict[str, Json] | None = None
        self._began = anyio.current_time()
        self._error: StackError | None = None

    @property
    def _outcome(self) -> Outcome:
        return "refused" if self.operation is None else self.operation.outcome

    def fail(self, error: StackError) -> None:
        self._error = error

    def known(self, error: StackError) -> StackError:
        """The error, or one that says that the effect is unknown, where it is and the error does not say so."""
        if self._outcome != "unknown" or error.outcome == "unknown":
            return error
        return ProtocolError("interaction_unclear", f"{error.code}: {error.seen}", outcome="unknown")

    def taken_back(self) -> None:
        """The call was cancelled. What it had answered by then stays its answer."""
        if self.data is None and self._error is None:
            self.fail(CallError("cancelled", f"{self.tool[:80]} was taken back by its caller"))

    def reply(self, limit: int) -> Reply:
        content: tuple[Content, ...] = ()
        try:
            content = content_of(self.data or {}, limit)
        except StackError as error:
            self.fail(error)
        evidence = {**self.evidence, **({} if self.operation is None else self.operation.evidence)}
        evidence["durationMs"] = round((anyio.current_time() - self._began) * 1000, 3)
        if self._error is None:
            return Reply(self._outcome, None, content, evidence=evidence)
        official = self._error.official
        if official is not None:
            evidence["official"] = {"code": official.code, "text": official.text}
        content = (Content({"type": "text", "text": str(self._error)}),)
        return Reply(self._outcome, self._error.code, content, is_error=True, evidence=evidence)
