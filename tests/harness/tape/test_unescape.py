"""Bytes without JSON's escapes, and the way back to where they stood."""
from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.tape.unescape import DEEPEST, View, plain, views


@pytest.mark.parametrize(
    ("data", "readings"),
    [
        (b"abc", [b"abc"]),
        (rb"a\u0062c", [rb"a\u0062c", b"abc"]),
        (rb"\"\/\b\f\n\r\t", [rb"\"\/\b\f\n\r\t", b'"/\b\f\n\r\t']),
        (rb"\\ ", [rb"\\ ", b"\\ "]),
        (rb"\\u0061", [rb"\\u0061", rb"\u0061", b"a"]),
        (rb"\u00e9 \ud83d\ude00", [rb"\u00e9 \ud83d\ude00", "é 😀".encode()]),
        (rb"\ud83d \ude00 \ud83d\u0061", [rb"\ud83d \ude00 \ud83d\u0061", rb"\ud83d \ude00 \ud83da"]),
        (rb"\u12", [rb"\u12"]),
        (rb"\u00zz", [rb"\u00zz"]),
        (rb"\x \8", [rb"\x \8"]),
        (b"cut\\", [b"cut\\"]),
        (b"", [b""]),
    ],
)
def test_readings(data: bytes, readings: list[bytes]) -> None:
    found = [view.data for view in views(data)]
    assert found == readings
    assert plain(data) == readings[-1]


def test_no_deeper_than_it_makes_sense() -> None:
    data = b"a"
    for _ in range(10):
        data = json.dumps(data.decode() + '"').encode()[1:-1]
    assert len(list(views(data))) == DEEPEST + 1


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.integers(1, 3))
def test_a_text_within_json_within_json_is_read(text: str, depth: int) -> None:
    data = text
    for _ in range(depth):
        data = json.dumps(data)
    view = View(data.encode())
    for _ in range(depth):
        view = view.unescaped() or view
    assert text.encode() in view.data


PARTS = ["a", "é", "\\u0062", "\\n", "\\\\", "\\ud83d\\ude00", "\\u00e9", "\\\\u0063"]


@given(st.lists(st.sampled_from(PARTS)), st.data())
def test_every_part_stands_where_it_says(parts: list[str], data: st.DataObject) -> None:
    """Reading only the bytes at a place gives the part again, and no escape is cut in two."""
    raw = "".join(parts).encode()
    for depth, view in enumerate(views(raw)):
        start = data.draw(st.integers(0, len(view.data)))
        stop = data.draw(st.integers(start, len(view.data)))
        begin, end = view.place(start, stop)
        assert 0 <= begin <= end <= len(raw)
        part = View(raw[begin:end])
        for _ in range(depth):
            part = part.unescaped() or part
        assert view.data[start:stop] in part.data
