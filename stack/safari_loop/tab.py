"""One tab of an automation session as the decision loop drives it: looks, and guarded actions that are sent once.

The promises are those of a session over Apple Events (stack/safari_jxa/session.py): an action is a candidate of an
observation, the page compares its guard, each carries a nonce, a lost answer is resolved and never repeated. Here every
action has leave besides: the gate is asked with exactly what is to be sent, and its leave is looked at once more
immediately before the first byte. What is gone with its document is not put back for an action, only for a look.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import anyio

from stack.contract import Caller, Host, Json, Proposal
from stack.decide.driving import page_of
from stack.decide.port import Acted, Action, Failed, Page, part_of
from stack.errors import CallError, OfficialError, StackError
from stack.safari_jxa import action as actions
from stack.safari_jxa.delivery import ATTEMPTS, LOST, PHASES, Outcome
from stack.safari_jxa.errors import BridgeError, DeliveryUnknown, NeverRan, StalePage
from stack.safari_jxa.page import Observation, observation, refusal, seen_now
from stack.safari_jxa.settings import TEXT_CHARACTERS, Bounds, Deadlines
from stack.safari_loop.program import answer, expression
from stack.safari_mcp.driver import SafariMcp
from stack.safari_mcp.operation import Operation
from stack.safari_mcp.tabs import Target

NONCE_CHARACTERS: Final = 32
TOOL: Final = "run"
"""The name under which leave is asked for."""
UNSEEN: Final = "none"
"""The epoch of a document before one was seen; no document has it."""
_SEEN: Final = "the answer was lost, and the page does not tell what became of the action"


class Tab:
    """See the module. error: what every later call raises again; None while there is nothing."""

    def __init__(self, host: Host, safari: SafariMcp, target: Target) -> None:
        self.error: DeliveryUnknown | None = None
        self._host = host
        self._safari = safari
        self._target = target
        self._epoch = UNSEEN
        self._count = 0
        self._observations: deque[Observation] = deque(maxlen=Bounds().observations)
        self._deadlines = Deadlines()

    # Looking

    @property
    def seen(self) -> bool:
        """Whether the page was ever observed."""
        return self._count > 0

    async def observe(self) -> Observation:
        """Look at the page; the program is put into a document that has it not. StackError."""
        self._check()
        found: list[Observation] = []

        async def look(operation: Operation) -> None:
            rebind = self._host.token(NONCE_CHARACTERS)
            await operation.select(self._target)
            reply = await _read(operation, {"op": "observe", "epoch": self._epoch, "rebind": rebind})
            page = None
            if reply is not None and reply["status"] == "ok":
                page = observation(reply, self._count + 1, TEXT_CHARACTERS)
            if page is None:
                raise BridgeError("page_unreadable", "the page's answer is not an observation")
            found.append(page)

        await self._safari.operate("observe", self._target, look)
        self._keep(found[0])
        return found[0]

    # Acting

    async def act(self, given: Action, number: int, text: str | None, caller: Caller) -> Acted:
        """Do one action of an observation, at most once, where the caller's user gives leave. StalePage, Blocked,
        NeverRan, DeliveryUnknown; StackError of the gate and the driver; CallError for a caller's mistake."""
        self._check()
        page = self._observed(number)
        action = actions.candidate(given, page)
        actions.check_text(action, text)
        if action["kind"] == "wait":
            await anyio.sleep(self._deadlines.wait / 1000)
            return Acted(changed=False)
        try:
            return await self._mutate(action, page, text, caller)
        except StackError as error:
            if error.outcome != "unknown":
                raise
            self.error = error if isinstance(error, DeliveryUnknown) else DeliveryUnknown(f"{_SEEN} ({error.seen})")
            raise self.error from None

    def _check(self) -> None:
        if self.error is not None:
            raise self.error.again()

    def _observed(self, number: int) -> Observation:
        for page in self._observations:
            if page.number == number:
                return page
        raise CallError("unknown_observation", f"observation {number} is none of the latest {len(self._observations)}")

    async def _mutate(self, action: Action, page: Observation, text: str | None, caller: Caller) -> Acted:
        nonce = self._host.token(NONCE_CHARACTERS)
        program = expression(actions.argument("act", action, page, nonce=nonce, text=text))
        done: list[Acted] = []

        async def send(operation: Operation) -> None:
            operation.check_permit()
            await operation.select(self._target)
            try:
                reply = answer(await operation.run_once(program))
            except StackError:
                if operation.outcome != "unknown":
                    raise
                reply = None  # the script failed, its document went, or the driver did: it may have acted before
            if reply is None or LOST[str(reply["status"])]:
                reply = await self._resolved(operation, page.epoch, nonce)
            operation.outcome = "done" if reply["status"] == "finished" else "refused"
            if operation.outcome == "refused":
                raise self._refusal(reply)
            done.append(Acted(changed=reply.get("changed") is True))

        await self._safari.operate("act", self._target, send, (self._proposal(action, page, text), caller))
        return done[0]

    def _proposal(self, action: Action, page: Observation, text: str | None) -> Proposal:
        """Exactly what is to be sent, and what was last seen of the page."""
        asked: dict[str, Json] = {**action, **({} if text is None else {"text": text})}
        shown = self._target.shown()
        arguments: dict[str, Json] = {**shown, "expectedUrl": page.url, "action": asked}
        context: dict[str, Json] = {**shown, "url": page.url, "title": page.title, "text": page.text}
        return Proposal(str(action["kind"]), TOOL, arguments, context)

    async def _resolved(self, operation: Operation, epoch: str, nonce: str) -> Mapping[str, Json]:
        """What became of an action whose answer was lost, in the form of an answer. NeverRan, DeliveryUnknown."""
        for attempt in range(ATTEMPTS):
            if attempt:
                await anyio.sleep(self._deadlines.pause / 1000)
            reply = await _read(operation, {"op": "resolve", "epoch": epoch, "nonce": nonce})
            if reply is not None:
                break
        phase = reply.get("phase") if reply is not None and reply["status"] == "ok" else None
        outcome = PHASES.get(phase, Outcome.UNKNOWN) if isinstance(phase, str) else Outcome.UNKNOWN
        if reply is None or outcome is Outcome.UNKNOWN:
            raise DeliveryUnknown(_SEEN)
        if outcome is Outcome.NEVER_RAN:
            operation.outcome = "refused"
            raise NeverRan("never_ran", "the answer was lost; the page had no record of the action, and it is void now")
        return {**reply, "status": "finished" if outcome is Outcome.LANDED else "refused"}


    def _refusal(self, reply: Mapping[str, Json]) -> StalePage:
        """The error of a page that refused, with what it showed then; of a document that is not the observation's,
        that it is another one."""
        error = refusal(reply) or StalePage("document")
        page = seen_now(reply, self._count + 1, TEXT_CHARACTERS)
        if page is not None and page.epoch == self._epoch:
            self._keep(page)
            error.seen_now = page
        return error

    def _keep(self, page: Observation) -> None:
        self._epoch, self._count = page.epoch, page.number
        self._observations.append(page)


async def _read(operation: Operation, argument: Mapping[str, Json]) -> Mapping[str, Json] | None:
    """The page's reply to what changes nothing; None where it could not be asked for the moment."""
    with suppress(OfficialError):
        return answer(await operation.look(expression(argument)))
    return None


class TabDriver:
    """The loop's port over a tab. caller: whose user is asked for leave. acted: how many actions were done."""

    def __init__(self, tab: Tab, caller: Caller) -> None:
        self.acted = 0
        self._tab = tab
        self._caller = caller

    async def observe(self) -> Page:
        return page_of((await self._tab.observe()).shown())

    async def act(self, action: Action, page: Page, text: str | None) -> Acted:
        try:
            acted = await self._tab.act(action, page.number, text, self._caller)
        except StalePage as error:
            now = None if error.seen_now is None else page_of(error.seen_now.shown())
            raise Failed(error.code, str(error), error.outcome, part_of(error), now) from error
        self.acted += action["kind"] != "wait"
        return acted

    async def text(self) -> str:
        return (await self._tab.observe()).text
