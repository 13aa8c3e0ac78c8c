"""`make deep`: progress on stderr, one document on stdout, exit codes, and files for what was found."""
from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from harness import subjects
from harness.properties import __main__ as deep
from harness.properties.found import Found
from harness.properties.search import Search, profile
from harness.properties.tally import Tally
from tests.harness.laws.panel import NAME
from tests.harness.properties.panel_words import SUBJECT, words


def panel(monkeypatch: pytest.MonkeyPatch, defect: str | None = None) -> None:
    """The panel in the place of the systems that can be searched."""
    monkeypatch.setitem(subjects.SUBJECTS, NAME, SUBJECT)
    monkeypatch.setattr(deep, "VOCABULARIES", {NAME: words(defect)})
    monkeypatch.setattr(deep, "DEEP", profile(25, 4))


def test_nothing_found_is_0(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    panel(monkeypatch)
    assert deep.main(["--system", NAME, "--rounds", "2", "--out", str(tmp_path)]) == 0
    said = capsys.readouterr()
    assert "examples of" in said.out
    assert said.err.startswith("trailcam deep: 25 examples")
    assert not list(tmp_path.iterdir())


def test_what_is_found_is_1_and_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    panel(monkeypatch, "says unknown")
    assert deep.main(["--system", NAME, "--out", str(tmp_path), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert [each["law"] for each in document["found"]] == [3]
    assert document["files"] == [str(path) for path in tmp_path.iterdir()]
    assert document["tally"]["runs"] > 0


def test_a_budget_ends_the_search_between_rounds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    panel(monkeypatch)
    budget = deep.Budget(0)
    state = Search(Tally(), rounds=1)
    assert budget.goes_on(state)
    signal.raise_signal(signal.SIGALRM)
    assert not budget.goes_on(state)


def found(verdict: str) -> Found:
    return Found(3, "why", "name", "text", 1, 0, 10 if verdict != "flaky" else 5, "again", verdict == "hangs")


@pytest.mark.parametrize(
    ("verdicts", "runs", "code"),
    [((), 5, 0), ((), 0, 3), (("flaky",), 5, 3), (("broken", "flaky"), 5, 1), (("hangs",), 5, 1)],
)
def test_exit_codes(verdicts: tuple[str, ...], runs: int, code: int) -> None:
    state = Search(Tally(runs=runs), [found(verdict) for verdict in verdicts])
    assert [each.verdict for each in state.found] == list(verdicts)
    assert deep.exit_code(state) == code


def test_a_flaky_finding_is_said_and_not_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    panel(monkeypatch)
    monkeypatch.setattr(deep, "search", lambda *given, **more: Search(Tally(runs=1), [found("flaky")]))
    assert deep.main(["--system", NAME, "--out", str(tmp_path / "out")]) == 3
    assert "reproduced 5/10" in capsys.readouterr().out
    assert not (tmp_path / "out").exists()
