"""Whole runs with a service: the same in both modes, judged, kept, drawn and struck like those with programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.faults.standard import label, standard
from harness.judged.run import judge_run
from harness.kept import load
from harness.scenario.compare import comparable, first_difference
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.keep import judge_records, keep, kept
from harness.scenario.runner import Records, run
from harness.scenario.scenario import load_scenario
from reports.sequence import diagram
from tests.harness.scenario.asker import LISTENED, add, asker_sheet, register
from tests.harness.scenario.clerk import call, lines
from tests.harness.serve.oracle import fault

MODES = ("virtual", "process")
ANSWER = {"way": "<<", "kind": "reply", "method": "POST /add"}
PLANS: dict[str, Any] = {
    "no fault": None,
    "refused": fault("connect_refused", moment="connecting"),
    "hangs": fault("connect_hangs", moment="connecting"),
    "lost": fault("close", **ANSWER),
    "dies after the effect": fault("crash", moment="after_effect"),
    "another type": fault("type_confusion", {"pointer": "/number"}, **ANSWER),
    "garbage": fault("garbage", **ANSWER),
    "half": fault("half_frame_then_exit", **ANSWER),
}
OUTCOMES = {"no fault": "done", "refused": "refused", "hangs": "refused"}


@pytest.fixture(autouse=True)
def asker(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def books(records: Records) -> dict[str, list[dict[str, Any]]]:
    return comparable(records.history, records.world, records.journal, records.roots)


@pytest.mark.parametrize("plan", PLANS)
def test_both_modes_leave_the_same_and_no_law_is_broken(plan: str) -> None:
    runs = {mode: run(asker_sheet(add(2), call("meet"), mode=mode, plan=PLANS[plan])) for mode in MODES}
    assert first_difference(*map(books, runs.values())) is None
    assert lines(runs["virtual"].history, "answered")[0]["outcome"] == OUTCOMES.get(plan, "unknown")
    for records in runs.values():
        judged = judge_records(records)
        assert judged.unfired == ()
        assert [law.verdict for law in judged.laws if law.verdict == "broken"] == []
        assert {law.law for law in judged.laws if law.verdict == "holds"} >= {3, 7}


@pytest.mark.parametrize("mode", MODES)
def test_parts_of_a_stack_meet_at_an_address(mode: str) -> None:
    records = run(asker_sheet(call("meet"), mode=mode))
    assert [line["outcome"] for line in lines(records.history, "answered")] == ["done"]
    assert lines(records.history, "left")[0]["sockets"] == []


@pytest.mark.parametrize(("tool", "left"), [("leak", "processes: oracle"), ("listen", f"sockets: {LISTENED}")])
def test_law_7_sees_what_is_left_open(tool: str, left: str) -> None:
    law = next(each for each in judge_records(run(asker_sheet(call(tool)))).laws if each.law == 7)
    assert law.verdict == "broken"
    assert left in law.why


def test_a_kept_run_is_judged_as_the_run_was(tmp_path: Path) -> None:
    judged = judge_records(run(asker_sheet(add(2))))
    again = judge_run(load(keep(judged, tmp_path)))
    assert again.as_json() == judged.as_json()
    assert again.run.name == judged.run.name
    assert set(again.run.provenance.origins) == {"oracle"}


def test_a_run_is_drawn(tmp_path: Path) -> None:
    records = run(asker_sheet(add(2), plan=fault("drop", **ANSWER)))
    of = kept(records)
    drawn = diagram(of.history, of.world, of.journal)
    assert any("oracle" in lane for lane in drawn.lanes)
    assert any("POST /add" in row.text for row in drawn.rows if row.kind == "frame")
    assert any(row.kind == "fault" for row in drawn.rows)


def test_the_census_gives_standard_plans_that_all_fire() -> None:
    census = run(asker_sheet(add(2)), census=True).census
    assert census is not None
    chosen = standard(census, 7, past_deadline_ms=20_000)
    labels = [label(plan) for plan in chosen.plans]
    assert "connect_refused connecting #1 of oracle" in labels
    assert "connect_hangs connecting #1 of oracle" in labels
    broken: dict[str, Any] = {}
    for plan in chosen.plans:
        judged = judge_records(run(asker_sheet(add(2), plan=plan)))
        broken[label(plan)] = [law.why for law in judged.laws if law.verdict == "broken"]
    assert {name: why for name, why in broken.items() if why} == {}


SCENARIO = """\
scenario: The oracle adds
subject: asker
about: [oracle]
programs: {oracle: {}}
steps:
  - {call: add, arguments: {amount: 2}, expect: done}
then:
  - {says: it added, some: {world: {e: effect, verb: add}}}
cases:
  refused:
    faults: [{fault: connect_refused, at: {program: oracle, moment: connecting}}]
    then:
      - {says: nothing was added, none: {world: {e: effect}}, among: {world: {e: fault}}}
"""


def test_a_scenario_names_the_service_as_any_program(tmp_path: Path) -> None:
    path = tmp_path / "scenarios" / "asker" / "adds.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(SCENARIO, encoding="utf-8")
    scenario = load_scenario(path)
    for case, outcome in (("", "done"), ("refused", "refused")):
        sheet = compile_sheet(scenario, Choice(case=case))
        assert sheet["services"] == {"oracle": "tcp:127.0.0.1:8791"}
        assert sheet["wires"] == {"oracle": {"stdio": "http"}}
        records = run(sheet)
        assert [line["outcome"] for line in lines(records.history, "answered")] == [outcome]
        assert [said.verdict for said in judge_records(records).then] == ["holds"] * len(sheet["then"])
