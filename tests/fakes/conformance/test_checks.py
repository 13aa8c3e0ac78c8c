"""The facts about the app-server, on the model and on the real binaries. HAR-FAKE-01, HAR-FAKE-04."""

from __future__ import annotations

import pytest

from tests.fakes.conformance import checks_calls, checks_process, checks_questions, checks_thread, checks_wire
from tests.fakes.conformance.backs import Check, Model, Real
from tests.fakes.conformance.checks_process import every_check

CHECKS = every_check(checks_wire, checks_thread, checks_calls, checks_questions, checks_process)
SEEDS = (1, 2)


@pytest.mark.claim("HAR-FAKE-04")
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("version", ["0.144.2", "0.171.0"])
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: str(check.__name__))
def test_check_on_the_model(check: Check, version: str, seed: int) -> None:
    Model(version, seed).check(check)


@pytest.mark.claim("HAR-FAKE-04", "HAR-FAKE-01")
@pytest.mark.parametrize(
    "version",
    [
        pytest.param("0.144.2", marks=pytest.mark.engine("codex", "0.144.2")),
        pytest.param("0.171.0", marks=pytest.mark.engine("codex", "0.171.0")),
    ],
)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: str(check.__name__))
def test_check_on_the_real_program(check: Check, version: str) -> None:
    Real(version).check(check)
