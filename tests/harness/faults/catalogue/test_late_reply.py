"""A reply that steps aside for longer than a call lasts."""
from __future__ import annotations

import re

from harness.faults.registry import FAULTS
from harness.faults.standard import PAST_DEADLINE_MS
from harness.faults.steps import Aside, Raw
from harness.strangers.adapter import CALL_MS
from harness.subjects import SUBJECTS
from tests.harness.faults.catalogue.struck import REPLY, back
from tests.tidy.tree import ROOT

SAID = re.compile(r"\bcall_ms: *([0-9_]+)")


def test_the_default_is_beyond_what_any_run_lets_a_call_take() -> None:
    files = [*(ROOT / "scenarios").rglob("*.yaml")]
    said = [float(number) for path in files for number in SAID.findall(path.read_text(encoding="utf-8"))]
    bounds = [float(subject.bounds["call_ms"]) for subject in SUBJECTS.values()]
    longest = max([*said, *bounds, CALL_MS])
    assert max(said) > max(bounds) > CALL_MS, "a scenario has more time than its system: else nothing was read"
    assert back("late_reply", REPLY) == [Aside(PAST_DEADLINE_MS, [Raw(REPLY)])]
    assert longest < PAST_DEADLINE_MS
    assert FAULTS["late_reply"].hides_outcome({"ms": PAST_DEADLINE_MS}, "reply", longest)
    assert not FAULTS["late_reply"].hides_outcome({"ms": 1000}, "reply", longest)
