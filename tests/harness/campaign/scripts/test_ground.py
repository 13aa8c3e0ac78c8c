"""Which runs come by a guard of JavaScript: in virtual time by the bridge's stderr, on the engine by the page."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.campaign.bench import package_of
from harness.campaign.executor import forked
from harness.campaign.scripts import ground
from harness.campaign.scripts.ground import (
    backing_of,
    explored_on_engine,
    lacking,
    reached_on_model,
    same,
    sheets_on_engine,
)  # fmt: skip
from harness.campaign.tries import Said, Try, all_of, attempt
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.runner import ROOT
from harness.scenario.scenario import load_scenario
from harness.subjects import subject

JXA = subject("safari-jxa")
PACKAGE = package_of(JXA, Path(ROOT))
NUMBERS = {guard.id: number for number, guard in enumerate(PACKAGE.guards()) if guard.file.endswith(".js")}
SCENARIO = """scenario: A window is looked at
subject: safari-jxa
about: [osascript]
backs: [model, engine]
world:
  pages: {"http://shop.test/": {title: Shop, body: [{id: buy, tag: button, text: Buy}]}}
  windows: [{id: 26081, tabs: [{url: "http://shop.test/"}]}]
steps:
  - {call: attach, as: attach, arguments: {window: 26081}, expect: done}
  - {call: observe, as: look, expect: done}
then:
  - {says: it is read, every: {history: {e: answered, call: look}}, has: {outcome: done}}
"""


def numbers(*ids: str) -> set[int]:
    return {NUMBERS[f"guard:stack/safari_jxa/{id}"] for id in ids}


def test_which_engine_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert lacking(backing_of(subject("computer-use"))) == "an engine behind its fakes"
    monkeypatch.setattr(ground, "locate", lambda row: None)
    assert lacking(backing_of(JXA)) == "webkit, xvfb"
    monkeypatch.setattr(ground, "locate", lambda row: Path("/"))
    assert lacking(backing_of(JXA)) == ""


def test_a_scenario_on_the_engine_is_itself_and_the_cases_that_the_engine_has() -> None:
    sheets = {
        each.name: list(sheets_on_engine(each)) for each in all_of("safari-jxa") if "moved" in each.name
    }["safari-jxa/an-action-on-a-page-that-moved.yaml"]
    names = [what for _, what, _ in sheets]
    assert names[0] == "base on the engine"
    assert "only the query has changed on the engine" in names
    assert "something else lies over it on the engine" not in names
    assert all(sheet["mode"] == "process" and sheet["back"] == "engine" for _, _, sheet in sheets)
    model = load_scenario(Path("scenarios/safari-jxa/windows-and-displays.yaml"))
    assert list(sheets_on_engine(model)) == []


def test_runs_that_differ_say_nothing() -> None:
    one = Said("r", "holds", (), {})
    assert same(one, Said("s", "holds", (), {}))
    assert not same(one, Said("r", "broken", ("law 1",), {}))


def test_the_bridge_says_which_guards_a_run_comes_by(tmp_path: Path) -> None:
    path = tmp_path / "look.yaml"
    path.write_text(SCENARIO)
    sheet = compile_sheet(load_scenario(path), Choice())
    odd = {**sheet, "steps": [{"call": {"tool": "windows", "arguments": {}}}]}

    def job() -> Any:
        said, _, _ = attempt(sheet)
        tries = [Try("look", "base", "base", each, said, "") for each in (sheet, odd)]
        return reached_on_model(tries, "safari-jxa", PACKAGE, NUMBERS)

    ((_, (read, gone)),) = forked([job], 1)
    assert numbers("bridge.js#run.evaluate:refusal:1", "bridge.js#run:refusal:1") <= set(read)
    assert numbers("bridge.js#run:refusal:1") <= set(gone)
    assert not numbers("bridge.js#run.evaluate:refusal:1") & set(gone)


@pytest.mark.engine("webkit")
@pytest.mark.engine("xvfb")
def test_a_page_says_which_guards_a_run_comes_by(tmp_path: Path) -> None:
    path = tmp_path / "look.yaml"
    path.write_text(SCENARIO)
    jobs = [lambda: explored_on_engine(load_scenario(path), JXA, PACKAGE, NUMBERS)]
    ((_, ((each, reached),)),) = forked(jobs, 1)
    assert each["said"]["word"] == "holds"
    assert numbers("snapshot.js#take.add:bound:1", "snapshot.js#inView:bound:1") <= set(reached)
    assert not numbers("page.js#act:refusal:1") & set(reached)
