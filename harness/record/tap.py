"""What stands before a session: the tape is open and begun, or nothing is started and the reason is said.

Separate from session.py, because that is imported only after the writer process has been forked: the writer imports
codecs and redaction, and the tap the loop, at the same time.
"""
from __future__ import annotations

import os
from time import monotonic_ns

from harness.problem import Problem
from harness.record.disk import open_tape
from harness.record.legs import Ends
from harness.record.signals import Signals
from harness.record.writer import Hand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from harness.record.options import Options


def record(options: Options) -> NoReturn:
    """Record one session over descriptors 0, 1 and 2, and end as the program does.

    Raises, with nothing started: UsageProblem for an option, Problem for a tape that can't be written, NotStarted for
    a command that can't be.
    """
    inherited = descriptors_for_program()
    ends = Ends()
    signals = Signals()
    tape, path = open_tape(options.out, options.program)
    try:
        hand = Hand(options, tape, monotonic_ns())
        hand.start()
        from harness.record.session import run

        hand.await_ready()
    except Problem:
        if os.path.isfile(path):
            os.unlink(path)
        raise
    run(options.words, ends, inherited, signals, hand)


def descriptors_for_program() -> list[int]:
    """What the client lets its program inherit beside 0, 1 and 2: the program gets it, and the tap lets go of it."""
    found = []
    for name in os.listdir("/dev/fd"):
        try:
            if int(name) > 2 and os.get_inheritable(int(name)):
                found.append(int(name))
        except OSError:  # the listing's own
            pass
    return found
