"""Signals that reach the tap: as bytes on a pipe to poll, and with the answer to "did the program get it already?".

Separate from the loop because of that answer. The tap stays in the process group that its client made, and so does the
program: a client that ends a group (`killpg`), or a terminal's Ctrl-C, reaches both, and forwarding it once more would
be a second signal, on which many programs give up their orderly end. The system does not say whether a signal was sent
to a process or to its group. So a third member of the group stands by (the sentinel), which keeps these signals
blocked: what is pending there was sent to the group. It is a fork of the tap that sleeps in a read, and ends with it.
"""
from __future__ import annotations

import _signal
import os
import select

from harness.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

REAL_TIME: int = getattr(_signal, "SIGRTMIN", 1 << 10)
FORWARDED = (
    _signal.SIGHUP,
    _signal.SIGINT,
    _signal.SIGQUIT,
    _signal.SIGUSR1,
    _signal.SIGUSR2,
    _signal.SIGALRM,
    _signal.SIGTERM,
    _signal.SIGCONT,
    _signal.SIGTSTP,
    _signal.SIGWINCH,
    *range(REAL_TIME, getattr(_signal, "SIGRTMAX", 0) + 1),
)
"""What another process may mean for the program. Not among them: what the tap causes itself (SIGPIPE, SIGXFSZ and the
faults of its own code), and SIGTTIN and SIGTTOU, which tell whoever reads the terminal, and that is the tap."""

ANSWER_MS = 50
"""How long the sentinel is waited for. It only fails to answer where it was stopped or killed."""


def open_descriptors() -> list[int]:
    """The file descriptors of this process, that of the listing itself among them or not."""
    return [int(name) for name in os.listdir("/dev/fd")]


def close_all_but(kept: Iterable[int]) -> None:
    """For a fork that must not hold a client's pipe open."""
    for descriptor in set(open_descriptors()).difference(kept):
        try:
            os.close(descriptor)
        except OSError:  # the listing's own
            pass


class Signals:
    """`descriptor` is readable when a signal of FORWARDED, or SIGCHLD, has come; `come` gives them.

    mask: the signals that were blocked when the tap was started, for the program to inherit.
    A signal that the client had set to be ignored stays ignored, here and in the program.
    """

    def __init__(self) -> None:
        self.mask = _signal.pthread_sigmask(_signal.SIG_BLOCK, FORWARDED)
        self.descriptor, self._end = os.pipe()
        os.set_blocking(self.descriptor, False)
        os.set_blocking(self._end, False)
        self._ask, self._answer, self.sentinel = stand_by()
        _signal.set_wakeup_fd(self._end, warn_on_full_buffer=False)
        for number in (*FORWARDED, _signal.SIGCHLD):
            if _signal.getsignal(number) != _signal.SIG_IGN or number == _signal.SIGCHLD:
                _signal.signal(number, lambda *_: None)
        _signal.pthread_sigmask(_signal.SIG_UNBLOCK, FORWARDED)

    def come(self) -> Iterator[tuple[int, bool]]:
        """(number, whether the program's group was sent it too) of each signal that came.

        The system makes one of two equal signals that wait; so those that came before the sentinel had cleared the
        first one are one here too, as they may be in the program. Real-time signals are never made one.
        """
        waiting = list(self._take())
        while waiting:
            number = waiting.pop(0)
            to_group = number != _signal.SIGCHLD and self._sent_to_group(number)
            waiting += self._take()
            if to_group and number < REAL_TIME:
                waiting = [other for other in waiting if other != number]
            yield number, to_group

    def clear(self) -> None:
        """Whatever came does not matter any more; `descriptor` is not readable for it."""
        self._take()

    def _take(self) -> bytes:
        try:
            return os.read(self.descriptor, 512)
        except BlockingIOError:
            return b""

    def _sent_to_group(self, number: int) -> bool:
        try:
            os.write(self._ask, bytes((number,)))
        except BrokenPipeError:
            return False
        waiting = select.poll()
        waiting.register(self._answer, select.POLLIN)
        if waiting.poll(ANSWER_MS):
            return os.read(self._answer, 1) == b"1"
        os.kill(self.sentinel, _signal.SIGCONT)  # stopped with its group, while the tap alone was told to go on
        if waiting.poll(ANSWER_MS):
            os.read(self._answer, 1)
        return False

    def ignore(self) -> None:
        """From here on there is nobody to forward to; the sentinel is let go."""
        for number in FORWARDED:
            _signal.signal(number, _signal.SIG_IGN)
        os.close(self._ask)


def no_process(error: OSError) -> Problem:
    """The tap can't have the processes that it is made of."""
    return Problem(
        f"{error.strerror} in a fork", "room for three processes more",
        "the command was not started; raise the limit (ulimit -u), or end something",
    )


def stand_by() -> tuple[int, int, int]:
    """Fork the sentinel, with the signals blocked: the descriptor to ask at, the one that answers, its process.

    It has let go of the session's pipes when this returns: one that held them would keep them open behind the program.
    Raises Problem where there is no process to be had.
    """
    asked, ask = os.pipe()
    answer, answers = os.pipe()
    try:
        process = os.fork()
    except OSError as error:
        raise no_process(error) from None
    if process == 0:
        try:
            close_all_but((asked, answers))
            os.write(answers, b"0")
            sentinel(asked, answers)
        finally:  # never into the tap's own code
            os._exit(0)
    os.close(asked)
    os.close(answers)
    os.read(answer, 1)
    return ask, answer, process


def sentinel(asked: int, answers: int) -> None:
    """Say of each signal asked about whether it is pending here, and clear it. Ends when the tap does."""
    while number := os.read(asked, 1):
        pending = number[0] in _signal.sigpending()
        if pending:
            _signal.sigwait((number[0],))
        try:
            os.write(answers, b"1" if pending else b"0")
        except BrokenPipeError:
            break
