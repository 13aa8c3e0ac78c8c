"""The sequences that are open: one an application, ended when they fail, when they have been idle, and at the end."""

from __future__ import annotations

import anyio
from anyio.abc import TaskGroup

from stack.computer_use import audit
from stack.computer_use.evidence import Evidence
from stack.computer_use.sequence import Sequence
from stack.computer_use.settings import Settings
from stack.contract import Host
from stack.errors import CallError, SetupError


class Pool:
    """Sequences by bundle identifier. verified and problems: what the cleanups so far have come to."""

    def __init__(self, host: Host, settings: Settings, tasks: TaskGroup) -> None:
        self.verified = 0
        self.problems: list[str] = []
        self._host = host
        self._settings = settings
        self._tasks = tasks
        self._open: dict[str, Sequence] = {}
        self._loose: set[Sequence] = set()
        self._turns: dict[str, anyio.Lock] = {}

    async def take_turn(self, app: str, until: float) -> anyio.Lock:
        """Wait for the turn on an application: calls on it run one at a time. The caller releases it. CallError when
        the wait is over at `until`, a time of the stack's clock."""
        turn = self._turns.setdefault(app.casefold(), anyio.Lock(fast_acquire=True))
        with anyio.CancelScope(deadline=until):
            await turn.acquire()
            return turn
        limit_ms = self._settings.deadlines.lock
        raise CallError("app_busy", f"another call on {app} has not ended within {limit_ms} ms")

    def get(self, app: str | None, *, openai_forms: bool) -> Sequence | None:
        """The open sequence of an application that was begun with the same announcement."""
        found = self._open.get(app.casefold()) if app is not None else None
        return found if found is not None and found.session.openai_forms == openai_forms else None

    async def make(self, app: str | None, *, openai_forms: bool) -> Sequence:
        """A new sequence, not begun; another one of the same application is ended first."""
        if app is not None and (other := self._open.get(app.casefold())) is not None:
            await self.end(other)
            self._write_down(other)
        sequence = Sequence(self._host, self._settings, self._tasks, app, openai_forms=openai_forms)
        if app is None:
            self._loose.add(sequence)
        else:
            self._open[app.casefold()] = sequence
            self._tasks.start_soon(self._end_when_idle, app, sequence)
        return sequence

    async def end(self, sequence: Sequence) -> None:
        """End a sequence and count what came of it."""
        with anyio.CancelScope(shield=True):
            await sequence.end()
        if self._forget(sequence):
            self.verified += not sequence.problems
            self.problems += sequence.problems

    def _forget(self, sequence: Sequence) -> bool:
        """Whether it was known until now."""
        if sequence in self._loose:
            self._loose.remove(sequence)
            return True
        if sequence.app is not None and self._open.get(sequence.app.casefold()) is sequence:
            del self._open[sequence.app.casefold()]
            return True
        return False

    async def end_all(self) -> None:
        """End every sequence, together."""
        with anyio.CancelScope(shield=True):
            async with anyio.create_task_group() as ending:
                for sequence in (*self._open.values(), *self._loose):
                    ending.start_soon(self._end_alone, sequence)

    async def _end_alone(self, sequence: Sequence) -> None:
        if not sequence.ended.is_set():
            await self.end(sequence)
            self._write_down(sequence)

    async def _end_when_idle(self, app: str, sequence: Sequence) -> None:
        idle = self._settings.deadlines.idle / 1000
        turn = self._turns.setdefault(app.casefold(), anyio.Lock(fast_acquire=True))
        while not sequence.ended.is_set():
            with anyio.move_on_after(max(0.0, sequence.used + idle - anyio.current_time())):
                await sequence.ended.wait()
                return
            async with turn:
                if anyio.current_time() >= sequence.used + idle:
                    await self._end_alone(sequence)

    def _write_down(self, sequence: Sequence) -> None:
        """The audit's record of an end that no call answers for. A record that can't be written is a problem too."""
        session = sequence.session
        evidence = Evidence(
            sequence.began,
            broker_version=session.broker_version,
            client_build=session.client_build,
            direct_calls=session.dispatched,
            model_turns=session.conversation.turns,
            elicitations=session.conversation.asked,
            ephemeral=session.ephemeral,
            cleanup_verified=not sequence.problems,
            lease_released=sequence.lease_released,
        )
        code = "cleanup_unverified" if sequence.problems else None
        line = audit.record(
            "sequence_ended",
            self._host.date().isoformat(),
            evidence.shown(anyio.current_time()),
            tool="",
            outcome="done" if session.violation is None else "unknown",
            code=code,
            tools=self._settings.inventory,
        )
        try:
            audit.append(self._host, line)
        except SetupError as error:
            self.problems.append(error.seen)
