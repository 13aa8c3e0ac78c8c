"""HAR-LAW-01: each law has a deliberately broken stack, run through the stage, that breaks it and is caught; and a
clean run of the same system that it passes."""
from __future__ import annotations

from typing import Any

import pytest

from harness import subjects
from harness.laws import LAWS, Verdict, judge
from tests.harness.laws.panel import DEFECTS, NAME, STEPS, SUBJECT, played, press, sheet


@pytest.fixture(autouse=True)
def panel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(subjects.SUBJECTS, NAME, SUBJECT)


def said(verdicts: list[Verdict]) -> dict[int, str]:
    return {verdict.law: verdict.verdict for verdict in verdicts}


@pytest.mark.claim("HAR-LAW-01", tooth="broken stacks of tests/harness/laws/panel.py")
def test_the_honest_stack_keeps_every_law_and_each_is_judged() -> None:
    verdicts = judge(played(sheet()))
    assert said(verdicts) == dict.fromkeys(LAWS, "holds"), [verdict.why for verdict in verdicts]


@pytest.mark.claim("HAR-LAW-01", tooth="broken stacks of tests/harness/laws/panel.py")
@pytest.mark.parametrize("defect", DEFECTS)
def test_each_broken_stack_is_caught_by_its_law(defect: str) -> None:
    law, _ = DEFECTS[defect]
    verdicts = {verdict.law: verdict for verdict in judge(played(sheet(defect)))}
    assert verdicts[law].verdict == "broken", verdicts[law].why


def test_every_law_has_a_broken_stack() -> None:
    assert {law for law, _ in DEFECTS.values()} == set(LAWS)


FAULTS: dict[str, tuple[dict[str, Any], dict[int, str]]] = {
    "reply of the press lost": (
        {"fault": "drop", "at": {"way": "<<", "kind": "reply", "method": "press", "nth": 1}},
        {1: "holds", 3: "holds", 4: "holds", 7: "holds", 8: "holds"},
    ),
    "request lost": (
        {"fault": "drop", "at": {"way": ">>", "method": "look", "nth": 1}},
        {1: "holds", 3: "holds", 4: "holds", 7: "holds", 8: "holds"},
    ),
    "dies before the effect": (
        {"fault": "crash", "at": {"moment": "before_effect", "nth": 1}},
        {1: "holds", 3: "holds", 4: "holds"},
    ),
    "request delivered twice": (
        {"fault": "duplicate", "at": {"way": ">>", "method": "press", "nth": 1}},
        {1: "unknown", 3: "holds"},
    ),
    "reply comes twice": (
        {"fault": "duplicate", "at": {"way": "<<", "method": "press", "nth": 1}},
        dict.fromkeys(LAWS, "holds"),
    ),
    "result becomes an error": (
        {"fault": "error_reply", "at": {"way": "<<", "method": "press", "nth": 1}},
        {1: "holds", 3: "holds", 4: "holds", 8: "holds"},
    ),
    "nothing": (
        {"fault": "no_op", "at": {"way": "<<", "method": "press", "nth": 1}},
        dict.fromkeys(LAWS, "holds"),
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_an_honest_stack_under_faults(name: str) -> None:
    fault, expected = FAULTS[name]
    verdicts = judge(played(sheet(faults=[{"id": "f1", **fault}])))
    seen = said(verdicts)
    assert {law: seen[law] for law in expected} == expected, [verdict.why for verdict in verdicts]


def test_a_stack_that_refuses_everything_breaks_no_other_law() -> None:
    seen = said(judge(played(sheet("refuses everything"))))
    assert seen.pop(8) == "broken"
    assert "broken" not in seen.values()


def test_after_a_recoverable_fault_the_next_attempt_is_judged() -> None:
    lost = {"id": "f1", "fault": "drop", "at": {"way": "<<", "kind": "reply", "method": "look", "nth": 1}}
    assert said(judge(played(sheet(faults=[lost]))))[8] == "holds"
    assert said(judge(played(sheet("refuses everything", [lost]))))[8] == "broken"
    without = [step for step in STEPS if not step.get("again")]
    assert said(judge(played(sheet(faults=[lost], steps=without))))[8] == "unknown"


def test_a_verdict_names_the_frame_that_shows_it() -> None:
    run = played(sheet("presses twice", steps=[STEPS[0], press("stop")]))
    verdict = judge(run)[0]
    frames = [run.journal[n]["b"] for _, n in verdict.frames]
    assert len(frames) == 2
    assert all('"method":"press"' in frame for frame in frames)
    assert [run.world[n]["e"] for n in verdict.world] == ["effect", "effect"]
