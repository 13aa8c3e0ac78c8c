"""A campaign passes in CI where nothing is broken, and nothing unknown but after a fault that forges."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.mutated import main, wrong

FORGED = {"verdict": "unknown", "law": 1, "why": "2 effects for 1 asked", "again": "x", "faults": {"duplicate": 2}}


def document(*findings: Any, **fields: Any) -> str:
    made = {"plans": 9, "inapplicable": 3, "could_not_run": 0, "unable": [], "findings": findings}
    return json.dumps({"verdict": "unknown" if findings else "holds", **made, **fields})


def test_what_nobody_can_help_passes() -> None:
    assert wrong(document()) == wrong(document(FORGED, {**FORGED, "law": 2}, {**FORGED, "law": 3})) == []


@pytest.mark.parametrize("text", [
    document({**FORGED, "verdict": "broken"}), document({**FORGED, "law": 4}),
    document({**FORGED, "faults": {"duplicate": 1, "crash": 1}}), document({**FORGED, "faults": {}}),
    document(FORGED, FORGED | {"verdict": "broken"}), document(could_not_run=1), document(plans=0),
    document(inapplicable=9, verdict="unknown"), document(verdict="broken"), document(verdict="unknown"),
    document(unable=["a.yaml: no engine"]), "", "{}", "[]",
])  # fmt: skip
def test_all_else_does_not(text: str, tmp_path: Path) -> None:
    assert wrong(text)
    (tmp_path / "a").write_text(text)
    assert main([str(tmp_path / "a")]) == 1


def test_the_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a").write_text(document(FORGED))
    assert main([str(tmp_path / "a")]) == 0
    assert "no law is broken" in capsys.readouterr().out
