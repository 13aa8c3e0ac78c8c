"""docs/replay.md is what the tables say."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from harness.replay import describe
from harness.replay.drift import KINDS
from harness.replay.profiles import CODEX, MCP, PLACEHOLDERS, PLAIN, PROFILES
from harness.replay.settings import SETTINGS

DOCUMENT = describe.document()


def test_the_document_is_what_its_tables_say() -> None:
    assert describe.PATH.read_text(encoding="utf-8") == DOCUMENT
    assert describe.main(["--check"]) == 0


def test_another_document_is_found_and_written_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "replay.md"
    assert describe.main(["--check"], path) == 1
    path.write_text(DOCUMENT.replace("strict", "loose", 1), encoding="utf-8")
    assert describe.main(["--check"], path) == 1
    assert "replay.md is not what its sources say" in capsys.readouterr().err
    assert describe.main([], path) == 0
    assert path.read_text(encoding="utf-8") == DOCUMENT
    assert describe.main(["--check"], path) == 0


def test_other_arguments_are_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert describe.main(["--force"]) == 2
    assert "usage" in capsys.readouterr().err


def test_the_module_is_a_command() -> None:
    words = [sys.executable, "-m", "harness.replay.describe", "--check"]
    done = subprocess.run(words, cwd=describe.PATH.parents[1], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_row_of_every_table_is_in_it() -> None:
    for name in (*SETTINGS, *KINDS, *PROFILES, *PLACEHOLDERS):
        assert f"| `{name}` |" in DOCUMENT
    assert all(len(line) <= 120 or line.startswith(("|", "- ")) for line in DOCUMENT.split("\n"))


def test_a_profile_in_words() -> None:
    assert describe.profile_parts(PLAIN) == []
    order = list(describe.order_of(MCP))
    assert order[0].startswith("any message") and "of any method" in order[1]
    assert list(describe.order_of(PLAIN)) == []
    assert any(line.startswith("notice serverRequest/resolved comes before") for line in describe.order_of(CODEX))
    rows = list(describe.values_of(CODEX))
    made_up = "made up by the program in each session; the probe binds it"
    assert ("reply to `thread/start`", "`/result/thread/id`", made_up) in rows
    assert all(any(words in meaning for _, _, meaning in rows) for words in ("times", "equally good"))
