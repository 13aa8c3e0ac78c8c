"""Recorded text that stands for other text: placeholders of a reconstructed tape, and pseudonyms of a redacted one.

`<ROOT>/work` is `/tmp/a/work` in one session and `/tmp/b/work` in another, and where a tape says `rdct4fT9…` the client
sends its secret. Such a token matches what stands in its place; from then on it is that text and no other. Separate
from the matching of frames, because arguments and stderr have tokens too.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    Tokens = list[tuple[int, int]]

MARK = b"rdct"
ROOM = 8
"""How a pseudonym begins, and from how many bytes on: as `tape.disguise` writes them, which needs a hash for that, and
a player starts in no time. A test compares the two."""
_MARK = MARK.decode()
_LONGEST = 24
"""Characters that the name of a placeholder may have."""


class Language:
    """Which tokens a tape has. names: of placeholders, without brackets and number; pseudonyms: whether it has them."""

    __slots__ = ("names", "pseudonyms")

    def __init__(self, names: Collection[str] = (), *, pseudonyms: bool = False) -> None:
        self.names = frozenset(names)
        self.pseudonyms = pseudonyms

    def __bool__(self) -> bool:
        return bool(self.names) or self.pseudonyms

    def may_be_in(self, raw: bytes) -> bool:
        """Whether there may be a token in these bytes: quick, and right where it says no."""
        return (bool(self.names) and b"<" in raw) or (self.pseudonyms and MARK in raw)

    def tokens(self, text: str) -> Tokens:
        """(start, stop) of each token in a text, in order."""
        found = self._placeholders(text) if self.names and "<" in text else []
        if self.pseudonyms and _MARK in text:
            found = sorted(found + _pseudonyms(text))
        return found

    def _placeholders(self, text: str) -> Tokens:
        found = []
        start = text.find("<")
        while start >= 0:
            stop = text.find(">", start, start + _LONGEST + 2)
            name, dash, number = text[start + 1 : max(stop, 0)].partition("-")
            if name in self.names and (not dash or (number.isascii() and number.isdigit())):
                found.append((start, stop + 1))
            start = text.find("<", start + 1)
        return found


def _pseudonyms(text: str) -> Tokens:
    found = []
    stop = 0
    while (start := text.find(_MARK, stop)) >= 0:
        stop = start + len(_MARK)
        while stop < len(text) and text[stop].isascii() and text[stop].isalnum():
            stop += 1
        if stop - start >= ROOM:
            found.append((start, stop))
    return found


def fit(text: str, tokens: Tokens, got: str, known: Mapping[str, str]) -> dict[str, str] | None:
    """What the tokens of `text` stand for, if `got` is that text: those that `known` has not. None where it is not.

    A placeholder stands for one character or more, up to where the text between it and the next token is found; a
    pseudonym for as many characters as it has itself, since redaction keeps the length.
    """
    found: dict[str, str] = {}
    place = end = 0
    for index, (start, stop) in enumerate(tokens):
        if not got.startswith(text[end:start], place):
            return None
        place += start - end
        token, end = text[start:stop], stop
        value = known.get(token) or found.get(token)
        if value is None:
            last = index + 1 == len(tokens)
            until = text[stop : len(text) if last else tokens[index + 1][0]]
            value = found[token] = got[place : _end_of(token, until, got, place, last=last)]
        if not value or not got.startswith(value, place):
            return None
        place += len(value)
    return found if got[place:] == text[end:] else None


def _end_of(token: str, until: str, got: str, place: int, *, last: bool) -> int:
    """Where in `got` the text ends that an unknown token stands for."""
    if token.startswith(_MARK):
        return place + len(token) if place + len(token) <= len(got) else place
    if last:
        return len(got) - len(until)
    return got.find(until, place + 1) if until else place + 1
