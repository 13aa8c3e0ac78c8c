"""What a reply says about how its call ran."""

from __future__ import annotations

import pytest

from stack.computer_use.evidence import Evidence
from stack.errors import Official


@pytest.mark.claim("CUA-RES-02")
def test_what_is_not_known_says_so() -> None:
    assert Evidence(10.0).shown(10.25) == {
        "brokerVersion": "unknown",
        "clientBuild": "unknown",
        "durationMs": 250.0,
        "directCalls": 0,
        "modelTurnsStarted": 0,
        "elicitationRequests": 0,
        "ephemeralThread": "unknown",
        "backgroundPreserved": None,
        "cleanupVerified": "unknown",
        "leaseReleased": "unknown",
    }


@pytest.mark.claim("CUA-RES-02")
def test_what_is_known_is_shown() -> None:
    evidence = Evidence(0.0, "a.b", "1.2", "3", 1, 0, 2, True, False, False, True, ("p",), Official(-1, "t", [1]))
    shown = evidence.shown(0.0)
    assert shown["app"] == "a.b"
    assert shown["cleanupProblems"] == ["p"]
    assert shown["official"] == {"code": -1, "text": "t", "data": [1]}
    assert [shown[name] for name in ("ephemeralThread", "backgroundPreserved", "cleanupVerified", "leaseReleased")] == [
        True, False, False, True,
    ]  # fmt: skip
    assert (shown["brokerVersion"], shown["clientBuild"], shown["elicitationRequests"]) == ("1.2", "3", 2)
