"""What the rules draw: drafts that a scenario file may have, with expectations only where they are sure."""
from __future__ import annotations

from typing import Any

import pytest
from hypothesis import seed
from hypothesis.stateful import run_state_machine_as_test

from harness.faults.registry import FAULTS, LAYERS
from harness.properties.aim import Aim
from harness.properties.chrome import ACTS as CHROME_ACTS
from harness.properties.chrome import ALLOWED, CHROME
from harness.properties.computer_use import CHESS, COMPUTER_USE, TEXT
from harness.properties.draft import Draft
from harness.properties.machine import FAULTS_LIMIT, Drawing, aims, machine
from harness.properties.safari_mcp import ACTS, ALL, FORM, LOOKS, PAGES, SAFARI_MCP, SHOP
from harness.properties.search import profile
from harness.properties.tally import Tally
from harness.properties.trial import Broken, Trials
from harness.scenario.schema import ACTIONS


class Collects(Trials):
    """Takes drafts and runs none."""

    def __init__(self) -> None:
        super().__init__()
        self.drafts: list[Draft] = []

    def judge(self, draft: Draft) -> None:
        self.drafts.append(draft)


@pytest.fixture(scope="module")
def drafts() -> list[Draft]:
    trials = Collects()
    for number in range(4):
        run_state_machine_as_test(seed(number)(machine(COMPUTER_USE, trials)), settings=profile(100, 8))
    return trials.drafts


def drawing() -> Drawing:
    made = machine(COMPUTER_USE, Collects())()
    made.begin({"world": {"approvals": {CHESS: "always"}}}, "0.171.0")
    return made


def test_every_rule_leaves_its_mark(drafts: list[Draft]) -> None:
    tally = Tally()
    for draft in drafts:
        for step in draft.steps:
            tally.step(step, tuple(ACTIONS))
    assert tally.steps.keys() == {"call", "tell", "answer", "change", "cancel", "await", "wait_ms", "look"}
    assert len({call for call in tally.calls if call != "no_such_tool"}) == 10
    assert {draft.profile for draft in drafts} == {"0.144.2", "0.171.0"}
    assert any(step.get("again") for draft in drafts for step in draft.steps)


def test_faults_of_every_layer_are_aimed_up_to_three_a_draft(drafts: list[Draft]) -> None:
    drawn = [aim.fault for draft in drafts for aim in draft.aims]
    assert {FAULTS[name].layer for name in drawn} == set(LAYERS)
    assert len(set(drawn)) > 30
    assert {len(draft.aims) for draft in drafts} == set(range(FAULTS_LIMIT + 1))
    assert "no_op" not in drawn


def test_every_draft_names_only_calls_that_it_has(drafts: list[Draft]) -> None:
    for draft in drafts:
        seen: set[str] = set()
        for step in draft.steps:
            assert seen >= {step[key] for key in ("cancel", "await") if key in step}
            assert step.get("as") not in seen
            seen |= {step["as"]} if "as" in step else set()


def test_a_secret_in_a_step_is_a_canary_of_the_draft(drafts: list[Draft]) -> None:
    (canary,) = COMPUTER_USE.canaries
    planted = [draft for draft in drafts if draft.sections.get("canaries")]
    assert planted
    for draft in drafts:
        used = any(canary["value"] in step.get("arguments", {}).values() for step in draft.steps)
        assert draft.sections.get("canaries", []) == [canary] * used


def test_nothing_is_expected_beside_a_call_in_the_background(drafts: list[Draft]) -> None:
    beside = 0
    for draft in drafts:
        begun = False
        for step in draft.steps:
            begun = begun or "background" in step
            assert not (begun and "expect" in step), draft.steps
            beside += begun
    assert beside


def test_who_acts_beside_a_look_in_the_background_looks_first() -> None:
    made = drawing()
    look, act = made.vocabulary.looks[TEXT], made.vocabulary.acts[TEXT][0]
    made.begin_background(TEXT, look)
    made.begin_background(TEXT, act.step)
    made.do(TEXT, act)
    assert [(step["call"], "background" in step) for step in made.draft.steps] == [
        ("get_app_state", True), ("get_app_state", False), ("type_text", True), ("type_text", False),
    ]  # fmt: skip


def test_a_drawing_that_is_given_up_is_not_run() -> None:
    made = drawing()
    made.show(CHESS)
    try:
        raise KeyError
    except KeyError:
        made.teardown()
    assert isinstance(made.trials, Collects)
    assert made.trials.drafts == []
    made.teardown()
    assert made.trials.drafts == [made.draft]


def test_an_empty_draft_is_not_run() -> None:
    made = drawing()
    made.teardown()
    assert isinstance(made.trials, Collects)
    assert made.trials.drafts == []


def test_what_the_trials_raise_fails_the_machine() -> None:
    class Fails(Trials):
        def judge(self, draft: Draft) -> None:
            raise Broken(3, "as planned")

    with pytest.raises(Broken, match="as planned"):
        run_state_machine_as_test(machine(COMPUTER_USE, Fails()), settings=profile(5, 4))


def test_a_fault_of_the_world_is_a_change_of_this_world(drafts: list[Draft]) -> None:
    changes: list[Any] = [dict(change) for change, _ in COMPUTER_USE.changes]
    worlds = [aim for draft in drafts for aim in draft.aims if aim.fault == "world"]
    assert worlds and all(aim.args in changes for aim in worlds)
    assert isinstance(aims(COMPUTER_USE).example, object) and all(isinstance(aim, Aim) for aim in worlds)


def on_safari(**sections: Any) -> Drawing:
    made = machine(SAFARI_MCP, Collects())()
    made.begin({"world": {"pages": PAGES}, "settings": {"consent": {}}, **sections}, "27.0")
    return made


def test_a_draft_begins_with_what_its_vocabulary_begins_with() -> None:
    made = on_safari()
    assert made.draft.steps == list(SAFARI_MCP.begins(made.draft.sections))
    assert made.outlook.ready == ALL


def test_what_was_never_shown_is_acted_on_too_but_not_what_is_just_being_shown() -> None:
    made = on_safari()
    act = next(act for act in ACTS[FORM] if act.step["call"] == "interact")
    begun = len(made.draft.steps)
    made.do(FORM, act)
    made.do(FORM, act)
    assert [step["call"] for step in made.draft.steps[begun:]] == ["interact", "interact"]
    assert [step.get("expect") for step in made.draft.steps[begun:]] == [None] * 2
    made.begin_background(SHOP, LOOKS[SHOP])
    made.begin_background(SHOP, ACTS[SHOP][0].step)
    assert [step["call"] for step in made.draft.steps[-3:]] == ["snapshot", "snapshot", "interact"]
    assert [step.get("background") for step in made.draft.steps[-3:]] == [True, None, True]


@pytest.mark.parametrize(("what", "certain"), [("session_switch", False), ("wait_ms", False), ("task_end", True)])
def test_after_some_events_nothing_is_certain(what: str, certain: bool) -> None:
    made = on_safari()
    made.show(FORM)
    made.unsettle(what)
    assert made.outlook.shown == set()
    assert made.outlook.ready == (ALL if certain else set())


def test_the_next_attempt_is_one_that_a_fault_leaves_possible() -> None:
    trials = Collects()
    run_state_machine_as_test(seed(2)(machine(SAFARI_MCP, trials)), settings=profile(60, 8))
    again = [step for draft in trials.drafts for step in draft.steps if step.get("again")]
    assert again and all((step["call"], step["expect"]) == ("tabs", "done") for step in again)


def numbered() -> Drawing:
    made = machine(CHROME, Collects())()
    browser = {"tabs": [], "allowed": [*ALLOWED], "active": 103}
    made.begin({"world": {"browsers": [browser], "pages": {"form": {}}}}, "156")
    return made


def test_a_call_names_the_latest_look_at_its_target() -> None:
    made = numbered()
    act = CHROME_ACTS["101"][0]
    made.show("101")
    made.show("102")
    made.do("101", act)
    made.begin_background("102", CHROME.looks["102"])
    made.begin_background("102", CHROME_ACTS["102"][0].step)
    named = [step["arguments"]["snapshot_id"] for step in made.draft.steps if "means" in step]
    assert named == ["s1", "s4"], "what is shown in the background is looked at again before it is acted on"
    assert act.step["arguments"]["snapshot_id"] == "s1"


def test_a_look_that_may_fail_leaves_no_number_sure() -> None:
    made = numbered()
    made.show("101")
    made.outlook.spoil(frozenset({"102"}))
    made.show("102")
    made.do("101", CHROME_ACTS["101"][0])
    assert "expect" not in made.draft.steps[-1]


def test_the_steps_that_come_last_are_added_before_a_draft_is_judged() -> None:
    made = numbered()
    made.show("101")
    made.teardown()
    assert isinstance(made.trials, Collects)
    assert made.trials.drafts[0].steps[-1] == CHROME.ends[0]
