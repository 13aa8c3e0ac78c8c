"""This process itself: the environment that it was given, and ending as it is told.

Separate from the stub, so that a program that is its own stage starts with `posix` alone: importing `os` without site
costs three milliseconds, a quarter of a bare interpreter's start.
"""
from __future__ import annotations

import _signal
import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def end(status: int) -> NoReturn:
    """End this process: with an exit code, or by the signal whose number is negated."""
    if status < 0:
        if -status not in (_signal.SIGKILL, _signal.SIGSTOP):
            _signal.signal(-status, _signal.SIG_DFL)
        posix.kill(posix.getpid(), -status)
    posix._exit(status if status >= 0 else 128 - status)


def environment() -> dict[str, str]:
    """As the program was given it: Python adds LC_CTYPE to `os.environ` in the C locale."""
    try:
        with open("/proc/self/environ", "rb") as file:
            pairs = file.read().split(b"\0")
    except OSError:  # another system: what Python shows is all there is
        import os

        return dict(os.environ)
    split = (pair.partition(b"=") for pair in pairs if pair)
    return {decoded(name): decoded(value) for name, _, value in split}


def decoded(name: bytes) -> str:
    """As `os.fsdecode`."""
    return name.decode(sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())
