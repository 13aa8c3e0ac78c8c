"""Aims become entries that strike at places of the census, whatever numbers were drawn."""
from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.faults.plan import Plan
from harness.faults.registry import FAULTS
from harness.properties.aim import Aim, entries, fits

REPLY: dict[str, Any] = {
    "program": "codex", "process": 1, "wire": "stdio", "way": "<<", "stream": "out", "kind": "reply",
    "method": "tools/call", "count": 2,
}  # fmt: skip
CENSUS: list[dict[str, Any]] = [
    {"program": "codex", "process": 1, "wire": "stdio", "way": ">>", "stream": "in", "kind": "request",
     "method": "initialize", "count": 1},
    REPLY,
    {**REPLY, "process": 2, "count": 1},
    {"program": "codex", "process": 1, "wire": "stdio", "way": "<<", "stream": "err", "kind": "raw", "count": 1},
    {"program": "codex", "process": 1, "wire": "stdio", "way": "<<", "stream": "out", "kind": "raw", "count": 4},
    {"program": "helper", "process": 1, "moment": "started", "count": 1},
    {"program": "helper", "process": 1, "moment": "before_effect", "where": {"verb": "click"}, "count": 3},
]  # fmt: skip
CASES: tuple[tuple[Aim, dict[str, Any]], ...] = (
    (Aim("crash", {"status": 1}), {"program": "codex", "way": "<<", "kind": "reply", "method": "tools/call", "nth": 1}),
    (Aim("crash", {"status": 1}, program=1),
     {"program": "helper", "moment": "before_effect", "where": {"verb": "click"}, "nth": 1}),
    (Aim("crash", {"status": 1}, program=3, place=1, nth=5), {"program": "helper", "moment": "started", "nth": 1}),
    (Aim("drop", nth=5), {"program": "codex", "way": "<<", "kind": "reply", "method": "tools/call", "nth": 3}),
    (Aim("drop", place=2), {"program": "codex", "way": "<<", "stream": "err", "kind": "raw", "nth": 1}),
    (Aim("error_reply", {"code": -1, "message": "m"}, place=1),
     {"program": "codex", "way": ">>", "kind": "request", "method": "initialize", "nth": 1}),
    (Aim("slow_start", nth=7), {"program": "helper", "moment": "started", "nth": 1}),
)  # fmt: skip


@pytest.mark.parametrize(("aim", "at"), CASES)
def test_numbers_stand_for_places(aim: Aim, at: dict[str, Any]) -> None:
    (entry,) = entries([aim], CENSUS, ["codex", "helper"])
    assert entry == {"id": "f1", "fault": aim.fault, "at": at, "args": dict(aim.args)}


def test_programs_are_counted_in_the_order_given_and_others_after_them() -> None:
    (entry,) = entries([Aim("crash")], CENSUS, ["helper"])
    assert entry["at"]["program"] == "helper"
    (entry,) = entries([Aim("crash", program=1)], CENSUS, ["helper"])
    assert entry["at"]["program"] == "codex"


def test_an_aim_that_fits_nothing_gives_nothing_and_takes_no_id() -> None:
    found = entries([Aim("slow_start"), Aim("drop")], CENSUS[:2], ["codex"])
    assert [(entry["id"], entry["fault"]) for entry in found] == [("f1", "drop")]
    assert entries([Aim("drop")], [], ["codex"]) == []


NUMBER = st.integers(0, 1000)


@given(st.sampled_from([name for name in FAULTS if name not in ("world", "no_op")]), NUMBER, NUMBER, NUMBER)
def test_what_is_aimed_strikes_in_a_run_with_the_same_places(fault: str, program: int, place: int, nth: int) -> None:
    found = entries([Aim(fault, {}, program, place, nth)], CENSUS, ["codex"])
    plan = Plan({"v": 1, "seed": 1, "faults": list(found)})
    struck = [strike.id for each in CENSUS for _ in range(each["count"]) for strike in plan.strike(each)]
    assert struck == [entry["id"] for entry in found]
    assert bool(found) == any(fits(FAULTS[fault], each) for each in CENSUS)
