from __future__ import annotations

from pathlib import Path

import pytest

from reports.markdown import escaped, text
from reports.render import write
from tests.reports.made import BUILD, CLAIMS, evidence


@pytest.mark.parametrize(("words", "shown"), [
    ("plain", "plain"),
    ("<b>|x|\n[a](b) @you", "\\<b\\>\\|x\\|\\\\n\\[a\\](b) \\@you"),
    ("# `code` *x*", "\\# \\`code\\` \\*x\\*"),
])  # fmt: skip
def test_text_is_shown_as_it_is(words: str, shown: str) -> None:
    assert escaped(words) == shown


def test_what_does_not_hold_comes_first_with_the_line_that_makes_it_again(tmp_path: Path) -> None:
    evidence(tmp_path, ("none",))
    view, _ = write(tmp_path / "runs", tmp_path / "ledger.jsonl", CLAIMS, tmp_path / "out", build=BUILD)
    assert "## What does not hold" not in text(view)
    run = tmp_path / "runs" / "none"
    assert run.is_dir()
    from dataclasses import replace

    bad = replace(view.scenarios[0].runs[0], word="broken", open=True)
    troubled = replace(view, scenarios=(replace(view.scenarios[0], runs=(bad,)),))
    lines = text(troubled).split("\n")
    assert lines.index("## What does not hold") < lines.index("## Claims")
    assert "  - `trailcam run computer-use/click.yaml --seed 7 --profile 0.171.0`" in lines
