"""Text from outside, as a reader may see it: control and direction-changing characters are shown, not obeyed."""
from __future__ import annotations

import unicodedata

HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Categories of Unicode that a reader can't see, or that change how what follows is seen."""
KEPT = frozenset("\n\t")


def plain(text: str, limit: int | None = None) -> str:
    """The text with each hidden character as its escape; over `limit` characters it is cut, and says how much."""
    if limit is not None and len(text) > limit:
        return plain(text[:limit]) + f"… ({len(text) - limit} more)"
    if text.isprintable():  # nearly every text, and none of HIDDEN is printable
        return text
    return "".join(_shown(letter) for letter in text)


def _shown(letter: str) -> str:
    if letter in KEPT or unicodedata.category(letter) not in HIDDEN:
        return letter
    number = ord(letter)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def one_line(text: str, limit: int | None = None) -> str:
    """The same on one line."""
    return plain(text, limit).replace("\n", "\\n").replace("\t", "\\t")
