"""docs/fakes-codex.md is what its tables say."""

from __future__ import annotations

from pathlib import Path

from fakes import describe
from fakes.fronts.codex_profiles import DIFFERENCES, LEFT_OUT
from fakes.fronts.codex_settings import KEYS
from fakes.worlds.desktop_changes import CHANGES


def test_the_document_is_in_step_with_its_tables() -> None:
    assert describe.main(["--check"]) == 0


def test_every_key_difference_and_change_is_in_it() -> None:
    text = describe.document()
    for word in (*(f"| `{key}` |" for key in (*KEYS, *CHANGES)), *(row[2] for row in DIFFERENCES.values()), *LEFT_OUT):
        assert word.replace("|", "|") in text, word


def test_a_stale_document_is_said_and_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text("old", encoding="utf-8")
    assert describe.main(["--check"], path) == 1
    assert describe.main([], path) == 0
    assert path.read_text(encoding="utf-8") == describe.document()
