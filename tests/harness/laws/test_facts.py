"""One run as the judges look at it."""
from __future__ import annotations

from typing import Any

import pytest

from harness.faults.registry import FAULTS
from harness.laws.facts import FORGERS, NEVER, Facts, canonical, paused_ms
from tests.harness.laws.runs import BUTTON, OTHER, Script


def facts(script: Script) -> Facts:
    return Facts(script.run())


def test_calls_with_all_that_belongs_to_them() -> None:
    script = Script().ask(0, "click").past("questioned", call=0, question={"mode": "form"})
    script.past("replied", call=0, answer={"action": "accept"}).past("cancelled", call=0).past("cancelled", call=0)
    script.answer(0, "unknown").ask(1)
    calls = facts(script).calls
    assert (calls[0].outcome, calls[0].begin, calls[0].end) == ("unknown", 1, 6)
    assert calls[0].cancelled is not None
    assert calls[0].cancelled["k"] == 4
    [(question, reply)] = calls[0].questions
    assert reply is not None
    assert (question["question"], reply["answer"]) == ({"mode": "form"}, {"action": "accept"})
    assert (calls[1].outcome, calls[1].end, calls[1].means) == (None, NEVER, None)


def test_replies_go_to_the_oldest_open_question() -> None:
    script = Script().ask(0)
    for n in range(2):
        script.past("questioned", call=0, question={"n": n})
    for n in range(3):
        script.past("replied", call=0, answer={"n": n})
    pairs = facts(script).calls[0].questions
    assert [(a.get("question"), b and b["answer"]) for a, b in pairs] == [
        ({"n": 0}, {"n": 0}), ({"n": 1}, {"n": 1}), (None, {"n": 2}),
    ]  # fmt: skip


def test_a_ref_stands_for_what_it_last_stood_for_before_the_call() -> None:
    script = Script().show("4", BUTTON).ask(0, "click").show("4", OTHER).ask(1, "click").ask(2, "click", "9")
    found = facts(script)
    assert [found.named(found.calls[call]) for call in range(3)] == [BUTTON, OTHER, None]


def test_a_ref_of_a_call_that_looks_stands_for_what_its_first_look_showed() -> None:
    script = Script().show("4", OTHER).ask(0, "click", looks=True).show("4", BUTTON).show("4", OTHER).answer(0)
    script.ask(1, "click", looks=True).answer(1).ask(2, "click", "9", looks=True).answer(2).show("9", OTHER)
    found = facts(script.show("4", BUTTON))
    assert [found.named(found.calls[call]) for call in range(3)] == [BUTTON, OTHER, None]


@pytest.mark.parametrize(
    ("bounds", "deadline_ms", "expected"),
    [({}, 5, 5), ({"call_ms": 9}, None, 9), ({"call_ms": 9}, 5, 5), (None, None, None)],
)
def test_deadlines_come_from_the_call_or_the_sheet(bounds: Any, deadline_ms: Any, expected: Any) -> None:
    found = facts(Script(bounds=bounds).ask(0, deadline_ms=deadline_ms))
    assert found.deadline_ms(found.calls[0]) == expected


PAUSES: list[tuple[str, list[tuple[str, float]], float]] = [
    ("none", [], 0),
    ("one", [("questioned", 10), ("replied", 30)], 20),
    ("two that overlap", [("questioned", 10), ("questioned", 20), ("replied", 30), ("replied", 50)], 40),
    ("one inside another", [("questioned", 10), ("questioned", 20), ("replied", 60), ("replied", 30)], 50),
    ("no reply", [("questioned", 10)], 90),
]


@pytest.mark.parametrize(("name", "lines", "expected"), PAUSES)
def test_the_clock_stands_still_while_a_question_is_open(
    name: str, lines: list[tuple[str, float]], expected: float
) -> None:
    script = Script().ask(0, t=0)
    for e, t in lines:
        script.past(e, t, call=0, **({"question": {}} if e == "questioned" else {"answer": {}}))
    assert paused_ms(facts(script).calls[0]) == 0 if not lines else True
    script.answer(0, t=100)
    assert paused_ms(facts(script).calls[0]) == expected


def drop(at: float = 2, **place: Any) -> Script:
    return Script().ask(0, "click", t=1).strike("drop", at, kind="reply", **place)


EXCUSES: list[tuple[str, Script, bool | None]] = [
    ("nothing happened", Script().ask(0).answer(0), False),
    ("a fault that hides", drop().answer(0), True),
    ("it struck after the answer", Script().ask(0).answer(0).strike("drop", kind="reply"), False),
    ("of a kind that hides nothing", Script().ask(0).strike("drop", kind="notice").answer(0), False),
    ("a question that comes twice",
        Script().ask(0).strike("duplicate", kind="request", way="<<").answer(0), True),
    ("a call that comes twice", Script().ask(0).strike("duplicate", kind="request", way=">>").answer(0), False),
    ("a reply that comes twice", Script().ask(0).strike("duplicate", kind="reply", way="<<").answer(0), False),
    ("a fault that hides nothing", Script().ask(0).strike("crlf", kind="reply").answer(0), False),
    ("a fault that the catalogue lacks", Script().ask(0).strike("gremlin").answer(0), None),
    ("that, and one that hides", Script().ask(0).strike("gremlin").strike("drop", kind="reply").answer(0), True),
    ("arguments that it does not take", Script(
        plan={"v": 1, "faults": [{"id": "f1", "fault": "delay", "args": {"ms": "soon"}}]}
    ).ask(0).strike("delay", kind="reply").answer(0), None),
    ("arguments that are none", Script(plan={"faults": [{"id": "f1", "args": []}]}).ask(0)
        .strike("drop", kind="reply").answer(0), None),
    ("told what ends its calls", Script().ask(0).tell("task_end").answer(0), True),
    ("told so in a sheet that names none", Script(ends_calls=None).ask(0).tell("task_end").answer(0), False),
    ("told what ends none", Script().ask(0).tell("grant").answer(0), False),
    ("given up by the caller", Script().ask(0).past("cancelled", call=0).answer(0), True),
    ("given up after the answer", Script().ask(0).answer(0).past("cancelled", call=0), False),
]


@pytest.mark.parametrize(("name", "script", "expected"), EXCUSES)
def test_what_makes_it_impossible_to_tell(name: str, script: Script, expected: bool | None) -> None:
    found = facts(script)
    assert found.excuse(found.calls[0]) is expected


@pytest.mark.parametrize(
    ("ms", "deadline_ms", "expected"),
    [(999, 1000, True), (998, 1000, False), (999, None, False), (998, 999, True)],
)
def test_a_delay_hides_the_outcome_where_it_reaches_the_deadline(
    ms: float, deadline_ms: float | None, expected: bool
) -> None:
    plan = {"v": 1, "faults": [{"id": "f1", "fault": "delay", "args": {"ms": ms}}]}
    script = Script(plan=plan).ask(0, deadline_ms=deadline_ms, t=1).strike("delay", 2, kind="reply").answer(0, t=1001)
    found = facts(script)
    assert found.excuse(found.calls[0]) is expected


def test_an_open_question_moves_the_deadline() -> None:
    plan = {"v": 1, "faults": [{"id": "f1", "fault": "delay", "args": {"ms": 999}}]}
    script = Script(plan=plan).ask(0, t=1).strike("delay", 2, kind="reply").past("questioned", 3, call=0, question={})
    found = facts(script.past("replied", 4, call=0, answer=None).answer(0, t=1002))
    assert found.excuse(found.calls[0]) is False


@pytest.mark.parametrize(
    ("way", "at", "expected"), [("<<", 2, True), (">>", 2, False), ("<<", 0, False), (None, 2, False)]
)
def test_a_fault_may_have_told_the_stack_that_nothing_was_done(way: str | None, at: int, expected: bool) -> None:
    place: dict[str, Any] = {} if way is None else {"way": way}
    script = Script()
    if at == 0:
        script.strike("error_reply", **place)
    script.ask(0)
    if at:
        script.strike("error_reply", **place)
    found = facts(script.answer(0, "refused"))
    assert found.denied(found.calls[0]) is expected


def test_forgers_are_faults_that_strike_what_the_stack_sends() -> None:
    assert all(name in FAULTS and ">>" in FAULTS[name].ways for name in FORGERS)
    found = facts(Script().strike("duplicate", way="<<").strike("drop", way=">>").strike("duplicate", way=">>"))
    assert found.forger(-1, 3) is None
    assert found.forger(3, 9) is None
    forger = found.forger(2, 4)
    assert forger is not None
    assert forger.line["k"] == 3


# The journal


def chain() -> Script:
    script = Script().start("codex", 1).start("helper", 2, parent=1).sent(b"call\n", 1).sent(b"call\n", 2)
    return script.effect(p=2).sent(b"later\n", 1).sent(b"later\n", 2)


def test_the_frames_that_led_to_an_effect() -> None:
    found = facts(chain())
    assert found.frames_before(found.effects[0]) == ((1, 2), (2, 3))
    assert found.programs() == {1: "codex", 2: "helper"}


def test_frames_at_the_same_instant_are_told_apart() -> None:
    script = Script().start(t=3).sent(b"a\n", t=3).effect(t=3).sent(b"b\n", t=3)
    assert facts(script).frames_before(script.world[0]) == ((1, 1),)
    none = Script().start().effect().sent(b"a\n")
    assert facts(none).frames_before(none.world[0]) == ()


def test_a_ring_of_parents_has_an_end() -> None:
    script = Script().start("a", 1, parent=2).start("b", 2, parent=1)
    assert facts(script).root(1) == 2


def test_gaps() -> None:
    assert [gap["why"] for gap in facts(Script().event("gap", 0, why="full")).gaps()] == ["full"]


@pytest.mark.parametrize(("left", "right"), [({"a": 1, "b": 2}, {"b": 2, "a": 1}), (None, None), ([1, "é"], [1, "é"])])
def test_equal_values_have_equal_text(left: Any, right: Any) -> None:
    assert canonical(left) == canonical(right)
    assert canonical([left]) != canonical(left)
