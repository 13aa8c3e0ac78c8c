"""One sequence of calls on one application: its lease, its focus listener and its app-server, and one call in it.

A lease of the helper is per process, so an action works only in the app-server in which the state was read; and
nothing is shared between applications or used again after an error.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import anyio
from anyio.abc import TaskGroup

from stack.computer_use import elicitation
from stack.computer_use.focus import FocusWatch
from stack.computer_use.inventory import Inventory
from stack.computer_use.lease import take_lease
from stack.computer_use.protocol import Asked, Refused, Replied
from stack.computer_use.session import Session
from stack.computer_use.settings import Settings
from stack.computer_use.signatures import verify_binaries
from stack.contract import Caller, Host, Json, Lease
from stack.errors import CallError


class Deadline:
    """The one deadline of a call. It stops while a user is asked."""

    def __init__(self, limit_ms: int) -> None:
        self.limit_ms = limit_ms
        self.scope = anyio.CancelScope(deadline=anyio.current_time() + limit_ms / 1000)
        self._left = math.inf

    def stop(self) -> None:
        """From now on no time passes for the call."""
        self._left = self.scope.deadline - anyio.current_time()
        self.scope.deadline = math.inf

    def go_on(self) -> None:
        """Time passes again."""
        self.scope.deadline = anyio.current_time() + self._left


class Sequence:
    """One sequence. app: bundle identifier, None for what has no target. used: when it was last used, seconds."""

    def __init__(
        self, host: Host, settings: Settings, tasks: TaskGroup, app: str | None, *, openai_forms: bool
    ) -> None:
        self.app = app
        self.began = self.used = anyio.current_time()
        self.session = Session(host, settings, openai_forms=openai_forms)
        self.inventory: Inventory | None = None
        self.ended = anyio.Event()
        self.problems: tuple[str, ...] = ()
        self.lease_released: bool | None = None
        self._over = False
        self._ending = anyio.Lock(fast_acquire=True)
        self._watch = FocusWatch(host, settings) if app is not None else None
        self._host = host
        self._settings = settings
        self._tasks = tasks
        self._lease: Lease | None = None
        self._running: list[Session | FocusWatch] = []

    async def take(self, until: float) -> None:
        """Take the lease on the application, waiting for it `until` then. Whoever takes must `end`."""
        self._check_wanted()
        if self.app is not None:
            self._lease = await take_lease(self._host, self.app, self._settings.deadlines, until)
            self.lease_released = False

    def _check_wanted(self) -> None:
        """An end that came first is an end: nothing is started after it, since nobody would end that."""
        if self._over:
            raise CallError("cancelled", "the sequence of the call was ended before it had begun")

    async def begin(self) -> None:
        """Signatures, focus listener, app-server, handshake, inventory. Whoever begins must `end`."""
        await verify_binaries(self._host, self._settings)
        for part in (self._watch, self.session):
            if part is not None:
                self._check_wanted()
                self._running.append(part)
                self._tasks.start_soon(part.run)
                await part.up.wait()
        await self.session.handshake()
        await self.check()

    async def check(self) -> None:
        """What comes before each direct call: the inventory is the pinned one, and the helper is alive."""
        self.inventory = await self.session.inventory()
        self.session.check_helper()

    async def call(
        self, tool: str, arguments: Mapping[str, Json], caller: Caller, deadline: Deadline
    ) -> Replied | Refused:
        """One tool call, checked before. Raises StackError."""
        if self._watch is not None:
            await self._watch.before()
        await self.session.dispatch(tool, arguments)
        while True:
            event = await self.session.next_event()
            if not isinstance(event, Asked):
                return event
            deadline.stop()
            answer = await self._ask(event, caller)
            deadline.go_on()
            if answer is not None:
                await self.session.answer(event, answer)

    async def _ask(self, asked: Asked, caller: Caller) -> Mapping[str, Json] | None:
        """The client's answer to a question; None where the call is over before, so that nothing is answered late."""
        answer = None
        with anyio.CancelScope() as asking:
            self.session.when_over(asking.cancel)
            try:
                answer = await elicitation.put(caller, asked.params)
            finally:
                self.session.when_over(None)
        return None if self.session.is_over else answer

    async def focus(self) -> bool | None:
        """Whether the front application stayed in front since the last dispatch; bounded in time."""
        if self._watch is None:
            return None
        with anyio.move_on_after(self._settings.deadlines.finding / 1000):
            return await self._watch.after()
        return None

    async def end(self) -> None:
        """End all of it: app-server, listener, lease; a second end takes what came after the first. Afterwards
        `problems` says what is not verified. Not to be cancelled: the pool sees to that."""
        self._over = True
        async with self._ending:
            problems: list[str] = []
            while self._running:
                problems += await self._running.pop().end()
            if self._lease is not None:
                lease, self._lease = self._lease, None
                try:
                    lease.release()
                    self.lease_released = True
                except OSError:
                    problems.append("the lease was not seen to be released")
            self.problems += tuple(problems)
            self.ended.set()

    @property
    def usable(self) -> bool:
        """Whether another call may follow in it."""
        return not self._over and self.session.fault is None and self.session.conversation.clean
