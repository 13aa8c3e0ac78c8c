"""Which server may have page data: of several the first, until it is gone or dead. One table, without I/O.

Separate from the relay, so that every case stands in one place. Claims are made by requests and by nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from stack.chrome.timing import is_dead

Standing: TypeAlias = Literal["nobody", "itself", "a living server", "a dead server"]
Ruling: TypeAlias = Literal["take", "keep", "refuse", "take over"]

RULINGS: Final[Mapping[Standing, Ruling]] = {
    "nobody": "take",
    "itself": "keep",
    "a living server": "refuse",
    "a dead server": "take over",
}
"""Who holds the claim when a server asks -> what becomes of its request."""


class Claim:
    """The claim of one host. Servers are known by the number of their connection."""

    def __init__(self) -> None:
        self.holder: int | None = None

    def standing(self, asks: int, silent_ms: float) -> Standing:
        """Who holds it, for a server that asks. silent_ms: how long the holder has been silent."""
        if self.holder is None:
            return "nobody"
        if self.holder == asks:
            return "itself"
        return "a dead server" if is_dead(silent_ms) else "a living server"

    def ask(self, asks: int, silent_ms: float) -> Ruling:
        """Rule on a request, and keep what was ruled."""
        ruling = RULINGS[self.standing(asks, silent_ms)]
        if ruling != "refuse":
            self.holder = asks
        return ruling

    def gone(self, server: int) -> None:
        """A server's connection is over."""
        if self.holder == server:
            self.holder = None
