from __future__ import annotations

import json
from pathlib import Path

from reports.document import text
from reports.render import write
from tests.reports.made import BUILD, CLAIMS, evidence


def test_the_json_has_every_figure_and_no_picture(tmp_path: Path) -> None:
    evidence(tmp_path, ("none",))
    view, _ = write(tmp_path / "runs", tmp_path / "ledger.jsonl", CLAIMS, tmp_path / "out", build=BUILD)
    value = json.loads(text(view))
    assert (value["v"], value["word"], value["exit_code"]) == (1, view.word, view.exit_code)
    assert "<svg" not in text(view)
    assert text(view).isascii()
