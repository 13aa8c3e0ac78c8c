"""The taps of one run: a shim before each program that may have one, and their tapes joined into one.

Redacted before it reaches the disk: what the tap's built-in rules find, and the user's home folder, which names them.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from harness.problem import Problem
from harness.record.options import parse
from harness.record.shim import write_shims
from harness.tape.header import Header
from harness.tape.join import join, open_segments

OF_THIS_RUN = "this-run"
"""Stands for the boot where the system does not tell it (macOS): tapes of one run are of one boot all the same."""


def write_taps(folder: Path, tapes: Path, taps: Mapping[str, str], table: Mapping[str, str], strength: str) -> None:
    """A shim in `folder` for each program of `taps` (program -> dialect), before its place in `table`."""
    tapes.mkdir(parents=True, exist_ok=True)
    home = f"pattern:{re.escape(str(Path.home()))}"
    for program, dialect in taps.items():
        words = ["--shim", str(folder), "--out", str(tapes), "--dialect", dialect, "--strength", strength]
        write_shims(parse([*words, "--redact", home, f"{program}={table[program]}"]))


def joined(
    tapes: Path, versions: Mapping[str, str], names: Iterable[str]
) -> tuple[Header, list[dict[str, Any]]]:
    """The tapes of a folder as one: header and events. versions: of the programs that spoke, of which there are
    `names`. Raises Problem where no program was started, and TapeProblem."""
    paths = sorted(str(path) for path in tapes.glob("*.jsonl"))
    if not paths:
        raise Problem("no tape: no program was started", "a tape of each program", "see what the stack answered")
    segments = open_segments(paths)
    try:
        for segment in segments:
            segment.header.clock.setdefault("boot", OF_THIS_RUN)
        header, events = join(segments)
        journal = [dict(event) for event in events]
    finally:
        for segment in segments:
            segment.close()
    header.origin["products"] = [{"name": name, "version": versions.get(name, "unknown")} for name in sorted(names)]
    return header, journal
