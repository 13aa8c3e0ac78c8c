"""A stub that is its own stage: one process, its machine, and the machines of its children in memory.

For clients of strangers, for benchmarks and for the tape player: one `poll` loop over stdin, stdout and stderr.
"""
from __future__ import annotations

import posix
import select
import sys
import time

from harness.serve.process import end, environment
from harness.serve.stage import Stage
from harness.serve.stub_signals import Signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from harness.faults.steps import Handler
    from harness.serve.outgoing import Output
    from harness.serve.session import Session

RUN = "run.json"
READ = 65536
DESCRIPTORS = {"out": 1, "err": 2}


def run_folder(folder: str, name: str, argv: list[str]) -> int:
    """Run the program `name` of a run folder (`run.json` beside the stub) to its end; the exit status."""
    from harness.serve.dotted import Resolved, resolve
    from harness.tape.event import line
    from harness.wire.jsontext import loads

    with open(f"{folder}/{RUN}", encoding="ascii") as file:
        sheet: Any = loads(file.read())
    sys.path.extend(sheet.get("wheels") or ())
    books = {
        book: posix.open(f"{folder}/{book}.jsonl", posix.O_CREAT | posix.O_APPEND | posix.O_WRONLY, 0o600)
        for book in ("journal", "world")
    }

    def sink(book: str, event: Mapping[str, Any]) -> None:
        posix.write(books[book], line(event).encode() + b"\n")

    stage = Stage(
        sheet,
        Resolved(sheet["machines"]),  # type: ignore[arg-type]
        resolve(sheet["world_factory"]),
        clock=clock(sheet.get("rate", 1)),
        sink=sink,
        keep=False,
        may_block=True,
    )
    try:
        return run(stage, name, argv, rate=sheet.get("rate", 1))
    finally:
        getattr(stage.world, "close", bool)()  # an engine ends with its program


def clock(rate: float) -> Any:
    """Seconds of the machine's monotonic clock, `rate` times as fast."""
    return lambda: time.monotonic() * rate


def run(stage: Stage, name: str, argv: list[str], rate: float = 1) -> int:
    """Run one program over the file descriptors 0, 1 and 2 to its end; the exit status (a signal's number negated)."""
    return Loop(stage, name, rate).run(argv)


class Loop:
    """The stdlib pump."""

    def __init__(self, stage: Stage, name: str, rate: float) -> None:
        self._stage = stage
        self._rate = rate
        self._main = stage.open(name)
        self._links: dict[int, tuple[Session, str]] = {}
        self._open = {"out", "err"}
        self._poll = select.poll()
        self._signals: Signals
        self._reading = True

    def run(self, argv: list[str]) -> int:
        with Signals() as self._signals:
            self._poll.register(0, select.POLLIN | select.POLLHUP)
            self._poll.register(self._signals.descriptor, select.POLLIN)
            lend = getattr(self._main.machine, "lend", None)
            if lend is not None:
                lend(self._within)
            self._main.begin(argv, environment(), self._now())
            self._settle()
            while self._main.status is None:
                self._turn()
            return self._main.status

    def _within(self, handler: Handler) -> Any:
        """Carry out a handler from inside of a step, and give what it returned. Where the program ends meanwhile, this
        process does: there is nothing to return to."""
        found: list[Any] = []

        def watched() -> Handler:
            found.append((yield from handler))  # type: ignore[func-returns-value]  # a handler may return an answer

        self._main.go(watched(), self._now())
        self._settle()
        while not found:
            if self._main.status is not None:
                end(self._main.status)
            self._turn()
        return found[0]

    def _turn(self) -> None:
        """Wait for what comes next, and let the machines have it."""
        for session in self._stage.sessions:
            session.machine.idle()
        if self._reading and "stdio" in self._main.unread:
            self._reading = False
            self._poll.unregister(0)
        ready = self._poll.poll(self._left_ms())
        for descriptor, _ in ready:
            if descriptor == self._signals.descriptor:
                for number in self._signals.take():
                    self._main.signal(number, self._now())
            elif self._reading:
                data = posix.read(0, READ)
                if data:
                    self._main.feed("stdio", data, self._now())
                else:
                    self._reading = False
                    self._poll.unregister(0)
                    self._main.end("stdio", self._now())
            self._settle()
        if not ready:
            self._settle()

    def _now(self) -> float:
        return time.monotonic() * self._rate

    def _left_ms(self) -> float | None:
        waiting = [due for session in self._stage.sessions if (due := session.due()) is not None]
        return max(0.0, (min(waiting) - self._now()) / self._rate * 1000) if waiting else None

    def _settle(self) -> None:
        """Carry out what the sessions gave, and every step that is due, until nothing is left to do now."""
        busy = True
        while busy:
            busy = False
            sessions = tuple(self._stage.sessions)
            for session in sessions:
                for output in session.take():
                    busy = busy or len(sessions) > 1  # what one says may be heard by another, and answered
                    self._carry_out(session, output)
                due = session.due()
                if due is not None and due <= self._now():
                    busy = True
                    session.tick(self._now())

    def _carry_out(self, session: Session, output: Output) -> None:
        match output:
            case ("write", "stdio", stream, data):
                if session is self._main:
                    self._write(stream, data)
                elif session.p in self._links and stream == "out":
                    parent, wire = self._links[session.p]
                    parent.feed(wire, data, self._now())
            case ("write", wire, _, data):
                child = session.children[wire]
                if child is not None:
                    child.feed("stdio", data, self._now())
            case ("close", "stdio", stream):
                if session is self._main:
                    self._shut(stream)
                elif session.p in self._links and stream == "out":
                    parent, wire = self._links[session.p]
                    parent.end(wire, self._now())
            case ("close", wire, _):
                child = session.children[wire]
                if child is not None:
                    child.end("stdio", self._now())
            case ("spawn", wire, child, step):
                if child is None:
                    raise OSError(f"{step.program}: a real program is started only where a stage hosts the stub")
                self._links[child.p] = (session, wire)
                self._stage.open(step.program, parent=session.p)
                child.begin(list(step.argv), dict(step.env), self._now())
            case ("kill", wire, number):
                child = session.children[wire]
                if child is not None:
                    child.signal(number, self._now())
            case ("exit", status):
                self._ended(session, status)

    def _ended(self, session: Session, status: int) -> None:
        for child in session.children.values():
            if child is not None and child.status is None:
                child.end("stdio", self._now())
        if session.p in self._links:
            parent, wire = self._links[session.p]
            parent.end(wire, self._now())
            parent.reaped(wire, status, self._now())

    def _write(self, stream: str, data: bytes) -> None:
        if stream not in self._open:
            return
        descriptor = DESCRIPTORS[stream]
        try:
            while data:
                data = data[posix.write(descriptor, data) :]
        except BrokenPipeError:
            self._open.discard(stream)

    def _shut(self, stream: str) -> None:
        """Close for good; the number stays taken by the null device, so that no later file gets it."""
        if stream in self._open:
            self._open.discard(stream)
            null = posix.open("/dev/null", posix.O_WRONLY)
            posix.dup2(null, DESCRIPTORS[stream])
            posix.close(null)
