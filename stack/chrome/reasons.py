"""The registry of reasons: why page content is not there or nothing was done, and what follows from each.

One row a reason, which is a code of stack/errors.py as well. `partial` is none: it is a value of a snapshot's coverage.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from stack.chrome.bridge import BridgeError
from stack.contract import Outcome
from stack.errors import CallError, DeadlineError, ProtocolError, SetupError, StackError


@dataclass(frozen=True, slots=True)
class Reason:
    """kind: whose doing it is. falls: whether a reading of the window in front goes on without the extension."""

    kind: type[StackError]
    falls: bool


REASONS: Final[Mapping[str, Reason]] = {
    "extension_not_installed": Reason(SetupError, True),
    "native_host_not_registered": Reason(SetupError, True),
    "bridge_disconnected": Reason(ProtocolError, True),
    "protocol_mismatch": Reason(SetupError, True),
    "site_permission_required": Reason(SetupError, True),
    "unsupported_scheme": Reason(CallError, True),
    "restricted_page": Reason(CallError, True),
    "frame_not_accessible": Reason(CallError, True),
    "timed_out": Reason(DeadlineError, True),
    "no_result": Reason(ProtocolError, True),
    "tab_not_found": Reason(CallError, False),
    "stale_snapshot": Reason(CallError, False),
    "ambiguous_target": Reason(CallError, False),
    "needs_trusted_input": Reason(CallError, False),
    "no_observed_effect": Reason(CallError, False),
    "not_actionable": Reason(CallError, False),
    "unauthorised": Reason(SetupError, False),
    "claim_held": Reason(SetupError, False),
    "cancelled": Reason(CallError, False),
    "invalid_message": Reason(ProtocolError, False),
}
"""Reason -> what follows. Who may not have the page by its claim, its token or its target does not get it from another
provider either."""


def outcome_of(error: BridgeError) -> Outcome:
    """What is known about an action that failed. One without an observed effect was dispatched, and did not do what was
    asked for."""
    return "unknown" if error.dispatched and error.reason != "no_observed_effect" else "refused"


def stack_error(error: BridgeError) -> StackError:
    """A bridge's error in the stack's own tree."""
    return REASONS[error.reason].kind(error.reason, error.message, outcome=outcome_of(error))
