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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NoReturn

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
    *range(getattr(_signal, "SIGRTMIN", 1), getattr(_signal, "SIGRTMAX", 0) + 1),
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
    """`descriptor` is readable when a signal of FORWARDED, or SIGCHLD, has come; `take` gives their numbers.

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

    def take(self) -> bytes:
        """The numbers of the signals that came."""
        try:
            return os.read(self.descriptor, 512)
        except BlockingIOError:
            return b""

    def sent_to_group(self, number: int) -> bool:
        """Whether the whole process group was sent this signal; asked once for each that came."""
        if number == _signal.SIGCONT:
            os.kill(self.sentinel, number)
        try:
            os.write(self._ask, bytes((number,)))
        except BrokenPipeError:
            return False
        waiting = select.poll()
        waiting.register(self._answer, select.POLLIN)
        return bool(waiting.poll(ANSWER_MS)) and os.read(self._answer, 1) == b"1"

    def ignore(self) -> None:
        """From here on there is nobody to forward to; the sentinel is let go."""
        for number in FORWARDED:
            _signal.signal(number, _signal.SIG_IGN)
        os.close(self._ask)


def stand_by() -> tuple[int, int, int]:
    """Fork the sentinel, with the signals blocked: the descriptor to ask at, the one that answers, its process."""
    asked, ask = os.pipe()
    answer, answers = os.pipe()
    process = os.fork()
    if process == 0:
        close_all_but((asked, answers))
        sentinel(asked, answers)
    os.close(asked)
    os.close(answers)
    return ask, answer, process


def sentinel(asked: int, answers: int) -> NoReturn:
    """Say of each signal asked about whether it is pending here, and clear it. Ends when the tap does."""
    while number := os.read(asked, 1):
        pending = number[0] in _signal.sigpending()
        if pending:
            _signal.sigwait((number[0],))
        try:
            os.write(answers, b"1" if pending else b"0")
        except BrokenPipeError:
            break
    os._exit(0)
