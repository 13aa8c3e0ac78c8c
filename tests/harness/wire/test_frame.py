from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness.problem import Problem
from harness.wire.frame import Frame, WireError, encode_text, start_of, wire_error

if TYPE_CHECKING:
    from harness.wire.frame import Errors

TABLE: Errors = {
    "odd": (True, "it is odd", "an even one", "add one"),
    "no_value": (False, "no text", "a text", "give one"),
}


def test_error_says_what_was_seen_expected_and_to_be_done() -> None:
    problem = wire_error(TABLE, "odd", "a three")
    assert str(problem) == "odd: saw a three; expected an even one; add one"
    assert (problem.code, problem.seen) == ("odd", "a three")
    assert (problem.expected, problem.advice) == ("an even one", "add one")
    assert problem.fatal


def test_error_without_a_row_is_a_mistake_of_the_codec() -> None:
    with pytest.raises(KeyError):
        wire_error(TABLE, "even", "a four")


def test_error_is_a_problem_that_a_command_can_print() -> None:
    problem = WireError("odd", "a three", "an even one", "add one")
    assert isinstance(problem, Problem)
    assert not problem.fatal
    assert problem.exit_code == 3
    assert problem.as_json() == {
        "error": "WireError",
        "file": None,
        "line": None,
        "seen": "a three",
        "expected": "an even one",
        "advice": "add one",
        "code": "odd",
    }


def test_frame_of_bytes_alone() -> None:
    frame = Frame(b"abc")
    assert (frame.raw, frame.value, frame.kind, frame.method, frame.id, frame.has_id) == (
        b"abc", None, "raw", None, None, False,
    )  # fmt: skip
    assert frame.problem is None
    assert not frame.more


def test_frame_shows_itself_shortly() -> None:
    assert repr(Frame(b"x" * 1000, None, "request", "tools/call")) == f"Frame(request tools/call {b'x' * 80!r})"
    assert repr(Frame(b"x", problem=wire_error(TABLE, "odd", "x"))) == "Frame(raw  !odd b'x')"


def test_start_of_bytes_gives_no_secret_away() -> None:
    assert start_of(b"password=hunter2") == "16 bytes that start with b'pass'"


@pytest.mark.parametrize("value", [None, 1, b"bytes", ["text"], "\ud800"])
def test_encode_text_refuses_what_is_no_text(value: object) -> None:
    with pytest.raises(WireError) as caught:
        encode_text(TABLE, value)  # type: ignore[arg-type]
    assert caught.value.code == "no_value"


def test_encode_text() -> None:
    assert encode_text(TABLE, "é\u2028") == "é\u2028".encode()
