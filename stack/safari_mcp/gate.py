"""The gate of a stack that was given none: every restricted action is refused.

Separate from the driver, so that the way without consent is a gate like any other and no branch in the driver.
"""

from __future__ import annotations

from typing import Final

from stack.contract import Caller, Json, Permit, Proposal, StackEvent
from stack.errors import CallError

RESTRICTED: Final = ("activate", "navigate", "click", "type", "keyPress", "hover")
"""The scopes of actions that need leave. All else that the driver does is an observation, makes a tab of its own,
closes a named one, or scrolls."""


class RefusesAll:
    """The gate of a stack without a consent provider."""

    async def authorize(self, proposal: Proposal, caller: Caller) -> Permit:
        raise CallError("consent_missing", f"{proposal.scope} without anybody who could allow it")

    async def tell(self, event: StackEvent, data: Json) -> None:
        """Nothing is kept, so nothing ends."""
