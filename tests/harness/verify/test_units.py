"""What there is to run, and what can't be: named with what is missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.verify.units import Unit, engine_is_here, units_of
from tests.harness.scenario.clerk import register
from tests.harness.strangers import rig
from tests.harness.verify.desk import TEXT, desk


@pytest.fixture(autouse=True)
def clerk(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def rows(units: list[Unit]) -> list[tuple[str, str, str, bool]]:
    return [(unit.profile, unit.back, unit.mode, unit.teeth) for unit in units]


def test_one_unit_a_profile_back_and_mode(tmp_path: Path) -> None:
    units, missing = units_of([desk(tmp_path)])
    assert rows(units) == [("1.0", "model", "virtual", False), ("2.0", "model", "virtual", True)]
    assert missing == []


def test_real_clocks_come_first_and_processes_are_a_sample(tmp_path: Path) -> None:
    text = TEXT.replace("about:", "backs: [model, engine]\nruns: [virtual, process]\nabout:")
    units, missing = units_of([desk(tmp_path, text)], is_here=lambda name: True)
    assert rows(units) == [
        ("2.0", "engine", "process", False), ("2.0", "model", "process", False),
        ("1.0", "model", "virtual", False), ("2.0", "model", "virtual", True),
    ]  # fmt: skip
    assert [(each.unit.profile, each.what) for each in missing] == [("1.0", "an engine for 1.0")]


@pytest.mark.claim("HAR-RPT-01")
def test_what_is_missing_is_named(tmp_path: Path) -> None:
    tapes = 'tapes: {"1.0": {clerk: tapes/one.jsonl}}\n'
    text = TEXT.replace("about:", f"backs: [model, engine, tape]\n{tapes}about:")
    scenario = desk(tmp_path, text)
    _, missing = units_of([scenario], is_here=lambda name: False, root=tmp_path)
    assert [(each.unit.profile, each.unit.back, each.what) for each in missing] == [
        ("1.0", "engine", "an engine for 1.0"), ("1.0", "tape", "tape tapes/one.jsonl"),
        ("2.0", "engine", "engine clerk-2.0"), ("2.0", "tape", "a tape for 2.0"),
    ]  # fmt: skip
    (tmp_path / "tapes").mkdir()
    (tmp_path / "tapes" / "one.jsonl").touch()
    units, missing = units_of([scenario], is_here=lambda name: False, root=tmp_path)
    assert ("1.0", "tape", "virtual", False) in rows(units)
    assert len(missing) == 3


def test_an_engine_is_here_where_it_can_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.verify.units.locate", lambda row: Path("/x") if row.name == "codex-0.171.0" else None)
    assert engine_is_here("codex-0.171.0")
    assert not engine_is_here("codex-0.144.2")
    assert not engine_is_here("codex-0.0.1")


def test_a_unit_goes_through_json() -> None:
    unit = Unit("a/b.yaml", "b.yaml", "1.0", "model", "virtual", True)
    assert Unit.from_json(unit.as_json()) == unit
    assert unit.words == "b.yaml (1.0, model, virtual)"


def test_a_scenario_of_strangers_lacks_a_stack(tmp_path: Path) -> None:
    adapter = rig.adapter_of(tmp_path)
    scenario = rig.scenario_of(tmp_path, adapter)
    assert [(unit.back, unit.mode) for unit in units_of([scenario])[0]] == [("model", "process")]
    units, missing = units_of([replace(scenario, stranger=None)])
    assert units == [] and "--stack ADAPTER.yaml" in missing[0].what
