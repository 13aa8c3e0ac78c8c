"""What stands in the place of a secret: as many bytes, of the same JSON type, the same for the same secret.

The pseudonym is a keyed hash. Its key is drawn for one tape and never stored, so a pseudonym can't be tested against
guesses; with a key that is given, the same secrets give the same tape.
"""
from __future__ import annotations

from _blake2 import blake2b

MARK = b"rdct"
"""Begins every pseudonym of text that has room for it, so that lint can tell one from a secret."""
ROOM = 8
"""Bytes of text from which on a pseudonym begins with MARK."""

_LETTERS = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_TO_LETTERS = bytes(_LETTERS[byte % len(_LETTERS)] for byte in range(256))
_CHOICES = (b"0123456789", b"123456789", b"1", b"012345")
_ANY, _FIRST, _ONE, _SMALL = (bytes(digits[byte % len(digits)] for byte in range(256)) for digits in _CHOICES)
_PLAIN, _BEFORE_EXPONENT = (_FIRST, _ANY, _ANY), (_ONE, _SMALL, _ANY)
"""Byte of the hash -> digit, for the first, the second and all other digits."""
_BLOCK = 64


class Disguise:
    """The pseudonyms of one tape. key: any number of bytes; 16 random ones are enough."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        self._key = blake2b(key).digest()

    def _stream(self, secret: bytes, start: int, stop: int) -> bytes:
        """Bytes `start` to `stop` of the endless keyed hash of a secret."""
        identity = blake2b(secret, key=self._key).digest()
        first = start // _BLOCK
        blocks = range(first, (stop + _BLOCK - 1) // _BLOCK)
        made = b"".join(blake2b(identity + place.to_bytes(8, "big"), key=self._key).digest() for place in blocks)
        return made[start - first * _BLOCK : stop - first * _BLOCK]

    def text(self, secret: bytes, start: int, stop: int, total: int) -> bytes:
        """Bytes `start` to `stop` of the pseudonym of `secret`, which has `total` bytes in all: ASCII letters and
        digits, never the secret itself."""
        mark = MARK if total >= ROOM else b""
        if total == len(secret) < ROOM and self._stream(secret, 0, total).translate(_TO_LETTERS) == secret:
            secret += b"\0"
        made = self._stream(secret, max(start - len(mark), 0), max(stop - len(mark), 0)).translate(_TO_LETTERS)
        return mark[start:stop] + made

    def number(self, text: bytes) -> bytes:
        """Another JSON number of the same form: sign, point, exponent and a leading zero stay, digits change.

        Before an exponent it begins with 1.0 to 1.5, so that it is never over the range where the secret was not.
        """
        made = self._digits(text, text)
        return made if made != text else self._digits(text, text + b"\0")

    def _digits(self, text: bytes, secret: bytes) -> bytes:
        mantissa = len(text) - len(text.lstrip(b"-0123456789."))
        digits = self._stream(secret, 0, len(text))
        tables = _BEFORE_EXPONENT if mantissa < len(text) else _PLAIN
        made = bytearray(text)
        nth = 0
        for place in range(mantissa):
            if made[place] in b"0123456789":
                if nth or made[place] != 48:
                    made[place] = tables[min(nth, 2)][digits[place]]
                nth += 1
        return bytes(made)
