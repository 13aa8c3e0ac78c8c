"""What a machine has and lacks for a live run of one system, and what to do by hand. Changes nothing.

Nothing missing means that a run may start. What has to be set by hand can't be seen by a program; it is listed, and a
run in which it is not set fails by itself.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from harness.live.machine import MAC, Machine
from harness.live.systems import LiveSystem

State = Literal["here", "missing", "not signed", "too old", "running", "by hand"]
STOPS: frozenset[State] = frozenset({"missing", "not signed", "too old", "running"})


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked for. found: what is there; means: what follows where it is not; do: what to do."""

    name: str
    state: State
    found: str
    means: str
    do: str

    @property
    def stops(self) -> bool:
        """Whether no run may start."""
        return self.state in STOPS

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def examine(system: LiveSystem, table: Mapping[str, str], machine: Machine) -> list[Check]:
    """Every check, in the order in which it is shown. table: program -> its official place."""
    mac = machine.system == MAC
    return [
        Check("macOS", "here" if mac else "missing", machine.release,
              "without it the real programs are not there, and nothing can be shown live", "use a Mac"),
        *(program_check(system, program, path, machine) for program, path in table.items()),
        *(
            Check(f"{each.name} does not run", "running" if found else "here", ", ".join(str(it.pid) for it in found),
                  "the run would read a window that is yours", f"quit {each.name}")
            for each in system.borrowed
            for found in [machine.running(each.mark)]
        ),
        *(Check(each.what, "by hand", "no program can see it", each.means, each.do) for each in system.by_hand),
    ]  # fmt: skip


def program_check(system: LiveSystem, program: str, path: str, machine: Machine) -> Check:
    """Whether a program lies at its official place, is signed by who made it, and is new enough."""
    means = f"claims about {program} can't be shown live"
    if not machine.is_there(path):
        return Check(program, "missing", "", means, system.get[program])
    if not machine.is_signed(path, system.signed[program]):
        return Check(program, "not signed", path, f"it is not the official program: {means}", system.get[program])
    if program in system.asked:  # only now: nothing is started whose maker is not known
        asked = system.asked[program]
        said = machine.said(path, asked.words)
        fits = re.search(asked.fits, said) is not None
        return Check(program, "here" if fits else "too old", f"{path}: {said}", asked.means, asked.do)
    return Check(program, "here", path, means, system.get[program])


def as_text(checks: Iterable[Check]) -> Iterator[str]:
    """A line a check; what is not here also says what that means and what to do."""
    for check in checks:
        yield f"{check.state:<12}{check.name:<30}{check.found}".rstrip()
        if check.state != "here":
            yield f"{'':<12}{check.means}; {check.do}"


def lacking(checks: Sequence[Check]) -> list[Check]:
    """The checks for which no run may start."""
    return [check for check in checks if check.stops]
