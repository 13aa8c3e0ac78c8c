"""The network guard: in this process nothing reaches beyond loopback, and no browser of the user is started.

A Python audit hook sees every connect, datagram, name look-up and process start before it happens. What the table
`JUDGES` refuses raises `ReachedOut`, which names the caller, and is also kept in `attempts`, because the code in
between may swallow the exception: whoever started the run looks there at its end. Outside an opted-in live run it is
on for every command that runs a stack, and for every test (HAR-NET-01). Separate from the command line, because the
tests use the same hook.

It cannot see into programs that the run starts. Those are our own stubs, which have only a local socket, and real
programs, which the run starts with nothing to reach.
"""
from __future__ import annotations

import ipaddress
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.problem import Problem

LOCAL_NAMES = frozenset({"", "localhost", "ip6-localhost"})
BROWSERS = frozenset({
    "chromium", "chromium-browser", "chrome", "google-chrome", "google-chrome-stable", "Google Chrome", "Chromium",
    "firefox", "Firefox", "microsoft-edge", "Microsoft Edge", "brave-browser", "Brave Browser", "vivaldi", "Vivaldi",
    "Safari",
})
"""Started without a profile of the run's own (`--user-data-dir=`) these are the user's browser."""
OPENERS = frozenset({"open", "xdg-open", "sensible-browser", "x-www-browser"})
"""They hand an address to the user's browser, whatever their arguments."""
HARMLESS_ARGUMENTS = frozenset({"--version"})


@dataclass(frozen=True, slots=True)
class Attempt:
    """What was tried, and the line of code that tried it."""

    what: str
    caller: str


class ReachedOut(Problem):
    """A run tried to leave the machine. Exit code 1: the promise that it does not is broken."""

    exit_code = 1

    def __init__(self, attempt: Attempt) -> None:
        super().__init__(
            f"{attempt.what} by {attempt.caller}",
            "nothing beyond loopback and no browser of the user outside a live run",
            "serve it on 127.0.0.1, or start the browser with a --user-data-dir of its own",
        )


def is_local(host: object) -> bool:
    """Whether a host (name or address, text or bytes) is this machine by its own word, without asking a resolver."""
    if host is None:
        return True
    name = bytes(host).decode("latin-1") if isinstance(host, bytes | bytearray) else str(host)
    if name.lower().rstrip(".") in LOCAL_NAMES:
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


def judge_address(address: object) -> str | None:
    """Why a socket address may not be reached, or None. Text and bytes are names of local sockets."""
    if address is None or isinstance(address, str | bytes):
        return None
    if isinstance(address, tuple) and address and is_local(address[0]):
        return None
    return f"a connection to {address!r}"


def judge_listener(address: object) -> str | None:
    """Why a socket may not be bound, or None. The empty host means every interface of the machine."""
    if isinstance(address, tuple) and address and address[0] in ("", b""):
        return f"a listener on every interface, {address!r}"
    return judge_address(address)


def judge_name(host: object) -> str | None:
    """Why a name may not be looked up, or None."""
    return None if is_local(host) else f"a look-up of {host!r}"


def judge_program(executable: object, argv: object) -> str | None:
    """Why a program may not be started, or None."""
    words = [os.fsdecode(word) for word in argv] if isinstance(argv, Sequence) and not isinstance(argv, str) else [argv]
    name = Path(os.fsdecode(executable) if isinstance(executable, str | bytes | os.PathLike) else str(words[0])).name
    if name in OPENERS:
        return f"a start of {name}"
    arguments = [str(word) for word in words[1:]]
    if name not in BROWSERS or set(arguments) & HARMLESS_ARGUMENTS:
        return None
    if any(argument.startswith("--user-data-dir=") for argument in arguments):
        return None
    return f"a start of {name} without a profile of its own"


JUDGES: dict[str, Callable[[tuple[Any, ...]], str | None]] = {
    "socket.connect": lambda args: judge_address(args[1]),
    "socket.sendto": lambda args: judge_address(args[1]),
    "socket.sendmsg": lambda args: judge_address(args[1]),
    "socket.bind": lambda args: judge_listener(args[1]),
    "socket.getaddrinfo": lambda args: judge_name(args[0]),
    "socket.gethostbyname": lambda args: judge_name(args[0]),
    "socket.gethostbyaddr": lambda args: judge_name(args[0]),
    "subprocess.Popen": lambda args: judge_program(args[0], args[1]),
    "os.posix_spawn": lambda args: judge_program(args[0], args[1]),
    "os.exec": lambda args: judge_program(args[0], args[1]),
    "os.system": lambda args: judge_program(None, os.fsdecode(args[0]).split()),
    "webbrowser.open": lambda args: f"a browser window for {args[0]!r}",
}
"""Audit event -> why its arguments are refused, or None. Every event by which the standard library can leave."""

STANDARD = (Path(os.__file__).resolve().parent.as_posix() + "/", "<frozen ")


def is_ours(file: str) -> bool:
    """Whether code is neither the standard library's, nor an installed package's, nor the guard's."""
    return not (file.startswith(STANDARD) or "-packages/" in file or file == __file__)


def caller_of(depth: int = 1) -> str:
    """The nearest frame of our own code, else the outermost one, as `file:line in function`."""
    frame = sys._getframe(depth)
    while frame.f_back is not None and not is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_name}"


class Guard:
    """One audit hook for the rest of the process's life: Python cannot take one out. A live run does not install it."""

    def __init__(self) -> None:
        self.attempts: list[Attempt] = []
        self._installed = False

    def heard(self, event: str, args: tuple[Any, ...]) -> None:
        """The hook. Raises ReachedOut for what a judge refuses; anything else passes."""
        judge = JUDGES.get(event)
        why = None if judge is None else judge(args)
        if why is not None:
            attempt = Attempt(why, caller_of(2))
            self.attempts.append(attempt)
            raise ReachedOut(attempt)

    def install(self) -> None:
        """Start watching. A second call changes nothing."""
        if not self._installed:
            self._installed = True
            sys.addaudithook(self.heard)

    def take(self) -> list[Attempt]:
        """The attempts since the last call."""
        taken, self.attempts = self.attempts, []
        return taken


GUARD = Guard()
