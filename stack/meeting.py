"""Where the processes of one user's stack meet: a folder that nobody else can enter, and who is at the end of a socket.

Separate from the host's own module, whose other parts know nothing of other processes of the stack. The part of the
real host that `Host.meeting`, `publish`, `published`, `withdraw`, `is_mine` and `parent` of the port stand for.
"""

from __future__ import annotations

import errno
import os
import socket
import stat
import struct
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from anyio.abc import ByteStream, SocketAttribute

_PARTIAL: Final = ".partial"
_LOCAL_PEERCRED: Final = 1
"""`getsockopt` of a unix socket on macOS: the credentials of the other end (sys/un.h)."""


class Meeting:
    """The meeting place in `folder`, which is made when it is first used. PermissionError where others can enter it."""

    def __init__(self, folder: Path) -> None:
        self._meeting = folder

    @property
    def meeting(self) -> Path:
        self._meeting.mkdir(mode=0o700, parents=True, exist_ok=True)
        seen = os.stat(self._meeting, follow_symlinks=False)
        if not stat.S_ISDIR(seen.st_mode) or seen.st_uid != os.getuid() or seen.st_mode & 0o077:
            raise PermissionError(errno.EACCES, "not a folder that is closed to other users", str(self._meeting))
        return self._meeting

    def publish(self, name: str, data: bytes) -> None:
        path = self.meeting / _plain(name)
        partial = path.with_name(name + _PARTIAL)
        partial.unlink(missing_ok=True)
        number = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        with os.fdopen(number, "wb") as file:
            file.write(data)
        os.replace(partial, path)

    def published(self) -> Mapping[str, bytes]:
        found = {}
        for name in sorted(os.listdir(self.meeting)):
            try:
                number = os.open(self._meeting / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
            except OSError:
                continue  # a socket, a link, or a file that was withdrawn meanwhile
            seen = os.fstat(number)
            if not stat.S_ISREG(seen.st_mode) or seen.st_uid != os.getuid() or seen.st_mode & 0o077:
                os.close(number)
                continue
            with os.fdopen(number, "rb") as file:
                found[name] = file.read()
        return {name: data for name, data in found.items() if not name.endswith(_PARTIAL)}

    def withdraw(self, name: str) -> None:
        (self.meeting / _plain(name)).unlink(missing_ok=True)

    def is_mine(self, stream: ByteStream) -> bool:
        return user_of(stream.extra(SocketAttribute.raw_socket)) == os.getuid()

    def parent(self) -> int:
        return os.getppid()


def user_of(connection: socket.socket) -> int:
    """The user of the process at the other end of a unix stream. OSError where the system can't tell."""
    if connection.family != socket.AF_UNIX:
        raise OSError(errno.EINVAL, "only the other end of a unix socket has a user")
    if sys.platform == "darwin":  # struct xucred: version, uid, …
        _, uid = struct.unpack("=II", connection.getsockopt(0, _LOCAL_PEERCRED, 8))
    else:  # struct ucred: pid, uid, gid
        _, uid, _ = struct.unpack("=iII", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return int(uid)


def _plain(name: str) -> str:
    if not name or name != os.path.basename(name) or name in (".", ".."):
        raise ValueError(f"{name!r} is not the name of a file in a folder")
    return name
