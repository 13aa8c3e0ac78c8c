"""One rehearsal of the whole live path a system, made when a test first asks for it."""
from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

from harness.claims import load_claims
from harness.commands.live import load_all
from harness.live.machine import ThisMachine
from harness.live.places import rehearsal
from harness.live.results import Results
from harness.live.systems import SYSTEMS
from harness.live.work import Work
from harness.subjects import subject
from tests.tidy.tree import ROOT

OF = subject("computer-use")
ROW = SYSTEMS["computer-use"]
CLAIMS = ROOT / "scenarios" / "claims"


class Rehearsed(NamedTuple):
    """out: its folder; said: its progress."""

    results: Results
    out: Path
    said: list[str]


def rehearsed(name: str = OF.name) -> Rehearsed:
    """The one rehearsal of a system in this process."""
    return made(name)


@cache
def made(name: str) -> Rehearsed:
    """The rehearsal of everything of a system that is opted in, in a folder that goes with the process."""
    of, row = subject(name), SYSTEMS[name]
    out = Path(tempfile.mkdtemp(prefix="rehearsed"))
    atexit.register(shutil.rmtree, out, ignore_errors=True)
    machine = ThisMachine(of)
    claims = load_claims(CLAIMS)
    said: list[str] = []
    scenarios = load_all(ROOT / "scenarios" / "live", claims, of)
    work = Work(row, of, claims, CLAIMS, machine, rehearsal(of, machine), out, said.append)
    return Rehearsed(work.do(scenarios), out, said)
