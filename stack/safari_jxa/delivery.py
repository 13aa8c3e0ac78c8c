"""What became of a mutation whose reply was lost: phases and outcomes as tables, and the look that tells.

Separate from the session, because this is where a wrong answer is a lie about the world. The nonce is looked up in the
page, and voided there where it has no outcome, in one evaluation: what is read back as void can't run any more. It is
a read: the mutation itself is never sent again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import anyio

from stack.contract import Json
from stack.safari_jxa.bridge import Bridge
from stack.safari_jxa.errors import TIMED_OUT, BridgeCallError, BridgeError, BridgeTimeout
from stack.safari_jxa.page import reply_of
from stack.safari_jxa.scope import Scope
from stack.safari_jxa.settings import Deadlines

ATTEMPTS: Final = 2
"""Together with a mutation's own two events this makes four."""


class Outcome(StrEnum):
    """What is known of a delivery."""

    LANDED = "landed"
    REFUSED = "refused"
    NEVER_RAN = "never-ran"
    UNKNOWN = "unknown"


PHASES: Final[Mapping[str, Outcome]] = {
    "finished": Outcome.LANDED,
    "refused": Outcome.REFUSED,
    "void": Outcome.NEVER_RAN,
    "started": Outcome.UNKNOWN,
    "armed": Outcome.UNKNOWN,
}
"""Phase that was read back -> outcome. `armed` can't be read back, since looking voids it; so it proves nothing.
Source: decision "Phases of a delivery, and what a missing record proves"."""

LOST: Final[Mapping[str, bool]] = {
    "finished": False,
    "refused": False,
    "document": False,
    "void": True,
    "repeated": True,
    "failed": True,
    "invalid": True,
    "ok": True,
}
"""Status of the reply to a mutation -> whether its outcome has to be looked up. A second run of the same event answers
`repeated` or `void`, and one that threw `failed`: what the first run did stands in the record."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """An outcome with the page's record of it: why it refused, or whether a landed action changed the page."""

    outcome: Outcome
    record: Mapping[str, Json]


UNKNOWN: Final = Delivery(Outcome.UNKNOWN, {})


async def resolve(bridge: Bridge, scope: Scope, epoch: str, nonce: str, deadlines: Deadlines) -> Delivery:
    """Look up what became of a nonce, at most twice and within the stated bound; unknown where that does not tell."""
    argument: dict[str, Json] = {"op": "resolve", "epoch": epoch, "nonce": nonce}
    for attempt in range(ATTEMPTS):
        if attempt:
            await anyio.sleep(deadlines.pause / 1000)
        try:
            result = await bridge.request("resolve", {**scope.params(), "argument": argument}, deadlines.resolve)
        except BridgeTimeout:
            continue
        except BridgeCallError as error:
            if error.number == TIMED_OUT:
                continue
            return UNKNOWN
        except BridgeError:
            return UNKNOWN
        reply = reply_of(result.get("value"))
        if reply is not None and reply["status"] == "ok":
            phase = reply.get("phase")
            return Delivery(PHASES.get(phase, Outcome.UNKNOWN) if isinstance(phase, str) else Outcome.UNKNOWN, reply)
        if reply is not None:
            return UNKNOWN  # another document: what it did there can't be asked of this one
    return UNKNOWN
