"""What a session was given, and what ends it: window, tab, document, as tables.

Separate from the session, which asks the tables what an observation means. An owned window is one that the session
opened, a lent one is the user's. `tabs` of an owned window is not compared: it may gain tabs, and is then not closed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from stack.contract import Json
from stack.safari_jxa.errors import SAFARI_GONE, TAB_GONE, WINDOW_GONE, ScopeLost


class Held(StrEnum):
    """Whose window it is."""

    LENT = "lent"
    OWNED = "owned"


class Event(StrEnum):
    """What has happened to what was given."""

    GAINED_TAB = "the window has gained a tab"
    LOST_TAB = "the window has lost a tab"
    OTHER_TAB = "another tab is shown, or the tab has another position"
    NEW_DOCUMENT = "the document has been replaced"
    NEW_URL = "the address has changed within the document"
    TAB_GONE = "the tab is gone"
    WINDOW_GONE = "the window is gone"
    SAFARI_GONE = "Safari is gone"


class Effect(StrEnum):
    """What it means for the scope."""

    STAYS = "stays"
    REBINDS = "rebinds"
    LOST = "lost"


TRANSITIONS: Final[Mapping[tuple[Held, Event], Effect]] = {
    (Held.LENT, Event.GAINED_TAB): Effect.LOST,
    (Held.LENT, Event.LOST_TAB): Effect.LOST,
    (Held.LENT, Event.OTHER_TAB): Effect.LOST,
    (Held.LENT, Event.NEW_DOCUMENT): Effect.LOST,
    (Held.LENT, Event.NEW_URL): Effect.STAYS,
    (Held.LENT, Event.TAB_GONE): Effect.LOST,
    (Held.LENT, Event.WINDOW_GONE): Effect.LOST,
    (Held.LENT, Event.SAFARI_GONE): Effect.LOST,
    (Held.OWNED, Event.GAINED_TAB): Effect.STAYS,
    (Held.OWNED, Event.LOST_TAB): Effect.STAYS,
    (Held.OWNED, Event.OTHER_TAB): Effect.LOST,
    (Held.OWNED, Event.NEW_DOCUMENT): Effect.REBINDS,
    (Held.OWNED, Event.NEW_URL): Effect.STAYS,
    (Held.OWNED, Event.TAB_GONE): Effect.LOST,
    (Held.OWNED, Event.WINDOW_GONE): Effect.LOST,
    (Held.OWNED, Event.SAFARI_GONE): Effect.LOST,
}
"""Source: decision "What ends the scope of a window"."""

NUMBERS: Final[Mapping[Event, frozenset[int]]] = {
    Event.TAB_GONE: TAB_GONE,
    Event.WINDOW_GONE: WINDOW_GONE,
    Event.SAFARI_GONE: SAFARI_GONE,
}


class State(StrEnum):
    """Where a session stands."""

    LIVE = "live"
    LOST = "lost"
    UNKNOWN = "unknown"
    CLOSED = "closed"


class AtClose(StrEnum):
    """What close does to the window."""

    CLOSES = "closes it, unless it has gained tabs"
    LEAVES = "leaves it open"
    NEVER = "never closes it"


CLOSING: Final[Mapping[tuple[Held, State], AtClose]] = {
    (Held.LENT, State.LIVE): AtClose.NEVER,
    (Held.LENT, State.LOST): AtClose.NEVER,
    (Held.LENT, State.UNKNOWN): AtClose.NEVER,
    (Held.OWNED, State.LIVE): AtClose.CLOSES,
    (Held.OWNED, State.LOST): AtClose.LEAVES,
    (Held.OWNED, State.UNKNOWN): AtClose.LEAVES,
}
"""A session that can't say any more what it would be closing closes nothing."""


@dataclass(slots=True)
class Scope:
    """pid: Safari's; window: its id; tabs: how many there are, position: of ours among them, from 0; url, epoch: of the
    document that is bound."""

    held: Held
    pid: int
    window: int
    tabs: int
    position: int
    url: str
    epoch: str

    def params(self) -> dict[str, Json]:
        """The guard of a request."""
        tabs = self.tabs if self.held is Held.LENT else None
        return {"pid": self.pid, "window": self.window, "tabs": tabs, "position": self.position}

    def met(self, event: Event) -> Effect:
        """What the event means here. ScopeLost where it ends the scope."""
        effect = TRANSITIONS[self.held, event]
        if effect is Effect.LOST:
            raise ScopeLost(event.name.lower(), f"{event.value} ({self.held} window {self.window})")
        return effect

    def check_guard(self, tabs: int, lost: bool) -> None:
        """What the bridge saw before it dispatched anything. ScopeLost."""
        if tabs != self.tabs:
            self.met(Event.GAINED_TAB if tabs > self.tabs else Event.LOST_TAB)
            self.tabs = tabs
        if lost:
            self.met(Event.OTHER_TAB)

    def failed(self, number: int) -> None:
        """The number of an Apple Event that failed. ScopeLost where it is one of those that end the scope."""
        for event, numbers in NUMBERS.items():
            if number in numbers:
                self.met(event)

    def bound(self, url: str, epoch: str) -> None:
        """The document that answered. ScopeLost."""
        if epoch != self.epoch:
            self.met(Event.NEW_DOCUMENT)
            self.epoch = epoch
        if url != self.url:
            self.met(Event.NEW_URL)
            self.url = url
