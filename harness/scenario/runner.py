"""Runs one run sheet: the stack against its fakes, in virtual time or as processes. Judging is not done here."""
from __future__ import annotations

import fcntl
import tempfile
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import trio

from harness.scenario.history import History, ScriptedCaller, describe
from harness.serve.dotted import Resolved, resolve
from harness.serve.hosted import Hosted
from harness.serve.launch import make_folder, remove_folder
from harness.serve.left import end, processes_of
from harness.serve.private import InstalledApp, installed, of_path
from harness.serve.scheduler import run_real, run_virtual
from harness.serve.stage import Stage
from harness.serve.virtual import VirtualHost, date, token
from harness.subjects import Subject, subject

RUN_LIMIT_MS = 3_600_000
"""A virtual run that is not over after an hour of its own time hangs."""
GRACE_MS = 60_000
"""How long processes may take to end after the stack was closed (virtual time; 10 s in process runs)."""


class Records(NamedTuple):
    """What one run leaves: the sheet it ran by, history, world record and journal, the census of its places, and the
    paths of this run by the names that a comparison gives them."""

    sheet: Mapping[str, Any]
    history: list[dict[str, Any]]
    world: list[dict[str, Any]]
    journal: list[dict[str, Any]]
    census: list[dict[str, Any]] | None
    roots: Mapping[str, str]


def run(sheet: Mapping[str, Any], *, census: bool = False) -> Records:
    """Run a sheet to its end. census: count the places of the run as well."""
    return _MODES[sheet.get("mode", "virtual")](sheet, subject(sheet["subject"]), census)


def _run_virtual(sheet: Mapping[str, Any], system: Subject, census: bool) -> Records:
    async def main() -> Records:
        stage = _stage(sheet, system, census)
        async with trio.open_nursery() as nursery:
            host = VirtualHost(stage, nursery, sheet.get("seed", 0))
            play = Play(sheet, system, stage, host)
            await play.run(GRACE_MS)
            play.left(files=sorted(host.files()), locks=host.locks_held())
            nursery.cancel_scope.cancel()
        return play.records({"<BIN>": host.path("")[:-1], "<STATE>": str(host.folder)})

    return run_virtual(main, sheet.get("seed", 0))


def _run_process(sheet: Mapping[str, Any], system: Subject, census: bool) -> Records:
    folder = make_folder(system.uses)
    state, locks = (Path(tempfile.mkdtemp(prefix="tc")) for _ in range(2))

    async def main() -> Records:
        stage = _stage(sheet, system, census, may_block=True)
        async with trio.open_nursery() as nursery:
            await nursery.start(Hosted(stage, folder).serve)
            table = {program: str(folder / program) for program in system.uses}
            host = WorldHost(resolve(system.host)(table, folder=state, locks=locks), stage)
            play = Play(sheet, system, stage, host)
            await play.run(GRACE_MS)
            running = processes_of([str(folder), str(state)])
            play.left(files=_files(state), locks=held(locks), processes=[process.name for process in running])
            end(running)
            nursery.cancel_scope.cancel()
        return play.records({"<BIN>": str(folder), "<STATE>": str(state)})

    try:
        return run_real(main, sheet.get("rate", 1))
    finally:
        for made in (folder, state, locks):
            remove_folder(made)


class WorldHost:
    """The stack's own host of real processes; its applications are the world's, its tokens and dates repeat."""

    def __init__(self, host: Any, stage: Stage) -> None:
        self._host = host
        self._stage = stage
        self._random = Random(stage.sheet.get("seed", 0))
        self._apps = installed(stage.world)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._host, name)

    def token(self, length: int) -> str:
        return token(self._random, length)

    def date(self) -> datetime:
        return date(self._stage)

    def applications(self, path: str | None = None) -> Sequence[InstalledApp]:
        return of_path(self._apps, path)


_MODES = {"virtual": _run_virtual, "process": _run_process}


BACKS = {"engine": "harness.serve.proxy:Proxy", "tape": "harness.replay.player:Player"}
"""The machine of a program on another back than the model's, which is the fake's own."""


def machines(sheet: Mapping[str, Any], system: Subject) -> dict[str, str]:
    """Program to the dotted name of its machine, by the sheet's `backs` (program to model, tape or engine)."""
    names = dict(resolve(system.programs))
    names.update({program: BACKS[back] for program, back in (sheet.get("backs") or {}).items() if back in BACKS})
    return names


def _stage(sheet: Mapping[str, Any], system: Subject, census: bool, *, may_block: bool = False) -> Stage:
    stage = Stage(
        sheet,
        Resolved(machines(sheet, system)),  # type: ignore[arg-type]
        resolve(system.world),
        clock=trio.current_time,
        may_block=may_block,
    )
    if census:
        from harness.faults.census import Census

        stage.plan.census = Census()
    return stage


def held(folder: Path) -> list[str]:
    """The lock files of a folder that somebody holds."""
    names = []
    for path in sorted(folder.iterdir()):
        with path.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                names.append(path.name)
    return names


def _files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


class Play:
    """The steps of one sheet, played on a stack that is opened for it."""

    def __init__(self, sheet: Mapping[str, Any], system: Subject, stage: Stage, host: Any) -> None:
        self.sheet = sheet
        self.stage = stage
        self.history = History(stage.stamp)
        self._system = system
        self._host = host
        self._calls = 0
        self._answers: list[Any] = []
        self._modes: list[str] = list(sheet.get("modes", ()))
        self._failed = resolve(system.ask_failed)
        self._scopes: dict[str, trio.CancelScope] = {}
        self._named: dict[str, int] = {}
        self._ends: dict[str, trio.Event] = {}

    async def run(self, grace_ms: float) -> None:
        settings = resolve(self._system.settings)(self.sheet.get("settings") or {})
        over = trio.Event()
        self.stage.changed = over.set
        with trio.move_on_after(RUN_LIMIT_MS / 1000) as limit:
            async with resolve(self._system.stack)(self._host, settings) as stack, trio.open_nursery() as nursery:
                for step in self.sheet["steps"]:
                    await self._step(stack, step, nursery)
        if limit.cancelled_caught:
            self.history.note("told", event="run_limit", data={"ms": RUN_LIMIT_MS})
        with trio.move_on_after(grace_ms / 1000):
            while self.stage.living():
                over = trio.Event()
                self.stage.changed = over.set
                await over.wait()

    def left(self, files: list[str], locks: list[str], processes: Sequence[str] = ()) -> None:
        """Note what is still there after the end; a process of the stage counts where the system shows none of it."""
        processes = sorted({*processes, *(session.program for session in self.stage.living())})
        self.history.note("left", processes=processes, files=files, sockets=[], locks=locks)

    def records(self, roots: Mapping[str, str]) -> Records:
        census = self.stage.plan.census
        places = census.places() if census else None
        return Records(self.sheet, self.history.lines, self.stage.events, self.stage.journal, places, roots)

    async def _step(self, stack: Any, step: Mapping[str, Any], nursery: trio.Nursery) -> None:
        if "call" in step:
            await self._begin_call(stack, step, nursery)
        elif "tell" in step:
            self.history.note("told", event=step["tell"], data=step.get("data"))
            await stack.tell(step["tell"], step.get("data"))
        elif "answer" in step:
            self._answers.append(step["answer"])
        elif "change" in step:
            self.stage.world.change("user", **step["change"])
        elif "cancel" in step:
            self.history.note("cancelled", call=self._named[step["cancel"]])
            self._scopes[step["cancel"]].cancel()
        elif "await" in step:
            await self._ends[step["await"]].wait()
        else:
            await trio.sleep(step["wait_ms"] / 1000)

    async def _begin_call(self, stack: Any, step: Mapping[str, Any], nursery: trio.Nursery) -> None:
        call = self._calls
        self._calls += 1
        name = step.get("as")
        if name is None:
            await self._call(stack, call, step)
            return
        self._scopes[name], self._ends[name] = trio.CancelScope(), trio.Event()
        self._named[name] = call
        nursery.start_soon(self._call, stack, call, step)

    async def _call(self, stack: Any, call: int, step: Mapping[str, Any]) -> None:
        tool, arguments = step["call"]["tool"], step["call"].get("arguments") or {}
        caller = ScriptedCaller(call, self.history, self._answers, self._modes, self._failed)
        bound_ms = (self.sheet.get("bounds") or {}).get("call_ms")
        self.history.note(
            "asked", call=call, tool=tool, arguments=arguments, means=step.get("means"), deadline_ms=bound_ms
        )
        name = step.get("as")
        with self._scopes[name] if name else trio.CancelScope():
            reply = await stack.call(tool, arguments, caller)
            self.history.note("answered", call=call, **describe(reply))
        if name:
            self._ends[name].set()
