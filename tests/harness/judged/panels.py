"""A run of the panel (tests/harness/laws/panel.py) with frames that are decoded, for the tests of assertions."""

from __future__ import annotations

from typing import Any

import pytest

from harness import subjects
from harness.judged.run import Judged, judge_run
from harness.kept import KeptRun
from tests.harness.laws.panel import NAME, SUBJECT, played, sheet

WIRES = {NAME: {"stdio": "jsonrpc"}}


def panel_run(monkeypatch: pytest.MonkeyPatch, defect: str | None = None, **more: Any) -> KeptRun:
    """The panel's run, with more in its sheet."""
    monkeypatch.setitem(subjects.SUBJECTS, NAME, SUBJECT)
    faults = more.pop("faults", ())
    return played({**sheet(defect, faults), "wires": WIRES, **more})


def judged(monkeypatch: pytest.MonkeyPatch, *items: dict[str, Any], **more: Any) -> Judged:
    """The same, judged by these items; each needs no words."""
    return judge_run(panel_run(monkeypatch, then=[{"says": "it is so", **item} for item in items], **more))
