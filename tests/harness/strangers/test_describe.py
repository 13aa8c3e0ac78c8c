"""docs/bring-your-own-stack.md is what its sources say, and its example is an adapter."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.strangers.adapter import ADAPTER, MEANS, TOOL, load_adapter
from harness.strangers.describe import DOCUMENT, document, main
from harness.subjects import STRANGERS
from tests.harness.strangers.test_adapter import COMMITTED


def test_the_document_is_in_step() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document()


def test_everything_is_in_it() -> None:
    text = document()
    for name in (*ADAPTER, *TOOL, *MEANS, *STRANGERS):
        assert f"| `{name}` |" in text, name
    for path in COMMITTED:
        assert f"{load_adapter(path).version} (" in text, path


def test_its_example_is_an_adapter(tmp_path: Path) -> None:
    lines = document().split("## An adapter\n\n", 1)[1].split("\n\n", 1)[0].splitlines()
    path = tmp_path / "example.yaml"
    path.write_text("".join(f"{line.removeprefix('    ')}\n" for line in lines))
    assert load_adapter(path).stack == "fastmcp-proxy"


def test_writing_and_checking(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "doc.md"
    assert main(["--check"], path) == 1
    assert main([], path) == 0
    assert main(["--check"], path) == 0
    assert main(["--wrong"], path) == 2
    assert "usage" in capsys.readouterr().err
