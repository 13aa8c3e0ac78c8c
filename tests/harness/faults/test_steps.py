"""Steps are values; those of faults tell the session what they want by one call each."""
from __future__ import annotations

from typing import Any

import pytest

from harness.faults.steps import (
    FRAMES,
    Aside,
    Ask,
    At,
    Change,
    Close,
    Cork,
    Deliver,
    Exit,
    Feed,
    Ignore,
    Raw,
    Send,
    Signal,
    Start,
    Step,
    Unread,
    Until,
    Wait,
)
from harness.wire.frame import Frame

FRAME = Frame(b"{}\n")


def one_of_each() -> list[Step]:
    return [
        Wait(1), Until("k"), Send(b"x"), At("m", {"a": 1}), Start("w", "p", ["a"], {"E": "1"}), Signal("w", 9), Close(),
        Exit(0), Ask(list), Deliver(FRAME), Raw(b"x"), Change({"a": 1}, "fault:f1"), Ignore(15), Feed(b"x"),
        Aside(2, [Raw(b"x")]), Cork(3),
    ]  # fmt: skip


def test_steps_are_equal_by_what_they_hold() -> None:
    for index, step in enumerate(one_of_each()):
        assert [step == other for other in one_of_each()] == [place == index for place in range(len(one_of_each()))]
        assert type(step).__name__ in repr(step)
        with pytest.raises(TypeError):
            hash(step)
    assert Raw(b"x") != Raw(b"y")
    assert Raw(b"x", "stdio", "err") != Raw(b"x")
    assert Change({}, "a") != Change({}, "b")


def test_what_carries_a_frame() -> None:
    assert [type(step) for step in one_of_each() if isinstance(step, FRAMES)] == [Deliver, Raw, Feed]


def test_what_is_left_out_is_empty() -> None:
    assert At("m").where == {}
    assert Start("w", "p", ["a"]).env == {}
    assert Start("w", "p", ["a"]).argv == ("a",)
    assert Change({}).by == ""


class Session:
    def __init__(self) -> None:
        self.ignored: set[int] = set()
        self.unread: set[str] = set()
        self.asked: list[Any] = []

    def feed_again(self, wire: str, data: bytes) -> None:
        self.asked.append(("feed_again", wire, data))

    def aside(self, ms: float, steps: Any) -> None:
        self.asked.append(("aside", ms, steps))

    def cork(self, wire: str, stream: str, ms: float) -> None:
        self.asked.append(("cork", wire, stream, ms))


def test_steps_of_faults_ask_the_session() -> None:
    session = Session()
    for step in (Ignore(15), Ignore(0), Feed(b"x", "w"), Aside(2, [Wait(1)]), Cork(3, "w", "out"), Unread("w")):
        step.apply_to(session)
    assert (session.ignored, session.unread) == ({0, 15}, {"w"})
    assert session.asked == [("feed_again", "w", b"x"), ("aside", 2, (Wait(1),)), ("cork", "w", "out", 3)]
