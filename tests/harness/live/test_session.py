"""One run of the live path: interrupted it leaves nothing, and it gives back what it borrowed."""
from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from harness.claims import load_claims
from harness.commands.live import load_all
from harness.live import session as under_test
from harness.live.machine import ThisMachine
from harness.live.origins import Proof
from harness.live.places import Places, rehearsal
from harness.live.play import LivePlay
from harness.live.session import Session, files_below, give_back, names_in, settled, sole, unseen
from harness.live.systems import SYSTEMS, Borrowed
from harness.problem import UsageProblem
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.play import Play
from harness.scenario.scenario import Scenario
from harness.serve.left import Left, processes_of
from harness.subjects import subject
from harness.tape.event import line
from harness.tape.read import load
from tests.harness.live.machines import Told
from tests.harness.live.rehearsed import CLAIMS, OF, ROW
from tests.tidy.tree import ROOT


def scenario_of(name: str) -> Scenario:
    """The one live scenario of a system."""
    [scenario] = load_all(ROOT / "scenarios" / "live", load_claims(CLAIMS), subject(name))
    return scenario


def session(tapes: Path, steps: list[dict[str, Any]], name: str = OF.name) -> Session:
    sheet = {**compile_sheet(scenario_of(name), Choice(mode="process")), "steps": steps}
    of = subject(name)
    machine = ThisMachine(of)
    return Session(sheet, SYSTEMS[name], of, machine, rehearsal(of, machine), tapes, [])


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.claim("HAR-LIVE-02", "HAR-HYG-01", tooth="an interrupt in the middle of a session")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_every_process_and_removes_every_folder(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes while the app-server of a sequence is up, between two calls."""
    own = Path(tempfile.mkdtemp(prefix="t"))
    monkeypatch.setattr(tempfile, "tempdir", str(own))
    running: list[str] = []
    step = Play._step

    async def interrupted(play: Play, given: Mapping[str, Any], nursery: trio.Nursery) -> None:
        if "wait_ms" in given:
            running.extend(process.name for process in processes_of([str(own)]))
            os.kill(os.getpid(), number)
        await step(play, given, nursery)

    monkeypatch.setattr(Play, "_step", interrupted)
    call = {"call": {"tool": "get_app_state", "arguments": {"app": "com.apple.Chess"}}, "means": None}
    made = session(tmp_path, [call, {"wait_ms": 3_600_000}])
    with pytest.raises(KeyboardInterrupt):
        made.run()
    assert {"codex", "helper", "lsappinfo"} <= set(running)
    assert processes_of([str(own)]) == []
    assert list(own.iterdir()) == []
    assert made.stays == []
    own.rmdir()


def test_a_run_in_which_nothing_starts_says_so(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="no program was started"):
        session(tmp_path, [{"wait_ms": 0}]).run()


@pytest.mark.claim("HAR-LIVE-02", tooth="an interrupt while the run's own window or tab is open")
@pytest.mark.parametrize(
    ("name", "ended"), [("safari-jxa", '"method":"close"'), ("safari-mcp", '"e":"exited","status":0')]
)
def test_an_interrupted_run_closes_what_it_opened(
    name: str, ended: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Safari's driver closes its own window when its input ends; the other window is closed by the stack."""
    step = Play._step

    async def interrupted(play: Play, given: Mapping[str, Any], nursery: trio.Nursery) -> None:
        if "wait_ms" in given:
            for number in (signal.SIGINT, signal.SIGTERM):  # the second does not cancel the closing
                os.kill(os.getpid(), number)
        await step(play, given, nursery)

    monkeypatch.setattr(Play, "_step", interrupted)
    scenario = scenario_of(name)
    opening = next(step for step in compile_sheet(scenario, Choice())["steps"] if step.get("as") == "open")
    made = session(tmp_path, [opening, {"wait_ms": 3_600_000}], name)
    with pytest.raises(KeyboardInterrupt):
        made.run()
    [tape] = tmp_path.glob("*.jsonl")
    events = list(load(str(tape), killed="accept")[1])
    text = "".join(line(event) for event in events).replace('\\"', '"')
    assert "http://127.0.0.1:" in text
    assert ended in text


@pytest.mark.claim("HAR-LIVE-02", tooth="a call on the tab of another run")
def test_a_live_runs_own_names_stand_in_for_the_scenarios(tmp_path: Path) -> None:
    """The scenario's are those of virtual time. Without what the run gives, the stack refuses them."""
    scenario = scenario_of("safari-mcp")
    steps = [step for step in compile_sheet(scenario, Choice())["steps"] if step.get("as") in ("open", "read", "close")]
    run = session(tmp_path / "carried", steps, "safari-mcp").run()
    assert [line["outcome"] for line in run.history if line["e"] == "answered"] == ["done", "done", "done"]
    made = session(tmp_path / "not", steps, "safari-mcp")
    made.system = replace(made.system, carries=())
    assert [line["outcome"] for line in made.run().history if line["e"] == "answered"] == ["done", "refused", "refused"]


def test_what_only_a_world_could_show_is_not_asked_of_a_run_without_one() -> None:
    sheet = {"steps": [{"call": {}, "means": {"verb": "open"}}, {"look": "status"}], "goal": [{"e": "effect"}], "v": 1}
    assert unseen(sheet) == {"steps": [{"call": {}, "means": None}, {"look": "status"}], "goal": [], "v": 1}


@pytest.mark.claim("HAR-LIVE-02", tooth="a run that does not end when it is told to")
@pytest.mark.parametrize("times", [1, 2])
def test_a_run_that_goes_on_is_cancelled_after_a_time(
    times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = Play._step
    told: list[LivePlay] = []

    async def interrupted(play: Play, given: Mapping[str, Any], nursery: trio.Nursery) -> None:
        for _ in range(times):
            os.kill(os.getpid(), signal.SIGINT)
            await wait_all_tasks_blocked()
        await step(play, given, nursery)

    monkeypatch.setattr(under_test, "STOP_MS", 100)
    monkeypatch.setattr(Play, "_step", interrupted)
    monkeypatch.setattr(LivePlay, "stop", lambda play: told.append(play))
    with pytest.raises(KeyboardInterrupt):
        session(tmp_path, [{"wait_ms": 3_600_000}]).run()
    assert len(told) == times


class Asked:
    """A host whose signals end what it is told to."""

    def __init__(self, machine: Told, heeds: bool) -> None:
        self.machine = machine
        self.heeds = heeds
        self.signals: list[tuple[int, int]] = []

    def signal(self, pid: int, number: int) -> None:
        self.signals.append((pid, number))
        if self.heeds:
            self.machine.runs.clear()


CHESS = Borrowed("Chess", "com.apple.Chess", "/Chess.app/")


@pytest.mark.claim("HAR-LIVE-02")
@pytest.mark.parametrize(("heeds", "stays"), [(True, []), (False, ["Chess, process 9: quit it"])])
def test_an_application_that_was_started_is_asked_to_quit_or_listed(heeds: bool, stays: list[str]) -> None:
    machine = Told(runs={"/Chess.app/": [Left(9, "Chess")]})
    host = Asked(machine, heeds)

    async def main() -> list[str]:
        return await give_back((CHESS,), machine, host)

    assert trio.run(main, clock=MockClock(autojump_threshold=0)) == stays
    assert host.signals == [(9, signal.SIGTERM)]


def test_what_does_not_run_is_not_waited_for(tmp_path: Path) -> None:
    async def main() -> list[Left]:
        return await settled([str(tmp_path)], 1000)

    assert trio.run(main) == []


def test_what_does_not_end_is_given_after_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_test, "processes_of", lambda folders: [Left(9, "codex")])

    async def main() -> list[Left]:
        return await settled(["/run"], 1000)

    assert trio.run(main, clock=MockClock(autojump_threshold=0)) == [Left(9, "codex")]


def test_the_one_error_in_groups_is_taken_out() -> None:
    inner = ValueError("x")
    assert sole(BaseExceptionGroup("", [BaseExceptionGroup("", [inner])])) is inner
    two = BaseExceptionGroup("", [inner, KeyError("y")])
    assert sole(two) is two


def test_the_state_of_the_stack_is_looked_at_and_no_other_folder(tmp_path: Path) -> None:
    state = tmp_path / "state"
    (state / "home").mkdir(parents=True)
    (state / "audit.jsonl").write_text("x")
    assert files_below(state) == {"audit.jsonl": b"x"}
    assert names_in(state / "home", state) == []
    assert names_in(state, state) is None
    assert names_in(tmp_path, state) is None
    assert names_in(state / "gone", state) is None


def test_in_a_live_run_the_sheet_has_no_world_and_borrowed_applications_are_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one test that takes the live branch: fakes with proofs that nobody but a test can make."""
    asked: list[Any] = []

    async def noted(borrowed: Any, machine: Any, host: Any) -> list[str]:
        asked.append(borrowed)
        return ["Chess, process 9: quit it"]

    machine = ThisMachine(OF)
    rehearsed_places = rehearsal(OF, machine)

    @asynccontextmanager
    async def forged(sheet: Mapping[str, Any]) -> AsyncIterator[Places]:
        async with rehearsed_places(sheet) as places:
            proofs = {program: Proof("darwin", "/a", "/a", True) for program in places.proofs}
            yield replace(places, proofs=proofs)

    monkeypatch.setattr(under_test, "give_back", noted)
    made = session(tmp_path, [{"call": {"tool": "list_apps", "arguments": {}}, "means": None}])
    made.open_places = forged
    run = made.run()
    assert asked == [ROW.borrowed]
    assert made.stays == ["Chess, process 9: quit it"]
    assert (run.sheet["back"], run.sheet["world"], run.sheet["programs"]) == ("live", {}, {})
    assert {origin.strength for origin in run.provenance.origins.values()} == {"live"}


def test_a_step_that_nobody_knows_is_its_own_error_and_not_a_group(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="the step"):
        session(tmp_path, [{"dance": 1}]).run()
