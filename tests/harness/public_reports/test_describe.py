"""The document has every row."""
from __future__ import annotations

from pathlib import Path

from harness.public_reports.describe import document, main
from harness.public_reports.rows import Report


def test_each_row_says_what_shows_it_or_why_it_is_harmless(tmp_path: Path) -> None:
    shown = Report(1, "a/b 7", "it hangs | here", ("s/a.yaml",), "", "f", 1)
    rows = [shown, Report(2, "c/d 8", "x", (), "so it is", "f", 2)]
    text = document({"system": rows})
    assert text.endswith(
        "\n## system\n\n| what | source | shown by |\n| --- | --- | --- |\n"
        "| it hangs \\| here | a/b 7 | `s/a.yaml` |\n| x | c/d 8 | harmless: so it is |\n"
    )
    path = tmp_path / "public-reports.md"
    assert main(["--check"], path) == 1
    assert main([], path) == main(["--check"], path) == 0
    assert "## computer-use" in path.read_text()
