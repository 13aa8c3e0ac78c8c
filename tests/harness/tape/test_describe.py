"""docs/tape-format.md says what the tables say."""
from __future__ import annotations

from pathlib import Path

import pytest

from harness.tape.describe import PATH, document, main
from harness.tape.event import COMMON, EVENTS
from harness.tape.header import HEADER
from harness.tape.lint import RULES
from harness.tape.rules import PROTECTED


@pytest.mark.claim("HAR-TAPE-01")
def test_the_document_is_in_sync() -> None:
    assert PATH.read_text(encoding="utf-8") == document()
    assert main(["--check"]) == 0


def test_everything_in_the_tables_is_in_the_document() -> None:
    text = document()
    fields = {field for table in (HEADER, COMMON, *EVENTS.values()) for field in table}
    assert [name for name in (*fields, *PROTECTED) if f"`{name}`" not in text] == []
    assert [name for name in (*EVENTS, *RULES) if name not in text] == []


def test_a_stale_document_is_found_and_written_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.md"
    assert main(["--check"], path) == 1
    path.write_text("old")
    assert main(["--check"], path) == 1
    assert capsys.readouterr().err.count("is not what its sources say") == 2
    assert main([], path) == 0
    assert main(["--check"], path) == 0
    assert main(["--wrong"], path) == 2
