"""What the model does otherwise than a recording, each with its reason. A test fails for what is not in here, and for
what is in here and does not differ any more.
"""

from __future__ import annotations

KNOWN: dict[tuple[str, str], tuple[str, str]] = {}
"""(version, recording) -> (words that every difference has in it, why it is left). None is left."""
