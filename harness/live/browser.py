"""A browser that starts the stack's own side by itself: what a run puts around it, and takes away again.

The stack starts no browser: the browser starts the native host, after a manifest in the user's folders. While a run
lasts that manifest names the tap, and behind the tap is the host, on the state of this run alone. Afterwards there is
what was there before. Separate from `session`, which does the same for every system.
"""
from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import trio

from harness.live.machine import MAC
from harness.live.systems import Registers
from harness.problem import Problem
from harness.scenario.runner import write_launcher
from harness.serve.dotted import resolve
from harness.serve.launch import PYTHON
from harness.serve.left import end, processes_of
from harness.subjects import Subject

CONNECTS_MS = 90_000
"""How long the extension may take: it looks every 30 s by itself, and a person may have to press a button."""
LOOK_MS = 20
OWN, MEETING = "own", "meet"
"""Folders of a run: its native host, and where hosts and servers of this run find each other."""

AS_BROWSERS_DO = """#!{python} -SE
import json, os, sys
with open({path!r}, encoding="utf-8") as file:
    program = json.load(file)["path"]
os.execv(program, [program, *sys.argv[1:]])
"""
"""What stands for the native host beside a fake browser: it starts whatever the manifest names."""


def manifest_path(registers: Registers, home: str) -> Path:
    """Where the browser looks first for the manifest of the stack's host."""
    system = "macos" if sys.platform == MAC else "linux"
    return Path(resolve(f"{registers.tables}:places")(registers.browser, system, home)[0])


@contextmanager
def registered(registers: Registers, program: str, home: str) -> Iterator[None]:
    """The manifest names `program`; afterwards it is as it was, or gone where there was none."""
    path = manifest_path(registers, home)
    before = path.read_bytes() if path.is_file() else None
    _put(path, resolve(f"{registers.tables}:manifest")(program))
    try:
        yield
    finally:
        if before is None:
            path.unlink(missing_ok=True)
        else:
            _put(path, before)


def _put(path: Path, data: bytes) -> None:
    """Whole or not at all: the browser may be reading it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.new")
    draft.write_bytes(data)
    draft.chmod(0o600)
    os.replace(draft, path)


def started_by(registers: Registers, folder: Path, home: str) -> None:
    """Put into a fake browser's folder what it starts as its native host."""
    path = folder / "host"
    path.write_text(AS_BROWSERS_DO.format(python=PYTHON, path=str(manifest_path(registers, home))), encoding="utf-8")
    path.chmod(0o700)


def own_host(subject: Subject, registers: Registers, folder: Path, state: Path) -> dict[str, str]:
    """The native host of this run, as the program that is tapped -> its path. folder: of the run."""
    (folder / OWN).mkdir()
    channel = subject.channels[registers.channel]
    write_launcher(folder / OWN, channel, subject.host, state, folder / "locks", folder / MEETING)
    return {registers.channel: str(folder / OWN / channel.program)}


@asynccontextmanager
async def connected(
    registers: Registers, folder: Path, home: str, browser: Callable[[], AbstractAsyncContextManager[None]]
) -> AsyncIterator[None]:
    """A run while the browser's extension is connected through the tap. browser: what brings it to that. Raises Problem
    where nothing connects."""
    with registered(registers, str(folder / "taps" / registers.channel), home):
        async with browser():
            with trio.move_on_after(CONNECTS_MS / 1000) as limit:
                while not list((folder / MEETING).glob("*.json")):
                    await trio.sleep(LOOK_MS / 1000)
            if limit.cancelled_caught:
                raise Problem(f"no extension has connected within {CONNECTS_MS} ms", "a browser with the extension",
                              "see `trailcam live --doctor`, by hand")
            yield
    let_go(folder)


def let_go(folder: Path) -> None:
    """End the host of this run where its browser stays: by now its manifest leads elsewhere."""
    end(processes_of([str(folder / OWN)]))


def turned(
    journal: list[dict[str, Any]], subject: Subject, wires: dict[str, dict[str, str]]
) -> list[dict[str, Any]]:
    """A joined tape in which what was recorded before the stack's own side is told from the other end, as on every tape
    of a run: the channel is a program of the browser's, and what it says comes from it. wires: of the tape's header, to
    which the stack's side is added."""
    found: list[dict[str, Any]] = []
    guests: dict[int, int] = {}
    free = max((int(event["p"]) for event in journal), default=0) + 1
    for event in journal:
        channel = subject.channels.get(str(event.get("program"))) if event["e"] == "started" else None
        if channel is not None:
            guests[event["p"]] = free + len(guests)
            wires[channel.program] = {"stdio": "lines"}
            found += [event, {**event, "p": guests[event["p"]], "program": channel.program}]
        elif event["p"] in guests:
            found.append(_turned(event, guests[event["p"]]))
        else:
            found.append(event)
    return [{**event, "n": number} for number, event in enumerate(found)]


OTHER: Mapping[str, str] = {"in": "out", "out": "in"}


def _turned(event: Mapping[str, Any], guest: int) -> dict[str, Any]:
    """What went into the host is what the channel said; what else there is of the process is the host's own."""
    if event.get("s") in OTHER:
        return {**event, "s": OTHER[event["s"]]}
    return {**event, "p": guest}
