"""A failure as a file: named by its content, read by the loader of scenarios, and tried ten times."""
from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness import subjects
from harness.properties.draft import Draft
from harness.properties.found import TRIES, document, found, save
from harness.properties.trial import NO_RUN, Failure, Outcome
from harness.scenario.scenario import load_scenario
from tests.harness.laws.panel import NAME
from tests.harness.properties.panel_words import SUBJECT, press

FAULT = {"id": "f1", "fault": "drop", "at": {"program": NAME, "way": "<<", "nth": 1}, "args": {}}
LOOK: dict[str, Any] = {"call": "look"}


@pytest.fixture(autouse=True)
def panel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(subjects.SUBJECTS, NAME, SUBJECT)


def failure(law: int, *steps: Mapping[str, Any], defect: str | None = None, faults: Any = ()) -> Failure:
    sections = {"settings": {} if defect is None else {"defect": defect}}
    return Failure(law, "as\nfound", Draft(NAME, (NAME,), "default", sections, [dict(step) for step in steps]), faults)


def test_a_failure_that_comes_back_every_time_is_broken(tmp_path: Path) -> None:
    said = found(failure(3, LOOK, defect="says unknown"))
    assert (said.verdict, said.reproduced, said.steps, said.faults) == ("broken", TRIES, 1, 0)
    assert said.again == f"trailcam run scenarios/found/{said.name}"
    assert said.text.startswith(f"# Found by the property machine, broken in 10 of 10 runs: as found\n# {said.again}\n")
    assert said.words.startswith("broken: law 3, honest outcome: as\nfound; 1 steps, 0 faults; reproduced 10/10: ")
    scenario = load_scenario(save(said, tmp_path / "found"))
    assert scenario.title == "Law 3, honest outcome, is kept"
    assert [item.data["law"] for item in scenario.then] == [3]


def test_one_failure_is_one_name_and_another_is_another() -> None:
    names = [found(failure(3, *steps, defect="says unknown")).name for steps in ([LOOK], [LOOK], [LOOK, LOOK])]
    assert names[0] == names[1] != names[2]
    assert names[0].startswith("law-3-") and names[0].endswith(".yaml")


def test_a_failure_that_does_not_come_back_is_flaky() -> None:
    said = found(failure(3, LOOK))
    assert (said.verdict, said.reproduced) == ("flaky", 0)
    assert said.as_json() == {
        "verdict": "flaky", "law": 3, "why": "as\nfound", "name": said.name, "steps": 1, "faults": 0, "reproduced": 0,
        "of": TRIES, "again": said.again,
    }  # fmt: skip


def test_some_of_ten_runs_are_not_all(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = iter(range(TRIES))
    monkeypatch.setattr(
        "harness.properties.found.outcome_of", lambda *given: Outcome({3: "now"} if next(runs) % 3 == 0 else {})
    )
    said = found(failure(3, LOOK))
    assert (said.verdict, said.reproduced) == ("flaky", 4)


def test_faults_are_a_case_and_the_command_names_it() -> None:
    said = found(failure(3, LOOK, press("stop").step, faults=[FAULT], defect="says done"))
    assert said.again.endswith(f"{said.name} --case faults")
    assert "under drop << #1 of panel" in said.text
    assert "      - {fault: drop, at: {program: panel, way: \"<<\", nth: 1}}\n" in said.text


def test_a_broken_stack_is_named_in_the_command() -> None:
    said = found(failure(1, LOOK, press("stop").step), {"broken": "calls_twice", "with": {"tool": "press"}})
    assert said.verdict == "broken"
    assert "--broken '{\"broken\":\"calls_twice\"" in said.again


def test_a_run_that_can_not_be_made_is_kept_too() -> None:
    said = found(failure(NO_RUN, {"look": "tools"}))
    assert (said.verdict, said.name[:9]) == ("broken", "law-none-")
    assert said.words.startswith("broken: a run that could not be made")
    assert document(failure(NO_RUN, LOOK).draft, (), NO_RUN)["then"] == [
        {"says": "the run can be made, and comes to its end", "law": 4}
    ]


def test_a_run_that_never_ends_is_a_verdict_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = failure(4, LOOK)
    monkeypatch.setattr("harness.properties.found.outcome_of", lambda *given: Outcome({4: "never"}, hangs=True))
    said = found(Failure(whole.law, whole.why, whole.draft, (), hangs=True))
    assert (said.verdict, said.reproduced) == ("hangs", TRIES)
