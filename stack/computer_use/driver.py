"""The driver: tools, calls, events and status of one Computer Use stack.

Every call gives a Reply, whatever happened: what went wrong is a code, and what is known about the effect is the
outcome. A call that failed, and one without a target, ends its sequence before it answers, so that the reply can say
whether the cleanup is verified.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final
from weakref import WeakSet

import anyio
from anyio.abc import TaskGroup

from stack.computer_use.call import Call
from stack.computer_use.evidence import Evidence
from stack.computer_use.pinned import DISCLOSED_FIRST, DISCLOSES
from stack.computer_use.pool import Pool
from stack.computer_use.settings import Settings
from stack.computer_use.signatures import verify_program
from stack.contract import AskFailed, Caller, Content, Host, Json, Program, Reply, StackEvent, Tool
from stack.errors import CallError, CleanupError, DeadlineError, StackError
from stack.tasks import task_group

ENDS_SEQUENCES: Final[frozenset[StackEvent]] = frozenset({"task_end", "session_switch"})
"""Events after which nothing of a sequence may be used again."""
VERIFIED: Final = "verified"


@asynccontextmanager
async def open(host: Host, settings: Settings) -> AsyncIterator[ComputerUse]:
    """A Computer Use stack; when the context ends, so does everything that it started."""
    async with task_group() as tasks:
        stack = ComputerUse(host, settings, tasks)
        try:
            yield stack
        finally:
            await stack.close()


class ComputerUse:
    """The Stack of this system."""

    def __init__(self, host: Host, settings: Settings, tasks: TaskGroup) -> None:
        self._host = host
        self._settings = settings
        self._pool = Pool(host, settings, tasks)
        self._calls: WeakSet[anyio.CancelScope] = WeakSet()
        self._listed: tuple[Tool, ...] | None = None
        self._disclosed = not settings.progressive
        self._closed = False

    async def tools(self) -> Sequence[Tool]:
        """The tools that are listed now, with the helper's own descriptions: the first time an app-server is started
        for them, which dispatches nothing. Raises StackError."""
        if self._listed is None:
            self._listed = await self._list()
        return self._listed if self._disclosed else tuple(t for t in self._listed if t.name in DISCLOSED_FIRST)

    async def _list(self) -> tuple[Tool, ...]:
        self._check_open()
        limit_ms = self._settings.deadlines.reply
        sequence = await self._pool.make(None, openai_forms=False)
        try:
            with anyio.move_on_after(limit_ms / 1000):
                await sequence.begin()
        finally:
            await self._pool.end(sequence)
        if sequence.problems:
            raise CleanupError("cleanup_unverified", "; ".join(sequence.problems))
        if sequence.inventory is None:
            raise DeadlineError("call_timeout", f"the tools were not listed within {limit_ms} ms")
        return sequence.inventory.tools

    def _check_open(self) -> None:
        if self._closed:
            raise CallError("stack_closed", "the stack has been closed")

    def _after_the_end(self) -> Reply | None:
        """What a call is answered once the stack has been closed; None before."""
        try:
            self._check_open()
        except StackError as error:
            now = anyio.current_time()
            content = (Content({"type": "text", "text": str(error)}),)
            return Reply("refused", error.code, content, is_error=True, evidence=Evidence(now).shown(now))
        return None

    async def call(self, tool: str, arguments: Mapping[str, Json], caller: Caller) -> Reply:
        """Run one tool; see the port for what a Reply says, and for taking a call back."""
        refused = self._after_the_end()
        if refused is not None:
            return refused
        call = Call(self._host, self._settings, self._pool, tool, arguments, caller)
        scope = anyio.CancelScope()
        self._calls.add(scope)
        try:
            with scope:
                await call.run()
                if call.succeeded and tool == DISCLOSES:
                    await self._disclose(caller)
        except anyio.get_cancelled_exc_class():
            call.taken_back()  # the reply still says what happened; the caller's next checkpoint raises
        finally:
            if scope.cancelled_caught:
                call.taken_back()
            with anyio.CancelScope(shield=True):
                reply = await call.finish()
        return reply

    async def _disclose(self, caller: Caller) -> None:
        """From now on all tools are listed. No permission hangs on it: an unlisted tool runs like any other."""
        if self._disclosed:
            return
        self._disclosed = True
        with anyio.move_on_after(self._settings.deadlines.focus / 1000), suppress(AskFailed):
            await caller.tools_changed()

    async def tell(self, event: StackEvent, data: Json) -> None:
        """task_end and session_switch end every sequence; cancel takes back every call in flight; the others change
        nothing, since there is one policy and the user's own input is the helper's to notice."""
        if event == "cancel":
            for scope in tuple(self._calls):
                scope.cancel()
        elif event in ENDS_SEQUENCES:
            await self._pool.end_all()

    async def close(self) -> None:
        """End everything, and take no call any more."""
        self._closed = True
        await self._pool.end_all()

    async def status(self) -> Mapping[str, Json]:
        """The policy, the methods, whether both binaries verify now, and what the cleanups so far have come to."""
        binaries: dict[str, Json] = {}
        for program in self._settings.platform.identifiers:
            binaries[program] = await self._signature(program)
        return {
            "system": "computer-use",
            "permissionMode": "no-permissions",
            "wrapperPermissionPrompts": False,
            "officialApprovalPolicy": "full-access",
            "officialElicitationHandling": "forwarded-if-emitted",
            "nestedModel": False,
            "methods": [*self._settings.inventory],
            "progressive": self._settings.progressive,
            "binaries": binaries,
            "binariesVerified": all(verdict == VERIFIED for verdict in binaries.values()),
            "cleanup": {"verified": self._pool.verified, "problems": [*self._pool.problems]},
        }

    async def _signature(self, program: Program) -> str:
        """ "verified", or the code of what is wrong with a binary."""
        try:
            await verify_program(self._host, program, self._settings)
        except StackError as error:
            return error.code
        return VERIFIED
