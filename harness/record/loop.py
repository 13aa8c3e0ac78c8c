"""The loop: waits for whatever is ready, forwards it, and only then notes it for the writer.

One process, one wait, plain read and write. Measured against it (tests/bench/bench_tap.py): splice does not pay, since
the bytes are needed here for the tape, and a frame is mostly smaller than a page; two processes for the two directions
save the wait, and lose the one order of events that a tape is. epoll, where there is one, spares registering seven
descriptors at each wait: 4 microseconds a round trip. The wait has no timeout, because a timer costs more than all the
rest; what is noted is in memory that the writer sees (handover.py).
"""
from __future__ import annotations

import _signal
import os
import select
from time import monotonic_ns

from harness.record.handover import CLOSED, ERR, EXITED, IN, NOTE, OUT, SIGNALLED, STREAMS
from harness.record.legs import ANY, NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from harness.record.handover import Giver
    from harness.record.legs import Ends, Leg
    from harness.record.signals import Signals
    from harness.record.writer import Hand

    Poll: TypeAlias = "select.epoll | select.poll"

CHUNK = 65536
"""Bytes in one read: what a pipe holds."""

LAST = 1 << 20
"""Bytes that are still taken from the pipe of a dead program before it is called ended: all that a pipe can hold."""


class Loop:
    """Forwards a session. `status` is the program's wait status once it has ended, None before."""

    def __init__(self, ends: Ends, signals: Signals, giver: Giver, hand: Hand, process: int) -> None:
        self.status: int | None = None
        self._ends = ends
        self._signals = signals
        self._giver = giver
        self._hand = hand
        self._process = process
        self._stop_asked = False
        self._actions: dict[int, tuple[Callable[[Leg], object], Leg]] = {}
        self._poll = waiting_for([leg.source for leg in ends.legs])
        self._poll.register(signals.descriptor, select.POLLIN)
        for leg in ends.legs:
            self._watch(leg)

    def run(self, until: Callable[[], bool]) -> None:
        """Forward until the condition holds; it is asked after each round."""
        poll = self._poll.poll
        actions = self._actions
        while not until():
            for descriptor, _ in poll():
                action = actions.get(descriptor)
                if action is not None:
                    action[0](action[1])
                elif descriptor == self._signals.descriptor:
                    self._signalled()

    def ended(self) -> bool:
        """Whether the program has ended."""
        return self.status is not None

    def delivered(self) -> bool:
        """Whether stdout and stderr have ended and reached the client."""
        return all(leg.sink < 0 for leg in self._ends.legs if leg.stream != IN)

    def _signalled(self) -> None:
        for number, to_group in self._signals.come():
            if number == _signal.SIGCHLD:
                self._reap()
            elif self.status is None:
                self._forward(number, to_group)

    def _read(self, leg: Leg) -> int:
        """The source of a leg is ready: how many bytes it gave."""
        try:
            data = os.read(leg.source, CHUNK)
        except BlockingIOError:
            return 0
        except OSError:  # a terminal that hung up, a connection that was reset
            data = b""
        when_ns = monotonic_ns()
        if data:
            sent, lost = 0, 0
            if leg.room == ANY and not leg.rest:
                try:
                    sent = leg.write(leg.sink, data)
                except BlockingIOError:
                    pass
                except OSError:
                    lost = len(data)
            self._giver.read(leg.stream, when_ns, data)
            if lost:
                self._broken(leg, lost)
            elif sent < len(data):
                self._keep(leg, data[sent:])
        else:
            self._drop(leg.source)
            leg.source = -1
            if not leg.rest:
                self._close_sink(leg)
            self._giver.tell(CLOSED, leg.stream, when_ns)
        return len(data)

    def _keep(self, leg: Leg, data: bytes) -> None:
        """The sink takes no more now: nothing more is read for it until it does."""
        leg.rest = memoryview(bytes(leg.rest) + data)
        self._poll.modify(leg.sink, select.POLLOUT)
        if leg.source in self._actions:
            self._ignore(leg.source)

    def _sink_ready(self, leg: Leg) -> None:
        """The sink of a leg takes more, or its reader went away."""
        if not leg.rest:
            return self._broken(leg, 0)
        try:
            sent = leg.write(leg.sink, leg.rest[: leg.room])
        except BlockingIOError:
            return None
        except OSError:
            return self._broken(leg, len(leg.rest))
        leg.rest = leg.rest[sent:]
        if leg.rest:
            return None
        leg.rest = NOTHING
        if leg.source < 0:
            self._close_sink(leg)
        else:
            self._watch(leg)
        return None

    def _watch(self, leg: Leg) -> None:
        """Nothing is on its way: wait for the source to give, and for the sink's reader to go away."""
        self._await(leg.source, select.POLLIN, self._read, leg)
        self._await(leg.sink, 0, self._sink_ready, leg)

    def _broken(self, leg: Leg, size: int) -> None:
        """Nobody reads the sink any more: whoever writes to the source learns of it as from a direct pipe."""
        if leg.source >= 0:
            self._drop(leg.source)
            leg.source = -1
        leg.rest = NOTHING
        self._close_sink(leg)
        if size or leg.stream != IN:  # a program that has ended closes its stdin too, and that says nothing
            reader = "program" if leg.stream == IN else "client"
            text = f"the {reader} closed its end of {STREAMS[leg.stream]}; {size} bytes read for it were not taken"
            self._giver.tell(NOTE, leg.stream, monotonic_ns(), text.encode())

    def _await(self, descriptor: int, events: int, action: Callable[[Leg], object], leg: Leg) -> None:
        if descriptor in self._actions:
            self._poll.modify(descriptor, events)
            return
        try:
            self._poll.register(descriptor, events)
        except PermissionError:  # a file as a sink: epoll does not take it, and it always takes everything
            return
        self._actions[descriptor] = (action, leg)

    def _close_sink(self, leg: Leg) -> None:
        self._drop(leg.sink)
        leg.sink = -1

    def _ignore(self, descriptor: int) -> None:
        self._poll.unregister(descriptor)
        del self._actions[descriptor]

    def _drop(self, descriptor: int) -> None:
        if descriptor in self._actions:
            self._ignore(descriptor)
        self._ends.close(descriptor)

    def _forward(self, number: int, to_group: bool) -> None:
        if number == _signal.SIGTSTP:
            self._stop_asked = True
        self._giver.tell(SIGNALLED, IN, monotonic_ns(), b"%d" % number)
        if not (to_group and os.getpgid(self._process) == os.getpgrp()):
            os.kill(self._process, number)

    def _reap(self) -> None:
        """A child of the tap changed its state: the program, or the writer."""
        if self._hand.gone() and self._hand.died:
            self._giver.bell = self._hand.again()
        if self.status is not None:
            return
        process, status = os.waitpid(self._process, os.WNOHANG | os.WUNTRACED)
        if process and os.WIFSTOPPED(status):
            if self._stop_asked:
                self._stop_asked = False
                os.kill(os.getpid(), _signal.SIGSTOP)
        elif process:
            self.status = status
            self._take_last()
            self._giver.tell(EXITED, OUT, monotonic_ns(), b"%d" % os.waitstatus_to_exitcode(status))

    def _take_last(self) -> None:
        """What a dead program left in its pipes; the end of a pipe is seen here too, unless a descendant holds it."""
        for leg in self._ends.legs:
            left = LAST
            while leg.stream in (OUT, ERR) and leg.source >= 0 and left > 0:
                taken = self._read(leg)
                if not taken:
                    break
                left -= taken


def waiting_for(sources: Sequence[int]) -> Poll:
    """epoll where it is there and takes all these, else poll: a file as stdin is nothing to epoll."""
    try:
        poll = select.epoll()
        for source in sources:
            poll.register(source, 0)
            poll.unregister(source)
    except (AttributeError, PermissionError):
        return select.poll()
    return poll
