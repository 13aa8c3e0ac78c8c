"""Numbers of the connection between server and host, and the two rules that are made of them.

Separate from both ends, because each has to know what the other counts on.
"""

from __future__ import annotations

from typing import Final

HEARTBEAT_MS: Final = 5_000
MISSED: Final = 3
"""A peer that was silent for so many heartbeats counts as dead."""
HELLO_MS: Final = 5_000
"""How long a first message may take."""
LAST_WORDS_MS: Final = 200
"""How long a side that ends may take to say why."""
FIRST_BACKOFF_MS: Final = 500
LONGEST_BACKOFF_MS: Final = 30_000
STALLED_MS: Final = 5_000
"""How long the extension may be silent within a message, or after a request that it did not answer in time."""
HOST_SLACK_MS: Final = 250
"""What the host waits beyond a request's deadline, which the extension keeps itself."""
SERVER_SLACK_MS: Final = 500
"""What the server waits beyond it: it hears of the host's timeout before its own."""


def backoff_ms(failures: int) -> int:
    """How long to wait after so many failures in a row, from 1: 0.5 s, doubling up to 30 s."""
    return min(FIRST_BACKOFF_MS << min(failures - 1, 16), LONGEST_BACKOFF_MS)


def is_dead(silent_ms: float) -> bool:
    """Whether a peer that has been silent for so long counts as dead."""
    return silent_ms >= HEARTBEAT_MS * MISSED
