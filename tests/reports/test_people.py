from __future__ import annotations

from reports.people import CHECKS


def test_the_checks_that_need_somebody_are_listed() -> None:
    listed = " ".join(check.what + " " + check.needs for check in CHECKS).lower()
    for word in ("permission denied", "safari quit", "idle", "two clients", "locked", "windows", "edge"):
        assert word in listed
