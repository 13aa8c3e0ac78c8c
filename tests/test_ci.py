"""What CI runs is what people run: .ci/run calls targets of the Makefile, and leaves none out that judges something."""
from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
JUDGES = ("test", "check", "live", "guards", "verify", "release")
"""Targets that fail where something is not as it is promised, in the order in which one needs what another leaves: a
claim's teeth are read by `verify`, and its evidence by `release`."""


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
    assert "\nset -euo pipefail\n" in script, "else a target that fails would not end it"
    campaign = script.index("trailcam mutate --system computer-use --json >build/mutate.json || true\n")
    assert script.index("\n.venv/bin/python -m tests.mutated build/mutate.json\n") > campaign
    assert script.count("||") == 1, "nothing else that fails is passed over"


def test_a_target_in_a_comment_is_not_made() -> None:
    assert called("# make test\nmake check X=1\necho make live\nmake guards-browser\n") == ["check", "guards-browser"]
