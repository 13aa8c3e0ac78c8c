"""Whole runs with programs around the stack, and with a part of the stack that they start: the same in both modes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.claims import load_claims
from harness.evidence.collect import evidence_of_run
from harness.judged.run import judge_run
from harness.kept.origin import Origin
from harness.scenario.compare import comparable, first_difference
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.keep import kept
from harness.scenario.runner import ROOT, Records, run
from harness.scenario.scenario import load_scenario

SCENARIO = ROOT / "scenarios/chrome/read-and-press-a-button.yaml"


def played(mode: str = "virtual", scenario: Path = SCENARIO, **choice: Any) -> Records:
    return run(compile_sheet(load_scenario(scenario), Choice(mode=mode, **choice)))


def test_both_modes_leave_the_same_history_and_world() -> None:
    books = []
    for mode in ("virtual", "process"):
        records = played(mode)
        found = comparable(records.history, records.world, records.journal, records.roots)
        books.append(
            {name: found[name] for name in ("history", "world")}
            | {name: found[name] for name in found if name.startswith(("journal channel", "journal host"))}
        )
    assert first_difference(*books) is None
    assert [name for name in books[0] if "host" in name] == ["journal host#1"]


def test_who_took_part_and_what_stood_behind_them() -> None:
    run_ = kept(played())
    assert {
        name: run_.provenance.origins[name].back for name in ("browser", "extension", "page", "channel")
    } == dict.fromkeys(("browser", "extension", "page", "channel"), "model")
    assert "host" not in run_.provenance.origins
    records, lacking = evidence_of_run(load_claims(), {"CHR-PRO-01": "holds", "CHR-FALL-01": "holds"}, run_)
    assert lacking == []
    assert {record.claim: record.about.keys() for record in records} == {
        "CHR-PRO-01": {"extension", "host"}, "CHR-FALL-01": {"extension", "os"},
    }  # fmt: skip
    assert {origin for record in records for origin in record.about.values() if origin.back != "model"} == set()
    assert Origin("model", "x").strength == "model"


@pytest.mark.parametrize("at", [{"moment": "started"}, {"moment": "started", "nth": 1}])
def test_what_dies_at_its_start_is_started_again(at: dict[str, Any]) -> None:
    plan = {"v": 1, "faults": [{"id": "f1", "fault": "crash", "at": {"program": "browser", **at}, "args": {}}]}
    records = played(plan=plan)
    started = [event["program"] for event in records.journal if event["e"] == "started"]
    assert started.count("browser") == 2
    assert [line["outcome"] for line in records.history if line["e"] == "answered"] == ["done"] * 4


def test_what_does_not_heed_its_end_is_ended() -> None:
    plan = {"v": 1, "faults": [
        {"id": "f1", "fault": "ignore_sigterm", "at": {"program": "browser", "moment": "started"}, "args": {}}
    ]}  # fmt: skip
    judged = judge_run(kept(played(plan=plan)))
    assert [law.verdict for law in judged.laws if law.law == 7] == ["holds"]


def test_a_strict_protocol_hides_what_a_changed_message_said() -> None:
    place = {"program": "channel", "wire": "stdio", "way": "<<", "kind": "reply", "method": "activate"}
    plan = {"v": 1, "faults": [{"id": "f1", "fault": "unknown_field", "at": place, "args": {}}]}
    judged = judge_run(kept(played(plan=plan)))
    (law,) = [law for law in judged.laws if law.law == 3]
    assert law.verdict == "holds"
    assert [line["outcome"] for line in judged.run.history if line["e"] == "answered"][1] == "unknown"


def test_a_killed_browser_leaves_a_host_that_ends_by_itself() -> None:
    plan = {"v": 1, "faults": [
        {"id": "f1", "fault": "crash", "at": {"program": "browser", "moment": "started"}, "args": {}}
    ]}  # fmt: skip
    records = played("process", plan=plan)
    assert records.history[-1]["processes"] == []
    assert records.history[-1]["sockets"] == []
