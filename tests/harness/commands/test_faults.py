"""`trailcam faults`: the catalogue on the terminal and as JSON."""
from __future__ import annotations

import argparse
import json

import pytest

from harness.commands.faults import add
from harness.faults.problem import PlanProblem
from harness.faults.registry import FAULTS, LAYERS, NAMES


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser()
    add(parser.add_subparsers())
    args = parser.parse_args(words)
    status: int = args.run(args)
    return status


def test_the_list_has_every_fault_under_its_layer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["faults"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line in LAYERS] == list(LAYERS)
    assert {line.split()[0] for line in lines if line.startswith("  ")} == set(NAMES)
    assert max(map(len, lines)) <= 116
    assert lines[-1].startswith(f"{len(NAMES)} faults")


@pytest.mark.parametrize("name", NAMES)
def test_one_fault_is_described(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["faults", name]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"{name} ({FAULTS[name].layer})")
    assert all(f"argument {argument}: " in text for argument in FAULTS[name].arguments or {})
    assert ("arguments: any" in text) is (name == "world")
    assert ("moments: started" in text) is (name == "slow_start")


def test_json_is_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["faults", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [fault["name"] for fault in document] == list(NAMES)
    assert main(["faults", "drop", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == next(fault for fault in document if fault["name"] == "drop")


def test_a_name_that_is_none_is_a_usage_problem() -> None:
    with pytest.raises(PlanProblem, match=r"NAME = 'dorp' \(did you mean drop\?\)") as caught:
        main(["faults", "dorp"])
    assert caught.value.exit_code == 2
