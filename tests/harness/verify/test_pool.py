"""Several workers: every unit has one result, and a worker that dies is a finding."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from harness.verify.pool import ASIDE, Pool
from harness.verify.units import Unit
from harness.verify.work import Result

CLAIMS = Path(__file__).resolve().parents[3] / "scenarios" / "claims"
ANSWERING = """
import json, os, sys
shared = json.loads(sys.stdin.readline())
for line in sys.stdin:
    unit = json.loads(line)
    if unit["name"] == "dies":
        sys.exit(3)
    if unit["name"] == "dies at once":
        print("half an ans", end="", flush=True)
        sys.exit(4)
    if unit["name"] == "meets":
        open(os.path.join(shared["folder"], unit["mode"]), "w").close()
        while len(os.listdir(shared["folder"])) < 2:
            pass
    names = [shared["folder"], str(shared["nice"])]
    print(json.dumps({"unit": unit, "runs": {"base": 1}, "laws": {}, "records": [], "names": names, "lacking": [],
                      "findings": [], "absent": [], "cut": [], "kept": [],
                      "not_kept": []}), flush=True)
"""


def unit(name: str, mode: str = "virtual") -> Unit:
    return Unit("x.yaml", name, "1.0", "model", mode, False)


def worked(units: list[Unit], tmp_path: Path, jobs: int = 2) -> list[Result]:
    results: list[Result] = []
    Pool(CLAIMS, tmp_path, results.append, (sys.executable, "-c", ANSWERING)).work(units, jobs)
    return results


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_every_unit_has_one_result(tmp_path: Path, jobs: int) -> None:
    units = [unit(f"u{number}", "process" if number % 3 == 0 else "virtual") for number in range(12)]
    results = worked(units, tmp_path, jobs)
    assert sorted(result.unit.name for result in results) == sorted(each.name for each in units)
    assert {result.names[0] for result in results} == {str(tmp_path.resolve())}


def test_workers_of_virtual_time_step_aside_for_the_real_clock(tmp_path: Path) -> None:
    results = worked([unit("meets"), unit("meets", "process")], tmp_path, jobs=1)
    assert {result.unit.mode: int(result.names[1]) for result in results} == {"process": 0, "virtual": ASIDE}


@pytest.mark.parametrize(("name", "status"), [("dies", 3), ("dies at once", 4)])
def test_a_worker_that_dies_is_a_finding_and_the_others_go_on(tmp_path: Path, name: str, status: int) -> None:
    results = worked([unit("a"), unit(name), unit("b"), unit("c")], tmp_path, jobs=1)
    assert sorted(result.unit.name for result in results) == sorted(["a", name, "b", "c"])
    findings = [finding for result in results for finding in result.findings]
    assert [(finding.verdict, finding.why) for finding in findings] == [
        ("unknown", f"could not run: the worker ended with {status}")
    ]


def test_a_worker_that_can_not_begin_is_a_finding_for_each_unit(tmp_path: Path) -> None:
    results: list[Result] = []
    Pool(CLAIMS, None, results.append, (sys.executable, "-c", "")).work([unit("a"), unit("b")], 1)
    assert len([finding for result in results for finding in result.findings]) == 2


def test_real_workers_work_a_scenario_off(tmp_path: Path) -> None:
    path = CLAIMS.parent / "computer-use" / "openai-forms-are-announced-where-they-are-shown.yaml"
    real = Unit(str(path), "computer-use/forms.yaml", "0.171.0", "model", "virtual", False)
    results: list[Result] = []
    Pool(CLAIMS, None, results.append).work([real], 1)
    assert [result.findings for result in results] == [[]]
    assert results[0].runs["case"] == 1
