"""docs/scenarios.md is what its sources say, and has every key, form, operator and broken stack."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.judged.books import BOOKS
from harness.judged.match import OPERATORS
from harness.judged.then import FORMS
from harness.scenario.broken import KINDS
from harness.scenario.describe import DOCUMENT, document, main
from harness.scenario.scenario import load_scenario
from harness.scenario.schema import ACTIONS, CASE, ITEM, SCENARIO, STEP, TOOTH


def test_the_document_is_in_step() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document()


def test_everything_is_in_it() -> None:
    text = document()
    for name in (*SCENARIO, *CASE, *STEP, *ACTIONS, *ITEM, *TOOTH, *BOOKS, *FORMS, *OPERATORS, *KINDS):
        assert f"| `{name}` |" in text, name


def test_its_example_is_a_scenario(tmp_path: Path) -> None:
    block = document().split("    scenario: ", 1)[1].split("\n\n", 1)[0]
    path = tmp_path / "example.yaml"
    path.write_text("scenario: " + block.replace("\n    ", "\n"), encoding="utf-8")
    assert load_scenario(path).claims == {"CUA-RES-01"}


def test_check_compares_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scenarios.md"
    assert main(["--check"], path) == 1
    assert not path.exists()
    assert main([], path) == 0
    assert main(["--check"], path) == 0
    path.write_text(path.read_text() + "more")
    assert main(["--check"], path) == 1
    assert "python -m harness.scenario.describe" in capsys.readouterr().err
    assert main(["--wrong"], path) == 2
