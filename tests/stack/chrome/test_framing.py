"""Native messaging: any cut of the stream gives the same messages, and nothing over a bound passes."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stack.chrome.framing import FROM_BROWSER, TOWARD_BROWSER, Frames, FramingError, framed
from tests.stack.chrome.rig import frame

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def feed(chunks: list[bytes]) -> list[Any]:
    frames = Frames()
    found = [message for chunk in chunks for message in frames.feed(chunk)]
    frames.end()
    return found


def read_a_chunk_as_a_message(chunks: list[bytes]) -> list[Any]:
    """The public peer that parses one message a chunk (trailcam facts, Chrome: 3 pings, 1 pong)."""
    return [json.loads(chunk[4:][: struct.unpack("=I", chunk[:4])[0]]) for chunk in chunks]


def decode_a_chunk_as_text(chunks: list[bytes]) -> list[Any]:
    """The public peer that decodes each chunk by itself (trailcam facts, Chrome: 9 broken characters in a reply)."""
    text = "".join(chunk.decode("utf-8", "replace") for chunk in chunks)
    return [json.loads(text[4:])]


@given(st.lists(VALUES, min_size=1, max_size=4), st.data())
@settings(max_examples=50)
def test_any_cut_gives_the_same_messages(values: list[Any], data: st.DataObject) -> None:
    stream = b"".join(map(frame, values))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    chunks = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert feed(chunks) == values


@pytest.mark.claim("CHR-HOST-04", tooth="a host that reads one message a chunk, and one that decodes each chunk")
def test_two_public_mistakes_of_hosts_are_none_of_ours_and_are_seen_by_this_test() -> None:
    pings = [{"n": n} for n in range(3)]
    together = [b"".join(map(frame, pings))]
    assert feed(together) == pings
    assert read_a_chunk_as_a_message(together) == pings[:1]
    text = {"name": "購入する" * 20}
    raw = struct.pack("=I", 5) + json.dumps(text, ensure_ascii=False).encode()
    raw = struct.pack("=I", len(raw) - 4) + raw[4:]
    cut = [raw[:21], raw[21:]]
    assert feed(cut) == [text]
    assert decode_a_chunk_as_text([cut[0][4:].rjust(len(cut[0])), cut[1]]) != [text]


def test_the_bound_toward_the_browser_is_inclusive() -> None:
    fits = "x" * (TOWARD_BROWSER - 2)
    assert len(framed(fits)) == TOWARD_BROWSER + 4
    with pytest.raises(FramingError, match="too_long"):
        framed(fits + "x")


@pytest.mark.claim("CHR-HOST-04", tooth="a message of a byte over each bound")
def test_the_bound_from_the_browser_is_inclusive_and_is_seen_at_the_length() -> None:
    assert TOWARD_BROWSER == 1_048_576
    body = b'"' + b"x" * (FROM_BROWSER - 2) + b'"'
    assert feed([frame(body)]) == ["x" * (FROM_BROWSER - 2)]
    with pytest.raises(FramingError, match="too_long"):
        list(Frames().feed(struct.pack("=I", FROM_BROWSER + 1)))
    with pytest.raises(FramingError, match="too_long"):
        framed("x" * (TOWARD_BROWSER - 1))


@pytest.mark.parametrize(
    ("body", "code"),
    [(b"", "empty"), (b"\xff", "not_utf8"), (b"{", "not_json"), (b"NaN", "not_json"), (b"[" * 100_000, "not_json")],
)
def test_what_is_no_message_is_refused_after_those_before_it(body: bytes, code: str) -> None:
    frames = Frames()
    assert list(frames.feed(frame(1))) == [1]
    with pytest.raises(FramingError, match=code) as caught:
        list(frames.feed(frame(body)))
    assert caught.value.code == code


def test_the_end_within_a_message_is_an_error() -> None:
    frames = Frames()
    assert list(frames.feed(frame(1)[:-1])) == []
    assert frames.open
    with pytest.raises(FramingError, match="half_frame"):
        frames.end()


def test_lone_surrogates_pass() -> None:
    assert feed([framed("\ud800")]) == ["\ud800"]
