"""What no run in virtual time comes by is noticed by the tests of its own file: each such guard is taken out before
them, and they fail; with nothing taken out they pass."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.campaign.tables import UNRUN
from tests.harness.campaign.own_tests import FAILED, HANGS, NOTHING, PASSED, ROOT, by_file, places_of


def ended(*words: str) -> dict[str, str]:
    """Guard -> how its tests ended without it."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("COVERAGE_", "PYTEST_"))}
    done = subprocess.run(
        [sys.executable, "-m", "tests.harness.campaign.own_tests", *words],
        capture_output=True, cwd=ROOT, env=env, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    return dict(json.loads(done.stdout))


PLACES = by_file(UNRUN)


@pytest.mark.parametrize("file", sorted(PLACES))
def test_its_own_tests_notice_that_a_guard_is_gone(file: str) -> None:
    found = ended(*PLACES[file])
    assert found.pop(NOTHING) == PASSED
    assert found
    assert {name: how for name, how in found.items() if how not in (FAILED, HANGS)} == {}


def test_a_guard_that_no_test_needs_is_seen(tmp_path: Path) -> None:
    file = "stack/computer_use/programs.py"
    text = tmp_path / "planted.py"
    planted = "def planted(value):\n    if value > 3:\n        raise ValueError(value)\n"
    text.write_text(f"{(ROOT / file).read_text()}\n\n{planted}")
    assert ended(f"{file}#planted", "--text", str(text)) == {NOTHING: PASSED, f"guard:{file}#planted:raise:1": PASSED}


def test_tests_that_can_not_be_collected_notice_nothing(tmp_path: Path) -> None:
    """Else a stack that can't be imported would prove every guard."""
    text = tmp_path / "broken.py"
    text.write_text("raise OSError('at the import')\n")
    assert "at the import" in ended("stack/computer_use/programs.py", "--text", str(text))[NOTHING]


@pytest.mark.parametrize("entry", sorted(UNRUN))
def test_an_entry_leaves_out_guards(entry: str) -> None:
    """One that names a guard by its number and is of another one meanwhile is tried as what it now names."""
    assert places_of(entry)
