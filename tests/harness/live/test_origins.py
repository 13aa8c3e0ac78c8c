"""Nothing but the official program of a Mac, verified, is ever live: every combination, and no way around it."""
from __future__ import annotations

import itertools
from typing import Any

import pytest

from harness.kept.origin import Origin
from harness.live.origins import Proof, back_of, back_of_all, origins, versions_said

OFFICIAL = "/Applications/Official"
REAL = Proof("darwin", OFFICIAL, OFFICIAL, True)
PROOFS = [
    Proof(system, path, OFFICIAL, signed)
    for system, path, signed in itertools.product(("darwin", "linux"), (OFFICIAL, "/tmp/stub"), (True, False))
]


@pytest.mark.claim("HAR-LIVE-01")
@pytest.mark.parametrize("proof", PROOFS, ids=str)
def test_one_combination_alone_is_live(proof: Proof) -> None:
    assert back_of(proof) == ("live" if proof == REAL else "model")


def test_a_run_is_live_where_all_of_its_programs_are() -> None:
    assert back_of_all([REAL, REAL]) == "live"
    assert back_of_all([]) == "model"
    for proof in PROOFS:
        assert back_of_all([REAL, proof]) == back_of(proof)


def test_a_program_has_the_version_that_it_named_or_the_systems() -> None:
    history: list[dict[str, Any]] = [
        {"e": "asked"},
        {"e": "answered", "evidence": {"brokerVersion": "unknown"}},
        {"e": "answered", "evidence": {"brokerVersion": "0.171.0", "clientBuild": 7}},
        {"e": "answered", "evidence": {"brokerVersion": "9.9.9"}},
        {"e": "answered"},
    ]
    said = versions_said(history, {"codex": "brokerVersion", "helper": "clientBuild"})
    assert said == {"codex": "0.171.0"}
    found = origins({"codex": REAL, "lsappinfo": PROOFS[-1]}, said, "macOS 26.1")
    assert found == {"codex": Origin("live", "0.171.0"), "lsappinfo": Origin("model", "macOS 26.1")}
