"""A draft as a scenario: what is compiled of it in memory is what is compiled of its file."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.properties.draft import CASE, Draft
from harness.properties.found import document
from harness.properties.text import block
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.scenario import load_scenario

FAULT = {"id": "f1", "fault": "drop", "at": {"program": "codex", "way": "<<", "nth": 1}, "args": {}}
DRAFT = Draft(
    "computer-use", ("codex", "helper"), "0.144.2",
    {"world": {"approvals": {"com.apple.Chess": "always"}}, "modes": ["form"], "settings": {}},
    [
        {"call": "get_app_state", "arguments": {"app": "Chess"}, "expect": "done", "again": True},
        {"call": "type_text", "arguments": {"app": "Chess", "text": "1e3"}, "means": {"verb": "type_text", "ref": "3"}},
        {"answer": {"action": "accept"}},
    ],
)  # fmt: skip
APART = ("scenario", "title", "then")
"""What a run sheet says of its file, and not of its run."""


def sheet(scenario: Any, case: str) -> dict[str, Any]:
    return {key: value for key, value in compile_sheet(scenario, Choice(case=case)).items() if key not in APART}


@pytest.mark.parametrize("faults", [[], [FAULT]])
def test_the_file_compiles_to_the_sheet_that_was_run(faults: list[dict[str, Any]], tmp_path: Path) -> None:
    path = tmp_path / "found.yaml"
    path.write_text(block(document(DRAFT, faults, 3)))
    case = CASE if faults else ""
    assert sheet(load_scenario(path), case) == sheet(DRAFT.scenario(faults), case)


def test_drafts_that_run_alike_have_one_key() -> None:
    same = Draft(DRAFT.system, ("codex",), DRAFT.profile, dict(DRAFT.sections), list(DRAFT.steps))
    assert same.key() == DRAFT.key()
    assert len({DRAFT.key(), DRAFT.key([FAULT]), Draft(DRAFT.system, (), "0.171.0").key()}) == 3
