"""The async pump alone: what it does with streams that take part of the bytes, break, or are missing."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio
import trio
from anyio.abc import ByteSendStream

from harness.faults.steps import Close, Exit, Send, Step, Wait
from harness.serve.machine import Silent
from harness.serve.memory import Pipe, Reader
from harness.serve.pump import Pump
from harness.serve.scheduler import run_virtual
from harness.serve.stage import Stage
from tests.harness.serve.machines import Counter


class NoChildren:
    async def spawn(self, pump: Pump, output: Any) -> None:
        raise AssertionError("no machine here starts a child")

    async def kill(self, pump: Pump, wire: str, number: int) -> None:
        raise AssertionError("no machine here has a child")


class Taking(ByteSendStream):
    """Takes `room` bytes at once and the rest when it is waited for; breaks where it is told to."""

    def __init__(self, room: int = 0, broken: bool = False) -> None:
        self.got = b""
        self.closed = False
        self._room = room
        self._broken = broken

    def offer(self, item: bytes) -> int:
        if self._broken:
            raise anyio.BrokenResourceError
        self.got += item[: self._room]
        return min(self._room, len(item))

    async def send(self, item: bytes) -> None:
        await anyio.sleep(1)
        self.got += item

    async def aclose(self) -> None:
        self.closed = True


def pumped(steps: list[Step], out: Taking | None, dead_at: float | None = None) -> tuple[int, float]:
    """Status and the time at the end of a machine that takes these steps when it starts."""

    class Scripted(Silent):
        def started(self, argv: list[str], env: Mapping[str, str]) -> Any:
            yield from steps

    async def main() -> tuple[int, float]:
        stage = Stage({"v": 1}, {"it": Scripted}, Counter, clock=trio.current_time)
        began = trio.current_time()

        def dead() -> bool:
            return dead_at is not None and trio.current_time() - began >= dead_at

        pump = Pump(stage.open("it"), NoChildren(), {("stdio", "out"): out} if out else {}, dead=dead)
        ended: list[int] = []

        async def note(status: int) -> None:
            ended.append(status)

        await pump.run(Reader(Pipe()), [], {}, note)
        return ended[0], trio.current_time() - began

    return run_virtual(main, 1)


def test_bytes_that_are_not_taken_at_once_are_waited_for() -> None:
    out = Taking(room=3)
    assert pumped([Send(b"abcdef\n"), Exit(4)], out) == (4, 1)
    assert (out.got, out.closed) == (b"abcdef\n", True)


def test_a_broken_stream_is_left_alone_and_the_program_goes_on() -> None:
    assert pumped([Send(b"a\n"), Send(b"b\n"), Wait(2000), Exit(0)], Taking(broken=True)) == (0, 2)


def test_a_missing_stream_takes_everything() -> None:
    assert pumped([Send(b"a\n"), Close(), Exit(0)], None) == (0, 0)


def test_a_closed_stream_is_closed_once() -> None:
    out = Taking(room=9)
    assert pumped([Close(), Close(), Send(b"late\n"), Exit(0)], out) == (0, 0)
    assert (out.got, out.closed) == (b"", True)


def test_a_process_that_died_takes_no_further_step() -> None:
    out = Taking(room=9)
    status, seconds = pumped([Wait(1000), Send(b"x\n"), Wait(1000), Send(b"y\n"), Exit(0)], out, dead_at=1.5)
    assert (status, seconds, out.got) == (-9, 2, b"x\n")
