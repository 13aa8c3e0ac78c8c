"""The vocabulary fits the pages that it is about: every node is where it says, every sure call is done."""
from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from harness import subjects
from harness.properties.draft import Draft
from harness.properties.safari_mcp import (
    ACTS,
    ALL,
    CHANGES,
    EPOCH,
    FORM,
    FRESH,
    GRANT,
    JUDGE,
    LOOKS,
    MOVES,
    NODES,
    PAGES,
    SAFARI_MCP,
    SECRET,
    SHOP,
    SHOP_URL,
    SPARE,
    STRAYS,
    TELLS,
    URLS,
    WINDOWS,
    begins,
    node,
    ready,
)
from harness.properties.search import FAST, VOCABULARIES, profile, search
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.keep import judge_records
from harness.scenario.runner import run
from stack import safari_loop as stack

WORLD = {"needs": True, "windows": [*WINDOWS], "pages": {**PAGES}}
PLAIN: dict[str, Any] = {"world": WORLD, "settings": {"consent": {}}, "modes": ["form"]}


def played(*steps: Any, **sections: Any) -> Any:
    given = {**PLAIN, **sections}
    draft = Draft("safari-mcp", SAFARI_MCP.about, "27.0", given, [dict(step) for step in (*begins(given), *steps)])
    return judge_records(run(compile_sheet(draft.scenario(), Choice())))


def lines(judged: Any, kind: str) -> list[Any]:
    return [line for line in (*judged.run.world, *judged.run.history) if line["e"] == kind]


def test_tabs_epoch_and_nodes_are_what_a_run_shows() -> None:
    judged = played(LOOKS[SHOP], LOOKS[FORM])
    assert judged.word == "holds", [verdict.why for verdict in judged.laws]
    shown = {line["ref"]: line["what"] for line in lines(judged, "shown")}
    assert [shown[f"{SHOP}/{node(name)}"]["node"] for name in NODES] == list(NODES)
    assert [shown[f"{FORM}/{number}"]["node"] for number in "12"] == ["name", "send"]
    assert [shown[tab]["tab"] for tab in (SHOP, FORM, SPARE)] == ["tab-2", "tab-3", "tab-4"]
    opened = [line["content"][0]["text"] for line in lines(judged, "answered")[: len(URLS)]]
    for text, (tab, url) in zip(opened, URLS.items(), strict=True):
        assert f'"targetId":"{tab}","epoch":"{EPOCH}","url":"{url}"' in text


@pytest.mark.parametrize("tab", URLS)
def test_every_sure_act_is_done_and_means_what_it_does(tab: str) -> None:
    sure = [act for act in ACTS[tab] if act.sure]
    stays = [act.step for act in sure if not act.spoils]
    for last in [[act.step] for act in sure if act.spoils] or [[]]:
        steps = [{**step, "expect": "done"} for step in (*stays, *last)]
        judged = played({**LOOKS[tab], "expect": "done"}, *steps)
        assert judged.word == "holds", [verdict.why for verdict in judged.laws]
        meant = [step["means"]["verb"] for step in steps if "means" in step]
        assert [line["verb"] for line in lines(judged, "effect")] == ["open"] * len(URLS) + meant


def test_what_an_act_spoils_is_spoiled_by_nothing_less() -> None:
    for tab, acts in ACTS.items():
        for act in acts:
            assert act.spoils <= ALL
            assert act.sure or act.spoils >= {tab}


def test_stray_calls_and_events_and_changes_can_be_run() -> None:
    judged = played(*STRAYS, *({"change": dict(change)} for change, _ in CHANGES), *TELLS, LOOKS[SHOP])
    assert judged.word == "holds", [verdict.why for verdict in judged.laws]
    assert sum(line["by"] == "user" for line in lines(judged, "changed")) >= len(CHANGES)
    assert all(spoils <= ALL for _, spoils in CHANGES)
    assert lines(judged, "answered")[-1]["code"] == "stale_target"  # the session has changed


@pytest.mark.parametrize("move", MOVES)
def test_the_shop_moves_by_itself(move: str) -> None:
    shop = {**PAGES[SHOP_URL], "timers": [{"after_ms": 150, "do": [MOVES[move]]}]}
    world = {**WORLD, "pages": {**PAGES, SHOP_URL: shop}}
    assert ready({**PLAIN, "world": world}) == frozenset()
    judged = played({"wait_ms": 400}, *([] if move == "alert" else [{"call": "tabs"}]), world=world)
    assert judged.word == "holds", [verdict.why for verdict in judged.laws]
    moved = [line["what"] for line in lines(judged, "changed") if line["by"] == "page"]
    assert moved


def test_a_judge_sees_its_key_alone() -> None:
    sections = {
        "settings": {"consent": {"judge": dict(JUDGE)}},
        "canaries": [{"name": "the judge's key", "value": SECRET, "allowed": ["wire.judge.*"]}],
    }
    act = ACTS[SHOP][0].step
    judged = played(LOOKS[SHOP], {**act, "expect": "done"}, **sections)
    assert judged.word == "holds", [verdict.why for verdict in judged.laws]
    assert {verdict.law: verdict.moot for verdict in judged.laws}[6] is False


@settings(max_examples=50)
@given(SAFARI_MCP.surroundings)
def test_surroundings_begin_with_what_allows_and_with_the_tabs(sections: dict[str, Any]) -> None:
    *allows, shop, form, spare = begins(sections)
    assert [step["arguments"]["url"] for step in (shop, form, spare)] == list(URLS.values())
    consent = sections.get("settings", {}).get("consent")
    assert allows == ([] if consent is None else [FRESH] if "judge" in consent else [GRANT])
    assert ready(sections) in (ALL, frozenset())
    assert ("canaries" in sections) == ("programs" in sections) == (allows == [FRESH])


def test_a_search_finds_nothing_and_has_something_to_judge() -> None:
    assert VOCABULARIES["safari-mcp"] is SAFARI_MCP
    state = search(SAFARI_MCP, FAST)
    assert [found.text for found in state.found] == []
    assert state.tally.runs > 100
    assert state.tally.laws["2 holds"] and state.tally.laws["5 holds"] and state.tally.laws["8 holds"]


class AllowsAll:
    """A gate that lets everything pass."""

    evidence: Mapping[str, Any] = {}

    def check(self) -> None: ...

    async def authorize(self, proposal: Any, caller: Any) -> AllowsAll:
        return self

    async def tell(self, event: str, data: Any) -> None: ...


@asynccontextmanager
async def allows_all(host: Any, settings: Any) -> AsyncIterator[Any]:
    safari = replace(settings.safari, gate=lambda host: nullcontext(AllowsAll()))
    async with stack.open(host, replace(settings, safari=safari)) as opened:
        yield opened


@pytest.mark.claim("HAR-PROP-01", tooth="a stack that clicks twice, and one that allows everything")
@pytest.mark.parametrize(("planted", "law"), [("twice", 1), ("allows all", 5)])
def test_what_is_planted_is_found(planted: str, law: int, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = {"broken": "calls_twice", "with": {"tool": "interact"}} if planted == "twice" else None
    if broken is None:
        changed = replace(subjects.SUBJECTS["safari-mcp"], stack=f"{__name__}:allows_all")
        monkeypatch.setitem(subjects.SUBJECTS, "safari-mcp", changed)
    state = search(SAFARI_MCP, profile(examples=60, steps=5), broken=broken)
    assert [(found.law, found.verdict) for found in state.found] == [(law, "broken")], state.tally.words
