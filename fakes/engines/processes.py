"""This side of the keeper: programs are started and ended by it, and are gone when this process is. Also the screen.

A process has at most one keeper and one virtual screen, which its browsers share; both come with the first that needs
them and go with the last.
"""
from __future__ import annotations

import posix
import sys

from harness.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping, Sequence
    from typing import Any

KEEPER = __file__.rpartition("/")[0] + "/keeper.py"
SCREEN = ("Xvfb", "-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp")
"""Writes the number of a free display on its stdout when it is up."""
PROC = "/proc"
PATH = "/usr/local/bin:/usr/bin:/bin"
"""Where the system's own programs are: the environment of whoever starts an engine is none of its business."""


class Keeper:
    """Starts and ends programs; `close`, or the end of this process, ends all of them."""

    def __init__(self) -> None:
        import subprocess

        self._process: subprocess.Popen[str] = subprocess.Popen(
            [sys.executable, "-SE", KEEPER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            start_new_session=True, encoding="ascii",
        )

    def start(self, argv: Sequence[str], env: Mapping[str, str]) -> int:
        """Start a program; its process. Raises Problem where it can't be started."""
        return int(self._ask({"start": list(argv), "env": dict(env)})["pid"])

    def start_and_listen(self, argv: Sequence[str], env: Mapping[str, str]) -> tuple[int, str]:
        """Start a program, and wait for the first line that it says; its process and the line."""
        said = self._ask({"start": list(argv), "env": dict(env), "line": True})
        if not said["line"]:
            self.end(said["pid"])
            raise Problem(f"{argv[0]} ended before it was ready", "a line on its stdout", "run it by hand")
        return int(said["pid"]), str(said["line"])

    def end(self, pid: int) -> list[int]:
        """Kill a program with all its descendants; what was killed."""
        return [int(each) for each in self._ask({"end": pid})["ended"]]

    def close(self) -> None:
        """End everything, and wait until it has ended."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass  # it has ended already, and with it what it had started
        self._process.wait()
        self._process.stdout.close()

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        from json import dumps, loads

        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(dumps(request) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except (BrokenPipeError, ValueError):  # it is dead, or was closed
            line = ""
        if not line:
            raise Problem("the keeper of engines has ended", "an answer", "run it again; see its stderr")
        said: dict[str, Any] = loads(line)
        if "error" in said:
            raise Problem(said["error"], "a program that starts", "`make engines` installs it")
        return said


class Shared:
    """The keeper of this process, and the display of its screen, for as long as somebody holds it."""

    def __init__(self) -> None:
        self._keeper: Keeper | None = None
        self._display = ""
        self._holders = 0

    def take(self) -> tuple[Keeper, str]:
        """The keeper, and the display (`:7`); give them back with `give_back`."""
        if self._keeper is None:
            keeper = Keeper()
            try:
                _, number = keeper.start_and_listen(SCREEN, {"PATH": PATH})
            except Problem:
                keeper.close()
                raise
            self._keeper, self._display = keeper, f":{number}"
        self._holders += 1
        return self._keeper, self._display

    def give_back(self) -> None:
        self._holders -= 1
        if self._holders == 0 and self._keeper is not None:
            self._keeper.close()
            self._keeper = None


SHARED = Shared()


def environment_of(pid: int) -> dict[str, str]:
    """The environment that a process was started with. Raises OSError where it is gone."""
    with open(f"{PROC}/{pid}/environ", "rb") as file:
        pairs = [pair.partition(b"=") for pair in file.read().split(b"\0") if pair]
    return {name.decode(): value.decode("utf-8", "surrogateescape") for name, _, value in pairs}


def children_of(pid: int) -> list[int]:
    """The processes that a process has started and that live, in the order of their numbers."""
    found: set[int] = set()
    try:
        for task in posix.listdir(f"{PROC}/{pid}/task"):
            with open(f"{PROC}/{pid}/task/{task}/children", encoding="ascii") as file:
                found.update(map(int, file.read().split()))
    except FileNotFoundError:
        return []  # it has ended
    return sorted(found)


def free_port() -> int:
    """A port of loopback that nobody listens on now."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def pause(seconds: float) -> None:
    """Wait on the machine's own clock: an engine has no other."""
    import select

    select.select([], [], [], seconds)
