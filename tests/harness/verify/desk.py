"""A scenario of the clerk (tests/harness/scenario/clerk.py) with everything that a unit can have, and its claims."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.claims import Claim
from harness.scenario.scenario import Scenario, load_scenario
from harness.verify.units import Unit

TEXT = """\
scenario: The clerk adds to a number
subject: clerk
about: [clerk]
steps:
  - {call: work, as: work, means: {verb: add, value: 1}, expect: done}
  - {call: work, as: again, means: {verb: add, value: 1}, expect: done, again: true}
laws:
  7: [DSK-LEFT-01]
then:
  - claim: [DSK-ADD-01]
    says: one is added each time
    count: {world: {e: effect, verb: add}}
    is: 2
  - claim: [DSK-SAY-01]
    says: nothing is said that was not done
    every: {history: {e: answered}}
    has: {outcome: done}
cases:
  the program dies:
    faults: [{fault: crash, at: {program: clerk, moment: before_effect, nth: 1}}]
    then:
      - claim: [DSK-FAIL-01]
        says: nothing is added by it
        count: {world: {e: effect}}
        is: 1
  the number is high:
    world: {number: 100}
    then:
      - claim: [DSK-HIGH-01]
        says: it is added all the same
        some: {frames: {way: "<<", value: {result: {number: 101}}}}
teeth:
  - {broken: calls_twice, turns: [DSK-ADD-01]}
  - {broken: leaves, with: {what: folders}, turns: [DSK-LEFT-01]}
"""
IDS = ("DSK-ADD-01", "DSK-SAY-01", "DSK-FAIL-01", "DSK-HIGH-01", "DSK-LEFT-01")
CLAIMS = {id: Claim(id, "behaviour", "harness", ("clerk",), f"claim {id}") for id in IDS}


def desk(tmp_path: Path, text: str = TEXT) -> Scenario:
    """The scenario, loaded. The clerk must be a system of the harness."""
    path = tmp_path / "scenarios" / "clerk" / "desk.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return load_scenario(path, CLAIMS)


def unit_of(scenario: Scenario, **fields: Any) -> Unit:
    """Its unit in virtual time on the model, with the newest profile."""
    given: dict[str, Any] = {"profile": "2.0", "back": "model", "mode": "virtual", "teeth": True, **fields}
    return Unit(scenario.file, scenario.name, **given)
