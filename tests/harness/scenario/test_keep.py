"""What the runner left as a kept run: origins follow from the sheet, and a kept run is judged as the run was."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from harness.judged.run import judge_run
from harness.kept import KeptProblem, Origin, load
from harness.scenario.keep import NAME_LENGTH, inside, judge_records, keep, kept, origin_of, tapes_of
from harness.scenario.runner import ROOT, run
from harness.tape.header import Header
from tests.harness.scenario.clerk import call, clerk_sheet, register

THEN = [{"says": "it worked", "claims": ["A-1"], "some": {"world": {"e": "effect", "program": "clerk"}}}]


@pytest.fixture(autouse=True)
def clerk(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def test_a_kept_run_is_judged_as_the_run_was(tmp_path: Path) -> None:
    sheet = clerk_sheet(call("work"), then=THEN, wires={"clerk": {"stdio": "jsonrpc"}})
    judged = judge_records(run(sheet))
    assert judged.claims == {"A-1": "holds"}
    folder = keep(judged, tmp_path)
    assert folder.name == judged.run.name[:NAME_LENGTH]
    again = judge_run(load(folder))
    assert again.as_json() == judged.as_json()
    assert again.run.name == judged.run.name


def test_programs_that_took_part_have_an_origin() -> None:
    provenance = kept(run(clerk_sheet(call("work")))).provenance
    assert provenance.origins == {"clerk": Origin("model", "1.0")}
    assert provenance.platform == sys.platform
    assert set(provenance.sources) == {"stack", "harness", "fakes"}
    assert kept(run(clerk_sheet(call("greet")))).provenance.origins == {}


def test_an_origin_follows_from_the_back(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = clerk_sheet(profile="2.0", backs={"clerk": "engine"})
    assert origin_of("clerk", sheet) == Origin("engine", "2.0")
    assert origin_of("other", sheet) == Origin("model", "unknown")


def test_a_tape_is_as_strong_as_what_it_was_recorded_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.scenario.keep.ROOT", tmp_path)
    origin: Any = {"strength": "engine", "products": [{"name": "clerk", "version": "9"}], "platform": "linux",
                   "recorder": "test"}  # fmt: skip
    (tmp_path / "t.jsonl").write_text(Header(origin, clock={"kind": "virtual"}, wires={}).line() + "\n")
    sheet = clerk_sheet(backs={"clerk": "tape"}, programs={"clerk": {"tape": "t.jsonl"}})
    assert origin_of("clerk", sheet) == Origin("tape", "9", "engine")
    assert tapes_of(sheet) == [str(tmp_path / "t.jsonl")]
    with pytest.raises(KeptProblem, match="a tape of clerk"):
        origin_of("codex", {**sheet, "backs": {"codex": "tape"}, "programs": {"codex": {"tape": "t.jsonl"}}})


def test_a_run_says_no_more_than_its_back() -> None:
    records = run(clerk_sheet(call("work")))
    with pytest.raises(KeptProblem, match="engine in a virtual run"):
        kept(records._replace(sheet={**records.sheet, "backs": {"clerk": "engine"}}))
    assert ROOT.joinpath("harness").is_dir()


def test_what_is_in_a_program_is_what_it_is_or_the_engine_that_the_world_held() -> None:
    model, names = Origin("model", "27.0"), ("page",)
    line = {"e": "held", "what": "engine", "id": "WebKitGTK 2.50.6"}
    on_engine = {"backs": {"page": "engine"}}
    assert inside({}, [line], model, names) == {"page": model}
    assert inside(on_engine, [line], model, names) == {"page": Origin("engine", "WebKitGTK 2.50.6")}
    others = [{**line, "what": "window"}, {**line, "e": "freed"}]
    assert inside(on_engine, others, model, names) == {}, "an engine that was never started took no part"
