"""What the runner left, as a kept run: with the origin of every program that took part, and hashes of what it ran on.

Separate from the runner, which knows nothing of evidence. Nobody says an origin: it follows from the sheet's backs.
"""
from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.judged.run import Judged, judge_run
from harness.kept.origin import Origin
from harness.kept.run import KeptRun, Provenance, save
from harness.kept.sources import source_hashes
from harness.scenario.runner import ROOT, Records
from harness.subjects import SUBJECTS, subject
from harness.tape.read import read as read_tape

GUESTS = frozenset(channel.program for system in SUBJECTS.values() for channel in system.channels.values())
"""Programs of the stack's own side: they are what is under verification, so nothing stands behind them."""
NAME_LENGTH = 16
"""Digits of a run's hash that name its folder."""


def judge_records(records: Records) -> Judged:
    """What the runner left, judged."""
    return judge_run(kept(records))


def kept(records: Records) -> KeptRun:
    """What the runner left. Raises KeptProblem where it is not what the laws can judge."""
    sheet = records.sheet
    system = subject(sheet["subject"])
    started = sorted({event["program"] for event in records.journal if event["e"] == "started"})
    origins = {program: origin_of(program, sheet) for program in started if program not in GUESTS}
    for program, names in system.inside.items():
        if program in origins:
            origins.update(inside(sheet, records.world, origins[program], names))
    hashes = source_hashes(system.packages, tapes_of(sheet))
    return KeptRun(sheet, records.history, records.world, records.journal, Provenance(sys.platform, hashes, origins))


def inside(
    sheet: Mapping[str, Any], world: Sequence[Mapping[str, Any]], outer: Origin, names: Sequence[str]
) -> dict[str, Origin]:
    """The origins of what a program has in it: its own, or the engine's that the world held. An engine that was never
    started took no part."""
    origins = dict.fromkeys(names, outer)
    for name in [name for name in names if (sheet.get("backs") or {}).get(name) == "engine"]:
        del origins[name]
        for line in world:
            if line["e"] == "held" and line["what"] == "engine":
                origins[name] = Origin("engine", line["id"])
    return origins


def tapes_of(sheet: Mapping[str, Any]) -> list[str]:
    """The tapes that stand behind programs of a sheet."""
    backs = sheet.get("backs") or {}
    return [str(ROOT / sheet["programs"][program]["tape"]) for program, back in backs.items() if back == "tape"]


def origin_of(program: str, sheet: Mapping[str, Any]) -> Origin:
    """What stood behind a program of a run."""
    back = (sheet.get("backs") or {}).get(program, "model")
    if back == "tape":
        header, events = read_tape(str(ROOT / sheet["programs"][program]["tape"]), killed="accept")
        events.close()
        return Origin.of_tape(header, program)
    profile = subject(sheet["subject"]).profiles[sheet["profile"]]
    return Origin(back, profile.versions.get(program, "unknown"))


def keep(judged: Judged, folder: Path) -> Path:
    """Save a run in a folder of its own; that folder."""
    path = folder / judged.run.name[:NAME_LENGTH]
    save(judged.run, path, judged.run.sheet.get("wires"))
    return path
