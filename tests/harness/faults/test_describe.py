"""docs/faults.md says what the catalogue says."""
from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from harness.faults.argument import Argument
from harness.faults.describe import DOCUMENT, as_data, by_layer, document, main
from harness.faults.plan import Plan
from harness.faults.reading import AT
from harness.faults.registry import FAULTS, LAYERS, NAMES


def test_the_document_is_generated() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document()
    assert main(["--check"]) == 0


def test_every_fault_argument_and_key_is_in_it() -> None:
    text = document()
    for name in NAMES:
        section = text.partition(f"\n### {name}\n")[2].partition("\n### ")[0]
        assert section.count("- layer: ") == 1, name
        for argument in FAULTS[name].arguments or {}:
            assert f"| `{argument}` |" in section
        assert f"[{name}](#{name})" in text
    assert all(f"| `{key}` |" in text for key in AT)
    assert "Any arguments, at least one." in text


def test_the_plan_in_it_is_a_plan() -> None:
    (example,) = re.findall(r"```json\n(.*?)```", document(), re.DOTALL)
    assert [fault["fault"] for fault in Plan(json.loads(example)).as_json()["faults"]] == ["drop", "world"]  # type: ignore[union-attr,index]


def test_a_document_that_differs_is_found_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "faults.md"
    assert main(["--check"], path) == 1
    path.write_text("old", encoding="utf-8")
    assert main(["--check"], path) == 1
    assert "is not what its sources say" in capsys.readouterr().err
    assert main([], path) == 0
    assert main(["--check"], path) == 0
    assert main(["--chek"], path) == 2
    assert "usage" in capsys.readouterr().err


def test_data_of_a_fault() -> None:
    data = as_data(FAULTS["delay"])
    assert json.loads(json.dumps(data)) == data
    assert data["arguments"]["ms"] == {
        "type": "number", "default": 30_000, "unit": "ms", "meaning": "how much later", "low": 0, "high": None,
        "choices": [],
    }  # fmt: skip
    assert as_data(FAULTS["world"])["arguments"] is None


def test_layers_in_their_order() -> None:
    assert [layer for layer, _ in by_layer(FAULTS[name] for name in NAMES)] == list(LAYERS)
    assert by_layer([FAULTS["drop"]]) == [("message", [FAULTS["drop"]])]


def test_a_bar_in_a_cell_does_not_end_it() -> None:
    from harness.faults.describe import _cell, _type

    assert _cell("a|b") == "a\\|b"
    assert _type(Argument("int", 1, "bytes", "", low=1, high=2)) == "int (bytes) from 1 to 2"
    assert _type(Argument("text", "a", "", "", choices=("a", "|"))) == 'text: `"a"`, `"\\|"`'
