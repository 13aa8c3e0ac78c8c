"""The recorded program: started as its client would have started it, and ended as.

Separate from the loop because it is about what a program inherits. From a client started directly it would have the
client's environment, process group, signal mask, open descriptors and limits. Python changes three of these on its
way up, and each is put back: LC_CTYPE in the C locale, SIGPIPE and SIGXFSZ ignored, and 0, 1 and 2.
"""
from __future__ import annotations

import _signal
import os

from harness.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import NoReturn

NOT_FOUND = 127
NOT_RUN = 126


class NotStarted(Problem):
    """The command could not be started. exit_code: as a shell's, 127 where it was not found, else 126."""

    def __init__(self, command: str, error: OSError) -> None:
        super().__init__(
            f"{command}: {error.strerror}", "a program that can be started",
            "correct the command, or PATH; where it is a script, look at its first line too",
        )
        self.exit_code = NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_RUN


def environment() -> Mapping[bytes, bytes]:
    """As the client gave it. Python sets LC_CTYPE where the locale is C (PEP 538), and only the system knows it did."""
    try:
        with open("/proc/self/environ", "rb") as file:
            pairs = file.read().split(b"\0")
    except OSError:  # another system: what Python shows is all there is
        return os.environb
    return {name: value for name, mark, value in (pair.partition(b"=") for pair in pairs) if mark}


def start(words: Sequence[str], files: Sequence[int | None], mask: Iterable[int]) -> int:
    """Start a command (looked up in PATH where it has no slash): its process number.

    words: the command, which becomes argv[0] too, and its arguments. files: what becomes its 0, 1 and 2; None closes
    one. mask: signals that it starts with blocked. Raises NotStarted.
    """
    actions: list[tuple[int, int, int] | tuple[int, int]] = [
        (os.POSIX_SPAWN_CLOSE, number) if file is None else (os.POSIX_SPAWN_DUP2, file, number)
        for number, file in enumerate(files)
    ]
    try:
        return os.posix_spawnp(
            words[0], list(words), environment(), file_actions=actions, setsigmask=mask,
            setsigdef=(_signal.SIGPIPE, _signal.SIGXFSZ),
        )  # fmt: skip
    except (OSError, ValueError) as error:
        raise NotStarted(words[0], error if isinstance(error, OSError) else OSError(22, str(error))) from None


def end(status: int) -> NoReturn:
    """End this process as the program ended. status: an exit code, or a signal's number negated."""
    if status >= 0:
        os._exit(status)
    number = -status
    no_core_file()
    if number not in (_signal.SIGKILL, _signal.SIGSTOP):
        _signal.signal(number, _signal.SIG_DFL)
        _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (number,))
    os.kill(os.getpid(), number)
    os._exit(128 + number)


def no_core_file() -> None:
    """The core file, where there is one, is the program's: the tap must not write its own over it."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
