"""Our own native host, registered for one profile of a real Chromium, and its processes counted.

Separate from `bridge`, where a test speaks for the host. A host is found by the folder in its command line, which no
other process has; that one has ended is seen by the system's own word, without looking again and again.
"""

from __future__ import annotations

import json
import os
import select
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fakes.fronts import chrome_host
from stack.host import RealHost
from tests.stack.chrome.browser.bridge import ROOT
from tests.stack.chrome.browser.chrome import ORIGIN

RUNS = """import sys
from pathlib import Path
from stack.chrome.__main__ import main
from stack.host import RealHost
folder = Path({folder!r})
raise SystemExit(main(sys.argv[1:], lambda: RealHost(folder=folder / "state", meeting=folder / "meet")))"""
IGNORES = """import sys, time
folder = {folder!r}
while True:
    time.sleep(60)"""
"""A host that heeds no end of its input: what every count here has to see."""


def install(profile: Path, runs: str = RUNS) -> None:
    """Register a host for one profile: the stack's own, or the program that is given."""
    program = profile / "host.sh"
    code = runs.format(folder=str(profile))
    words = f"cd {shlex.quote(str(ROOT))} && exec {shlex.quote(sys.executable)} -c {shlex.quote(code)}"
    program.write_text(f'#!/bin/sh\n{words} "$@"\n')
    program.chmod(0o700)
    folder = profile / "NativeMessagingHosts"
    folder.mkdir(exist_ok=True)
    (folder / f"{chrome_host.NAME}.json").write_text(json.dumps(chrome_host.manifest(str(program), ORIGIN)))


def server(profile: Path) -> RealHost:
    """What a server of the same user has: it meets the hosts of this profile and no others."""
    return RealHost(folder=profile / "server", meeting=profile / "meet")


def counted(profile: Path) -> set[int]:
    """Numbers of the host processes of a profile that run now."""
    found = set()
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                words = Path("/proc", entry, "cmdline").read_bytes().split(b"\0")
                state = Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue  # it ended meanwhile
            if len(words) > 2 and words[1] == b"-c" and str(profile).encode() in words[2] and state != "Z":
                found.add(int(entry))
    return found


@contextmanager
def watched(pids: set[int]) -> Iterator[dict[int, int]]:
    """Handles of processes, by which their ends are seen."""
    handles = {pid: os.pidfd_open(pid) for pid in pids}
    try:
        yield handles
    finally:
        for handle in handles.values():
            os.close(handle)


def left(handles: dict[int, int], patience_s: float) -> set[int]:
    """Those of the watched processes that have not ended after so long."""
    open_ = dict(handles)
    while open_:
        ready, _, _ = select.select(list(open_.values()), [], [], patience_s)
        if not ready:
            break
        open_ = {pid: handle for pid, handle in open_.items() if handle not in ready}
    return set(open_)
