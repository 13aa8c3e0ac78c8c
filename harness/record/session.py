"""One recorded session: the program is started, the loop runs, and the tap goes when it may.

The end is the delicate part. When the program is dead, everything that it left in its pipes is forwarded, and then:
- stdout and stderr have ended and reached the client: the tap closes them, waits at most `DRAIN_MS` for the writer to
  finish the tape, and ends as the program did. A writer that needs longer goes on alone.
- something still holds them (a descendant of the program, or a client that does not read): with a direct pipe the
  client would see the program end now and the pipe stay open. So the tap forks: the process that the client knows ends
  as the program did, at once, and the fork goes on forwarding until the pipes end.
"""
from __future__ import annotations

import gc
import os
import select
from time import monotonic_ns

from harness.record.handover import END, NOTE, OUT, STARTED, Giver
from harness.record.loop import Loop
from harness.record.program import NotStarted, end, start
from harness.record.writer import STARTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import NoReturn

    from harness.record.legs import Ends
    from harness.record.signals import Signals
    from harness.record.writer import Hand

DRAIN_MS = 1000
"""How long the end of the tap waits for the writer. Clients give a program about two seconds to end."""


def run(words: Sequence[str], ends: Ends, inherited: Iterable[int], signals: Signals, hand: Hand) -> NoReturn:
    """Start a command and record it until it ends. inherited: descriptors that are the program's, not ours.

    Raises NotStarted.
    """
    giver = Giver(hand.ring, hand.bell)
    began_ns = monotonic_ns()
    try:
        process = start(words, ends.files, signals.mask)
    except NotStarted as problem:
        text = f"the program was not started: {problem.seen}"
        giver.tell(NOTE, OUT, began_ns, text.encode("utf-8", "backslashreplace"))
        finish(giver, hand, signals)
        raise
    giver.tell(STARTED, OUT, began_ns)
    for number in inherited:
        os.close(number)
    ends.close_files()
    ends.take_sinks()
    gc.disable()  # nothing here makes cycles, and a collection would stand in the way of a frame
    loop = Loop(ends, signals, giver, hand, process)
    loop.run(loop.ended)
    leave(loop, ends, giver, hand, signals)


def leave(loop: Loop, ends: Ends, giver: Giver, hand: Hand, signals: Signals) -> NoReturn:
    """The program is dead: end as it did, when its output has been delivered or without waiting for that."""
    assert loop.status is not None
    status = os.waitstatus_to_exitcode(loop.status)
    if loop.delivered():
        for number in (0, 1, 2):
            ends.close(number)
        finish(giver, hand, signals)
        end(status)
    try:
        known = os.fork()
    except OSError:  # no process to be had: deliver what there is, and end late
        loop.run(loop.delivered)
        finish(giver, hand, signals)
        end(status)
    if known:
        end(status)
    signals.ignore()
    hand.leave()
    loop.run(loop.delivered)
    giver.tell(END, OUT, monotonic_ns())
    os._exit(0)


def finish(giver: Giver, hand: Hand, signals: Signals) -> None:
    """End the tape, and wait a bounded time for it to be complete."""
    until_ns = monotonic_ns() + DRAIN_MS * 1_000_000
    giver.tell(END, OUT, monotonic_ns())
    hand.hang_up()
    waiting = select.poll()
    waiting.register(signals.descriptor, select.POLLIN)
    while (left_ms := (until_ns - monotonic_ns()) // 1_000_000) > 0:
        if hand.gone():
            if not hand.died or hand.starts == STARTS:
                return
            hand.again()
            hand.hang_up()
        waiting.poll(left_ms)
        signals.clear()
