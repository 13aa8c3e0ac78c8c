"""Framing and what stands in it; frames among other steps."""
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.faults.body import body_of, carrying, cut, each_body, each_frame, each_raw, is_native, raw_of, with_body
from harness.faults.steps import Exit, Feed, Raw, Step, Wait
from tests.harness.faults.catalogue.struck import deliver, native

FRAMES: list[tuple[bytes, bytes]] = [
    (b"{}\n", b"{}"),
    (b"{}\r\n", b"{}"),
    (b"{}", b"{}"),
    (b"\n", b""),
    (b"", b""),
    (b"\r", b"\r"),
    (native(b"{}"), b"{}"),
    (native(b""), b""),
    (native(b"{}\n"), b"{}\n"),
    (b"\x03\x00\x00\x00{}", b"\x03\x00\x00\x00{}"),
    (b"\x00\x00\x00", b"\x00\x00\x00"),
    (b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", b"{}"),
    (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}\n", b"{}\n"),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", b"{}"),
    (b"GET / HTTP/1.1\r\n\r\n", b""),
]


@pytest.mark.parametrize(("raw", "body"), FRAMES)
def test_the_body_is_what_stands_in_the_framing(raw: bytes, body: bytes) -> None:
    assert body_of(raw) == body
    assert with_body(raw, body) == raw


@pytest.mark.parametrize(
    ("raw", "other"), [(b"{}\n", b"[1]\n"), (b"{}\r\n", b"[1]\r\n"), (b"{}", b"[1]"), (native(b"{}"), native(b"[1]")),
     (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[1]")]
)
def test_another_body_in_the_same_framing(raw: bytes, other: bytes) -> None:
    assert with_body(raw, b"[1]") == other


some_bytes = st.binary(max_size=60)


@given(some_bytes | some_bytes.map(native) | some_bytes.map(lambda raw: raw + b"\n"))
def test_taking_the_body_out_and_putting_it_back_changes_nothing(raw: bytes) -> None:
    assert with_body(raw, body_of(raw)) == raw


@given(st.text("{}[]\":, \n0123456789abc", min_size=4, max_size=60))
def test_text_is_never_taken_for_a_length(text: str) -> None:
    assert not is_native(text.encode())


@pytest.mark.parametrize(
    ("length", "offset", "where"),
    [(10, None, 5), (10, 1, 1), (10, 9, 9), (10, 10, None), (10, 0, None), (1, None, None), (0, None, None)],
)
def test_a_cut_leaves_two_parts(length: int, offset: int | None, where: int | None) -> None:
    assert cut(bytes(length), offset) == where


def test_a_changed_frame_stays_on_its_way() -> None:
    assert carrying(Raw(b"a", "socket", "out"), b"b") == Raw(b"b", "socket", "out")
    assert carrying(deliver(b"a"), b"b") == Feed(b"b")
    assert carrying(Feed(b"a", "socket"), b"b") == Feed(b"b", "socket")
    assert [raw_of(step) for step in (Raw(b"a"), Feed(b"b"), deliver(b"c"))] == [b"a", b"b", b"c"]


STEPS: list[Step] = [Wait(1), Raw(b"{}\n"), Exit(0), Feed(b"[]\n")]


def test_only_frames_are_changed() -> None:
    assert each_raw(STEPS, bytes.upper) == STEPS
    assert each_raw(STEPS, lambda raw: b"x") == [Wait(1), Raw(b"x"), Exit(0), Feed(b"x")]
    assert each_raw(STEPS, lambda raw: None) == STEPS
    assert each_body(STEPS, lambda body: body + b"1") == [Wait(1), Raw(b"{}1\n"), Exit(0), Feed(b"[]1\n")]
    assert each_body(STEPS, lambda body: None) == STEPS
    assert each_frame(STEPS, lambda step: []) == [Wait(1), Exit(0)]
    assert each_frame(STEPS, lambda step: [step, step])[1:3] == [Raw(b"{}\n")] * 2


def test_a_frame_that_did_not_change_is_the_same_step() -> None:
    step = deliver(b"{}\n")
    assert each_raw([step], lambda raw: raw) == [step]
