"""Release reports as files: regenerated from committed evidence byte for byte, refused where that was edited."""
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from harness.problem import Problem
from reports.people import CHECKS
from reports.release_evidence import ABOUT, EVIDENCE, LEDGER, RUNS, unpack
from reports.release_render import FORMS, make, write
from tests.reports.released import sources
from tests.reports.test_render import Checker
from tests.tidy.tree import ROOT

RELEASES = ROOT / "reports" / "releases"
COMMITTED = sorted(path.name for path in RELEASES.iterdir())
LARGEST = 2 << 20


def files(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FORMS}


@pytest.mark.claim("HAR-RPT-02", "HAR-RPT-03")
@pytest.mark.parametrize("version", COMMITTED)
def test_a_committed_release_is_what_its_evidence_says(version: str, tmp_path: Path) -> None:
    write(RELEASES / version, tmp_path)
    assert files(tmp_path) == files(RELEASES / version)


def test_there_is_a_release_and_it_is_small_and_names_no_place(tmp_path: Path) -> None:
    assert "0.1.0" in COMMITTED
    for version in COMMITTED:
        evidence = RELEASES / version / EVIDENCE
        assert sum(path.stat().st_size for path in evidence.rglob("*")) < LARGEST
        unpack(evidence / RUNS, tmp_path / version)
        places = [*(RELEASES / version).rglob("*"), *(tmp_path / version).rglob("*")]
        text = b"".join(path.read_bytes() for path in places if path.is_file() and path.suffix != ".zip")
        assert str(ROOT).encode() not in text
        assert not re.search(rb"(?<!\w)/tmp/", text)  # a Mac's /private/tmp is where Safari's own driver puts pictures


def test_the_same_in_another_interpreter(tmp_path: Path) -> None:
    folder = tmp_path / "0.1.0"
    make("0.1.0", sources(tmp_path), folder)
    script = (
        f"from pathlib import Path; from reports.release_render import write; p = Path({str(tmp_path)!r})\n"
        "write(p / '0.1.0', p / 'again')"
    )
    subprocess.run([sys.executable, "-c", script], check=True, env={**os.environ, "PYTHONHASHSEED": "77"}, timeout=60)
    assert files(tmp_path / "again") == files(folder)


EDITS = [
    (LEDGER, b'"holds"', b'"broken"'), (LEDGER, b'"model"', b'"live"'), (ABOUT, b'"v":1', b'"v":2'),
    (RUNS, b"PK", b"XX"),
    ("claims/computer-use.yaml", b"kind: behaviour", b"kind: behavior"),
]  # fmt: skip


@pytest.mark.claim("HAR-RPT-02")
@pytest.mark.parametrize(("name", "old", "new"), EDITS, ids=[f"{name} {new!r}" for name, _, new in EDITS])
def test_edited_evidence_is_refused_and_nothing_is_written(tmp_path: Path, name: str, old: bytes, new: bytes) -> None:
    folder = tmp_path / "0.1.0"
    make("0.1.0", sources(tmp_path), folder)
    path = folder / EVIDENCE / name
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new))
    with pytest.raises(Problem) as refused:
        write(folder, tmp_path / "out")
    assert refused.value.exit_code == 3
    assert not (tmp_path / "out").exists()


@pytest.fixture
def written(tmp_path: Path) -> dict[str, str]:
    make("0.1.0", sources(tmp_path), tmp_path / "0.1.0")
    return {name: data.decode() for name, data in files(tmp_path / "0.1.0").items()}


@pytest.mark.claim("HAR-RPT-03")
def test_all_forms_say_what_did_not_run_and_what_needs_a_person(written: dict[str, str]) -> None:
    value = json.loads(written["report.json"])
    assert [row["strongest"] for row in value["release"]["matrix"] if row["product"] == "Google Chrome"] == ["not run"]
    assert "| Google Chrome | not run | not run | not run | not run |" in written["report.md"]
    assert '<th scope="row">Google Chrome</th><td><span class="not-shown">not run</span></td>' in written["index.html"]
    for name in ("index.html", "report.md"):
        assert CHECKS[0].what in written[name]
    assert len(value["release"]["killers"]) == 2


def test_the_page_is_well_formed_and_asks_for_nothing(written: dict[str, str]) -> None:
    checker = Checker()
    checker.feed(written["index.html"])
    assert checker.open == []
    assert checker.requests == []
    assert "script" not in checker.tags
    assert "default-src 'none'" in written["index.html"]


def test_untried_guards_and_nothing_left_out_are_said(tmp_path: Path) -> None:
    make("0.1.0", sources(tmp_path, teeth=False), tmp_path / "0.1.0")
    for name in ("index.html", "report.md"):
        assert "No guard" in files(tmp_path / "0.1.0")[name].decode()
