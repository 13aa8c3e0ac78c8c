"""What runs in the writer process: begins the tape or goes on with it, writes what is handed over, and ends it.

Separate from writer.py, which the tap imports: everything here, codecs and redaction among it, is imported after the
fork, while the tap makes its pipes.
"""
from __future__ import annotations

import os

from harness.problem import Problem
from harness.record.disk import Disk
from harness.record.handover import END, Taker
from harness.record.heading import heading, names_of_environment
from harness.record.scribe import Scribe
from harness.record.writer import COMPLETE, DEFECT, INCOMPLETE, READY, STARTS
from harness.tape.redact import Redactor
from harness.tape.rules import rules_of, secrets_of
from harness.tape.write import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from harness.record.writer import Hand

BATCH_SIZE = 1 << 18
HOLD_SIZE = 1 << 18
"""Bytes of lines that wait while the disk takes none."""
TAP_GONE = "the tap was killed; a read that it was just forwarding may be missing, and how the program ended is"
WRITER_GONE = "the writer process was killed; what it had in hand is missing"


def work(hand: Hand, bell: int, said: int) -> NoReturn:
    """Be the writer: everything after the fork. Ends with COMPLETE or INCOMPLETE, or else by a defect of ours.

    bell: hangs up when the tap has ended; said: where to say that the tape is begun, -1 where one is gone on with.
    """
    status = DEFECT
    try:
        status = write(hand, bell, said)
    except Problem as problem:
        tell(said, problem)
        status = INCOMPLETE
    except Exception as error:
        tell(said, Problem(f"{type(error).__name__} in the writer: {error}", "a tape that is begun",
                           "the command was not started; this is a defect of trailcam"))
        raise
    finally:
        os._exit(status)


def tell(said: int, problem: Problem) -> None:
    """Tell the tap, which waits for the tape to begin; later on nobody listens."""
    if said >= 0:
        text = "\0".join((type(problem).__name__, problem.seen, problem.expected, problem.advice))
        os.write(said, os.fsencode(text))


def write(hand: Hand, bell: int, said: int) -> int:
    """Write what the tap notes until it ends. The process's exit status. Raises Problem before the first line."""
    disk = Disk(hand.tape, bell)
    begun = begin(hand, disk)
    if begun is None:
        return INCOMPLETE
    if said >= 0:
        os.write(said, READY)
        os.close(said)
    writer, scribe = begun
    writer.flush()  # the mark of a writer that was killed, where nothing more comes for long
    orderly = False
    for batch in Taker(hand.ring, bell).batches():
        for kind, stream, when_ns, body in batch:
            if kind == END:
                orderly = True
            else:
                scribe.take(kind, stream, when_ns, body)
            os.sched_yield()  # the session goes first: else it may wait for a whole slice of ours, 3 ms on Linux
        writer.flush()
    scribe.end()
    if not orderly:
        scribe.gap(TAP_GONE)
    complete = writer.close() or disk.end_with(scribe.last_lines)
    return COMPLETE if complete else INCOMPLETE


def begin(hand: Hand, disk: Disk) -> tuple[Writer, Scribe] | None:
    """The tape with its header, or behind its last whole line. None where it can't be gone on with."""
    first = hand.starts == 1
    place = (0, 0.0) if first else disk.resume()
    if place is None:
        return None
    options = hand.options
    rules = rules_of(options.redact, os.environ)
    rules.literals = tuple(dict.fromkeys((*rules.literals, *secrets_of(os.environ))))
    redactor = Redactor(rules, hand.key)
    header = heading(options, hand.began_ns, redactor.manifest())
    writer = Writer(disk.write, header, batch_size=BATCH_SIZE, hold_size=HOLD_SIZE)
    if writer.failure:
        raise Problem(
            f"{writer.failure} at the first line of the tape", "a tape that can be written",
            "the command was not started; correct --out",
        )
    writer.next_n = place[0]
    scribe = Scribe(
        writer,
        redactor,
        program=options.program,
        argv=options.words[1:],
        env=names_of_environment(),
        dialect=options.dialect,
        began_ns=hand.began_ns,
        last_t=place[1],
    )
    if not first:
        scribe.gap(WRITER_GONE)
        scribe.lose_place(for_good=hand.starts == STARTS)
    return writer, scribe
