"""One planted canary, in every form in which it may come to light, and the search for it.

Separate from law 6, which says where a canary may be: the reports and the redaction tests search with it too.
Forms: as it is, escaped once to three times as in JSON within JSON, in base64 at any offset, in hex, percent-encoded.
"""
from __future__ import annotations

import binascii
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any
from urllib.parse import quote

from harness.wire.jsontext import dumps

NESTING = 3
"""JSON within JSON within JSON: how often a value may be escaped."""


@cache
def forms(value: str) -> Mapping[bytes, str]:
    """Bytes to search for -> name of the form."""
    raw = value.encode("utf-8", "surrogatepass")
    found = {raw: "as it is"}
    for ascii_only in (True, False):
        text = value
        for _ in range(NESTING):
            text = dumps(text, ascii_only=ascii_only)[1:-1]
            found.setdefault(text.encode("utf-8", "surrogatepass"), "escaped in JSON")
    for offset in range(3):
        coded = _base64_at(raw, offset)
        found.setdefault(coded, "in base64")
        found.setdefault(coded.translate(bytes.maketrans(b"+/", b"-_")), "in base64")
    found.setdefault(binascii.hexlify(raw), "in hex")
    found.setdefault(binascii.hexlify(raw).upper(), "in hex")
    found.setdefault(quote(raw, safe="").encode(), "percent-encoded")
    return found


def _base64_at(raw: bytes, offset: int) -> bytes:
    """What is the same in every base64 text that has `raw` at this offset modulo 3."""
    coded = binascii.b2a_base64(bytes(offset) + raw, newline=False)
    begin = (0, 2, 3)[offset]
    end = (offset + len(raw)) * 8 // 6
    return coded[begin:end]


def find(value: str, text: bytes) -> tuple[int, str] | None:
    """(offset, name of the form) of the first form of a canary that is in `text`."""
    for needle, form in forms(value).items():
        offset = text.find(needle)
        if offset >= 0:
            return offset, form
    return None


def joined_leaves(values: Iterable[Any]) -> Iterator[str]:
    """The texts that stand at one place in a series of JSON values, joined: so a canary that was cut and sent in
    pieces, a piece a message, is whole again."""
    series: dict[tuple[str, ...], list[str]] = {}
    for value in values:
        _leaves(value, (), series)
    return ("".join(texts) for texts in series.values() if len(texts) > 1)


def _leaves(value: Any, path: tuple[str, ...], series: dict[tuple[str, ...], list[str]]) -> None:
    if isinstance(value, str):
        series.setdefault(path, []).append(value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            _leaves(inner, (*path, key), series)
    elif isinstance(value, list):
        for inner in value:
            _leaves(inner, path, series)
