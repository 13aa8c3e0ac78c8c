"""docs/fakes-safari.md is what its tables say."""

from __future__ import annotations

from pathlib import Path

from fakes.fronts.safaridriver_settings import KEYS as DRIVER
from fakes.fronts.safaridriver_tools import SCHEMAS
from fakes.worlds import describe
from fakes.worlds.page_settings import EFFECTS, ELEMENT_KEYS, PAGE_KEYS
from fakes.worlds.safari import KEYS
from fakes.worlds.safari_changes import CHANGES


def test_the_document_is_in_step_with_its_tables() -> None:
    assert describe.main(["--check"]) == 0


def test_every_key_effect_tool_and_change_is_in_it() -> None:
    text = describe.document()
    for key in (*KEYS, *DRIVER, *PAGE_KEYS, *ELEMENT_KEYS, *EFFECTS, *CHANGES, *SCHEMAS):
        assert f"| `{key}` |" in text, key
    for what in describe.LEFT_OUT:
        assert f"| {what} |" in text, what


def test_a_stale_document_is_said_and_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text("old", encoding="utf-8")
    assert describe.main(["--check"], path) == 1
    assert describe.main([], path) == 0
    assert path.read_text(encoding="utf-8") == describe.document()
