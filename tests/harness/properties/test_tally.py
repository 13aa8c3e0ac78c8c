from __future__ import annotations

from harness.properties.tally import Tally


def test_it_counts_by_name() -> None:
    tally = Tally(examples=2, runs=3, inapplicable=1)
    for step in ({"call": "click"}, {"call": "click"}, {"wait_ms": 5}):
        tally.step(step, ("call", "wait_ms"))
    tally.fired("crash")
    tally.laws.update(["1 holds", "2 moot"])
    assert tally.as_json() == {
        "examples": 2, "runs": 3, "inapplicable": 1, "repeated": 0, "first": 0,
        "steps": {"call": 2, "wait_ms": 1}, "calls": {"click": 2}, "aimed": {}, "faults": {"crash": 1},
        "layers": {"process": 1}, "outcomes": {}, "laws": {"1 holds": 1, "2 moot": 1},
    }  # fmt: skip
    assert tally.words == (
        "2 examples of 3 steps, 3 runs (1 inapplicable, 0 not repeated), 1 faults fired of 1 kinds, 1 verdicts"
    )
