"""docs/laws.md is what its sources say."""
from __future__ import annotations

from pathlib import Path

import pytest

from harness.kept.lines import HISTORY, WORLD
from harness.laws import LAWS
from harness.laws.describe import DOCUMENT, document, main


def test_the_document_is_in_step() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document()


def test_every_law_and_every_line_is_in_it() -> None:
    text = document()
    assert all(f"| {law.number} | {law.name} | {law.broken_when} |" in text for law in LAWS.values())
    assert all(f"| {kind} | " in text for kind in (*HISTORY, *WORLD))
    assert not [line for line in text.split("\n") if "  " in line.strip()]


def test_check_compares_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "laws.md"
    assert main(["--check"], path) == 1
    assert not path.exists()
    assert main([], path) == 0
    assert main(["--check"], path) == 0
    path.write_text(path.read_text() + "more")
    assert main(["--check"], path) == 1
    assert "python -m harness.laws.describe" in capsys.readouterr().err
    assert main(["--wrong"], path) == 2
