"""What a report is made of: kept runs judged again, and a ledger that must agree with them."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.evidence.ledger import add, read
from harness.evidence.material import gather
from harness.evidence.record import LedgerProblem
from tests.reports.made import BUILD, CLAIMS, evidence


@pytest.mark.claim("HAR-RPT-02")
def test_a_ledger_that_says_something_else_of_a_kept_run_is_refused(tmp_path: Path) -> None:
    evidence(tmp_path, ("none",))
    (record,) = read(tmp_path / "ledger.jsonl")
    (tmp_path / "ledger.jsonl").unlink()
    add([replace(record, verdict="broken")], tmp_path / "ledger.jsonl")
    with pytest.raises(LedgerProblem, match="CUA-RES-01 broken by run"):
        gather(tmp_path / "runs", tmp_path / "ledger.jsonl", CLAIMS, BUILD)


def test_runs_are_judged_again_and_stand_in_one_order(tmp_path: Path) -> None:
    evidence(tmp_path)
    found = gather(tmp_path / "runs", tmp_path / "ledger.jsonl", CLAIMS, BUILD)
    assert [run.applicable for run in found.runs].count(False) == 1
    assert [run.run.name for run in found.runs] == sorted(run.run.name for run in found.runs)
    assert found.runs[0].claims.keys() == {"CUA-RES-01"}


def test_no_folder_of_runs_is_no_runs(tmp_path: Path) -> None:
    add([], tmp_path / "ledger.jsonl")
    assert gather(tmp_path / "runs", tmp_path / "ledger.jsonl", CLAIMS).runs == []
