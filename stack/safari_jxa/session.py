"""One session: one window, one tab, one document, and what may be done there.

Every call passes the same gate first (a terminal error is raised again), then the bridge's guard, then the page's own.
A mutation whose reply is lost is resolved, never repeated. Calls run one after another.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn

import anyio

from stack.contract import Host, Json
from stack.errors import CallError
from stack.safari_jxa import action as actions
from stack.safari_jxa.bridge import Bridge
from stack.safari_jxa.delivery import LOST, Delivery, Outcome, resolve
from stack.safari_jxa.errors import (
    NOT_RUN,
    Blocked,
    BridgeCallError,
    BridgeError,
    BridgeTimeout,
    DeliveryUnknown,
    NeverRan,
    SafariError,
    StalePage,
    Terminal,
)
from stack.safari_jxa.page import Action, Observation, observation, refusal, reply_of, seen_now
from stack.safari_jxa.scope import CLOSING, AtClose, Event, Held, Scope, State
from stack.safari_jxa.settings import TEXT_CHARACTERS, Settings

NONCE_CHARACTERS = 32


@dataclass(frozen=True, slots=True)
class Acted:
    """An action that was done. changed: whether the page shows it at once; landed: the reply was lost, and the page's
    record says that it was done."""

    changed: bool
    landed: bool = False


@dataclass(frozen=True, slots=True)
class Freshness:
    """Whether an action could be done now; if not, the part that moved or the reason."""

    fresh: bool
    part: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Closed:
    """What the end of a session has left. window: closed, left open, or unknown; why: in words."""

    window: str
    why: str


class Session:
    """A live session; see the module. Made by opening.py."""

    def __init__(
        self,
        host: Host,
        settings: Settings,
        bridge: Bridge,
        scope: Scope,
        again: Callable[[], Awaitable[Bridge]],
    ) -> None:
        self.scope = scope
        self.state = State.LIVE
        self._host = host
        self._settings = settings
        self._bridge = bridge
        self._again = again
        self._error: Terminal | None = None
        self._closed: Closed | None = None
        self._observations: deque[Observation] = deque(maxlen=settings.bounds.observations)
        self._count = 0
        self._turn = anyio.Lock(fast_acquire=True)

    # What a caller asks

    async def observe(self) -> Observation:
        """Look at the page. Two Apple Events."""
        async with self._turn:
            page = await self._look()
            self._keep(page)
            return page

    async def text(self) -> str:
        """The page's visible text. Two Apple Events."""
        async with self._turn:
            return (await self._look()).text

    async def fresh(self, given: str | Action, page: Observation) -> Freshness:
        """Whether act would refuse this action now, by the same rules. Two Apple Events; changes nothing."""
        async with self._turn:
            self._check()
            action = actions.candidate(given, self._ours(page))
            if action["kind"] == "wait":
                return Freshness(True)
            reply = await self._read(actions.argument("fresh", action, page, text=None))
            if reply["status"] == "ok":
                return Freshness(True)
            error = self._refusal(reply)
            return Freshness(False, error.part, error.reason if isinstance(error, Blocked) else None)

    async def act(self, given: str | Action, page: Observation, text: str | None = None) -> Acted:
        """Do one action of an observation, at most once. Two Apple Events, and at most two more where the reply is
        lost. StalePage, Blocked, NeverRan, DeliveryUnknown, ScopeLost, BridgeError; CallError for a caller's mistake.
        """
        async with self._turn:
            self._check()
            action = actions.candidate(given, self._ours(page))
            actions.check_text(action, text)
            if action["kind"] == "wait":
                await anyio.sleep(self._settings.deadlines.wait / 1000)
                return Acted(changed=False)
            return await self._mutate(action, page, text)

    def observed(self, number: int) -> Observation:
        """A remembered observation by its number. CallError."""
        for page in self._observations:
            if page.number == number:
                return page
        raise CallError("unknown_observation", f"observation {number} is none of the latest {len(self._observations)}")

    def status(self) -> dict[str, Json]:
        """Where the session stands. Sends nothing."""
        return {
            "state": self.state.value,
            "held": self.scope.held.value,
            "window": self.scope.window,
            "position": self.scope.position,
            "tabs": self.scope.tabs,
            "url": self.scope.url,
            "observations": self._count,
            "error": None if self._error is None else {"code": self._error.code, "seen": self._error.seen},
        }

    @property
    def error(self) -> Terminal | None:
        """The terminal error that every call but status and close raises; None while there is none."""
        return self._error

    # Reading

    def _keep(self, page: Observation) -> None:
        self._count = page.number
        self._observations.append(page)

    def _check(self) -> None:
        if self._error is not None:
            raise self._error.again()
        if self.state is State.CLOSED:
            raise CallError("no_session", "the session has been closed")

    def _ours(self, page: Observation) -> Observation:
        if not any(page is known for known in self._observations):
            raise CallError("unknown_observation", f"observation {page.number} is none that this session remembers")
        return page

    async def _look(self) -> Observation:
        self._check()
        rebind = self._host.token(NONCE_CHARACTERS) if self.scope.held is Held.OWNED else None
        reply = await self._read({"op": "observe", "epoch": self.scope.epoch, "rebind": rebind})
        if reply["status"] == "document":
            self._met(Event.NEW_DOCUMENT)
        page = observation(reply, self._count + 1, TEXT_CHARACTERS) if reply["status"] == "ok" else None
        if page is None:
            raise BridgeError("page_unreadable", "the page's answer is not an observation")
        self._within(lambda: self.scope.bound(page.url, page.epoch))
        return page

    async def _read(self, argument: Mapping[str, Json]) -> Mapping[str, Json]:
        """The page's reply to a read. Everything that ends the scope ends the session."""
        try:
            result = await self._bridge.request("read", {**self.scope.params(), "argument": dict(argument)})
        except BridgeCallError as error:
            self._failed(error.number)
            raise
        self._guarded(result)
        reply = reply_of(result.get("value"))
        if reply is None:
            raise BridgeError("page_unreadable", "the page gave no answer that can be read")
        return reply

    def _guarded(self, result: Mapping[str, Json]) -> None:
        """What the bridge's guard saw. ScopeLost where it did not fit; then nothing was dispatched."""
        tabs, lost = result.get("tabs"), result.get("lost") is True
        if not isinstance(tabs, int):
            raise BridgeError("page_unreadable", "the bridge did not say what its guard saw")
        self._within(lambda: self.scope.check_guard(tabs, lost))

    def _within(self, check: Callable[[], object]) -> None:
        """Run a check of the scope; where it is lost, so is the session."""
        try:
            check()
        except Terminal as error:
            self._end_with(error, State.LOST)

    def _failed(self, number: int) -> None:
        self._within(lambda: self.scope.failed(number))

    def _met(self, event: Event) -> None:
        self._within(lambda: self.scope.met(event))

    def _end_with(self, error: Terminal, state: State) -> NoReturn:
        self.state = state
        self._error = error
        raise error

    def _refusal(self, reply: Mapping[str, Json]) -> StalePage:
        """The error of a page that refused; a document that is not the scope's is judged by the scope first."""
        if reply["status"] == "document":
            self._met(Event.NEW_DOCUMENT)
            return StalePage("document")
        error = refusal(reply)
        if error is None:
            raise BridgeError("page_unreadable", "the page refused, and did not say why")
        return self._seen_with(error, reply)

    def _seen_with(self, error: StalePage, reply: Mapping[str, Json]) -> StalePage:
        """The error, with what the page showed when it refused: an observation like any other, without a look."""
        page = seen_now(reply, self._count + 1, TEXT_CHARACTERS)
        if page is not None and page.epoch == self.scope.epoch:
            self._keep(page)
            error.seen_now = page
        return error

    # Mutating

    async def _mutate(self, action: Action, page: Observation, text: str | None) -> Acted:
        nonce = self._host.token(NONCE_CHARACTERS)
        argument = actions.argument("act", action, page, nonce=nonce, text=text)
        try:
            reply = await self._dispatch(argument)
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):  # taken back: what has become of it is still found out
                return await self._resolved(page.epoch, nonce)
        if reply is None or LOST[str(reply["status"])]:
            return await self._resolved(page.epoch, nonce)
        if reply["status"] == "finished":
            return Acted(changed=reply.get("changed") is True)
        raise self._refusal(reply)

    async def _dispatch(self, argument: Mapping[str, Json]) -> Mapping[str, Json] | None:
        """The reply to a mutation, or None where it is lost. Raises where it certainly did not run."""
        self._bridge.check()  # to one that is over nothing is written, so nothing is lost
        try:
            result = await self._bridge.request("act", {**self.scope.params(), "argument": dict(argument)})
        except BridgeTimeout:
            return None
        except BridgeCallError as error:
            if error.sent and error.number not in NOT_RUN:
                return None
            self._failed(error.number)
            raise
        except BridgeError:
            return None
        if result.get("lost") is True and "value" not in result:
            self._guarded(result)  # nothing was dispatched
        return reply_of(result.get("value"))

    async def _resolved(self, epoch: str, nonce: str) -> Acted:
        """The outcome of a mutation whose reply is lost."""
        found: Delivery = await resolve(self._bridge, self.scope, epoch, nonce, self._settings.deadlines)
        if found.outcome is Outcome.LANDED:
            return Acted(changed=found.record.get("changed") is True, landed=True)
        if found.outcome is Outcome.REFUSED:
            raise self._refusal(found.record)
        if found.outcome is Outcome.UNKNOWN:
            seen = "the reply was lost, and the page does not tell what became of the action"
            self._end_with(DeliveryUnknown(seen), State.UNKNOWN)
        raise NeverRan("never_ran", "the reply was lost; the page had no record of the action, and it is void now")

    # The end

    async def close(self) -> Closed:
        """End the session and its bridge. Closes an owned window that is still its own and has gained no tab, once; a
        lent one never. Safe to call twice."""
        async with self._turn:
            if self._closed is None:
                at_close = CLOSING[self.scope.held, self.state]
                self._closed = Closed("unknown", "the end of the session was cut short")  # never asked for twice
                with anyio.CancelScope(shield=True):
                    self._closed = await self._end(at_close)
            return self._closed

    async def _end(self, at_close: AtClose) -> Closed:
        closed = await self._close_window() if at_close is AtClose.CLOSES else self._left(at_close)
        self.state = State.CLOSED
        await self._bridge.end()
        return closed

    def _left(self, at_close: AtClose) -> Closed:
        if at_close is AtClose.NEVER:
            return Closed("left open", "it is the user's")
        return Closed("left open", f"the session is {self.state.value}, and can't say what it would be closing")

    async def _close_window(self) -> Closed:
        try:
            if not self._bridge.usable:
                self._bridge = await self._again()
            result = await self._bridge.request("close", {**self.scope.params(), "tabs": 1})
        except BridgeCallError as error:
            if not error.sent or error.number in NOT_RUN:  # nothing was closed
                left = Closed("left open", f"Safari answered {error.number}, and closed nothing")
                return Closed("closed", "it was gone already") if error.scope else left
            return Closed("unknown", f"Safari answered {error.number} when it was to close it")
        except SafariError as error:
            return Closed("unknown", f"{error.code} when it was to be closed")
        if result.get("closed") is True:
            return Closed("closed", "the session had opened it")
        return Closed("left open", f"it has {result.get('tabs')} tabs now")
