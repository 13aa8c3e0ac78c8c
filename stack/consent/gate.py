"""The gate: a restricted action passes under a full grant, or when the judge approves it for the task of now.

Whatever ends the task or the grant takes decisions that are pending back at once, and permits too: each is of one
generation of the grants, and is checked again immediately before the action is sent.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

import anyio

from stack.consent import judge
from stack.consent.grants import Grants
from stack.consent.settings import Judge, Settings
from stack.contract import Caller, Gate, Host, Json, Permit, Proposal, StackEvent
from stack.errors import CallError, DeadlineError

MARGIN_MS = 1000
"""By how much the request would outlast the decision: so the decision's own deadline is the one that ends it."""
FORM = "form"
"""A caller whose user can be asked in a form has a user there: it is interactive."""


@dataclass(frozen=True, slots=True)
class Leave:
    """A Permit: for one dispatch, and only as long as nothing of the grants has ended."""

    grants: Grants
    generation: int
    evidence: Mapping[str, Json]

    def check(self) -> None:
        if self.grants.generation != self.generation:
            raise CallError("consent_retired", "the task or grant under which this was allowed has ended")


class ConsentGate:
    """The Gate of a stack with consent."""

    def __init__(self, host: Host, settings: Settings) -> None:
        self.grants = Grants()
        self._host = host
        self._settings = settings
        self._pending: set[anyio.CancelScope] = set()

    async def authorize(self, proposal: Proposal, caller: Caller) -> Permit:
        """See the port. Sends nothing to the browser, and asks the judge at most once."""
        if FORM not in caller.modes:
            raise CallError("consent_noninteractive", f"{proposal.scope} by a caller without a user who could be asked")
        grants = self.grants
        generation = grants.generation
        if grants.full:
            return Leave(grants, generation, {"by": "full grant"})
        if grants.task is None:
            raise CallError("consent_no_task", f"{proposal.scope} while there is neither a task nor a full grant")
        if self._settings.judge is None:
            raise CallError("consent_missing", f"{proposal.scope} without a judge who could allow it")
        decision = await self._decide(judge.message(grants.task, proposal), self._settings.judge)
        leave = Leave(grants, generation, {"by": "judge", "usage": dict(decision.usage)})
        leave.check()
        if not decision.approved:
            raise CallError("consent_denied", f"{proposal.scope}: {decision.why}{_used(decision.usage)}")
        return leave

    async def _decide(self, text: str, asked: Judge) -> judge.Decision:
        """Within the judge's time, and no longer than the grants stay as they are."""
        limit_ms = self._settings.decides_within_ms
        with anyio.CancelScope(deadline=anyio.current_time() + limit_ms / 1000) as scope:
            self._pending.add(scope)
            try:
                return await judge.decide(self._host, asked, text, limit_ms + MARGIN_MS)
            finally:
                self._pending.discard(scope)
        if anyio.current_time() < scope.deadline:
            raise CallError("consent_retired", "the task has ended while the judge was deciding")
        raise DeadlineError("consent_timeout", f"no decision within {limit_ms} ms")

    async def tell(self, event: StackEvent, data: Json) -> None:
        """See the port. A grant by another word than `allow`, or from where no user is, changes nothing."""
        before = self.grants.generation
        self.grants.tell(event, data)
        if self.grants.generation != before:
            self._take_back()

    def _take_back(self) -> None:
        for scope in tuple(self._pending):
            scope.cancel()

    def close(self) -> None:
        """Nothing is allowed any more."""
        self.grants.tell("session_shutdown", None)
        self._take_back()


def _used(usage: Mapping[str, Json]) -> str:
    return "" if not usage else f" (used {', '.join(f'{name} {number}' for name, number in sorted(usage.items()))})"


def opener(settings: Settings) -> Callable[[Host], AbstractAsyncContextManager[Gate]]:
    """What opens the gate with its stack, and closes it after that."""

    @asynccontextmanager
    async def opened(host: Host) -> AsyncIterator[Gate]:
        gate = ConsentGate(host, settings)
        try:
            yield gate
        finally:
            gate.close()

    return opened
