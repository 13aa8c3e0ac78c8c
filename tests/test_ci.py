"""What CI runs is what people run: .ci/run calls targets of the Makefile, and leaves none out that judges something."""
from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
JUDGES = ("test", "check", "live", "guards", "verify", "release")
"""Targets that fail where something is not as it is promised, in the order in which one needs what another leaves: a
claim's teeth are read by `verify`, and its evidence by `release`."""

LINES = (
    "set -euo pipefail",
    'cd "$(dirname "$0")/.."',
    "log=build/ci-test.log",
    "mkdir -p build",
    "apt-get update",
    "make engines",
    'make test PYTEST_ARGS=--no-skips 2>&1 | tee "$log"',
    "make check",
    "make live LIVE_ARGS=--rehearse",
    "make guards SYSTEMS=computer-use",
    ".venv/bin/trailcam mutate --system computer-use --json >build/mutate.json || true",
    ".venv/bin/python -m tests.mutated build/mutate.json",
    "make verify",
    'make release RELEASE_ARGS="--out build/releases --ledger build/evidence/ledger.jsonl"',
    "grep -E '^=+ .*[0-9]+ passed.* =+$' \"$log\" | tail -n 1",
)
"""All that .ci/run does, comments aside, a whole line each: an option that narrows what is judged, `|| true`, `; true`
or `set +e` is another line. A campaign may end with 3, which the line after it tells from all else."""


def lines(script: str) -> list[str]:
    """What a script does: its lines but for comments and empty ones, as they stand."""
    return [line for line in script.splitlines() if line.strip() and not line.startswith("#")]


def called(script: str) -> list[str]:
    """The targets that a script makes, by their first word, in its order."""
    return re.findall(r"^make ([a-z-]+)", script, re.MULTILINE)


def targets(makefile: str) -> set[str]:
    return set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))


def test_ci_makes_every_target_that_judges_and_nothing_that_is_none() -> None:
    script = (ROOT / ".ci/run").read_text()
    found = called(script)
    assert [target for target in found if target in JUDGES] == list(JUDGES)
    assert set(found) <= targets((ROOT / "Makefile").read_text())
    assert script.startswith("#!/usr/bin/env bash\n")
    assert lines(script) == list(LINES)


@pytest.mark.parametrize(("line", "instead"), [
    ("make verify", "make verify || true"), ("make verify", "make verify; true"), ("make verify", "make verify &"),
    ("make verify", "make verify VERIFY_ARGS='--system computer-use'"), ("make verify", "  make verify || :"),
    ("make check", "set +e\nmake check"), ("make check", "# make check"), ("make check", "exit 0\nmake check"),
    ("PYTEST_ARGS=--no-skips", "PYTEST_ARGS='--no-skips -k codex'"), ("set -euo pipefail", "set -eu"),
    ("SYSTEMS=computer-use\n", "SYSTEMS=computer-use GUARDS_ARGS='--module lock'\n"), ("make live", "true make live"),
    ("mutate --system computer-use --json", "mutate --system computer-use --fault no_op --json"),
])  # fmt: skip
def test_a_line_that_judges_less_is_another_line(line: str, instead: str) -> None:
    script = (ROOT / ".ci/run").read_text()
    assert line in script
    assert lines(script.replace(line, instead)) != list(LINES)


def test_a_target_in_a_comment_is_not_made() -> None:
    assert called("# make test\nmake check X=1\necho make live\nmake guards-browser\n") == ["check", "guards-browser"]
