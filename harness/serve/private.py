"""The files, locks and applications of a virtual run's host, all in memory."""
from __future__ import annotations

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
    """What a host keeps for the stack, in memory: no path of this machine can reach a journal.

    apps: what the world has installed (`installed`). name: of the stack whose state it is, where a run has several.
    locks: those of the same user's other stacks. meeting: what they have published. Errors are those of the files that
    they stand for.
    """

    def __init__(
        self,
        apps: Sequence[InstalledApp] = (),
        name: str = "",
        locks: set[str] | None = None,
        meeting: dict[str, bytes] | None = None,
    ) -> None:
        self.folder = Path("/trailcam/state", name)
        self.meeting = Path("/trailcam/meeting")
        self.locks: set[str] = set() if locks is None else locks
        self._published: dict[str, bytes] = {} if meeting is None else meeting
        self._folders: set[str] = set()
        self._files: dict[str, bytes] = {}
        self._apps = tuple(apps)

    def make_folder(self, name: str) -> str:
        path = str(self.folder / name)
        if path in self._folders:
            raise FileExistsError(17, "File exists", path)
        self._folders.add(path)
        return path

    def remove_folder(self, path: str) -> None:
        if path not in self._folders:
            raise FileNotFoundError(2, "No such file or directory", path)
        self._folders.discard(path)

    def append_private(self, name: str, line: bytes) -> None:
        self._files[name] = self._files.get(name, b"") + line

    def files(self) -> dict[str, bytes]:
        """Name to content of each file, and of each folder with b""; names are relative to `folder`."""
        return {**{Path(path).name: b"" for path in self._folders}, **self._files}

    def names_in(self, path: str) -> list[str] | None:
        """The names in a folder that `make_folder` made, where nothing is ever put; None for any other path."""
        return [] if path in self._folders else None

    def try_lock(self, name: str) -> HeldLock | None:
        if name in self.locks:
            return None
        self.locks.add(name)
        return HeldLock(self.locks, name)

    def applications(self, path: str | None = None) -> Sequence[InstalledApp]:
        return of_path(self._apps, path)

    def publish(self, name: str, data: bytes) -> None:
        self._published[name] = data

    def published(self) -> dict[str, bytes]:
        return dict(self._published)

    def withdraw(self, name: str) -> None:
        self._published.pop(name, None)

    def locks_held(self) -> list[str]:
        return sorted(self.locks)
