"""Every table of the stack's JavaScript is a table of guards or has a reason why not; none is of one that is gone."""
from __future__ import annotations

import re
from pathlib import Path

import pytest

from harness.campaign.scripts.find import displays, find
from harness.campaign.scripts.programs import PROGRAMS, texts_of
from harness.campaign.scripts.tables import GUARD_TABLES, NO_GUARDS, REASONS
from harness.scenario.runner import ROOT

TEXTS = {file: text for system in PROGRAMS for file, text in texts_of(system, Path(ROOT)).items()}


def test_every_file_of_the_stack_is_a_programs() -> None:
    """build.js makes the extension, main.js and parts.js put it together: they decide nothing."""
    known = {path.relative_to(ROOT).as_posix() for path in (Path(ROOT) / "stack").rglob("*.js")}
    left = {file.rpartition("/")[2] for file in known - set(TEXTS)}
    assert left == {"build.js", "main.js", "parts.js"}


@pytest.mark.parametrize("file", sorted(TEXTS))
def test_no_table_is_left_out(file: str) -> None:
    named = {*GUARD_TABLES.get(file, ()), *NO_GUARDS.get(file, {})}
    assert set(displays(TEXTS[file])) <= named
    assert {site.guard.table for site in find(TEXTS[file], file) if site.guard.table} == set(GUARD_TABLES.get(file, ()))


def test_every_entry_is_of_something_that_is_there() -> None:
    for table in (GUARD_TABLES, NO_GUARDS, REASONS):
        for file, names in table.items():
            assert all(re.search(rf"\b{name}\b", TEXTS[file]) for name in names), file


def test_no_table_is_both_and_every_exception_has_its_reason() -> None:
    assert not [name for file, names in GUARD_TABLES.items() for name in names if name in NO_GUARDS.get(file, {})]
    assert all(len(reason) > 10 for reasons in NO_GUARDS.values() for reason in reasons.values())
