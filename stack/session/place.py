"""A session's name, its socket and its published file; whether its server lives, is dead, or never was.

Separate from server and client, which have to agree on it. Both lie in the folder in which the user's processes meet,
which is closed to others; a server takes the lock of its name first, so that no two have one name.
"""

from __future__ import annotations

import string
from enum import StrEnum
from typing import Final

from anyio.abc import ByteStream

from stack.contract import Host
from stack.errors import CallError

DEFAULT: Final = "default"
_LETTERS: Final = frozenset(string.ascii_letters + string.digits + "-_")
_LONGEST: Final = 32


class State(StrEnum):
    """Of a name."""

    LIVE = "live"
    DEAD = "dead"
    NONE = "none"


def check_name(name: str) -> str:
    """The name, where it is one. CallError."""
    if not name or len(name) > _LONGEST or not set(name) <= _LETTERS or name[0] in "-_":
        raise CallError("invalid_arguments", f"a session's name has 1 to {_LONGEST} letters, digits, - or _")
    return name


def lock_of(name: str) -> str:
    return f"session-{name}"


def socket_of(name: str) -> str:
    return f"session-{name}.sock"


def file_of(name: str) -> str:
    return f"session-{name}.json"


def address(host: Host, name: str) -> str:
    return f"unix:{host.meeting / socket_of(name)}"


def clear(host: Host, name: str) -> None:
    """Take away what a dead server left: its file first, so that nobody dials a socket that is gone."""
    host.withdraw(file_of(name))
    host.withdraw(socket_of(name))


async def reach(host: Host, name: str) -> tuple[State, ByteStream | None]:
    """A connection to the server of this name, where it lives. OSError where the socket can't be used at all."""
    published = file_of(name) in host.published()
    try:
        stream = await host.dial(address(host, name))
    except (FileNotFoundError, ConnectionRefusedError):
        return (State.DEAD if published else State.NONE), None
    if not host.is_mine(stream):
        await stream.aclose()
        raise PermissionError(1, "the other end of the session's socket is another user's")
    return State.LIVE, stream
