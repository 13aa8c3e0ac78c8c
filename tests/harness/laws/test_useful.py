"""Law 8 on small runs made by hand."""
from __future__ import annotations

from typing import Any

import pytest

from harness.laws.attribution import Attribution
from harness.laws.facts import Facts
from harness.laws.useful import judge, within
from harness.laws.verdict import Finding
from tests.harness.laws.runs import Script, click

CALL = {"call": {"tool": "click"}}
DONE = {**CALL, "expect": {"outcome": "done"}}
REFUSED = {**CALL, "expect": {"outcome": "refused", "code": "no_grant"}}
AGAIN = {**DONE, "again": True}
CLICKED = [{"e": "effect", "verb": "click"}]


def judged(script: Script) -> Finding:
    facts = Facts(script.run())
    return judge(facts, Attribution(facts))


def steps(*given: dict[str, Any], **sheet: Any) -> Script:
    return Script(steps=list(given), **sheet)


def lost(script: Script, fault: str = "drop") -> Script:
    """The first call fails by a fault."""
    return script.show().ask(0, "click").strike(fault, kind="reply", way="<<").answer(0, "unknown")


def spoilt(looks: int, outcome: str = "unknown", *, alone: bool = False) -> Script:
    """Looks of which the first is struck, and a click that is refused. alone: another call is between them."""
    look = {"call": {"tool": "look"}, "expect": {"outcome": "done"}, "again": True}
    between = [{"call": {"tool": "list"}}] if alone else []
    script = steps(*[look] * looks, *between, AGAIN)
    script.ask(0, tool="look").strike("drop", kind="reply", way="<<").answer(0, outcome)
    for number in range(1, looks + len(between)):
        script.ask(number, tool="look").answer(number)
    return script.ask(looks + len(between), "click").answer(looks + len(between), "refused")


def shaken(looks: int, outcome: str, fault: str = "exit_code") -> Script:
    """Looks, the first of which comes although its program then ends by the fault, and a click."""
    look = {"call": {"tool": "look"}, "expect": {"outcome": "done"}, "again": True}
    script = steps(*[look] * looks, AGAIN).show()
    script.ask(0, tool="look").strike(fault, kind="reply", way="<<").answer(0)
    for number in range(1, looks):
        script.ask(number, tool="look").answer(number)
    return script.ask(looks, "click").answer(looks, outcome)


def after_a_click(*outcomes: str) -> Script:
    """Next attempts: a look and a click, each asked before the last fault, and a click after it."""
    look = {"call": {"tool": "look"}, "expect": {"outcome": "done"}, "again": True}
    script = steps(look, AGAIN, {**AGAIN, "call": {"tool": "drag"}}).show()
    script.ask(0, tool="look").strike("drop", kind="reply", way="<<").answer(0, outcomes[0])
    script.ask(1, "click").strike("drop", kind="reply", way="<<").effect().answer(1, outcomes[1])
    return script.ask(2, "drag").answer(2, outcomes[2])


CASES: list[tuple[str, Script, str]] = [
    ("as expected", click(steps(DONE)), "holds"),
    ("another outcome", click(steps(DONE), outcome="refused", effects=0), "broken"),
    ("done without its effect", click(steps(DONE), effects=0), "broken"),
    ("a read", steps(DONE).ask(0).answer(0), "holds"),
    ("a refusal that is expected", steps(REFUSED).ask(0, "click").answer(0, "refused", "no_grant"), "holds"),
    ("a refusal for another reason", steps(REFUSED).ask(0, "click").answer(0, "refused", "no_answer"), "broken"),
    ("one of two", click(steps(DONE, DONE)).ask(1).answer(1, "refused"), "broken"),
    ("steps between", click(steps({"tell": "grant"}, DONE, {"wait_ms": 3})), "holds"),
    ("only the second expects", steps(CALL, DONE).ask(0).answer(0, "refused").ask(1).answer(1), "holds"),
    ("never answered", steps(DONE).ask(0), "broken"),
    ("never asked", steps(DONE), "broken"),
    ("content", steps({**CALL, "expect": {"content": [{"text": "a"}]}}).ask(0).answer(0, content="a"), "holds"),
    ("other content", steps({**CALL, "expect": {"content": [{"text": "a"}]}}).ask(0).answer(0, content="b"), "broken"),
    ("a thing that answers have not", steps({**CALL, "expect": {"mood": None}}).ask(0).answer(0), "broken"),
    ("cancelled, as expected", steps({**CALL, "expect": {"outcome": "cancelled"}}).ask(0).past("cancelled", call=0),
        "holds"),
    ("cancelled, not expected", steps(DONE).ask(0).past("cancelled", call=0), "broken"),
    ("the goal", click(Script(goal=CLICKED)), "holds"),
    ("the goal is missed", click(Script(goal=CLICKED), effects=0), "broken"),
    ("half of the goal", click(Script(goal=[*CLICKED, {"e": "effect", "verb": "type"}])), "broken"),
    ("no expectation and no goal", click(steps(CALL)), "unknown"),
    # Under faults
    ("what stands on a look that was spoilt", spoilt(1), "unknown"),
    ("what stands on a look that was struck and came", spoilt(1, "done"), "broken"),
    ("refused on a look whose program has ended", shaken(1, "refused"), "unknown"),
    ("unknown on a look whose program has ended", shaken(1, "unknown"), "broken"),
    ("done on a look whose program has ended, without an effect", shaken(1, "done"), "broken"),
    ("refused on a look whose program lives", shaken(1, "refused", "drop"), "broken"),
    ("refused on a look that was asked for once more", shaken(2, "refused"), "broken"),
    ("the look asked for once more, and what stands on it", spoilt(2), "broken"),
    ("a click that was struck spoils nothing", after_a_click("done", "unknown", "refused"), "broken"),
    ("a click that came makes up for no look", after_a_click("unknown", "done", "refused"), "unknown"),
    ("a step that stands alone after one that was spoilt", spoilt(1, alone=True), "broken"),
    ("the next attempt", click(lost(steps(DONE, AGAIN)), 1), "holds"),
    ("the next attempt fails", click(lost(steps(DONE, AGAIN)), 1, "refused", 0), "broken"),
    ("the next attempt does nothing", click(lost(steps(DONE, AGAIN)), 1, effects=0), "broken"),
    ("no next attempt", lost(steps(DONE)), "unknown"),
    ("the next attempt was not asked", lost(steps(DONE, AGAIN)), "unknown"),
    ("struck again", lost(steps(AGAIN)), "unknown"),
    ("an attempt that expects nothing", click(lost(steps(DONE, {**CALL, "again": True})), 1), "unknown"),
    ("a fault that lasts", click(lost(steps(DONE, AGAIN), "world"), 1, "refused", 0), "unknown"),
    ("a fault that the catalogue lacks", click(lost(steps(DONE, AGAIN), "gremlin"), 1), "unknown"),
    ("the no-op is no fault", lost(steps(DONE), "no_op"), "broken"),
    ("the no-op, and all is well", click(steps(DONE).strike("no_op")), "holds"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "script", "verdict"), CASES)
def test_cases(name: str, script: Script, verdict: str) -> None:
    found = judged(script)
    assert found.verdict == verdict, found.why
    assert found.moot == (verdict == "unknown" and "catalogue lacks" not in name)


def test_it_shows_what_it_saw() -> None:
    found = judged(click(steps(DONE), outcome="refused", effects=0))
    assert found.calls == (0,)
    assert found.why == "call 0 was to have outcome 'done', and has 'refused'"
    assert judged(lost(steps(DONE), "gremlin")).world == (1,)
    assert judged(click(steps(DONE))).why == "1 steps met what they expect"
    assert judged(click(steps(DONE, goal=CLICKED))).why == "1 steps met what they expect, and the goal is reached"


WITHIN: list[tuple[Any, Any, bool]] = [
    (1, 1, True), (1, True, False), (True, 1, False), (None, None, True), (1, 1.0, True), ("a", "b", False),
    ({}, {"a": 1}, True), ({"a": 1}, {"a": 1, "b": 2}, True), ({"a": 1}, {}, False), ({"a": None}, {}, False),
    ({}, [], False), ([], [], True), ([1], [1, 2], False), ([{"a": 1}], [{"a": 1, "b": 2}], True), ([], "", False),
]  # fmt: skip


@pytest.mark.parametrize(("wanted", "seen", "expected"), WITHIN)
def test_within(wanted: Any, seen: Any, expected: bool) -> None:
    assert within(wanted, seen) is expected
