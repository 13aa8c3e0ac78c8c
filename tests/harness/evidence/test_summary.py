"""What a ledger adds up to."""
from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from harness.evidence import ClaimState, Origin, Record, summary
from harness.evidence.summary import is_current
from tests.harness.evidence.records import CLAIMS, ENGINE, LIVE, MODEL, TAPE, record

NOW = {"harness": "a" * 64, "stack": "b" * 64}
OLD = {"harness": "c" * 64}


def state(*records: Record, build: Any = NOW) -> ClaimState:
    [found] = summary(records, {"CUA-RUN-04": CLAIMS["CUA-RUN-04"]}, build)
    return found


def about(origin: Origin, **changes: Any) -> Record:
    return record(about={"codex": origin}, **changes)


OTHER = {"by": "scenario:computer-use/other.yaml"}
CASES: list[tuple[str, list[Record], tuple[str | None, str, str | None]]] = [
    # name, records, (verdict, as people read it, strength)
    ("nothing", [], (None, "not shown", None)),
    ("one", [about(MODEL)], ("holds", "holds", "model")),
    ("the strongest counts", [about(MODEL), about(ENGINE), about(TAPE)], ("holds", "holds", "engine")),
    ("broken anywhere is broken", [about(LIVE), about(MODEL, verdict="broken")], ("broken", "broken", "model")),
    ("unknown alone", [about(ENGINE, verdict="unknown")], ("unknown", "unknown", "engine")),
    ("unknown never counts as holds", [about(LIVE, verdict="unknown"), about(MODEL)], ("holds", "holds", "model")),
    ("no teeth", [about(LIVE, teeth=())], ("unknown", "no teeth", "live")),
    ("teeth of the same scenario on another back", [about(ENGINE, teeth=()), about(MODEL)],
        ("holds", "holds", "engine")),
    ("teeth of another scenario are its own", [about(LIVE, teeth=(), **OTHER), about(MODEL)],
        ("holds", "holds", "model")),
    ("teeth of a broken run bite nothing", [about(MODEL, verdict="broken"), about(LIVE, teeth=())],
        ("broken", "broken", "model")),
    ("of another build", [about(LIVE, build=OLD)], (None, "not shown", None)),
    ("of this build and another", [about(LIVE, build=OLD), about(MODEL)], ("holds", "holds", "model")),
    ("broken in another build", [about(LIVE, build=OLD, verdict="broken"), about(MODEL)], ("holds", "holds", "model")),
    ("of no build", [about(LIVE, build={})], (None, "not shown", None)),
    ("of other sources alone", [about(LIVE, build={"tape:a": "d" * 64})], (None, "not shown", None)),
    ("about other programs", [record(about={"helper": LIVE})], (None, "not shown", None)),
]  # fmt: skip


@pytest.mark.claim("HAR-RPT-03", tooth="evidence of another build or program")
@pytest.mark.parametrize(("name", "records", "expected"), CASES)
def test_states(name: str, records: list[Record], expected: tuple[str | None, str, str | None]) -> None:
    for some in permutations(records):
        found = state(*some)
        assert (found.verdict, found.word, found.strength) == expected
        assert found == state(*records)


def test_without_a_build_every_record_counts() -> None:
    found = state(about(LIVE, build=OLD), build=None)
    assert (found.verdict, found.strength, found.elsewhere) == ("holds", "live", 0)
    assert state(about(LIVE, build=OLD), about(MODEL)).elsewhere == 1


@pytest.mark.parametrize(
    ("build", "current"),
    [
        ({"harness": "a" * 64}, True),
        ({"harness": "a" * 64, "tape:x": "d" * 64}, True),
        ({"harness": "a" * 64, "stack": "c" * 64}, False),
        ({}, False),
    ],
)
def test_current(build: dict[str, str], current: bool) -> None:
    assert is_current(record(build=build), NOW) is current


def test_every_claim_has_a_state_in_the_order_of_the_claims() -> None:
    states = summary([record(), record(claim="HAR-WIRE-01", about={"harness": ENGINE})], CLAIMS, NOW)
    assert [found.claim.id for found in states] == list(CLAIMS)
    assert [found.word for found in states] == ["holds", "not shown", "holds", "not shown", "not shown"]


@pytest.mark.claim("HAR-CLI-01", tooth="another form of the document")
def test_as_json_has_the_fields_of_the_interface() -> None:
    found = state(about(MODEL), about(ENGINE, teeth=("guard:a",), by="test:a.py::b"), about(TAPE, **OTHER, teeth=()))
    assert found.as_json() == {
        "id": "CUA-RUN-04",
        "kind": "refusal",
        "strength": "engine",
        "verdict": "holds",
        "teeth": ["fault:inject_turn", "guard:a"],
        "shown_by": [
            {"by": "test:a.py::b", "verdict": "holds", "strength": "engine", "platform": "linux",
             "about": {"codex": ["engine", "0.171.0"]}, "run": "0" * 64},
            {"by": "scenario:computer-use/turn.yaml", "verdict": "holds", "strength": "model", "platform": "linux",
             "about": {"codex": ["model", "0.171.0"]}, "run": "0" * 64},
        ],
    }  # fmt: skip
