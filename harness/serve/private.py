"""The files, locks and applications of a virtual run's host: real files under one folder, locks and apps in memory."""
from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple


class InstalledApp(NamedTuple):
    """One installed application, in the shape that the stack's port has for it."""

    bundle_id: str
    path: str
    names: tuple[str, ...]


def installed(world: Any) -> tuple[InstalledApp, ...]:
    """The applications of a world that has any: its `installed()` gives (bundle identifier, path, names)."""
    rows: Callable[[], Iterable[tuple[str, str, tuple[str, ...]]]] = getattr(world, "installed", lambda: ())
    return tuple(InstalledApp(*row) for row in rows())


def of_path(apps: Sequence[InstalledApp], path: str | None) -> tuple[InstalledApp, ...]:
    """All of them, or the one at a path."""
    return tuple(app for app in apps if path is None or app.path == path)


class HeldLock:
    """A lock that one holder of the run has."""

    def __init__(self, locks: set[str], name: str) -> None:
        self._locks = locks
        self._name = name

    def release(self) -> None:
        self._locks.discard(self._name)


class PrivateState:
    """What a host keeps for the stack. folder: its root; taken as empty and private, and removed by who made it.

    apps: what the world has installed (`installed`).
    """

    def __init__(self, folder: Path, apps: Sequence[InstalledApp] = ()) -> None:
        self.folder = folder
        self._locks: set[str] = set()
        self._apps = tuple(apps)

    def make_folder(self, name: str) -> str:
        path = self.folder / name
        path.mkdir(mode=0o700)
        return str(path)

    def remove_folder(self, path: str) -> None:
        shutil.rmtree(path)

    def append_private(self, name: str, line: bytes) -> None:
        descriptor = os.open(self.folder / name, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        try:
            os.write(descriptor, line)
        finally:
            os.close(descriptor)

    def try_lock(self, name: str) -> HeldLock | None:
        if name in self._locks:
            return None
        self._locks.add(name)
        return HeldLock(self._locks, name)

    def applications(self, path: str | None = None) -> Sequence[InstalledApp]:
        return of_path(self._apps, path)

    def locks_held(self) -> list[str]:
        return sorted(self._locks)
