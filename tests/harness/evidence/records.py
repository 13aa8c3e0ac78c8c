"""Claims, origins and records for the tests of evidence."""
from __future__ import annotations

from typing import Any

from harness.claims import Claim
from harness.evidence import Origin, Record

MODEL, ENGINE, LIVE = Origin("model", "0.171.0"), Origin("engine", "0.171.0"), Origin("live", "0.171.0")
TAPE = Origin("tape", "0.171.0", "engine")
RUN = "0" * 64


def claim(id: str = "CUA-RUN-04", *about: str, kind: str = "refusal") -> Claim:
    return Claim(id, kind, "computer-use", about or ("codex",), "It is refused.")


CLAIMS = {
    each.id: each
    for each in (
        claim(),
        claim("CUA-CLN-01", "codex", "helper", "os"),
        claim("HAR-WIRE-01", "harness"),
        claim("HAR-REC-01", "harness", "os"),
        claim("SAF-READ-01", "page", "safaridriver"),
    )
}


def record(**changes: Any) -> Record:
    fields: dict[str, Any] = {
        "claim": "CUA-RUN-04", "verdict": "holds", "about": {"codex": ENGINE}, "by": "scenario:computer-use/turn.yaml",
        "run": RUN, "platform": "linux", "teeth": ("fault:inject_turn",), "build": {"harness": "a" * 64},
    }  # fmt: skip
    return Record(**{**fields, **changes})
