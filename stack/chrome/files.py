"""The files that an installation of the native host reads and writes: the browsers' folders are outside of the stack's
own state, so the host's port has no way to them. The only module of this driver that opens files.
"""

from __future__ import annotations

import os
import pwd
import sys
from contextlib import suppress
from pathlib import Path
from typing import Protocol


class Files(Protocol):
    """Paths are absolute. A missing folder is made by `write`, and never removed."""

    def read(self, path: str) -> bytes | None:
        """The content; None where there is no file. OSError where it can't be read."""

    def write(self, path: str, data: bytes, mode: int) -> None:
        """Put a file there, whole or not at all, in the place of an older one. OSError."""

    def remove(self, path: str) -> bool:
        """Remove a file; False where there is none. OSError."""

    def executable(self, path: str) -> bool | None:
        """Whether this user may run it; None where there is no file."""


class RealFiles:
    """The files of this machine."""

    def read(self, path: str) -> bytes | None:
        with suppress(FileNotFoundError, NotADirectoryError):
            return Path(path).read_bytes()
        return None

    def write(self, path: str, data: bytes, mode: int) -> None:
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(f".{target.name}.partial")
        partial.unlink(missing_ok=True)
        number = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
        with os.fdopen(number, "wb") as file:
            file.write(data)
            os.fchmod(number, mode)
        os.replace(partial, target)

    def remove(self, path: str) -> bool:
        try:
            os.unlink(path)
        except (FileNotFoundError, NotADirectoryError):
            return False
        return True

    def executable(self, path: str) -> bool | None:
        return os.access(path, os.X_OK) if os.path.isfile(path) else None


def home() -> str:
    """The user's home folder from the user database; never from the environment, which a caller could change."""
    return pwd.getpwuid(os.getuid()).pw_dir


def platform() -> str:
    """macos or linux."""
    return "macos" if sys.platform == "darwin" else "linux"


def python() -> str:
    """The interpreter that runs this stack."""
    return sys.executable
