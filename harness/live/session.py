"""One scenario of a live run: played on the stack, taped, ended, and given as a kept run. Nothing of it stays.

An interrupt (Ctrl-C, SIGTERM, a closed terminal) takes the same way out as the end: calls are taken back, the stack
closes what it opened, for at most `STOP_MS`, whatever process still names a folder of the run is ended by its number,
the folders are removed.
"""
from __future__ import annotations

import signal
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import trio

from harness.kept.run import KeptRun, Provenance
from harness.kept.sources import source_hashes
from harness.live.browser import MEETING, connected, own_host, turned
from harness.live.host import TappedHost
from harness.live.machine import Machine
from harness.live.origins import origins, versions_said
from harness.live.pages import served
from harness.live.places import Open, Places
from harness.live.play import LivePlay
from harness.live.systems import Borrowed, LiveSystem
from harness.live.taps import joined, write_taps
from harness.live.witness import Witness
from harness.scenario.runner import REAL_LIMIT_MS
from harness.serve.dotted import resolve
from harness.serve.launch import remove_folder
from harness.serve.left import Left, end, processes_of
from harness.serve.scheduler import run_real
from harness.subjects import Subject

ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
SETTLE_MS = 10_000
"""How long programs and the writers of tapes may take to end after the stack was closed."""
STOP_MS = 30_000
"""How long an interrupted run may take to take its calls back and to close its stack."""
LOOK_MS = 20
GIVE_BACK_MS = 5_000
"""How long an application that the run started may take to quit."""


@dataclass(slots=True)
class Session:
    """One run. tapes: an empty folder, in which the tapes of its programs stay. stays: what could not be ended."""

    sheet: Mapping[str, Any]
    system: LiveSystem
    subject: Subject
    machine: Machine
    open_places: Open
    tapes: Path
    stays: list[str]
    interrupted: bool = False

    def run(self) -> KeptRun:
        """The kept run. Raises KeyboardInterrupt where it was interrupted, Problem where nothing was started."""
        folder = Path(tempfile.mkdtemp(prefix="tc"))
        try:
            made = run_real(lambda: self._main(folder), 1)
        except BaseExceptionGroup as group:
            raise sole(group) from None
        finally:
            end(processes_of([str(folder)]))
            remove_folder(folder)
        if made is None:
            raise KeyboardInterrupt
        return made

    async def _main(self, folder: Path) -> KeptRun | None:
        async with served(self.sheet) as given, self.open_places(given) as places:
            sheet = {**unseen(given), "back": places.back, "settings": {**given["settings"], **places.settings}}
            if places.back == "live":
                sheet.update(world={}, programs={})  # what fakes are told, which nobody here is
            state = folder / "state"
            registers, own = self.system.registers, dict[str, str]()
            around: Callable[[], AbstractAsyncContextManager[None]] = nullcontext
            if registers is not None:
                own = own_host(self.subject, registers, folder, state)
                around = partial(connected, registers, folder, places.home, places.browser)
            write_taps(folder / "taps", self.tapes, self.system.taps, {**places.table, **own}, places.back)
            witness = Witness(sheet)
            made = [str(folder), *places.folders]
            host = self._host(folder, state, places)
            play = LivePlay(sheet, self.subject, witness, host, around, carries=self.system.carries)
            try:
                await self._play(play)
            finally:
                with trio.CancelScope(shield=True):
                    running = await settled(made, SETTLE_MS)
                    end(running)
                    if places.back == "live":
                        self.stays += await give_back(self.system.borrowed, self.machine, self._real(places, state))
            if self.interrupted:
                return None
            files = files_below(state)
            play.wrote(files, {path: f"{(state / path).stat().st_mode & 0o777:04o}" for path in files})
            names = [process.name for process in running]
            play.history.note("left", processes=names, files=sorted(files), sockets=None, locks=None)
        return self._kept(sheet, witness, play.history.lines, places)

    async def _play(self, play: LivePlay) -> None:
        """Play to the end, or until somebody wants the run to end. A second signal changes nothing: `make` and a
        terminal send one to the whole group besides."""
        with trio.open_signal_receiver(*ENDS) as signals:
            async with trio.open_nursery() as nursery:
                scope = trio.CancelScope()

                async def watch() -> None:
                    async for _ in signals:
                        self.interrupted = True
                        scope.deadline = min(scope.deadline, trio.current_time() + STOP_MS / 1000)
                        play.stop()

                nursery.start_soon(watch)
                with scope:
                    await play.run(REAL_LIMIT_MS, 0)
                nursery.cancel_scope.cancel()

    def _real(self, places: Places, state: Path, meeting: Path | None = None) -> Any:
        return resolve(self.subject.host)(places.table, folder=state, locks=places.locks, meeting=meeting)

    def _host(
        self, folder: Path, state: Path, places: Places
    ) -> Callable[[str], tuple[TappedHost, Callable[[str], list[str] | None]]]:
        def new_host(name: str) -> tuple[TappedHost, Callable[[str], list[str] | None]]:
            of_stack = state / name if name else state
            shims = folder / "taps"
            table = {program: str(shims / program) for program in self.system.taps}
            taps = resolve(self.subject.host)(table, folder=of_stack, locks=places.locks)
            meeting = folder / MEETING if self.system.registers is not None else None
            real = self._real(places, of_stack, meeting)
            host = TappedHost(real, taps, self.system.taps, str(shims), places.applications)
            return host, lambda path: names_in(Path(path), state)

        return new_host

    def _kept(
        self, sheet: Mapping[str, Any], witness: Witness, history: Sequence[Mapping[str, Any]], places: Places
    ) -> KeptRun:
        versions = {**places.versions, **versions_said(history, self.system.said)}
        header, journal = joined(self.tapes, versions, self.system.taps)
        journal = turned(journal, self.subject, header.wires)
        began: Any = header.clock["began_ns"]
        found = origins(places.proofs, versions, self.machine.release)
        for program, names in self.subject.inside.items():
            found.update(dict.fromkeys(names, found[program]))
        provenance = Provenance(sys.platform, source_hashes(self.subject.packages), found)
        return KeptRun(sheet, witness.placed(history, began, journal), [], journal, provenance, header)


def unseen(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """The sheet of a run whose world nobody sees: what a call means and what the whole is for are held against a world
    record by the laws, so without one they would call everything broken that was done."""
    steps = [{**step, "means": None} if "call" in step else step for step in sheet["steps"]]
    return {**sheet, "steps": steps, "goal": []}


def sole(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The one error that nurseries have wrapped; the group itself where there are several."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return group if isinstance(error, BaseExceptionGroup) else error


async def settled(folders: Sequence[str], limit_ms: float) -> list[Left]:
    """The processes that name one of these folders when there are none any more, or after `limit_ms`."""
    with trio.move_on_after(limit_ms / 1000):
        while processes_of(folders):
            await trio.sleep(LOOK_MS / 1000)
    return processes_of(folders)


async def give_back(borrowed: Sequence[Borrowed], machine: Machine, host: Any) -> list[str]:
    """Ask the applications that the run started to quit; those that did not. None of them ran before the run."""
    stays = []
    for each in borrowed:
        for process in machine.running(each.mark):
            host.signal(process.pid, signal.SIGTERM)
        with trio.move_on_after(GIVE_BACK_MS / 1000):
            while machine.running(each.mark):
                await trio.sleep(LOOK_MS / 1000)
        stays += [f"{each.name}, process {process.pid}: quit it" for process in machine.running(each.mark)]
    return stays


def files_below(folder: Path) -> dict[str, bytes]:
    """Path below the folder -> content, of each file."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def names_in(path: Path, state: Path) -> list[str] | None:
    """The names in a folder of the stack's state, sorted; None for any other path."""
    inside = path.resolve().is_relative_to(state.resolve()) and path.is_dir() and path.resolve() != state.resolve()
    return sorted(entry.name for entry in path.iterdir()) if inside else None
