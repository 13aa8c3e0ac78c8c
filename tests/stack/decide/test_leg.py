"""One leg: what each decision leads to, when, and how often; on the virtual clock."""

from __future__ import annotations

from typing import Any

import pytest

from stack.decide.leg import End, Leg, literals
from stack.decide.model import ModelError
from stack.decide.port import Failed
from stack.decide.settings import LOOKS, WORK, Options
from stack.decide.transcript import Line
from stack.errors import StackError
from tests.stack.decide.deciding import ACTIONS, Driven, Script, page, play

STALE = Failed("stale_page", "moved", "refused", "around")
GONE = Failed("scope_lost", "gone", "refused")
UNREADABLE = Failed("page_unreadable", "no body", "refused")


def leg(steps: Any, driver: Driven | None = None, script: Script | None = None, **options: Any) -> tuple[Leg, Script]:
    """A leg that has run, and its model."""
    model = script or Script(steps)
    given = {"plan": ("g",), "execute": True, **options}
    made = Leg("g", driver or Driven(), model.decide, Options(**given), "m", lambda line: None)
    made.end = play(made.run)
    return made, model


def tags(made: Leg) -> list[str]:
    return [line.tag for line in made.lines]


BUY: Any = ("CLICK", "3")
DONE: Any = ("DONE", None, {"visible": 0.9})
NO: Any = ("DONE", None, {"visible": 0.25})
BLOCKED: Any = ("BLOCKED", None, {"sure": 1.0})


def test_an_action_is_done_and_the_page_looked_at_again() -> None:
    driver = Driven()
    made, model = leg([BUY, DONE], driver)
    assert (made.end, tags(made), made.work, made.looks) == (End.DONE, ["did", "done"], 1, 0)
    assert driver.acted == [("e5", 1, None)]
    assert b'"recent":[{"operation":"CLICK","label":"Buy","changed":true}]' in model.bodies[1]


@pytest.mark.claim("JXA-RUN-15", tooth="lines whose times are not those of the clock")
def test_a_line_has_the_models_time_and_the_steps() -> None:
    made, _ = leg([BUY, DONE])
    line = made.lines[0]
    assert (line.attempt, line.said, line.sure, line.target) == (1, "Buy", 0.9, 0.9)
    assert (line.model_ms, line.step_ms) == (350, 350)
    assert line.text() == " 1. did      Buy  (90% sure/90% target, model 350ms, step 350ms)"


@pytest.mark.claim("JXA-RUN-02", tooth="a leg without leave to act")
def test_without_leave_nothing_is_done() -> None:
    driver = Driven()
    made, _ = leg([BUY], driver, execute=False)
    assert (made.end, tags(made), driver.acted) == (End.PROPOSED, ["would"], [])


@pytest.mark.claim("JXA-RUN-02", tooth="no literal, and two that differ")
@pytest.mark.parametrize(
    ("given", "typed"),
    [
        ((("WHERE from", "OKC"),), "OKC"),
        ((("where", "OKC"), ("from", "OKC")), "OKC"),
        ((), None),
        ((("from", "a"), ("where", "b")), None),
        ((("to", "DEN"),), None),
    ],
)
def test_a_fill_takes_its_text_from_one_literal_alone(given: Any, typed: str | None) -> None:
    driver = Driven()
    made, _ = leg([("FILL", "1"), DONE], driver, literals=given)
    if typed is None:
        assert (made.end, tags(made), driver.acted) == (End.NO_LITERAL, ["ask"], [])
    else:
        assert (made.end, made.lines[0].typed, driver.acted) == (End.DONE, typed, [("e1", 1, typed)])
        assert made.lines[0].text().endswith(f'\n      typed: "{typed}"')


@pytest.mark.claim("JXA-RUN-03", tooth="an action just below the floor, twice")
def test_an_unsure_action_gets_one_more_look_and_is_handed_back() -> None:
    driver = Driven()
    made, model = leg([("CLICK", "3", {"target_sure": 0.499})], driver)
    assert (made.end, tags(made), driver.acted) == (End.UNSURE, ["RELOOK", "ask"], [])
    assert model.times == pytest.approx([0, 0.65])


@pytest.mark.claim("JXA-RUN-04", tooth="pauses that are not 0.3, 0.8 and 2.5 seconds")
def test_blocked_is_confirmed_by_a_leg_that_has_not_acted_with_widening_pauses() -> None:
    made, model = leg([BLOCKED])
    assert (made.end, tags(made), made.work, made.looks) == (End.BLOCKED, ["RELOOK"] * 3 + ["blocked"], 0, 3)
    assert model.times == pytest.approx([0, 0.65, 1.8, 4.65])


@pytest.mark.claim("JXA-RUN-04", tooth="a weak BLOCKED of a leg that has acted")
def test_a_weak_blocked_gets_two_more_looks_and_a_sure_one_none() -> None:
    weak, model = leg([BUY, ("BLOCKED", None, {"sure": 0.59})])
    assert (weak.end, tags(weak)) == (End.BLOCKED, ["did", "RELOOK", "RELOOK", "blocked"])
    assert model.times == pytest.approx([0, 0.35, 1.0, 2.15])
    sure, _ = leg([BUY, ("BLOCKED", None, {"sure": 0.6001})])
    assert tags(sure) == ["did", "blocked"]


@pytest.mark.claim("JXA-RUN-05", tooth="a dispute that outlasts its pauses")
def test_a_dispute_hands_back_only_where_nothing_was_done() -> None:
    idle, model = leg([NO])
    assert (idle.end, tags(idle), idle.work) == (End.DISPUTED, ["UNPROVEN"] * 3 + ["ask"], 0)
    assert model.times == pytest.approx([0, 0.65, 1.8, 4.65])
    acted, _ = leg([BUY, NO])
    assert (acted.end, tags(acted)) == (End.DONE, ["did", "UNPROVEN", "done"])
    assert acted.lines[-1].reason == "the page does not show the outcome (P 0.25)"
    unsure, _ = leg([("DONE", None, {"visible": 0.2501})])
    assert (unsure.end, tags(unsure), unsure.lines[0].reason) == (End.DONE, ["done"], None)


@pytest.mark.claim("JXA-RUN-12", tooth="an unsure DONE, in a plan and outside of one")
def test_an_unsure_done_passes_in_a_plan_and_is_handed_back_otherwise() -> None:
    unsure: Any = ("DONE", None, {"sure": 0.1, "visible": 0.9})
    assert [(made.end, tags(made)) for made, _ in (leg([unsure]), leg([unsure], in_plan=False))] == [
        (End.DONE, ["RELOOK", "done"]),
        (End.UNSURE, ["RELOOK", "ask"]),
    ]
    doubted: Any = ("DONE", None, {"sure": 0.1, "visible": 0.1})
    assert [(made.end, tags(made)) for made, _ in (leg([BUY, doubted]), leg([BUY, doubted], in_plan=False))] == [
        (End.DONE, ["did", "UNPROVEN", "done"]),
        (End.DISPUTED, ["did", "UNPROVEN", "ask"]),
    ]


@pytest.mark.claim("JXA-RUN-07", tooth="legs that go on for ever")
def test_work_and_looks_have_budgets_of_their_own() -> None:
    busy, _ = leg([BUY])
    assert (busy.end, busy.work, busy.looks, len(busy.lines)) == (End.OUT_OF_WORK, WORK, 0, 40)
    waiting, _ = leg([("WAIT", None)])
    assert (waiting.end, waiting.work, waiting.looks, len(waiting.lines)) == (End.OUT_OF_LOOKS, 0, LOOKS, 25)
    stale, _ = leg([BUY], Driven(acts=[STALE]))
    assert (stale.end, stale.work, stale.looks, tags(stale)) == (End.OUT_OF_LOOKS, 0, LOOKS, ["RESTALE"] * 25)
    unreadable, model = leg([BUY], Driven(pages=[UNREADABLE]))
    assert (unreadable.end, unreadable.looks, model.bodies) == (End.OUT_OF_LOOKS, LOOKS, [])


@pytest.mark.claim("JXA-RUN-13", tooth="a pause that is multiplied by an option that was left out")
@pytest.mark.parametrize(("options", "pause"), [({}, 0.4), ({"steady_ms": 500}, 1.0)])
def test_the_pause_after_a_rejected_decision_is_twice_the_steady_budget(options: Any, pause: float) -> None:
    made, model = leg([BUY, BUY, DONE], Driven(acts=[STALE, True]), **options)
    assert tags(made) == ["RESTALE", "did", "done"]
    assert made.lines[0].reason == "around"
    assert model.times[1] == pytest.approx(0.35 + pause)


@pytest.mark.claim("JXA-RUN-08", tooth="a rejected decision whose page was seen to move meanwhile")
def test_a_page_that_was_seen_to_move_is_not_read_again() -> None:
    moved = page(text="moved")
    driver = Driven(pages=[page(), moved], acts=[STALE, True])
    made, model = leg([BUY, BUY, DONE], driver)
    assert tags(made) == ["RESTALE", "did", "done"]
    assert driver.acted == [("e5", 1, None), ("e5", 2, None)]  # the second one is about the read of the watch
    assert len(model.bodies) == 3
    assert driver.reads == pytest.approx([0, 0.2, 0.95, 1.1, 1.3])


@pytest.mark.claim("JXA-RUN-08", tooth="a page that moved after the last look of the watch")
def test_what_came_with_a_refusal_is_not_read_again() -> None:
    now = page(9, text="now")
    driver = Driven(acts=[Failed("stale_page", "moved", "refused", "around", now), True])
    made, model = leg([BUY, BUY, DONE], driver)
    assert tags(made) == ["RESTALE", "did", "done"]
    assert driver.acted == [("e5", 1, None), ("e5", 9, None)]
    assert len(model.bodies) == 3 and b"now" in model.bodies[1]
    assert driver.reads == pytest.approx([0, 0.2, 0.95, 1.1, 1.3])  # those of the watch, the first, and one after it


def test_where_no_move_was_seen_the_page_is_read_again() -> None:
    driver = Driven(acts=[STALE, True])
    leg([BUY, BUY, DONE], driver)
    assert driver.acted == [("e5", 1, None), ("e5", 3, None)]


def test_a_target_that_is_none_is_never_done() -> None:
    driver = Driven()
    made, _ = leg([("CLICK", "NONE", {"target_sure": 1.0, "sure": 1.0})], driver, floor=0.0)
    assert (made.end, driver.acted, made.lines[-1].reason) == (End.UNSURE, [], "none of the targets")


def test_a_read_that_fails_for_the_moment_costs_a_look() -> None:
    made, _ = leg([BUY, DONE], Driven(pages=[page(), page(), UNREADABLE, page()]))
    assert (made.end, made.looks) == (End.DONE, 1)


@pytest.mark.parametrize(
    ("driver", "errors"),
    [
        (Driven(pages=[GONE]), {}),
        (Driven(pages=[page(), GONE]), {}),
        (Driven(acts=[GONE]), {}),
        (Driven(), {1: ModelError("model_busy", "busy")}),
    ],
)
def test_what_can_not_be_helped_ends_the_leg_with_its_own_error(driver: Driven, errors: dict[int, StackError]) -> None:
    with pytest.raises(StackError) as caught:
        leg([BUY], driver, Script([BUY], errors=errors))
    assert caught.value.code in ("scope_lost", "model_busy")


def test_an_action_that_changed_nothing_says_so() -> None:
    made, _ = leg([BUY, DONE], Driven(acts=[False]))
    assert made.lines[0].reason == "nothing changed at once"


def test_a_listener_is_told_of_each_line_as_it_is_written() -> None:
    heard: list[Line] = []
    model = Script([BUY, DONE])
    made = Leg("g", Driven(), model.decide, Options(("g",), execute=True), "m", heard.append)
    play(made.run)
    assert heard == made.lines
    assert literals(Options(("g",), literals=(("x", "1"),)), str(ACTIONS[0]["label"])) == []
    assert dict(heard[0].shown())["tag"] == "did"
