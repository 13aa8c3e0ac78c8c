"""The report as files: the same bytes for the same evidence, none where it was edited, and hostile text stays text."""
from __future__ import annotations

import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from harness.problem import Problem
from reports.render import FORMS, write
from tests.reports.made import BUILD, CLAIMS, evidence

VOID = {"meta", "br", "line", "path", "hr", "img", "input", "link"}


def written(folder: Path, out: Path) -> dict[str, bytes]:
    _, paths = write(folder / "runs", folder / "ledger.jsonl", CLAIMS, out, build=BUILD)
    return {path.name: path.read_bytes() for path in paths}


@pytest.mark.claim("HAR-RPT-02")
def test_the_same_evidence_gives_the_same_bytes_in_any_interpreter(tmp_path: Path) -> None:
    evidence(tmp_path)
    first = written(tmp_path, tmp_path / "one")
    script = (
        "from pathlib import Path; from reports.render import write; from tests.reports.made import BUILD, CLAIMS\n"
        f"p = Path({str(tmp_path)!r}); write(p / 'runs', p / 'ledger.jsonl', CLAIMS, p / 'two', build=BUILD)"
    )
    subprocess.run([sys.executable, "-c", script], check=True, env={**os.environ, "PYTHONHASHSEED": "77"}, timeout=60)
    assert {path.name: path.read_bytes() for path in (tmp_path / "two").iterdir()} == first
    assert set(first) == set(FORMS)


EDITS = [
    ("ledger.jsonl", b'"holds"', b'"broken"'),
    ("ledger.jsonl", b'"model"', b'"live"'),
    ("runs/none/history.jsonl", b'"outcome":"done"', b'"outcome":"refused"'),
    ("runs/none/world.jsonl", b'"verb":"click"', b'"verb":"drag"'),
    ("runs/none/tape.jsonl", b'"status":0', b'"status":1'),
    ("runs/none/provenance.json", b'"linux"', b'"darwin"'),
    ("runs/none/run.json", b'"title":"A', b'"title":"B'),
]


@pytest.mark.claim("HAR-RPT-02")
@pytest.mark.parametrize(("name", "old", "new"), EDITS, ids=[f"{name} {new.decode()}" for name, _, new in EDITS])
def test_edited_evidence_makes_the_report_refuse_and_write_nothing(
    tmp_path: Path, name: str, old: bytes, new: bytes
) -> None:
    evidence(tmp_path)
    path = tmp_path / name
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new, 1))
    with pytest.raises(Problem) as refused:
        written(tmp_path, tmp_path / "out")
    assert refused.value.exit_code == 3
    assert not (tmp_path / "out").exists()


class Checker(HTMLParser):
    """Tags that close, and what a page could ask for."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.requests: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name in ("src", "href", "action", "data") and not (value or "").startswith("#"):
                self.requests.append(f"{tag} {name}={value}")
            assert not name.startswith("on"), f"{tag} {name}"
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.claim("HAR-RPT-01", "HAR-RPT-02")
def test_the_page_is_well_formed_asks_for_nothing_and_has_no_script(tmp_path: Path) -> None:
    files = written(evidence(tmp_path), tmp_path / "out")
    text = files["index.html"].decode()
    checker = Checker()
    checker.feed(text)
    assert checker.open == []
    assert checker.requests == []
    assert "script" not in checker.tags
    assert "default-src 'none'" in text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "\u202e" not in text
    assert "url(" not in text


@pytest.mark.claim("HAR-RPT-01")
def test_the_other_forms_say_the_same(tmp_path: Path) -> None:
    files = written(evidence(tmp_path), tmp_path / "out")
    suites = ElementTree.fromstring(files["junit.xml"].decode())
    claims, runs = suites.findall("testsuite")
    assert claims.get("tests") == "260"
    assert [case.find("skipped") is not None for case in runs.findall("testcase")].count(True) == 1
    markdown = files["report.md"].decode()
    assert "| CUA-RES-01 | holds | model | 1 |" in markdown
    assert "<script>" not in markdown
    assert b'"CUA-RES-01"' in files["report.json"]
