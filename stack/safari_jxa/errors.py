"""The errors of a Safari session: one tree under the stack's own.

    SafariError
    ├─ StartRefused            this Mac is not as a session needs it; nothing was sent to a page
    ├─ BridgeError             osascript failed, or broke its protocol
    │  ├─ BridgeTimeout        no answer within its bound
    │  ├─ BridgeCallError      an Apple Event failed: `number`, `scope`, `sent`
    │  │  ├─ AutomationDenied      -1743
    │  │  └─ JavaScriptDisabled    8
    │  └─ NeverRan             a mutation's reply was lost, and its nonce voided: it has not run and will not
    ├─ Terminal                the session is over: status and close answer, everything else raises it again
    │  ├─ ScopeLost            this is not the window, tab or document that was given: `cause`
    │  └─ DeliveryUnknown      an action may or may not have landed
    └─ StalePage               the page moved: `part`; observe again
       └─ Blocked              the page has not moved, and the action can't be done: `reason`

What a caller asks wrongly is the stack's CallError. Apple Events are told apart by number, never by their words, which
are in the user's language.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Self

from stack.contract import Outcome
from stack.errors import Official, StackError

if TYPE_CHECKING:
    from stack.safari_jxa.page import Observation

DENIED: Final = -1743
SCRIPTS_OFF: Final = 8
TIMED_OUT: Final = -1712
WINDOW_GONE: Final = frozenset({-1728, -10006})
TAB_GONE: Final = frozenset({-1719})
SAFARI_GONE: Final = frozenset({-600, -609})
SCOPE: Final = WINDOW_GONE | TAB_GONE | SAFARI_GONE
"""Numbers that say that what was lent or opened is not there any more."""
NOT_RUN: Final = WINDOW_GONE | TAB_GONE | {DENIED, -1744, SCRIPTS_OFF}
"""Numbers after which an event that was sent has certainly not run: consent, setting or target was missing."""

PARTS: Final[Mapping[str, str]] = {
    "document": "the document is another one",
    "route": "the page's address is another one",
    "viewport": "the viewport has another size",
    "field": "another field has changed",
    "target": "the target itself has changed",
    "around": "the content around it has changed",
}
"""Part of a guard -> what is said of it."""
REASONS: Final[Mapping[str, str]] = {
    "gone": "it is gone",
    "read_only": "it is read-only or disabled",
    "out_of_view": "it is scrolled out of view",
    "covered": "it is behind something else",
    "forbidden": "it is a password or file control",
    "rejected": "it does not take this text",
}
"""Why an action on an unmoved page is not possible -> what is said of it."""


class SafariError(StackError):
    """The root of this driver's errors."""


class StartRefused(SafariError):
    """The machine's doing: Safari is not running once, or osascript can't be started."""


class BridgeError(SafariError):
    """The bridge's doing: it ended, said what is not JSON, or answered what was never asked."""


class BridgeTimeout(BridgeError):
    """No answer within its bound. What was asked may still happen."""


class BridgeCallError(BridgeError):
    """An Apple Event failed. number: Safari's; sent: whether a mutating event had been handed out before."""

    def __init__(self, code: str, number: int, text: str, *, sent: bool, outcome: Outcome = "refused") -> None:
        self.number = number
        self.sent = sent
        super().__init__(code, f"Safari answered {number}", official=Official(number, text), outcome=outcome)

    @property
    def scope(self) -> bool:
        """Whether the number says that window, tab or Safari is gone."""
        return self.number in SCOPE


class AutomationDenied(BridgeCallError):
    """Apple Events to Safari are not allowed for whatever started this stack."""


class JavaScriptDisabled(BridgeCallError):
    """Safari does not run JavaScript that comes by Apple Events."""


class NeverRan(BridgeError):
    """The reply to a mutation was lost; its nonce had no outcome and is void now."""


class Terminal(SafariError):
    """The session is over."""

    def again(self) -> Self:
        """The same error for another call, which has dispatched nothing."""
        found = type(self).__new__(type(self), *self.args)
        found.__dict__.update(self.__dict__, outcome="refused")
        return found


class ScopeLost(Terminal):
    """This is not what was given. cause: an event of scope.py."""

    def __init__(self, cause: str, seen: str) -> None:
        self.cause = cause
        super().__init__("scope_lost", seen)


class DeliveryUnknown(Terminal):
    """An action may or may not have landed."""

    def __init__(self, seen: str) -> None:
        super().__init__("delivery_unknown", seen, outcome="unknown")


class StalePage(SafariError):
    """The page is not the one that was observed. part: a key of PARTS; seen_now: the observation that came with the
    refusal, None where none did."""

    def __init__(self, part: str) -> None:
        self.part = part
        self.seen_now: Observation | None = None
        super().__init__("stale_page", f"{PARTS[part]} ({part}); nothing was dispatched")


class Blocked(StalePage):
    """The action is not possible now. reason: a key of REASONS; part: the target."""

    def __init__(self, reason: str) -> None:
        self.part = "target"
        self.reason = reason
        self.seen_now = None
        SafariError.__init__(self, "action_blocked", f"{REASONS[reason]} ({reason}); nothing was dispatched")


NUMBERS: Final[Mapping[int, tuple[type[BridgeCallError], str]]] = {
    DENIED: (AutomationDenied, "automation_denied"),
    SCRIPTS_OFF: (JavaScriptDisabled, "javascript_disabled"),
}


def call_error(number: int, text: str, *, sent: bool) -> BridgeCallError:
    """The typed error of a number."""
    kind, code = NUMBERS.get(number, (BridgeCallError, "apple_event_failed"))
    outcome: Outcome = "unknown" if sent and number not in NOT_RUN else "refused"
    return kind(code, number, text, sent=sent, outcome=outcome)
