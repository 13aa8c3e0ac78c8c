"""Taps before real programs, driven through their pipes. Every wait is for something that happens, within a bound."""
from __future__ import annotations

import fcntl
import os
import select
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from harness.tape.event import get_bytes
from harness.tape.read import load

ROOT = Path(__file__).resolve().parents[3]
REAL = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
MEASURED = any(name.startswith("COVERAGE_PROCESS") for name in os.environ)
PYTHON = [sys.executable] if MEASURED else [REAL, "-SE"]
"""What taps run on. Under measurement it is the environment's interpreter: one without site can't be measured."""
TAP = [*PYTHON, str(ROOT / "harness" / "record" / "__main__.py")]

WAIT_S = 60
"""What no wait here comes near to unless something is broken."""

ECHO = """
import os
while data := os.read(0, 65536):
    while data:
        data = data[os.write(1, data):]
"""
"""A program that gives back what it gets."""


def program(source: str, *words: str) -> list[str]:
    """The command of a program given as its text."""
    return [REAL, "-SE", "-c", source, *words]


class Session:
    """A client and a tap (or, for comparison, the program alone), by raw descriptors."""

    def __init__(self, command: Sequence[str | bytes], **how: Any) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(command, bufsize=0, **{**pipes, **how})
        self.pid = self.process.pid

    @property
    def to(self) -> int:
        assert self.process.stdin
        return self.process.stdin.fileno()

    @property
    def out(self) -> int:
        assert self.process.stdout
        return self.process.stdout.fileno()

    @property
    def err(self) -> int:
        assert self.process.stderr
        return self.process.stderr.fileno()

    def send(self, data: bytes) -> None:
        while data:
            data = data[os.write(self.to, data) :]

    def close_stdin(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()

    def status(self) -> int:
        """The exit status, a signal's number negated; waits for it."""
        return self.process.wait(WAIT_S)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()
        self.process.kill()
        self.process.wait()


def tapped_command(tape: Path | str, command: Sequence[str], *options: str) -> list[str]:
    """The command of a tap that writes `tape` before `command`."""
    return [*TAP, "--out", str(tape), *options, "--", *command]


def tapped(tape: Path | str, command: Sequence[str], *options: str, **how: Any) -> Session:
    """A session of `command` behind a tap that writes `tape`."""
    return Session(tapped_command(tape, command, *options), **how)


def wait_for(descriptor: int, events: int = select.POLLIN) -> None:
    """Until a descriptor is ready."""
    waiting = select.poll()
    waiting.register(descriptor, events)
    assert waiting.poll(WAIT_S * 1000), "nothing happened"


def read_some(descriptor: int) -> bytes:
    wait_for(descriptor)
    return os.read(descriptor, 65536)


def read_exactly(descriptor: int, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        wait_for(descriptor)
        more = os.read(descriptor, min(1 << 20, size - len(data)))
        assert more, f"the stream ended after {len(data)} of {size} bytes: {bytes(data[-200:])!r}"
        data += more
    return bytes(data)


def read_line(descriptor: int) -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        line += read_exactly(descriptor, 1)
    return line


def read_all(descriptor: int) -> bytes:
    data = bytearray()
    while more := read_some(descriptor):
        data += more
    return bytes(data)


def has_ended(pid: int) -> None:
    """Wait until a process, not necessarily a child of this one, has ended."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        wait_for(descriptor)
    finally:
        os.close(descriptor)


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait for something that no descriptor tells of, a line of a file for instance: looked at again and again."""
    waiting = select.poll()
    for _ in range(WAIT_S * 200):
        if holds():
            return
        waiting.poll(5)
    raise AssertionError(f"waited in vain for {what}")


def children(pid: int) -> list[int]:
    """The processes that a process has started and that live."""
    return [int(text) for text in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def writer_of(pid: int) -> int:
    """The tap's writer process: the child that is in a session of its own, and no zombie."""
    found = [child for child in children(pid) if os.getsid(child) == child and is_alive(child)]
    assert len(found) == 1, found
    return found[0]


def is_alive(pid: int) -> bool:
    return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()


def events(tape: Path | str, *, killed: bool = False) -> list[dict[str, Any]]:
    """The events of a tape, strictly read, once nobody writes it any more.

    killed: its writer was killed, so that its last line may be torn.
    """
    until(lambda: is_closed(tape), "the writer to end")
    return load(str(tape), killed="accept" if killed else "refuse")[1]


def is_closed(path: Path | str) -> bool:
    """Whether no process has a file open for writing: only then does Linux give a lease for reading it."""
    with open(path, "rb") as file:
        try:
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        except BlockingIOError:
            return False
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        return True


def of_kind(found: Sequence[dict[str, Any]], *kinds: str) -> list[dict[str, Any]]:
    return [event for event in found if event["e"] in kinds]


def stream(found: Sequence[dict[str, Any]], name: str) -> bytes:
    """The bytes of one stream on a tape."""
    return b"".join(get_bytes(event) for event in found if event["e"] == "bytes" and event["s"] == name)


def has_event(tape: Path, kind: str) -> bool:
    """Whether an event of a kind stands near the end of a tape that is still being written."""
    if not tape.exists():
        return False
    with tape.open("rb") as file:
        file.seek(max(0, tape.stat().st_size - 8192))
        return f'"e":"{kind}"'.encode() in file.read()
