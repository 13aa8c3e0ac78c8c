"""The view model: the verdict on the whole, why claims are not shown, and which runs get a picture."""
from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.evidence.ledger import add, read
from harness.evidence.material import Material, gather
from reports import document
from reports import page as page_module
from reports.page import page
from reports.render import html
from tests.reports.made import BUILD, CLAIMS, HOSTILE, evidence


@pytest.fixture
def material(tmp_path: Path) -> Material:
    evidence(tmp_path)
    return gather(tmp_path / "runs", tmp_path / "ledger.jsonl", CLAIMS, BUILD)


@pytest.mark.claim("HAR-RPT-01")
def test_a_page_says_what_its_evidence_says(material: Material) -> None:
    view = page(material, {"CUA-KEY-01": ["codex 0.144.2 is missing"]}, ["engines: none"])
    assert dict(view.strengths) == {"live": 0, "engine": 0, "tape": 0, "model": 1, "documented": 0, "none": 259}
    row = next(row for _, rows in view.groups for row in rows if row.id == "CUA-RES-01")
    assert (row.word, row.strength, row.teeth, row.dates) == ("holds", "model", ("fault:drop",), "2026-02-03")
    assert row.about.startswith("codex model 0.171.0")
    reasons = dict(view.not_shown)
    assert reasons["codex 0.144.2 is missing"] == ("CUA-KEY-01",)
    assert len(reasons["no scenario or test of this ledger speaks of it"]) == 258
    assert (view.runs, view.inapplicable, view.notes) == (3, 1, ("engines: none",))
    (scenario,) = view.scenarios
    assert "\\u202e" in scenario.title
    assert HOSTILE not in scenario.title
    assert [word for _, word in scenario.matrix].count("inapplicable") == 1
    assert [run.applied for run in scenario.runs] == [None, True, False]
    assert scenario.runs[0].again == "trailcam run computer-use/click.yaml --seed 7 --profile 0.171.0"


def test_a_reply_that_was_lost_is_unknown_and_the_whole_says_so(material: Material) -> None:
    view = page(material)
    (scenario,) = view.scenarios
    assert scenario.runs[0].word == "holds"
    assert view.exit_code == {"holds": 0, "broken": 1, "unknown": 3}[view.word]
    assert (view.word == "holds") == (not view.troubled())


def test_evidence_of_other_sources_decides_nothing(tmp_path: Path) -> None:
    evidence(tmp_path, ("none",))
    other = gather(tmp_path / "runs", tmp_path / "ledger.jsonl", CLAIMS, {"harness": "c" * 64})
    reasons = dict(page(other).not_shown)
    assert reasons["its evidence was made with other sources than these"] == ("CUA-RES-01",)


@pytest.mark.claim("HAR-LAW-02")
def test_no_evidence_is_no_verdict_and_no_pass(tmp_path: Path) -> None:
    add([], tmp_path / "ledger.jsonl")
    assert read(tmp_path / "ledger.jsonl") == ()
    view = page(gather(tmp_path / "runs", tmp_path / "ledger.jsonl", CLAIMS))
    assert (view.word, view.exit_code, view.runs) == ("nothing", 3, 0)


def test_pictures_are_bounded_and_trouble_comes_first(material: Material, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_module, "DRAWN", 1)
    view = page(material)
    assert view.undrawn == 2
    drawn = [run for scenario in view.scenarios for run in scenario.runs if run.picture]
    assert len(drawn) == 1
    troubled = [run for scenario in view.scenarios for run in scenario.runs if run.open]
    assert not troubled or drawn[0] in troubled


def test_a_run_of_a_decision_loop_shows_its_transcript(material: Material) -> None:
    """In every form that has runs, and as text: what a page or a model wrote makes no markup."""
    said = {"ended": "done", "proven": None, "legs": [{"goal": f"buy {HOSTILE}", "transcript": []}]}
    runs = []
    for judged in material.runs:
        history = [{**line, "structured": said} if line["e"] == "answered" else line for line in judged.run.history]
        runs.append(replace(judged, run=replace(judged.run, history=tuple(history))))
    view = page(replace(material, runs=runs))
    (scenario,) = view.scenarios
    assert [run.transcript[-1] for run in scenario.runs] == ["ended done"] * 3
    shown = html(view)
    assert "What the decision loop says that it did" in shown
    assert "buy A title &lt;/title&gt;" in shown and HOSTILE not in shown
    assert "ended done" in document.text(view)
    assert "What the decision loop" not in html(page(material))
