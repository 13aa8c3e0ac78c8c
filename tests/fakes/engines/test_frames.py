"""Messages of the inspector: a case table whole and byte by byte, a property for any bytes, and what is refused."""
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.engines.frames import SIZE_MOST, FrameError, Reader, encode, numbers, read_numbers, read_text, text

CASES = {
    "no arguments": ("SetupInspectorClient", b""),
    "one empty string": ("SetupInspectorClient", b"\0"),
    "numbers": ("Setup", numbers(1, 3)),
    "numbers and a string": ("SendMessageToBackend", numbers(1, 3) + text('{"id": 1}')),
    "text that is not ASCII": ("SendMessageToFrontend", numbers(1, 3) + text("漢 é")),
}


@pytest.mark.parametrize(("name", "arguments"), CASES.values(), ids=CASES)
def test_messages_come_back_whole_and_byte_by_byte(name: str, arguments: bytes) -> None:
    raw = encode(name, arguments)
    assert Reader().feed(raw) == [(name, arguments)]
    reader = Reader()
    found = [message for byte in raw for message in reader.feed(bytes([byte]))]
    assert found == [(name, arguments)]
    assert Reader().feed(raw + raw + raw[:3]) == [(name, arguments)] * 2


@given(st.lists(st.binary(max_size=40), max_size=5), st.integers(1, 7))
def test_any_arguments_in_any_pieces(parts: list[bytes], size: int) -> None:
    raw = b"".join(encode("Name", part) for part in parts)
    reader = Reader()
    found = [each for at in range(0, len(raw), size) for each in reader.feed(raw[at : at + size])]
    assert found == [("Name", part) for part in parts]


def test_arguments_are_read_as_they_were_written() -> None:
    assert read_numbers(numbers(1, 2**40) + b"rest", 2) == ([1, 2**40], b"rest")
    assert read_text(text("漢")) == "漢"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Reader().feed((SIZE_MOST + 1).to_bytes(4, "big") + b"\x01"),
        lambda: Reader().feed(b"\0\0\0\x02\x00a\0"),
        lambda: Reader().feed(b"\0\0\0\x02\x01ab"),
        lambda: read_numbers(b"1234", 1),
        lambda: read_text(b"no end"),
    ],
    ids=["too long", "big endian", "no name", "half a number", "no NUL"],
)  # fmt: skip
def test_what_is_no_message_is_refused(wrong: object) -> None:
    with pytest.raises(FrameError, match="expected"):
        wrong()  # type: ignore[operator]
