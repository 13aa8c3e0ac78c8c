"""Every table of a stack is a table of guards or has a reason why not, and no entry is left of one that is gone."""
from __future__ import annotations

import ast
from pathlib import Path

import pytest

from harness.campaign.bench import package_of
from harness.campaign.guards import displays
from harness.campaign.tables import GUARD_TABLES, NO_GUARDS, UNRUN
from harness.scenario.runner import ROOT
from harness.subjects import SUBJECTS


@pytest.mark.parametrize("system", sorted(SUBJECTS))
def test_no_table_is_left_out(system: str) -> None:
    package = package_of(SUBJECTS[system], Path(ROOT))
    for file, text in package.texts.items():
        named = {*GUARD_TABLES.get(file, ()), *NO_GUARDS.get(file, {})}
        tree = ast.parse(text)
        assert set(displays(tree)) <= named, file
        assert named <= {name for name in named if f"\n{name}" in text}, file
        assert {guard.table for guard in package.guards(file) if guard.table} == set(GUARD_TABLES.get(file, ())), file


def test_no_table_is_both() -> None:
    assert not [name for file, names in GUARD_TABLES.items() for name in names if name in NO_GUARDS.get(file, {})]


def test_every_exception_has_its_reason() -> None:
    assert all(len(reason) > 10 for reasons in NO_GUARDS.values() for reason in reasons.values())


def test_what_no_run_comes_by_is_there_and_has_tests() -> None:
    for place, reason in UNRUN.items():
        file, _, part = place.partition("#")
        name = part.partition(":")[0].rpartition(".")[2]
        text = (Path(ROOT) / file).read_text()
        assert not part or f"def {name}(" in text or f"{name}: " in text or f"{name} = " in text, place
        folder, _, module = file.rpartition("/")
        assert (Path(ROOT) / "tests" / folder / f"test_{module.replace('__main__', 'main')}").is_file(), file
        assert len(reason) > 10
