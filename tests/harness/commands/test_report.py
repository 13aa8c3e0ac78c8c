"""`trailcam report`: writes what kept evidence says, and refuses what was edited."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.cli import main
from tests.reports.made import CLAIMS, evidence


def arguments(folder: Path, *more: str) -> list[str]:
    return [
        "report", "--runs", str(folder / "runs"), "--ledger", str(folder / "ledger.jsonl"), "--claims", str(CLAIMS),
        "--out", str(folder / "out"), "--any-build", *more,
    ]  # fmt: skip


def test_it_writes_and_says_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evidence(tmp_path, ("none",))
    assert main(arguments(tmp_path)) == 0
    assert str(tmp_path / "out" / "index.html") in capsys.readouterr().out


@pytest.mark.claim("HAR-CLI-01")
def test_json_is_one_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evidence(tmp_path, ("none",))
    assert main(arguments(tmp_path, "--json")) == 0
    value = json.loads(capsys.readouterr().out)
    assert (value["word"], len(value["files"])) == ("holds", 4)


@pytest.mark.claim("HAR-RPT-02")
def test_edited_evidence_is_exit_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evidence(tmp_path, ("none",))
    ledger = tmp_path / "ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes().replace(b'"holds"', b'"broken"'))
    assert main(arguments(tmp_path)) == 3
    assert "ledger.jsonl:1" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
