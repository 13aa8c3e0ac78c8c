"""The vocabulary fits the page that it is about: every action is offered as it stands, every sure call is done."""
from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from harness.properties.draft import Draft
from harness.properties.safari_jxa import (
    ACTS,
    ALL,
    ATTACH,
    CHANGES,
    LOOKS,
    MOVES,
    NEXT_URL,
    OFFERED,
    OPEN,
    PAGE,
    SAFARI_JXA,
    SECRET,
    SHOP,
    SHOP_URL,
    STRAYS,
    TELLS,
    WINDOW,
    begins,
    ready,
)
from harness.properties.search import FAST, VOCABULARIES, search
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.keep import judge_records
from harness.scenario.runner import run

LENT, OWNED = "lent", "owned"
OTHERS: dict[str, Any] = {"id": WINDOW - 1, "tabs": [{"url": NEXT_URL}]}
WINDOWS: dict[str, Any] = {LENT: [OTHERS, {"id": WINDOW, "tabs": [{"url": SHOP_URL}]}], OWNED: [OTHERS]}
LOOK: dict[str, Any] = {**LOOKS[PAGE], "expect": "done"}


def sections_of(held: str, **shop: Any) -> dict[str, Any]:
    pages = {SHOP_URL: {**SHOP, **shop}, NEXT_URL: {"title": "Next", "body": []}}
    return {"world": {"effects": ["click", "fill", "select", "scroll"], "windows": WINDOWS[held], "pages": pages}}


def played(held: str, *steps: Any, canaries: Any = (), **shop: Any) -> Any:
    given = sections_of(held, **shop)
    sections = {**given, **({"canaries": list(canaries)} if canaries else {})}
    all_steps = [dict(step) for step in (*begins(given), *steps)]
    draft = Draft("safari-jxa", SAFARI_JXA.about, "macos-26", sections, all_steps)
    return judge_records(run(compile_sheet(draft.scenario(), Choice())))


def lines(judged: Any, kind: str) -> list[Any]:
    return [line for line in (*judged.run.world, *judged.run.history) if line["e"] == kind]


@pytest.mark.parametrize("held", WINDOWS)
def test_actions_are_what_a_run_shows_in_the_window_of_that_number(held: str) -> None:
    judged = played(held, LOOK, LOOK)
    assert judged.word == "holds", [verdict.why for verdict in judged.laws]
    began, *looks = lines(judged, "answered")
    assert (began["structured"]["window"], began["structured"]["held"]) == (WINDOW, held)
    for look in looks:
        assert all(dict(action) in look["structured"]["actions"] for action in OFFERED.values())
    shown = {line["ref"]: line["what"].get("node") for line in lines(judged, "shown")}
    nodes = {name: action["node"] for name, action in OFFERED.items() if "node" in action}
    assert {shown[f"{WINDOW}/{node}"]: node for node in nodes.values()} == nodes


@pytest.mark.parametrize("held", WINDOWS)
def test_every_sure_act_is_done_and_means_what_it_does(held: str) -> None:
    sure = [act for act in ACTS[PAGE] if act.sure]
    stays = [{**act.step, "expect": "done"} for act in sure if not act.spoils]
    for last in [act for act in sure if act.spoils]:
        steps = [*stays, {**last.step, "expect": "done"}]
        judged = played(held, LOOK, *steps)
        assert judged.word == "holds", (last, [verdict.why for verdict in judged.laws])
        meant = [step["means"]["verb"] for step in steps if "means" in step]
        assert [line["verb"] for line in lines(judged, "effect")] == meant


def test_what_may_not_be_done_can_be_run_and_spoils_all() -> None:
    for act in ACTS[PAGE]:
        assert act.sure or act.spoils == ALL
        if not act.sure:
            judged = played(LENT, LOOK, LOOK, act.step)
            assert judged.word == "holds", [verdict.why for verdict in judged.laws]


def test_stray_calls_and_events_and_changes_can_be_run() -> None:
    judged = played(LENT, LOOK, *STRAYS, LOOK, *({"change": dict(change)} for change, _ in CHANGES), *TELLS, ATTACH)
    assert judged.word == "holds", [verdict.why for verdict in judged.laws]
    assert sum(line["by"] == "user" for line in lines(judged, "changed")) >= len(CHANGES)
    assert all(spoils <= ALL for _, spoils in CHANGES)
    assert lines(judged, "effect") == []
    assert lines(judged, "answered")[-1]["outcome"] == "refused"


@pytest.mark.parametrize("move", MOVES)
def test_the_shop_moves_by_itself(move: str) -> None:
    timers = [{"after_ms": 1500, "do": [MOVES[move]]}]
    assert ready(sections_of(LENT, timers=timers)) == frozenset()
    judged = played(LENT, {"wait_ms": 2000}, LOOKS[PAGE], timers=timers)
    assert judged.word == "holds", [verdict.why for verdict in judged.laws]
    assert [line for line in lines(judged, "changed") if line["by"] == "page"]


def test_the_canary_is_what_is_filled_in() -> None:
    (canary,) = SAFARI_JXA.canaries
    (step,) = (act.step for act in ACTS[PAGE] if act.step.get("arguments", {}).get("text") == SECRET)
    judged = played(LENT, LOOK, step, canaries=[canary])
    assert {verdict.law: verdict.verdict for verdict in judged.laws}[6] == "holds"


@settings(max_examples=50)
@given(SAFARI_JXA.surroundings)
def test_surroundings_begin_with_a_window_that_is_lent_or_opened(sections: dict[str, Any]) -> None:
    lent = any(window["id"] == WINDOW for window in sections["world"]["windows"])
    assert begins(sections) == ((ATTACH,) if lent else (OPEN,))
    assert ready(sections) in (ALL, frozenset())


def test_a_search_finds_nothing_and_has_something_to_judge() -> None:
    assert VOCABULARIES["safari-jxa"] is SAFARI_JXA
    state = search(SAFARI_JXA, FAST)
    assert [found.text for found in state.found] == []
    assert state.tally.runs > 100
    assert state.tally.laws["2 holds"] and state.tally.laws["3 holds"] and state.tally.laws["8 holds"]
