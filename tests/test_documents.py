"""Generated documents are found by convention, and a stale one is caught."""
from __future__ import annotations

from pathlib import Path

import pytest

from tests import documents

DESCRIBER = '''
import sys
from pathlib import Path

PLACE = Path(__file__).parent.parent / "doc.md"
if "--check" in sys.argv:
    if PLACE.read_text() != "new":
        print("doc.md is stale")
        raise SystemExit(1)
else:
    PLACE.write_text("new")
'''


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "harness").mkdir()
    (tmp_path / "harness" / "__init__.py").write_text("")
    (tmp_path / "harness" / "describe.py").write_text(DESCRIBER)
    (tmp_path / "doc.md").write_text("old")
    return tmp_path


def test_describers_are_found_by_name(tree: Path) -> None:
    assert documents.describers(tree) == ["harness.describe"]


def test_a_stale_document_is_found_and_writing_cures_it(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert documents.stale(tree) == ["harness.describe: doc.md is stale"]
    assert documents.main(["--check"], tree) == 1
    assert documents.main(["--write"], tree) == 0
    assert documents.stale(tree) == []
    assert documents.main(["--check"], tree) == 0
    assert "as its source says" in capsys.readouterr().out


def test_a_describer_that_fails_is_no_success(tree: Path) -> None:
    (tree / "harness" / "describe.py").write_text("raise SystemExit(1)")
    assert documents.main(["--write"], tree) == 1
    assert documents.stale(tree) == ["harness.describe: 1"]


def test_other_words_are_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert documents.main([]) == 2
    assert "usage" in capsys.readouterr().err


def test_this_tree_has_documents_to_check() -> None:
    assert documents.describers(documents.ROOT)
