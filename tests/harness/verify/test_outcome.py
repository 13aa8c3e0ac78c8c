"""What all units came to: the worst is the whole, what is not shown is said, and counts are those of the runs."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from harness.claims import Claim
from harness.evidence.summary import ClaimState
from harness.verify.outcome import Outcome
from harness.verify.units import Missing, Unit
from harness.verify.work import Finding, Result

UNIT = Unit("a.yaml", "a.yaml", "1.0", "model", "virtual", True)


def result(*findings: Finding, **fields: Any) -> Result:
    given: dict[str, Any] = {
        "runs": Counter(base=1, plan=3, inapplicable=1),
        "laws": Counter({"1 holds": 2, "6 moot": 2}),
    }
    return Result(UNIT, findings=list(findings), **{**given, **fields})


def state(id: str, verdict: Any, strength: str | None = "model", teeth: tuple[str, ...] = ("fault:x",)) -> ClaimState:
    return ClaimState(Claim(id, "behaviour", "harness", ("harness",), "It is so."), verdict, strength, teeth, ())


def outcome(*results: Result, states: Any = (), missing: Any = (), here: Any = ("A-1", "B-1")) -> Outcome:
    return Outcome(results, missing, states, frozenset(here))


BROKEN = Finding("broken", "a.yaml", "law 1: twice", "trailcam run a.yaml")
UNKNOWN = Finding("unknown", "a.yaml", "could not run", "")


@pytest.mark.claim("HAR-LAW-02", tooth="findings and claims that do not hold")
@pytest.mark.parametrize(
    ("results", "states", "word", "code"),
    [
        ([result()], [state("A-1", "holds")], "holds", 0),
        ([result()], [], "holds", 0),
        ([], [], "unknown", 3),
        ([result(), result(UNKNOWN)], [state("A-1", "holds")], "unknown", 3),
        ([result(BROKEN, UNKNOWN)], [], "broken", 1),
        ([result()], [state("A-1", "broken")], "broken", 1),
        ([result()], [state("A-1", "unknown")], "unknown", 3),
        ([result()], [state("A-1", None, None)], "holds", 0),
        ([result()], [state("Z-9", "broken")], "holds", 0),
    ],
)
def test_the_worst_is_the_whole(results: list[Result], states: list[ClaimState], word: str, code: int) -> None:
    found = outcome(*results, states=states)
    assert (found.word, found.exit_code) == (word, code)


def test_counts_are_added() -> None:
    found = outcome(result(), result(laws=Counter({"1 broken": 1})))
    assert found.runs == {"base": 2, "plan": 6, "inapplicable": 2}
    assert found.laws == {"1 holds": 2, "1 broken": 1, "6 moot": 2}
    text = "\n".join(found.as_text())
    assert "runs      8: 2 as they are, 6 under fault plans; 2 plans did not fire" in text
    assert "law 1     2 holds, 1 broken (at most once)" in text
    assert "law 6     nothing to judge (nothing leaks)" in text


def test_findings_are_shown_broken_first_and_bounded() -> None:
    found = outcome(result(UNKNOWN), result(*[BROKEN] * 25))
    text = list(found.as_text())
    shown = [line for line in text if line.startswith(("broken ", "unknown "))]
    assert len(shown) == 20
    assert all(line.startswith("broken ") for line in shown)
    assert "          trailcam run a.yaml" in text
    assert "          and 6 more, which --json has" in text
    assert len(found.as_json()["findings"]) == 26


@pytest.mark.claim("HAR-RPT-01")
def test_what_is_not_shown_says_why() -> None:
    missing = [
        Missing(Unit("b.yaml", f"b{n}.yaml", "1.0", "engine", "process", False), "engine codex-1") for n in range(5)
    ]
    states = [
        state("A-1", None, None),
        state("B-1", None, None),
        state("C-1", None, None),
        state("D-1", "holds", "engine"),
    ]
    found = outcome(result(lacking=[("A-1", "codex took no part in the run")]), states=states, missing=missing)
    assert found.not_shown == {"A-1": "codex took no part in the run", "B-1": "nothing ran that stands for it"}
    text = list(found.as_text())
    assert "not shown A-1: codex took no part in the run" in text
    assert "missing   engine codex-1: 5 scenarios were not run with it (b0.yaml, b1.yaml, b2.yaml, …)" in text
    assert "claims    1 holds (engine); 3 not shown" in text
    data = found.as_json()
    assert data["missing"][0] == {"unit": "b0.yaml (1.0, engine, process)", "what": "engine codex-1"}


def test_claims_that_do_not_hold_are_named() -> None:
    text = list(outcome(result(), states=[state("A-1", "unknown"), state("B-1", "broken")]).as_text())
    assert "unknown   A-1" in text
    assert "broken    B-1" in text


def test_what_was_left_out_is_in_the_document() -> None:
    data = outcome(result(absent=["drop at question"], cut=["x"], not_kept=["trailcam run b"])).as_json()
    assert data["absent"] == {UNIT.words: ["drop at question"]}
    assert data["cut"] == {UNIT.words: ["x"]}
    assert data["not_kept"] == ["trailcam run b"]
    assert data["laws"]["1"] == {"holds": 2, "broken": 0, "unknown": 0, "moot": 0}


@pytest.mark.parametrize(("findings", "came"), [((), "holds"), ((UNKNOWN,), "does not hold either")])
def test_what_was_run_again_is_said(findings: tuple[Finding, ...], came: str) -> None:
    found = outcome(result(*findings, repeated=[BROKEN]))
    assert f"repeated  a.yaml: alone it {came}; before, beside other runs: law 1: twice" in list(found.as_text())
    assert [each["why"] for each in found.as_json()["repeated"][UNIT.words]] == ["law 1: twice"]
