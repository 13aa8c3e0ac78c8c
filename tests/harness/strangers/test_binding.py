"""A scenario is put to one stranger: whose it was is in the sheet, and nothing of it can stand for a claim."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.claims import Claim
from harness.evidence.collect import evidence_of_run
from harness.judged.run import judge_run
from harness.kept.run import KeptRun, Provenance
from harness.laws.table import command_of
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.problem import ScenarioProblem
from harness.scenario.scenario import load_scenario
from harness.strangers.binding import bound
from tests.harness.strangers.rig import SCENARIO, adapter_of, scenario_of, written


def test_the_sheet_says_whose_stack_it_was_and_all_that_it_takes(tmp_path: Path) -> None:
    adapter = adapter_of(tmp_path)
    sheet = compile_sheet(scenario_of(tmp_path, adapter), Choice(mode="process"))
    assert sheet["stack"] == adapter.identity
    assert sheet["bounds"] == {"call_ms": 20_000}
    assert [step["call"]["tool"] for step in sheet["steps"]] == ["titles", "go"]
    assert sheet["settings"]["changing"] == ('["go",{"url":"http://c.test/","window":7}]',)
    assert f"--stack {adapter.file}" in command_of(sheet)


def test_its_runs_are_process_runs_on_the_model(tmp_path: Path) -> None:
    scenario = scenario_of(tmp_path, adapter_of(tmp_path))
    assert (scenario.runs, scenario.backs) == (("process",), ("model",))
    with pytest.raises(ScenarioProblem, match="back 'engine'"):
        compile_sheet(scenario, Choice(mode="process", back="engine"))


def test_without_an_adapter_there_is_no_stack(tmp_path: Path) -> None:
    scenario = load_scenario(written(tmp_path, "there.yaml", SCENARIO))
    with pytest.raises(ScenarioProblem, match="--stack ADAPTER"):
        compile_sheet(scenario, Choice(mode="process"))


ITEM: dict[str, Any] = SCENARIO["then"][0]
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"subject": "safaridriver", "about": ["safaridriver"]}, "the subject 'safaridriver'.*'osascript'"),
    ({"then": [{**ITEM, "claim": ["HAR-BYO-01"]}]}, "claims HAR-BYO-01"),
    ({"laws": {"1": ["HAR-BYO-01"]}}, "claims HAR-BYO-01"),
    ({"settings": {"fast": True}}, "'settings' in a scenario of strangers"),
    ({"cases": {"other": {"settings": {"fast": True}, "then": [ITEM]}}}, "'settings' in a scenario"),
    ({"canaries": [{"name": "a", "value": "a-secret", "allowed": [], "planted": "environment A"}]}, "a canary in the"),
]


@pytest.mark.parametrize(("changes", "seen"), WRONG)
def test_what_speaks_of_our_own_stack_is_refused(tmp_path: Path, changes: dict[str, Any], seen: str) -> None:
    path = written(tmp_path, "there.yaml", {**SCENARIO, **changes})
    with pytest.raises(ScenarioProblem, match=seen):
        bound(load_scenario(path, ("HAR-BYO-01",)), adapter_of(tmp_path))


CLAIM = "HAR-LAW-01"


@pytest.mark.claim("HAR-BYO-01", tooth="the same run without the name of a stranger")
def test_a_run_of_somebody_elses_stack_shows_no_claim() -> None:
    assert shown({"stack": {"file": "theirs.yaml", "name": "theirs"}}) == ({}, [])
    words, records = shown({})
    assert (words, len(records)) == ({CLAIM: "holds"}, 1)


def shown(more: dict[str, Any]) -> tuple[dict[str, str], list[Any]]:
    """What a run that asserts something of a claim comes to, in a sheet that says more."""
    item = {"claims": [CLAIM], "says": "it ends", "count": {"history": {"e": "left"}}, "is": 1}
    sheet: dict[str, Any] = {
        "v": 1, "scenario": "a.yaml", "subject": "osascript", "back": "model", "mode": "process", "seed": 1,
        "steps": [], "then": [item], **more,
    }  # fmt: skip
    left = {"n": 0, "t": 0, "k": 1, "j": 0, "e": "left", "processes": [], "files": [], "sockets": [], "locks": []}
    run = KeptRun(sheet, [left], [], [], Provenance("linux", {"harness": "0" * 64}, {}))
    claims = {CLAIM: Claim(CLAIM, "behaviour", "harness", ("harness",), "a claim")}
    words = judge_run(run).claims
    return dict(words), evidence_of_run(claims, {CLAIM: "holds"}, run)[0]
