"""`trailcam mutate`: broken first with its command, the matrix, counts; exit codes 0, 1, 2, 3."""
from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.campaign.faults import Campaign
from harness.campaign.matrix import Row
from harness.cli import compose
from harness.commands import mutate

SCENARIO = "computer-use/click-an-element-once.yaml"


def test_one_fault_over_one_scenario(capsys: pytest.CaptureFixture[str]) -> None:
    status = compose(["mutate", "--scenario", SCENARIO, "--fault", "wrong_id", "--jobs", "1", "--json"])
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert status == {"holds": 0, "broken": 1, "unknown": 3}[found["verdict"]]
    assert found["scenarios"] == 1
    assert 0 < found["plans"] < found["possible"]
    assert list(found["matrix"]) == ["wrong_id"]
    assert found["matrix"]["wrong_id"]["runs"] == found["plans"]
    assert "plans of" in err


def made(*rows: Row) -> Campaign:
    campaign = Campaign(scenarios=1, plans=len(rows), possible=9)
    for row in rows:
        campaign.matrix.add(row)
    return campaign


HOLDS = Row("a.yaml", "drop", True, {"1": "holds"}, [], "")
BROKEN = Row("a.yaml", "drop", True, {"1": "broken"}, [[1, "broken", "two effects"]], "trailcam run a.yaml --plan x")
UNKNOWN = Row("a.yaml", "crash", True, {"3": "unknown"}, [[3, "unknown", "nobody knows"]], "trailcam run b")
NEVER = Row("a.yaml", "crash", False, {}, [], "")


@pytest.mark.parametrize(("rows", "status"), [
    ([HOLDS], 0), ([HOLDS, UNKNOWN, BROKEN], 1), ([HOLDS, UNKNOWN], 3), ([NEVER], 3), ([HOLDS, NEVER], 0),
])  # fmt: skip
def test_exit_codes(monkeypatch: pytest.MonkeyPatch, rows: list[Row], status: int,
                    capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    given: Callable[..., Any] = lambda *args, **more: made(*rows)  # noqa: E731
    monkeypatch.setattr(mutate, "campaign", given)
    assert compose(["mutate"]) == status
    assert f"{sum(not row.fired for row in rows)} inapplicable" in capsys.readouterr().out


def test_text_has_what_is_broken_before_the_matrix() -> None:
    campaign = made(HOLDS, UNKNOWN, BROKEN)
    campaign.unable.append("b.yaml: no engine")
    lines = list(mutate.as_text(campaign))
    assert lines[0].startswith("broken: 3 plans of 9 in 1 scenarios")
    assert lines[1] == "could not run  b.yaml: no engine"
    assert lines[2] == "broken  law 1: two effects  (1 runs: drop 1)"
    assert lines[3] == "    again  trailcam run a.yaml --plan x"
    assert lines[4].startswith("unknown  law 3")


@pytest.mark.parametrize("words", [
    ["--fault", "nothing"], ["--scenario", "nowhere.yaml"], ["--seed", "x"], ["--system", "another"],
])  # fmt: skip
def test_wrong_words_are_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert compose(["mutate", *words]) == 2
    assert "saw" in capsys.readouterr().err


def test_a_folder_without_scenarios_is_usage(tmp_path: Path) -> None:
    assert compose(["mutate", "--scenarios", str(tmp_path)]) == 2
