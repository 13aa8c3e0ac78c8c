"""One unit: its runs, verdicts, teeth and evidence; and each way in which it does not hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.evidence import Record
from harness.evidence.record import record_from
from harness.kept import load
from harness.laws.table import LAWS
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.runner import ROOT, run
from harness.scenario.scenario import load_scenario
from harness.verify import work as work_module
from harness.verify.again import may_be_late
from harness.verify.work import Result, disagreement, size_of, work
from tests.harness.scenario.clerk import register
from tests.harness.verify.desk import CLAIMS, IDS, TEXT, desk, unit_of
from tests.record_tapes import CODEX, SAFARI


@pytest.fixture(autouse=True)
def clerk(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def records_of(result: Result) -> dict[str, Record]:
    """Claim -> its first record: that of the scenario itself, where it has one."""
    found: dict[str, Record] = {}
    for line in result.records:
        record = record_from(line, "x", 1)
        found.setdefault(record.claim, record)
    return found


@pytest.mark.claim("HAR-MUT-01", "HAR-LAW-02", tooth="cases that do not hold")
def test_a_unit_shows_its_claims_with_teeth(tmp_path: Path) -> None:
    scenario = desk(tmp_path)
    result = work(scenario, unit_of(scenario), CLAIMS, tmp_path / "runs")
    assert result.findings == []
    assert result.runs == {"base": 1, "case": 2, "tooth": 4, "plan": result.runs["plan"]}
    assert result.runs["plan"] == work_module.FEW
    records = records_of(result)
    assert set(records) == set(IDS)
    assert {record.verdict for record in records.values()} == {"holds"}
    assert {claim: record.teeth for claim, record in records.items()} == {
        "DSK-ADD-01": ("broken:calls_twice", "broken:leaves what='folders'"),
        "DSK-SAY-01": (),
        "DSK-FAIL-01": ("fault:crash",),
        "DSK-HIGH-01": ("fault:situation of 'the number is high'",),
        "DSK-LEFT-01": ("broken:leaves what='folders'",),
    }
    assert {record.strength for record in records.values()} == {"model"}
    assert all(result.laws[f"{law} holds"] + result.laws[f"{law} moot"] > 2 for law in LAWS)
    kept = sorted((tmp_path / "runs").iterdir())
    assert len(kept) + len(result.not_kept) == 3 + result.runs["plan"]
    assert {load(folder).sheet["scenario"] for folder in kept} == {"clerk/desk.yaml"}
    assert Result.from_json(result.as_json()) == result


def test_only_one_unit_tries_the_checks(tmp_path: Path) -> None:
    scenario = desk(tmp_path)
    result = work(scenario, unit_of(scenario, profile="1.0", teeth=False), CLAIMS, None)
    assert result.runs == {"base": 1, "case": 2}
    assert {record.teeth for record in records_of(result).values()} == {()}


def test_plans_are_all_few_or_none(tmp_path: Path) -> None:
    few = work(desk(tmp_path), unit_of(desk(tmp_path)), CLAIMS, None)
    every = desk(tmp_path, TEXT.replace("about:", "plans: standard\nabout:"))
    all_plans = work(every, unit_of(every, teeth=False), CLAIMS, None)
    none = desk(tmp_path, TEXT.replace("about:", "plans: none\nabout:"))
    assert few.runs["plan"] == work_module.FEW
    assert all_plans.runs["plan"] > few.runs["plan"]
    assert work(none, unit_of(none), CLAIMS, None).runs["plan"] == 0
    assert few.cut
    assert few.absent


BROKEN: list[tuple[str, str, str, str]] = [
    ("is: 2", "is: 3", "broken", "one is added each time: 2 of world"),
    (
        "then:\n  - claim: [DSK-ADD-01]",
        "then:\n  - {says: nothing to see, every: {world: {e: x}}, has: {}}\n  - claim: [DSK-ADD-01]",
        "unknown", "nothing to see: nothing to judge",
    ),
    ("is: 1", "is: 2", "broken", "nothing is added by it"),
    ("nth: 1}", "nth: 9}", "unknown", "fault f1 of the case did not fire, so the case shows nothing"),
    ("{broken: calls_twice,", "{broken: is_not_told, with: {event: x},", "unknown", "does not break DSK-ADD-01"),
    ("expect: done}\n", "expect: refused}\n", "broken", "law 8"),
    ("world: {number: 100}", "world: {number: 100}\n    settings: {mood: 1}", "unknown", "could not run: saw settings"),
    ("{call: work, as: again", "{call: nothing, as: again", "broken", "call 1 was never answered"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "verdict", "why"), BROKEN)
def test_what_does_not_hold_is_found(tmp_path: Path, old: str, new: str, verdict: str, why: str) -> None:
    assert old in TEXT
    scenario = desk(tmp_path, TEXT.replace(old, new, 1))
    result = work(scenario, unit_of(scenario), CLAIMS, None)
    found = [finding for finding in result.findings if finding.verdict == verdict and why in finding.why]
    assert bool(found) == bool(verdict), result.findings
    assert bool(result.findings) == bool(verdict)
    for finding in found:
        assert scenario.name in finding.what or scenario.file in finding.what
        assert not finding.again or finding.again.startswith("trailcam run clerk/desk.yaml")


def test_a_broken_case_is_a_broken_record(tmp_path: Path) -> None:
    scenario = desk(tmp_path, TEXT.replace("is: 1", "is: 2"))
    record = records_of(work(scenario, unit_of(scenario), CLAIMS, None))["DSK-FAIL-01"]
    assert (record.verdict, record.teeth) == ("broken", ())


def test_a_plan_that_breaks_a_claim_is_a_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = desk(tmp_path, TEXT.replace("work, as: work", "abandon, as: work"))
    result = work(scenario, unit_of(scenario), CLAIMS, None)
    broken = [record_from(line, "x", 1) for line in result.records if '"verdict":"broken"' in line]
    assert "DSK-LEFT-01" in {record.claim for record in broken}
    assert len([record for record in broken if record.claim == "DSK-LEFT-01"]) > 2


def test_a_machine_that_goes_wrong_is_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*given: Any, **more: Any) -> None:
        raise ExceptionGroup("runs", [ExceptionGroup("more", [KeyError("lost")])])

    monkeypatch.setattr(work_module, "run", fails)
    scenario = desk(tmp_path)
    result = work(scenario, unit_of(scenario), CLAIMS, None)
    assert {finding.verdict for finding in result.findings} == {"unknown"}
    assert result.findings[0].why == "could not run: KeyError: 'lost'"
    assert result.records == []


@pytest.mark.claim("HAR-FAKE-01", tooth="another world on the other back")
def test_two_backs_that_disagree_are_named(tmp_path: Path) -> None:
    scenario = desk(tmp_path)
    choice = Choice("2.0", "engine", "process")
    sheet = compile_sheet(scenario, Choice("2.0"))
    assert disagreement(scenario, choice, run(sheet)) is None
    changed = {**sheet, "steps": [*sheet["steps"], {"change": {"number": 7}}]}
    why = disagreement(scenario, choice, run(changed))
    assert why is not None
    assert why.startswith("the backs engine and model disagree: world line 0: {'e': 'changed', 'what': {'number': 7}")
    assert why.endswith("nothing") or " | " in why
    assert disagreement(scenario, Choice("2.0", "tape"), run(changed)) is None  # a tape changes nothing
    meant = {**sheet, "steps": [{**step, "means": None} if "call" in step else step for step in sheet["steps"]]}
    assert disagreement(scenario, Choice("2.0", "tape"), run(meant)) is None
    more = {**sheet, "steps": [*sheet["steps"], sheet["steps"][0]]}
    why = disagreement(scenario, Choice("2.0", "tape"), run(more))
    assert why is not None
    assert why.startswith("the backs tape and model disagree: ")


@pytest.mark.claim("HAR-FAKE-01")
def test_the_recorded_sessions_and_the_fakes_agree() -> None:
    paths = [ROOT / CODEX, *(ROOT / SAFARI).glob("*.yaml")]
    found = [each for each in map(load_scenario, paths) if "tape" in each.backs]
    assert len(found) > 1
    for scenario in found:
        for profile in scenario.profiles:
            choice = Choice(profile, "tape")
            assert disagreement(scenario, choice, run(compile_sheet(scenario, choice))) is None


def test_an_engine_that_does_otherwise_breaks_its_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = desk(tmp_path, TEXT.replace("about:", "backs: [model, engine]\nabout:"))
    original = run

    def on_engine(sheet: Any, *, census: bool = False) -> Any:
        """A run on the engine: the model's machine stands in for the real program, and adds one more."""
        real = "backs" in sheet
        model = {**sheet, "backs": {}, "programs": {}}
        steps = [*sheet["steps"], {"change": {"number": 7}}] if real else sheet["steps"]
        return original({**model, "steps": steps}, census=census)._replace(sheet=model)

    monkeypatch.setattr(work_module, "run", on_engine)
    result = work(scenario, unit_of(scenario, back="engine", mode="process", teeth=False), CLAIMS, None)
    assert [finding.verdict for finding in result.findings if "disagree" in finding.why] == ["broken"] * 3
    late = [replace(result, findings=[each]) for each in result.findings if "disagree" in each.why]
    assert not any(map(may_be_late, late)), "a fake that is none is no matter of the clock"


def test_a_case_of_the_engine_alone_is_compared_with_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = TEXT.replace("about:", "backs: [model, engine]\nabout:").replace(
        "    world: {number: 100}", "    world: {number: 100}\n    only: {back: [engine]}"
    )
    scenario = desk(tmp_path, text)
    original = run
    monkeypatch.setattr(work_module, "run", lambda sheet, *, census=False: original(
        {**sheet, "backs": {}, "programs": {}}, census=census)._replace(sheet={**sheet, "backs": {}, "programs": {}})
    )  # fmt: skip
    result = work(scenario, unit_of(scenario, back="engine", mode="process", teeth=False), CLAIMS, None)
    assert result.runs["case"] == 2
    assert not [finding for finding in result.findings if "disagree" in finding.why]


def test_as_processes_on_the_model_only_cases_that_ask_for_it(tmp_path: Path) -> None:
    text = TEXT.replace("about:", "runs: [virtual, process]\nabout:").replace(
        "    world: {number: 100}", "    world: {number: 100}\n    only: {mode: [virtual, process]}"
    )
    scenario = desk(tmp_path, text)
    result = work(scenario, unit_of(scenario, mode="process", teeth=False), CLAIMS, None)
    assert result.runs == {"base": 1, "case": 1}
    assert result.findings == []
    assert set(records_of(result)) == {"DSK-ADD-01", "DSK-SAY-01", "DSK-LEFT-01", "DSK-HIGH-01"}


def test_large_runs_that_hold_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_module, "KEPT_BYTES", 10)
    scenario = desk(tmp_path)
    result = work(scenario, unit_of(scenario), CLAIMS, tmp_path / "runs")
    assert len(result.not_kept) == result.runs["plan"]
    assert len(list((tmp_path / "runs").iterdir())) == 3
    assert size_of([{"e": "bytes", "b": "abc"}, {"e": "bytes", "b64": "AA=="}, {"e": "closed"}]) == 7


def test_a_finding_says_which_law_or_which_form_of_item_it_is_of(tmp_path: Path) -> None:
    text = TEXT.replace("is: 2", "is: 3").replace("expect: done}\n", "expect: refused}\n", 1)
    scenario = desk(tmp_path, text)
    found = {(finding.law, finding.form) for finding in work(scenario, unit_of(scenario), CLAIMS, None).findings}
    assert {(8, ""), (0, "count")} <= found
