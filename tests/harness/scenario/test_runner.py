"""The two modes of a run, what is planted around it, and where programs of other backs come from."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Any

import pytest

from harness import engines
from harness.problem import Problem
from harness.scenario.compare import comparable, first_difference
from harness.scenario.play import Play
from harness.scenario.runner import ROOT, held, machines, placed, planted, run, world_of
from harness.serve.dotted import resolve
from harness.subjects import SUBJECTS
from tests.harness.scenario.clerk import SUBJECT, call, clerk_sheet, lines, register

STEPS = (
    call("work"), {"change": {"number": 4}}, call("greet"), {"open": "other"}, {**call("work"), "on": "other"},
    call("note", text="seen"), call("lock"),
)  # fmt: skip


@pytest.fixture(autouse=True)
def clerk(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


@pytest.mark.claim("HAR-FAKE-02")
def test_both_modes_leave_the_same() -> None:
    books = {
        mode: comparable(run_.history, run_.world, run_.journal, run_.roots)
        for mode in ("virtual", "process")
        for run_ in [run(clerk_sheet(*STEPS, mode=mode))]
    }
    assert first_difference(books["virtual"], books["process"]) is None
    assert len(books["virtual"]["world"]) == 5
    assert "journal clerk#2" in books["virtual"]


def test_a_process_run_tells_who_may_read_a_file() -> None:
    wrote = lines(run(clerk_sheet(call("note", text="x"), mode="process")).history, "wrote")
    assert [line["mode"] for line in wrote] == ["0600"]
    assert "mode" not in lines(run(clerk_sheet(call("note", text="x"))).history, "wrote")[0]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a process that nobody closes
def test_what_a_process_run_left_is_found_and_ended() -> None:
    history = run(clerk_sheet(call("abandon"), mode="process", rate=100)).history
    assert lines(history, "left")[0]["processes"] == ["clerk"]


def test_the_census_is_taken_where_it_is_asked_for() -> None:
    assert run(clerk_sheet(call("work"))).census is None
    census = run(clerk_sheet(call("work")), census=True).census
    assert census
    assert {"program": "clerk", "process": 1, "moment": "before_effect", "where": {"amount": 1}, "count": 1} in census


CANARIES = [
    {"name": "a", "value": "canary-a-1", "planted": "environment TRAILCAM_TEST_KEY"},
    {"name": "b", "value": "canary-b-2", "planted": "home .codex/auth.json"},
    {"name": "c", "value": "canary-c-3"},
]


def test_canaries_are_planted_around_the_stack_and_taken_away() -> None:
    before = dict(os.environ)
    with planted(CANARIES) as changed:
        home = Path(os.environ["HOME"])
        assert os.environ["TRAILCAM_TEST_KEY"] == "canary-a-1"
        assert os.environ["CODEX_HOME"] == str(home / ".codex")
        assert (home / ".codex" / "auth.json").read_text() == "canary-b-2\n"
        assert changed() == []
        (home / ".codex" / "auth.json").write_text("other")
        (home / "new").touch()
        assert changed() == ["home/.codex/auth.json", "home/new"]
    assert dict(os.environ) == before
    assert not home.exists()
    with planted([]) as changed:
        assert dict(os.environ) == before
        assert changed() == []


def test_a_lock_that_is_held_is_found(tmp_path: Path) -> None:
    (tmp_path / "free.lock").touch()
    with (tmp_path / "held.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert held(tmp_path) == ["held.lock"]
    assert held(tmp_path) == []


def test_machines_follow_the_backs() -> None:
    names = machines({"backs": {"clerk": "engine"}}, SUBJECT)
    assert names == {"clerk": "harness.serve.proxy:Proxy"}
    assert machines({}, SUBJECT) == {"clerk": "tests.harness.serve.machines:Echo"}
    assert machines({"backs": {"clerk": "model"}}, SUBJECT) == machines({}, SUBJECT)


def test_engines_and_tapes_are_placed_when_a_run_begins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("harness.scenario.runner.locate", lambda row: tmp_path / row.name)
    settings: dict[str, Any] = {
        "codex": {"engine": "codex-0.171.0", "dialect": "jsonrpc"}, "a": {"tape": "scenarios/x.jsonl"}, "b": {"c": 1},
    }  # fmt: skip
    assert placed(settings) == {
        "codex": {"path": str(tmp_path / "codex-0.171.0"), "dialect": "jsonrpc"},
        "a": {"tape": str(ROOT / "scenarios/x.jsonl")},
        "b": {"c": 1},
    }
    assert settings["codex"]["engine"] == "codex-0.171.0"


@pytest.mark.parametrize("name", ["codex-0.0.1", "codex-0.171.0"])
def test_an_engine_that_is_missing_is_no_run(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr("harness.scenario.runner.locate", lambda row: None)
    with pytest.raises(Problem, match=f"no engine {name}"):
        placed({"codex": {"engine": name}})
    sheet = clerk_sheet(call("work"), mode="process", backs={"clerk": "engine"}, programs={"clerk": {"engine": name}})
    with pytest.raises(Problem, match="make engines"):
        run(sheet)


def test_every_engine_of_a_profile_is_one_that_there_is() -> None:
    known = {row.name for row in engines.ENGINES}
    for subject in SUBJECTS.values():
        if subject is not SUBJECT:
            for profile in subject.profiles.values():
                assert {name for name, _ in profile.engines.values()} <= known


def test_the_world_with_the_engine_is_that_of_the_back_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    system = SUBJECTS["safari-mcp"]
    profile = next(iter(system.profiles))
    sheet = {"profile": profile, "backs": {"page": "engine"}}
    monkeypatch.setattr("harness.scenario.runner.locate", lambda row: tmp_path)
    assert world_of(sheet, system) == "fakes.worlds.safari_webkit:SafariOnWebKit"
    assert world_of({**sheet, "backs": {}}, system) == world_of({}, system) == system.world
    assert "page" not in machines(sheet, system)
    monkeypatch.setattr("harness.scenario.runner.locate", lambda row: None if row.name == "xvfb" else tmp_path)
    with pytest.raises(Problem, match="no engine xvfb"):
        world_of(sheet, system)
    assert world_of({"profile": profile}, system) == system.world


def test_everything_that_a_back_needs_is_an_engine_that_there_is() -> None:
    known = {row.name for row in engines.ENGINES}
    assert all(set(profile.needs) <= known for system in SUBJECTS.values() if system is not SUBJECT
               for profile in system.profiles.values())  # fmt: skip


@pytest.mark.parametrize("outcome", ["ends", "fails"])
def test_a_world_that_holds_something_lets_go_of_it_at_the_end(monkeypatch: pytest.MonkeyPatch, outcome: str) -> None:
    closed: list[str] = []

    def close(self: Any) -> None:
        closed.append(outcome)

    class Broken(Play):
        async def run(self, limit_ms: float, grace_ms: float) -> None:
            raise ValueError("a defect")

    monkeypatch.setattr(resolve(SUBJECT.world), "close", close, raising=False)
    sheet = clerk_sheet(call("work"), mode="process")
    if outcome == "ends":
        run(sheet)
    else:
        monkeypatch.setattr("harness.scenario.runner.Play", Broken)
        with pytest.raises(ExceptionGroup):
            run(sheet)
    assert closed == [outcome]
