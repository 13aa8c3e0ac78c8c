"""`trailcam report release`: one command to the files; `trailcam report` alone is what it was."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.cli import main
from harness.commands import release
from harness.kept.sources import source_hashes
from reports.release_evidence import Sources
from tests.reports.made import CLAIMS
from tests.reports.released import sources
from tests.tidy.tree import ROOT


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with evidence of a build that is then taken for this one."""
    given = sources(tmp_path)
    monkeypatch.setattr(release, "source_hashes", lambda packages: given.build)
    monkeypatch.setattr(release, "private", lambda: frozenset())
    return tmp_path


def arguments(folder: Path, *more: str) -> list[str]:
    return [
        "report", "release", "0.1.0", "--ledger", str(folder / "ledger.jsonl"), "--runs", str(folder / "runs"),
        "--teeth", str(folder / "teeth.jsonl"), "--claims", str(CLAIMS), "--out", str(folder / "out"), *more,
    ]  # fmt: skip


def test_it_collects_and_writes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments(folder)) == 0
    assert str(folder / "out" / "0.1.0" / "index.html") in capsys.readouterr().out
    assert {path.name for path in (folder / "out" / "0.1.0").iterdir()} == {
        "evidence", "index.html", "report.md", "report.json",
    }  # fmt: skip


@pytest.mark.claim("HAR-CLI-01")
def test_again_needs_nothing_but_its_own_evidence(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(arguments(folder))
    page = folder / "out" / "0.1.0" / "index.html"
    before = page.read_bytes()
    page.unlink()
    (folder / "ledger.jsonl").unlink()
    capsys.readouterr()
    assert main(["report", "release", "0.1.0", "--again", "--out", str(folder / "out"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["word"] == "holds"
    assert page.read_bytes() == before


@pytest.mark.claim("HAR-RPT-02")
def test_without_evidence_of_this_build_it_ends_with_3(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "source_hashes", source_hashes)
    assert main(arguments(folder)) == 3
    assert not (folder / "out").exists()


@pytest.mark.parametrize("version", ["../0.1.0", "v1", "0.1", ""])
def test_a_version_is_a_version(version: str) -> None:
    assert main(["report", "release", version]) == 2


def test_what_no_release_may_name() -> None:
    found = release.private()
    assert {str(Path.home()), str(ROOT)} <= found
    assert "" not in found
    assert Sources((), (), CLAIMS, {}, None, found).names_something(f"at {Path.home()}/x")
