"""Where the programs of one run are: the real ones at their official places, or our fakes in a run folder.

The two differ in this table and in nothing else, so that a rehearsal shows the path that a live run takes.
"""
from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import trio

from harness.live.browser import started_by
from harness.live.machine import Machine, official_table
from harness.live.origins import Proof, back_of_all
from harness.live.pages import address_of
from harness.live.systems import SYSTEMS, LiveSystem
from harness.scenario.runner import surrounded
from harness.serve.channel import guests
from harness.serve.dotted import Resolved, resolve
from harness.serve.hosted import Hosted
from harness.serve.launch import make_folder, remove_folder
from harness.serve.private import InstalledApp, installed
from harness.serve.stage import Stage
from harness.subjects import Subject


@dataclass(frozen=True, slots=True)
class Places:
    """table: program -> path. proofs: what was seen of each. versions: what programs said of
    themselves, or of fakes what they stand for. settings: of the
    stack, over those of the scenario. applications: None for the machine's own. locks: None for the user's own folder.
    folders: of this run, by which its processes are known. home: of the user, in which browsers look for their native
    hosts; browser: what has one come to start it."""

    table: Mapping[str, str]
    proofs: Mapping[str, Proof]
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    applications: Sequence[InstalledApp] | None = None
    locks: Path | None = None
    folders: tuple[str, ...] = ()
    home: str = ""
    browser: Callable[[], AbstractAsyncContextManager[None]] = nullcontext

    @property
    def back(self) -> str:
        """`live`, or `model`."""
        return back_of_all(self.proofs.values())


Open: TypeAlias = Callable[[Mapping[str, Any]], AbstractAsyncContextManager[Places]]
"""Gives the places for one run sheet, for as long as its run lasts."""


def real(system: LiveSystem, subject: Subject, machine: Machine) -> Open:
    """The real programs. Signatures are checked and versions asked for here, once for all runs."""
    table = official_table(subject)
    proofs = {
        program: Proof(machine.system, path, path, machine.is_signed(path, system.signed[program]))
        for program, path in table.items()
    }

    versions = {
        program: machine.said(table[program], asked.words)
        for program, asked in system.asked.items()
        if proofs[program].signed
    }

    @asynccontextmanager
    async def opened(sheet: Mapping[str, Any]) -> AsyncIterator[Places]:
        browser = partial(own_tab, system, subject, address_of(sheet))
        yield Places(table, proofs, system.settings, versions, home=str(Path.home()), browser=browser)

    return opened


def rehearsal(subject: Subject, machine: Machine) -> Open:
    """Our fakes, as processes in a run folder; the world that they share is the sheet's."""
    official = official_table(subject)
    registers = SYSTEMS[subject.name].registers

    @asynccontextmanager
    async def opened(sheet: Mapping[str, Any]) -> AsyncIterator[Places]:
        folder = make_folder(subject.uses)
        locks = Path(tempfile.mkdtemp(prefix="tc"))
        home = str(folder / "home")
        if registers is not None:
            started_by(registers, folder, home)
        try:
            async with trio.open_nursery() as nursery:
                machines = {**resolve(subject.programs), **guests(subject.channels)}
                stage = Stage(
                    sheet, Resolved(machines), resolve(subject.world),  # type: ignore[arg-type]
                    clock=trio.current_time, may_block=True,
                )  # fmt: skip
                await nursery.start(Hosted(stage, folder, subject.channels).serve)
                table = {program: str(folder / program) for program in official}
                proofs = {name: Proof(machine.system, path, official[name], False) for name, path in table.items()}
                versions = subject.profiles[sheet["profile"]].versions
                host = resolve(subject.host)({program: str(folder / program) for program in subject.around},
                                             folder=folder / "around", locks=locks)  # fmt: skip
                browser = partial(surrounded, host, subject, stage.world, nursery)
                yield Places(table, proofs, {}, versions, installed(stage.world), locks, (str(folder), str(locks)),
                             home, browser)  # fmt: skip
                nursery.cancel_scope.cancel()
        finally:
            remove_folder(locks)
            remove_folder(folder)

    return opened


@asynccontextmanager
async def own_tab(system: LiveSystem, subject: Subject, address: str) -> AsyncIterator[None]:
    """The run's page in a tab of the person's browser, which stays."""
    if system.registers is not None:
        folder = Path(tempfile.mkdtemp(prefix="tc"))
        try:
            program, *words = system.registers.opens
            host = resolve(subject.host)({"open": program}, folder=folder, locks=folder)
            async with await host.start("open", [*words, address], env={}, cwd="/") as process:
                await process.wait()
        finally:
            remove_folder(folder)
    yield
