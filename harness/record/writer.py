"""The writer process as the tap holds it: a fork that takes what the loop noted, and makes the tape of it (work.py).

Separate from the tap so that decoding never delays forwarding, a blocked disk blocks nothing but itself, and a tap that
is killed loses nothing that it has noted. The writer is in a session of its own: a client that kills the tap's process
group does not kill it, and it writes down how far the session came. Where the writer itself is killed, the tap starts
another one, which goes on behind the last whole line and marks the gap; the last of `STARTS` only counts what it does
not write, in case the writers die of what they read.
"""
from __future__ import annotations

import _signal
import os

from harness.problem import Problem, UsageProblem
from harness.record.handover import SIZE, make_ring
from harness.record.signals import FORWARDED, close_all_but, no_process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.record.options import Options

STARTS = 4
NICE = 10
"""The writer gives way to the session on a busy machine."""
READY = b"ready"
COMPLETE, INCOMPLETE, DEFECT = 0, 1, 70
"""How a writer ends whose tape is complete, or can't be. Any other end is by chance, or by a defect of ours."""


class Hand:
    """The writer process. tape: the open tape's descriptor; began_ns: the reading of the clock at t = 0."""

    def __init__(self, options: Options, tape: int, began_ns: int) -> None:
        self.options = options
        self.tape = tape
        self.began_ns = began_ns
        self.key = os.urandom(32)
        """Of the tape's pseudonyms: the same for every writer of it, and in no file."""
        try:
            self.ring = make_ring()
        except OSError as error:
            raise Problem(
                f"{error.strerror} for {SIZE >> 20} MiB of address space", "a process that may have it",
                "the command was not started; raise the limit (ulimit -v)",
            ) from None
        self.bell = -1
        """What the loop rings with; closing it tells the writer that there is no tap any more."""
        self.starts = 0
        self.died = False
        self._process = 0

    def start(self) -> None:
        """Start it. `await_ready` waits for it to have begun the tape."""
        self._ready, said = os.pipe()
        try:
            self._fork(said)
        except OSError as error:
            raise no_process(error) from None
        finally:
            os.close(said)

    def await_ready(self) -> None:
        """Wait for the header to stand on the tape.

        Raises UsageProblem where an option is wrong, Problem where the tape can't be written.
        """
        with open(self._ready, "rb") as file:
            answer = file.read()
        if answer != READY:
            kind, *parts = os.fsdecode(answer).split("\0")
            if len(parts) != 3:
                parts = ["a writer process that ended at once", "one that begins the tape", "try again"]
            raise (UsageProblem if kind == UsageProblem.__name__ else Problem)(*parts)

    def again(self) -> int:
        """Start another one in place of one that is gone, if there may be one more: what to ring with from now on."""
        if self.starts < STARTS:
            self.hang_up()
            try:
                self._fork(-1)
            except OSError:  # no process to be had: the session goes on, unrecorded
                self.starts = STARTS
        return self.bell

    def hang_up(self) -> None:
        """Tell the writer that nothing comes any more."""
        if self.bell >= 0:
            os.close(self.bell)
            self.bell = -1

    def gone(self) -> bool:
        """Whether it has ended since it was last asked for. `died` says whether by chance: then another may start."""
        if not self._process:
            return False
        done, status = os.waitpid(self._process, os.WNOHANG)
        if not done:
            return False
        self._process = 0
        self.died = os.waitstatus_to_exitcode(status) not in (COMPLETE, INCOMPLETE)
        return True

    def leave(self) -> None:
        """This process is a fork of the tap, and the writer no child of it."""
        self._process = 0

    def _fork(self, said: int) -> None:
        """Fork it. said: where it says that it is ready; -1 where it goes on with a tape."""
        heard, self.bell = os.pipe()
        self.starts += 1
        process = os.fork()
        if process == 0:
            try:
                alone((heard, said, self.tape))
                from harness.record.work import work

                work(self, heard, said)
            finally:  # never into the tap's own code
                os._exit(DEFECT)
        self._process = process
        os.close(heard)
        os.set_blocking(self.bell, False)


def alone(kept: tuple[int, ...]) -> None:
    """What a fork does first: away from the session, with no descriptor of it, no signal meant for it, and behind it in
    the queue for a core."""
    os.setsid()
    _signal.set_wakeup_fd(-1)
    for number in FORWARDED:
        _signal.signal(number, _signal.SIG_DFL)
    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, FORWARDED)
    close_all_but(kept)
    for _ in range(3):
        os.open(os.devnull, os.O_RDWR)
    os.nice(NICE)
