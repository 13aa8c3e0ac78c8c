"""Runs one run sheet: the stack against its fakes, in virtual time or as processes. Judging is not done here.

Separate from `play`, which knows steps and history; this knows what a mode is made of: stage, host, folders, clock.
"""
from __future__ import annotations

import fcntl
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import anyio
import trio

from harness.engines import ENGINES, locate
from harness.problem import Problem
from harness.scenario.broken import break_input
from harness.scenario.play import RUN_LIMIT_MS, Play
from harness.serve.channel import LAUNCHER, Channel, Inside, guests
from harness.serve.dotted import Resolved, resolve
from harness.serve.hosted import Hosted
from harness.serve.launch import make_folder, remove_folder
from harness.serve.left import end, processes_of
from harness.serve.private import InstalledApp, installed, of_path
from harness.serve.scheduler import run_real, run_virtual
from harness.serve.services import Services
from harness.serve.sockets import SocketNetwork
from harness.serve.stage import Stage
from harness.serve.virtual import VirtualHost, date, new_network, token
from harness.subjects import Subject, subject

GRACE_MS = 60_000
"""How long programs may take to end after the stack was closed, in virtual time."""
REAL_GRACE_MS = 10_000
"""The same in process runs."""
INNER_SEEDS = 1000
"""Where the seeds of hosts begin that programs of the stack's own side get."""
AGAIN = 2
"""How often what dies at its start is started again."""
SETTLED_MS = 200_000
"""How long what runs around a stack may take until it is up, in virtual time: longer than any fault holds it back."""
REAL_SETTLED_MS = 30_000
POLLS_MS = (20, 500)
"""How long between two looks at that: in the first second, and afterwards."""
REAL_LIMIT_MS = 300_000
"""A process run that is not over after five minutes hangs."""
ROOT = Path(__file__).resolve().parents[2]
BACKS = {"engine": "harness.serve.proxy:Proxy", "tape": "harness.replay.player:Player"}
"""The machine of a program on another back than the model's, which is the fake's own."""


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
    """Run a sheet to its end. census: count the places of the run as well. Raises Problem where it can't be run."""
    return _MODES[sheet.get("mode", "virtual")](sheet, subject(sheet["subject"]), census)


def _run_virtual(sheet: Mapping[str, Any], system: Subject, census: bool) -> Records:
    async def main() -> Records:
        stage = _stage(sheet, system, census)
        hosts: dict[str, VirtualHost] = {}
        locks: set[str] = set()
        meeting: dict[str, bytes] = {}
        async with trio.open_nursery() as nursery:
            network = new_network(stage, nursery)

            def new_host(name: str) -> tuple[VirtualHost, Callable[[str], list[str] | None]]:
                seed = sheet.get("seed", 0) + len(hosts)
                host = hosts[name] = VirtualHost(stage, nursery, seed, name, locks, meeting, network=network)
                return host, host.names_in

            inner: list[VirtualHost] = []

            def inner_host(parent: int) -> VirtualHost:
                seed = sheet.get("seed", 0) + INNER_SEEDS + len(inner)
                inner.append(VirtualHost(stage, nursery, seed, "", locks, meeting, parent, network))
                return inner[-1]

            def around() -> AbstractAsyncContextManager[None]:
                host = inner_host(0)
                mains = {program: resolve(channel.main) for program, channel in system.channels.items()}
                reads = partial(break_input, entry=sheet.get("broken"))
                host.inside = Inside(stage, nursery, system.channels, mains, inner_host, reads)
                return surrounded(host, system, stage.world, nursery, SETTLED_MS)

            play = Play(sheet, system, stage, new_host, around)
            await play.run(RUN_LIMIT_MS, GRACE_MS)
            files = {
                f"{name}/{path}" if name else path: data
                for name, host in hosts.items()
                for path, data in host.files().items()
            }
            play.wrote(files, {})
            play.left(files=sorted(files), locks=sorted(locks), sockets=sorted({*meeting, *network.listening()}))
            nursery.cancel_scope.cancel()
        return _records(play, {"<BIN>": "/trailcam/bin", "<STATE>": "/trailcam/state"})

    return run_virtual(main, sheet.get("seed", 0))


def _run_process(sheet: Mapping[str, Any], system: Subject, census: bool) -> Records:
    with planted(sheet.get("canaries") or ()) as home:
        return _run_processes(sheet, system, census, home)


@contextmanager
def planted(canaries: Sequence[Mapping[str, Any]]) -> Iterator[Callable[[], list[str]]]:
    """Canaries around the stack, as a user has secrets around it: variables of this process (`environment NAME`), and
    files in a home folder (`home PATH`) that HOME and CODEX_HOME name meanwhile. Gives what tells which files of that
    home are no longer as they were planted, as `home/PATH`."""
    before = dict(os.environ)
    home = Path(tempfile.mkdtemp(prefix="tc"))
    files: dict[str, bytes] = {}
    try:
        for canary in canaries:
            where, _, name = str(canary.get("planted", "")).partition(" ")
            if where == "environment":
                os.environ[name] = canary["value"]
            elif where == "home":
                path = home / name
                path.parent.mkdir(parents=True, exist_ok=True)
                files[name] = f"{canary['value']}\n".encode()
                path.write_bytes(files[name])
                os.environ.update(HOME=str(home), CODEX_HOME=str(home / ".codex"))
        yield lambda: _differing(files, _files(home))
    finally:
        os.environ.clear()
        os.environ.update(before)
        remove_folder(home)


def _differing(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[str]:
    """The files that are in one of the two and not in the other, or are otherwise, as `home/PATH`."""
    return sorted(f"home/{name}" for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def _run_processes(
    sheet: Mapping[str, Any], system: Subject, census: bool, changed_home: Callable[[], list[str]]
) -> Records:
    folder = make_folder(system.uses)
    states, locks = (Path(tempfile.mkdtemp(prefix="tc")) for _ in range(2))
    main_state, meeting = states / "state", states / "meet"
    for channel in system.channels.values():
        write_launcher(folder, channel, system.host, main_state, locks, meeting)

    def state_of(name: str) -> Path:
        return main_state / name if name else main_state

    async def main() -> Records:
        stage = _stage(sheet, system, census, may_block=True)
        async with trio.open_nursery() as nursery:
            services = Services(stage, nursery)
            await nursery.start(Hosted(stage, folder, system.channels, services).serve)
            table = {program: str(folder / program) for program in system.uses}
            network = SocketNetwork(services, folder)

            def new_host(name: str) -> tuple[WorldHost, Callable[[str], list[str] | None]]:
                real = resolve(system.host)(table, folder=state_of(name), locks=locks, meeting=meeting)
                host = WorldHost(real, stage, network)
                return host, lambda path: _names_in(path, states)

            def around() -> AbstractAsyncContextManager[None]:
                real = resolve(system.host)(table, folder=main_state, locks=locks, meeting=meeting)
                return surrounded(real, system, stage.world, nursery)

            play = Play(sheet, system, stage, new_host, around)
            try:
                await play.run(REAL_LIMIT_MS, REAL_GRACE_MS)
            finally:
                getattr(stage.world, "close", bool)()  # an engine ends with its run
            running = processes_of([str(folder), str(states)])
            files = _files(main_state)
            play.wrote(files, {path: f"{(main_state / path).stat().st_mode & 0o777:04o}" for path in files})
            files_left = [*sorted(files), *changed_home()]
            met = [path.name for path in meeting.iterdir()] if meeting.is_dir() else []
            sockets = sorted({*met, *network.listening()})
            names = [process.name for process in running]
            play.left(files=files_left, locks=held(locks), processes=names, sockets=sockets)
            end(running)
            nursery.cancel_scope.cancel()
        return _records(play, {"<BIN>": str(folder), "<STATE>": str(main_state)})

    try:
        return run_real(main, sheet.get("rate", 1))
    finally:
        for made in (folder, states, locks):
            remove_folder(made)


@asynccontextmanager
async def surrounded(
    host: Any, system: Subject, world: Any, tasks: trio.Nursery, settled_ms: float = REAL_SETTLED_MS
) -> AsyncIterator[None]:
    """The programs that run around a system's stack; those that still run at the end are asked to end. They have
    settled before the stack comes (`settled` of a world that can say so); the last of them is started again where it
    dies before that, as a user would. What they write to standard error goes nowhere: unread, it would stop them."""
    started: list[Any] = []

    async def begin(program: str) -> None:
        process = await host.start(program, [], env={}, cwd="/")
        started.append(process)
        tasks.start_soon(_unheard, process.stderr)

    for program in system.around:
        await begin(program)
    began = trio.current_time()
    with trio.move_on_after(settled_ms / 1000):
        while not getattr(world, "settled", True):
            await trio.sleep(POLLS_MS[trio.current_time() >= began + 1] / 1000)
            if started[-1].returncode is not None and len(started) < len(system.around) + AGAIN:
                await begin(system.around[-1])
    try:
        yield
    finally:
        for process in started:
            if process.returncode is None:
                process.terminate()
        with trio.move_on_after(REAL_GRACE_MS / 1000):
            for process in started:
                await process.wait()
        for process in started:
            if process.returncode is None:  # as a user ends a program that does not react
                process.kill()


async def _unheard(stream: Any) -> None:
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        async for _ in stream:
            pass


def write_launcher(folder: Path, channel: Channel, host: str, state: Path, locks: Path, meeting: Path) -> None:
    """The executable of a program of the stack's own side in a run folder: it runs the stack's code, on this state."""
    path = folder / channel.program
    path.write_text(LAUNCHER.format(
        python=sys.executable, code=str(ROOT), host=host, command=channel.command, folder=str(state),
        locks=str(locks), meeting=str(meeting),
    ), encoding="utf-8")  # fmt: skip
    path.chmod(0o700)


class WorldHost:
    """The stack's own host of real processes; its applications are the world's, its tokens and dates repeat, and what
    it reaches by address is the run's."""

    def __init__(self, host: Any, stage: Stage, network: SocketNetwork) -> None:
        self._host = host
        self._stage = stage
        self._network = network
        self._random = Random(stage.sheet.get("seed", 0))
        self._apps = installed(stage.world)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._host, name)

    async def dial(self, address: str) -> Any:
        return await self._network.dial(self._host, address)

    async def listen(self, address: str) -> Any:
        return await self._network.listen(self._host, address)

    def token(self, length: int) -> str:
        return token(self._random, length)

    def date(self) -> datetime:
        return date(self._stage)

    def applications(self, path: str | None = None) -> Sequence[InstalledApp]:
        return of_path(self._apps, path)


_MODES = {"virtual": _run_virtual, "process": _run_process}


def _records(play: Play, roots: Mapping[str, str]) -> Records:
    stage = play.stage
    places = stage.plan.census.places() if stage.plan.census else None
    return Records(play.sheet, play.history.lines, stage.events, stage.journal, places, roots)


def machines(sheet: Mapping[str, Any], system: Subject) -> dict[str, str]:
    """Program to the dotted name of its machine, by the sheet's `backs` (program to model, tape or engine)."""
    names = {**resolve(system.programs), **guests(system.channels)}
    backs = sheet.get("backs") or {}
    names.update({program: BACKS[back] for program, back in backs.items() if back in BACKS and program in names})
    return names


def placed(programs: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of programs with the paths of this machine, which no sheet has: of engines and tapes. Raises
    Problem where an engine is missing."""
    found = {}
    for program, settings in programs.items():
        if "engine" in settings:
            row = next((row for row in ENGINES if row.name == settings["engine"]), None)
            path = locate(row) if row is not None else None
            if path is None:
                seen = f"no engine {settings['engine']}"
                raise Problem(seen, "a real program behind the proxy", "`make engines` installs it")
            settings = {"path": str(path), **{key: each for key, each in settings.items() if key != "engine"}}
        elif "tape" in settings:
            settings = {**settings, "tape": str(ROOT / settings["tape"])}
        found[program] = settings
    return found


def world_of(sheet: Mapping[str, Any], system: Subject) -> str:
    """The dotted name of a run's world: where parts of it are real, the one with the engine. Raises Problem where that
    is missing."""
    backing = system.profiles[sheet["profile"]].backing if "profile" in sheet else None
    if backing is None or not any((sheet.get("backs") or {}).get(part) == "engine" for part in backing.parts):
        return system.world
    for row in ENGINES:
        if row.name in backing.needs and locate(row) is None:
            raise Problem(f"no engine {row.name}", "a real program behind the fakes", "`make engines` installs it")
    return backing.world


def _stage(sheet: Mapping[str, Any], system: Subject, census: bool, *, may_block: bool = False) -> Stage:
    programs = placed(sheet.get("programs") or {}) if sheet.get("backs") else sheet.get("programs")
    stage = Stage(
        {**sheet, "programs": programs},
        Resolved(machines(sheet, system)),  # type: ignore[arg-type]
        resolve(world_of(sheet, system)),
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


def _files(folder: Path) -> dict[str, bytes]:
    """Path below the folder -> content, of each file that is there."""
    if not folder.is_dir():
        return {}
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in folder.rglob("*")
        if not path.is_dir()
    }


def _names_in(path: str, states: Path) -> list[str] | None:
    """The names in a folder of the stack's state, sorted; None for any other path, and for what is no folder."""
    if not os.path.realpath(path).startswith(f"{os.path.realpath(states)}/") or not os.path.isdir(path):
        return None
    return sorted(os.listdir(path))
