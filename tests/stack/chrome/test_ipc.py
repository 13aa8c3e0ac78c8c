"""The local socket's messages: the greeting, lines of any cut, and bounds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stack.chrome import ipc
from stack.chrome.framing import FramingError
from stack.chrome.schema import Invalid
from tests.stack.chrome.rig import HELLO, SERVER


@given(st.lists(st.dictionaries(st.text(max_size=4), st.text(max_size=9)), min_size=1, max_size=3), st.integers(1, 40))
@settings(max_examples=40)
def test_lines_of_any_cut(values: list[Any], size: int) -> None:
    stream = b"".join(map(ipc.line, values))
    lines = ipc.Lines()
    chunks = [stream[at : at + size] for at in range(0, len(stream), size)]
    assert [value for chunk in chunks for value in lines.feed(chunk)] == values


@pytest.mark.parametrize("data", [b"x" * 12, b"x" * 11 + b"\n", b"{]\n", b"\xff\n", b"\n"])
def test_what_is_no_line_is_refused(data: bytes) -> None:
    with pytest.raises(FramingError):
        list(ipc.Lines(10).feed(data))


def test_a_whole_line_has_the_bound_of_one_that_is_not() -> None:
    assert list(ipc.Lines(10).feed(b'"12345678"\n')) == ["12345678"]
    with pytest.raises(FramingError, match="a line of 11 bytes; 10 are the most"):
        list(ipc.Lines(10).feed(b'"123456789"\n'))


def test_each_side_may_say_what_its_table_has() -> None:
    assert ipc.kind_of(ipc.hello("t", SERVER), ipc.FROM_SERVER) == "hello_server"
    assert ipc.kind_of(ipc.refusal("claim_held", "x" * 2000), ipc.TO_SERVER) == "refused_to_server"
    assert ipc.kind_of(ipc.failure("a", "timed_out", "no", dispatched=True), ipc.TO_SERVER) == "response_failed"
    assert "detail" not in str(ipc.failure("a", "timed_out", "no"))
    hello: Any = {"v": 1, "type": "hello", "role": "host", "protocol": 1, "version": "0.1.0", "extension": HELLO}
    assert ipc.kind_of(hello, ipc.TO_SERVER) == "hello_to_server"
    for value, table in ((hello, ipc.FROM_SERVER), (ipc.hello("t", "short"), ipc.FROM_SERVER), (1, ipc.TO_SERVER),
                         ({"type": []}, ipc.TO_SERVER)):  # fmt: skip
        with pytest.raises(Invalid):
            ipc.kind_of(value, table)  # type: ignore[arg-type]
