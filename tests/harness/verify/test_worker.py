"""A worker answers a line for each line, in this process and as one of its own."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from harness.guard import GUARD, Attempt
from harness.verify import worker
from harness.verify.work import Result
from tests.harness.scenario.clerk import register
from tests.harness.verify.desk import IDS, desk, unit_of

CLAIM = "- {{id: {id}, kind: behaviour, from: harness, about: [codex], claim: It is so.}}\n"


def shared(tmp_path: Path, folder: str | None = None) -> str:
    claims = tmp_path / "claims"
    claims.mkdir(exist_ok=True)
    (claims / "desk.yaml").write_text("".join(CLAIM.format(id=id) for id in IDS), encoding="utf-8")
    return json.dumps({"claims": str(claims), "folder": folder, "nice": 0})


def test_each_unit_has_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)
    unit = unit_of(desk(tmp_path), teeth=False)
    lines = [shared(tmp_path, str(tmp_path / "runs")), *[json.dumps(unit.as_json())] * 2]
    results = [Result.from_json(json.loads(answer)) for answer in worker.answers(lines)]
    assert [result.runs["case"] for result in results] == [2, 2]
    assert results[0] == results[1]
    assert [claim for claim, why in results[0].lacking if "codex took no part" in why]
    assert len(list((tmp_path / "runs").iterdir())) == 3


def test_it_is_as_nice_as_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    monkeypatch.setattr("os.nice", told.append)
    first = {**json.loads(shared(tmp_path)), "nice": 7}
    assert list(worker.answers([json.dumps(first)])) == []
    assert told == [7]


@pytest.mark.claim("HAR-NET-01", tooth="an attempt that is planted")
@pytest.mark.parametrize(("tried", "status"), [([], 0), ([Attempt("a connection to example.com", "x.py:1")], 1)])
def test_a_worker_that_tried_to_leave_says_so(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tried: list[Attempt],
    status: int,
) -> None:
    monkeypatch.setattr(sys, "stdin", [shared(tmp_path)])
    monkeypatch.setattr(GUARD, "take", lambda: tried)
    rare: list[bool] = []
    monkeypatch.setattr(worker, "collect_rarely", lambda: rare.append(True))
    assert worker.main() == status
    assert rare == [True]
    assert ("example.com" in capsys.readouterr().err) == bool(tried)
