"""A document is written, compared, and never written by a comparison."""
from __future__ import annotations

from pathlib import Path

import pytest

from harness.written import keep, markdown_table


def test_it_is_written_and_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.md"
    assert keep(["--check"], path, lambda: "new\n", "a.describe") == 1
    assert not path.exists()
    assert keep([], path, lambda: "new\n", "a.describe") == 0
    assert path.read_text() == "new\n"
    assert keep(["--check"], path, lambda: "new\n", "a.describe") == 0
    assert keep(["--check"], path, lambda: "newer\n", "a.describe") == 1
    assert path.read_text() == "new\n"
    assert "x.md is not what its sources say; write it with `python -m a.describe`" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--force"], ["--check", "--check"]])
def test_anything_else_is_a_usage_error(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert keep(arguments, tmp_path / "x.md", lambda: "", "a.describe") == 2
    assert "usage: python -m a.describe [--check]" in capsys.readouterr().err
    assert not (tmp_path / "x.md").exists()


def test_a_table_has_a_line_for_each_row_and_a_bar_stays_text() -> None:
    assert markdown_table(("a", "b"), [("1", "x|y")]) == "| a | b |\n| --- | --- |\n| 1 | x\\|y |\n"
