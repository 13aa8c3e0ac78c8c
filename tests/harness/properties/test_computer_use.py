"""The vocabulary fits the desktop that it is about: every element is where it says, every sure call is done."""
from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from harness.properties.computer_use import (
    ACTS,
    ALL,
    CHANGES,
    CHESS,
    COMPUTER_USE,
    FINDER,
    LOOKS,
    NAMES,
    STRAYS,
    TELLS,
    TEXT,
    WINDOWS,
    answers,
    ready,
)
from harness.properties.draft import Draft
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.keep import judge_records
from harness.scenario.runner import run

WORLD = {"approvals": dict.fromkeys(WINDOWS, "always")}
SURE = [(app, act.step) for app, acts in ACTS.items() for act in acts if act.sure]


def played(*steps: Any, **sections: Any) -> Any:
    draft = Draft("computer-use", COMPUTER_USE.about, "0.171.0", {"world": WORLD, **sections}, list(steps))
    return judge_records(run(compile_sheet(draft.scenario(), Choice())))


@pytest.mark.parametrize("app", WINDOWS)
def test_every_sure_act_is_done_and_means_what_it_does(app: str) -> None:
    acts = [{**step, "expect": "done"} for on, step in SURE if on == app]
    judged = played({**LOOKS[app], "expect": "done"}, *acts)
    assert judged.word == "holds", [verdict.why for verdict in judged.laws]
    effects = [line["verb"] for line in judged.run.world if line["e"] == "effect"]
    assert effects == [step["call"] for step in acts]


def test_every_stray_call_and_every_event_can_be_run() -> None:
    judged = played(*STRAYS, *TELLS, *(act.step for act in ACTS[FINDER]))
    assert judged.word == "holds", [verdict.why for verdict in judged.laws]


def test_every_change_is_one_of_the_world() -> None:
    judged = played(*({"change": dict(change)} for change, _ in CHANGES))
    assert sum(line["e"] == "changed" for line in judged.run.world) >= len(CHANGES)
    assert all(spoils <= ALL for _, spoils in CHANGES)


def test_canaries_are_what_is_typed() -> None:
    (canary,) = COMPUTER_USE.canaries
    typed = [step for _, step in SURE if canary["value"] in step["arguments"].values()]
    assert {step["call"] for step in typed} == {"type_text", "set_value"}
    judged = played(LOOKS[TEXT], *typed, canaries=[canary])
    assert {verdict.law: verdict.verdict for verdict in judged.laws}[6] == "holds"


@given(COMPUTER_USE.surroundings)
def test_surroundings_let_the_caller_answer_as_the_user_wants(sections: dict[str, Any]) -> None:
    given_answers = answers(sections)
    user = sections["world"].get("user")
    assert bool(given_answers) == (user is not None) == ("modes" in sections)
    if user is not None and "decline" in user.values():
        assert all(step["answer"].get("action") != "accept" for step in given_answers)
    assert ready(sections) <= set(WINDOWS) <= set(NAMES)


@pytest.mark.parametrize(
    ("world", "sure"),
    [
        (WORLD, {CHESS, TEXT}),
        ({**WORLD, "locked": True}, set()),
        ({"approvals": {CHESS: "session", TEXT: "always"}}, {TEXT}),
    ],
)
def test_ready_is_what_is_approved_and_unlocked(world: dict[str, Any], sure: set[str]) -> None:
    assert ready({"world": world}) == sure
