"""Jobs in this process, or each in a forked child of its own, several at once.

A child inherits all that was imported and built, does its job, writes the answer as JSON into a pipe, and is gone: what
a job does to its process (a changed stack, memory, a hang) touches no other. A child that ends without an answer is
`Lost`, with the reason. Nothing here is random or timed but by the kernel's own limits.
"""
from __future__ import annotations

import json
import os
import resource
import select
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from harness.garbage import collect_rarely
from harness.guard import GUARD

Job: TypeAlias = Callable[[], Any]
"""Gives plain JSON."""
READ = 1 << 20
MEMORY_BYTES = 4 << 30
"""Address space of a child: a changed stack that hoards is stopped by its own allocation."""
HANGS = {signal.SIGPROF: "hangs", signal.SIGALRM: "hangs without computing"}
WALL_FACTOR = 20
"""A run that waits in real time for so many times its bound of computing hangs too."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A child gave no answer. why: in words; defect: the job raised, so the fault is not of what it tried."""

    why: str
    defect: bool = False


def limit_run(cpu_s: float) -> None:
    """From now on this process may compute for so many seconds (0: without end), then the kernel ends it."""
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    signal.setitimer(signal.ITIMER_REAL, cpu_s * WALL_FACTOR)


def in_process(jobs: Sequence[Job]) -> Iterator[tuple[int, Any]]:
    """(number of the job, answer) in their order."""
    for number, job in enumerate(jobs):
        yield number, job()


def forked(jobs: Sequence[Job], at_once: int) -> Iterator[tuple[int, Any]]:
    """(number of the job, answer or Lost) as they come, each job in a child of its own."""
    left = iter(enumerate(jobs))
    children: dict[int, _Child] = {}
    poll = select.poll()
    try:
        while True:
            while len(children) < max(1, at_once) and (next_job := next(left, None)) is not None:
                child = _Child(*next_job)
                children[child.pipe] = child
                poll.register(child.pipe, select.POLLIN | select.POLLHUP)
            if not children:
                return
            for pipe, _ in poll.poll():
                child = children[pipe]
                if child.read():
                    continue
                poll.unregister(pipe)
                del children[pipe]
                yield child.number, child.answer()
    finally:
        for child in children.values():
            child.abandon()


class _Child:
    def __init__(self, number: int, job: Job) -> None:
        self.number = number
        self.pipe, writing = os.pipe()
        self._data = bytearray()
        sys.stdout.flush()
        sys.stderr.flush()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self.pipe)
            _work(job, writing)
        os.close(writing)

    def read(self) -> bool:
        """Whether more may come."""
        data = os.read(self.pipe, READ)
        self._data += data
        return bool(data)

    def answer(self) -> Any:
        os.close(self.pipe)
        _, status = os.waitpid(self._pid, 0)
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            return Lost(HANGS.get(signal.Signals(number), f"ends with signal {number}"))
        answer = json.loads(self._data) if self._data else {"defect": "ends without an answer"}
        return Lost(answer["defect"], defect=True) if "defect" in answer else answer["answer"]

    def abandon(self) -> None:
        os.close(self.pipe)
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)


def _work(job: Job, writing: int) -> None:
    """Be the child. Does not return."""
    try:
        for number in (*HANGS, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        collect_rarely()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, resource.RLIM_INFINITY))
        GUARD.take()
        try:
            answer = json.dumps({"answer": job()})
            tried = GUARD.take()
        except BaseException as error:  # whatever it was: the parent is told, and decides
            _write(writing, json.dumps({"defect": f"{type(error).__name__}: {error}"[:400]}))
            raise
        _write(writing, json.dumps({"defect": f"tried to leave this machine: {tried}"}) if tried else answer)
    finally:
        os._exit(0)


def _write(writing: int, text: str) -> None:
    limit_run(0)
    data = text.encode()
    while data:
        data = data[os.write(writing, data) :]
