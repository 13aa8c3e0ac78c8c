from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from harness.wire import DIALECTS, describe, mcp_state, rpc_state
from harness.wire.jsonrpc import SHAPES

DOCUMENT = describe.document()


def test_the_document_is_what_its_tables_say() -> None:
    assert describe.PATH.read_text(encoding="utf-8") == DOCUMENT
    assert describe.main(["--check"]) == 0


def test_another_document_is_found_and_written_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wires.md"
    assert describe.main(["--check"], path) == 1
    path.write_text(DOCUMENT.replace("too_long", "too_short", 1), encoding="utf-8")
    assert describe.main(["--check"], path) == 1
    assert "wires.md is not what its sources say" in capsys.readouterr().err
    assert describe.main([], path) == 0
    assert path.read_text(encoding="utf-8") == DOCUMENT
    assert describe.main(["--check"], path) == 0


def test_other_arguments_are_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert describe.main(["--force"]) == 2
    assert "usage" in capsys.readouterr().err


def test_the_module_is_a_command() -> None:
    words = [sys.executable, "-m", "harness.wire.describe", "--check"]
    root = describe.PATH.parent.parent
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_dialect_has_its_errors_in_the_document() -> None:
    assert set(describe.CODEC_ERRORS) == set(DIALECTS)
    for table in (*describe.CODEC_ERRORS.values(), rpc_state.EXCHANGE_ERRORS, mcp_state.LIFECYCLE_ERRORS):
        for code, (_, meaning, expected, advice) in table.items():
            assert f"| `{code}` |" in DOCUMENT
            for text in (meaning, expected, advice):
                assert f"| {text} |" in DOCUMENT


@pytest.mark.parametrize("table", [*rpc_state.EXCHANGE.values(), mcp_state.LIFECYCLE])
def test_every_legal_change_of_state_is_an_arrow(table: dict[tuple[str, str], str]) -> None:
    states = {state for state, _ in table}
    changes = {(state, outcome) for (state, _), outcome in table.items() if outcome in states and outcome != state}
    for start, stop in changes:
        assert f"    {start} --> {stop}: " in DOCUMENT


def test_every_shape_of_a_message_is_a_line() -> None:
    lines = DOCUMENT[DOCUMENT.index("## What a JSON-RPC message is") :].split("\n")
    assert len(SHAPES) == 16
    assert sum(line.count("|") == 7 for line in lines[:20]) == len(SHAPES) + 2
