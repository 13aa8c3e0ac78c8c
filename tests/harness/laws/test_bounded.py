"""Law 4 on small runs made by hand: each bound just under it, at it and just over it."""
from __future__ import annotations

import binascii
from typing import Any

import pytest

from harness.laws.attribution import Attribution
from harness.laws.bounded import BOUNDS, CLOCK, judge, size_of
from harness.laws.facts import Facts
from harness.laws.verdict import Finding
from tests.harness.laws.runs import Script


def judged(script: Script) -> Finding:
    facts = Facts(script.run())
    return judge(facts, Attribution(facts))


def took(ms: float, deadline_ms: float | None = 1000, **sheet: Any) -> Script:
    return Script(**sheet).ask(0, deadline_ms=deadline_ms, t=0.1).answer(0, t=0.1 + ms)


def asked_back(answer_at: float, reply: bool = True) -> Script:
    script = Script().ask(0, t=0).past("questioned", 100, call=0, question={})
    if reply:
        script.past("replied", 5100, call=0, answer={"action": "accept"})
    return script.answer(0, t=answer_at)


CASES: list[tuple[str, Script, str]] = [
    ("under the deadline", took(999.999), "holds"),
    ("at the deadline", took(1000), "holds"),
    ("over it by a microsecond", took(1000.001), "broken"),
    ("the sheet's deadline", took(1000.001, None, bounds={"call_ms": 1000}), "broken"),
    ("its own before the sheet's", took(1000.001, 2000, bounds={"call_ms": 1000}), "holds"),
    ("over it, on a real clock", took(2000, mode="process"), "unknown"),
    ("no deadline", took(2000, None), "unknown"),
    ("asked back, in time", asked_back(6000), "holds"),
    ("asked back, too late", asked_back(6000.001), "broken"),
    ("asked back, no reply", asked_back(9000, reply=False), "holds"),
    ("never answered", Script().ask(0), "broken"),
    ("never answered, on a real clock", Script(mode="process").ask(0), "broken"),
    ("given up, never answered", Script().ask(0).past("cancelled", call=0), "unknown"),
    ("the run never ended", Script().tell("run_limit", ms=3600000), "broken"),
    ("another thing told", Script().tell("user_input"), "unknown"),
    ("nothing at all", Script(), "unknown"),
]


@pytest.mark.parametrize(("name", "script", "verdict"), CASES)
def test_cases(name: str, script: Script, verdict: str) -> None:
    assert judged(script).verdict == verdict


def bounded(name: str, bound: int, amount: int) -> Script:
    """A run in which `amount` of that is had."""
    script = Script(bounds={name: bound}).ask(0, deadline_ms=None)
    if name == "frame_bytes":
        script.sent(b"x" * (amount - 1) + b"\n").sent(b"y" * 99, s="out")
    elif name == "frames":
        for _ in range(amount):
            script.sent(b"{}\n").sent(b"{}\n", s="out")
    elif name == "questions":
        for _ in range(amount):
            script.past("questioned", call=0, question={}).past("replied", call=0, answer=None)
    elif name == "processes":
        for p in range(1, amount + 1):
            script.start("codex", p)
        script.start("helper", 9, parent=1)
    elif name == "reply_bytes":
        return script.answer(0, bytes=amount)
    elif name == "call_ms":
        return script.answer(0, t=1 + amount)
    return script.answer(0, bytes=0)


@pytest.mark.parametrize("name", BOUNDS)
@pytest.mark.parametrize(("amount", "verdict"), [(6, "holds"), (7, "holds"), (8, "broken")])
def test_each_bound_under_at_and_over_it(name: str, amount: int, verdict: str) -> None:
    found = judged(bounded(name, 7, amount))
    assert found.verdict == verdict
    if verdict == "broken":
        assert "7" in found.why
        assert "8" in found.why


def test_a_frame_in_pieces_is_one_frame() -> None:
    script = Script(bounds={"frame_bytes": 5}).sent(b"abc", more=True).sent(b"z\n", p=2).sent(b"de\n")
    found = judged(script)
    assert (found.verdict, found.frames) == ("broken", ((1, 0),))
    assert judged(Script(bounds={"frame_bytes": 5}).sent(b"abc", more=True).sent(b"de")).verdict == "holds"
    assert judged(Script(bounds={"frame_bytes": 5}).sent(b"abcdef", more=True)).verdict == "broken"


@pytest.mark.parametrize("data", [b"", b"a", b"ab", b"abc", b"\xff", b"\xff\xfe", b"\xff\xfe\xfd", "é".encode()])
def test_sizes_are_in_bytes(data: bytes) -> None:
    [event] = Script().sent(data).journal
    assert size_of(event) == len(data)
    assert size_of({"b64": binascii.b2a_base64(data, newline=False).decode()}) == len(data)


def test_what_it_cannot_judge_it_says() -> None:
    on_a_real_clock = judged(took(2000, mode="process", bounds={"reply_bytes": 1000}))
    assert on_a_real_clock.verdict == "holds"
    assert CLOCK in on_a_real_clock.why
    assert judged(took(2000, mode="process")).moot
    assert CLOCK in judged(took(2000, mode="process")).why


UNKNOWN: list[tuple[str, dict[str, Any], str]] = [
    ("a bound that nobody knows", {"heartbeats": 3}, "heartbeats"),
    ("a bound that is no number", {"frames": "3"}, "frames"),
    ("a bound of true", {"frames": True}, "frames"),
    ("a bound below nothing", {"frames": -1}, "frames"),
    ("a deadline that is no number", {"call_ms": "soon"}, "call_ms"),
]


@pytest.mark.parametrize(("name", "bounds", "why"), UNKNOWN)
def test_a_bound_that_cannot_be_judged_is_unknown(name: str, bounds: dict[str, Any], why: str) -> None:
    found = judged(took(1, bounds=bounds))
    assert (found.verdict, found.moot) == ("unknown", False)
    assert why in found.why


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("frame_bytes", "unknown"), ("frames", "unknown"), ("processes", "unknown"), ("reply_bytes", "holds"),
        ("questions", "holds"),
    ],
)
def test_a_journal_with_a_gap_bounds_nothing_that_it_counts(name: str, verdict: str) -> None:
    script = Script(bounds={name: 1000}).ask(0).event("gap", 0, why="disk full").answer(0)
    assert judged(script).verdict == verdict
    over = Script(bounds={"frame_bytes": 1}).sent(b"abc\n").event("gap", 0, why="disk full")
    assert judged(over).verdict == "broken"


def test_it_shows_what_it_saw() -> None:
    assert judged(took(1001)).calls == (0,)
    assert judged(took(1001)).why == "call 0 took 1001 ms; its deadline is 1000 ms"
    assert judged(bounded("frame_bytes", 7, 8)).frames == ((1, 0),)
    assert judged(bounded("reply_bytes", 7, 8)).calls == (0,)
