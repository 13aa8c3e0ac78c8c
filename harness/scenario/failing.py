"""A host that fails where the scenario says so: a folder that can't be made, processes that can't be listed.

Separate from `broken`, which makes the stack worse: here the stack is as it is, and the machine below it is not. What
failed is a line of the history (`failed`), so that an item can ask for it.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from errno import EACCES, EIO, ENOENT
from typing import Any

from harness.scenario.history import History

METHODS: Mapping[str, str] = {
    "append_private": "a line can't be written into a file of the stack's state",
    "applications": "the installed applications can't be listed",
    "dial": "a connection can't be made, though somebody listens",
    "listen": "a socket can't be listened on",
    "make_folder": "a folder can't be made",
    "path": "the program is not in the host's table (LookupError)",
    "release": "the release of a lock is not seen to happen; it is free all the same",
    "remove_folder": "the removal of a folder is not seen to happen; it is gone all the same",
    "signal": "a process can't be signalled, though it is there",
    "start": "a program can't be started",
    "tree": "processes can't be listed",
    "try_lock": "a lock can't be taken, though nobody has it",
}
"""Method of a host (of a lease: release) -> what its failure means. All raise OSError but where it says otherwise."""
AFTER = frozenset({"release", "remove_folder"})
"""Methods that do their work before they fail: what they leave would else be the host's fault and not the stack's."""
WAITED = frozenset({"dial", "listen"})
"""Methods that are awaited, and are of no program."""
NAMED = frozenset({"path", "start"})
"""Methods of one program."""
KEYS: Mapping[str, tuple[type, str]] = {
    "fails": (str, "method of the host that fails"),
    "of": (str, "program whose path or start it is; of any, where absent"),
    "nth": (int, "which of these calls, from 1; each of them, where absent"),
    "errno": (str, "why a start fails: EIO (where absent), ENOENT (it is not there) or EACCES (it may not be)"),
}
ERRORS: Mapping[str, tuple[int, str]] = {
    "EIO": (EIO, "Input/output error"),
    "ENOENT": (ENOENT, "No such file or directory"),
    "EACCES": (EACCES, "Permission denied"),
}


def fault_in_host(entries: Sequence[Mapping[str, Any]]) -> tuple[str, str] | None:
    """(seen, expected) for the first thing wrong with a scenario's `host`, or None."""
    for entry in entries:
        for key, value in entry.items():
            if key not in KEYS:
                return f"{key!r} of a failure of the host", f"one of {', '.join(KEYS)}"
            if type(value) is not KEYS[key][0]:
                return f"{key} = {value!r} of a failure of the host", KEYS[key][1]
        if entry.get("fails") not in METHODS:
            return f"fails = {entry.get('fails')!r}", f"one of {', '.join(METHODS)}"
        if "of" in entry and entry["fails"] not in NAMED:
            return f"of = {entry['of']!r} of {entry['fails']}", f"a program for {' or '.join(sorted(NAMED))} alone"
        if "errno" in entry and (entry["fails"] != "start" or entry["errno"] not in ERRORS):
            return f"errno = {entry['errno']!r} of {entry['fails']}", f"{', '.join(ERRORS)} of a start alone"
        if entry.get("nth", 1) < 1:
            return f"nth = {entry['nth']}", KEYS["nth"][1]
    return None


class Failing:
    """A host whose methods fail as the entries say, and are otherwise the host's own."""

    def __init__(self, host: Any, entries: Sequence[Mapping[str, Any]], history: History) -> None:
        self._host = host
        self._entries = entries
        self._history = history
        self._calls = [0] * len(entries)
        own = {"path": self._path, "start": self._start, "try_lock": self._try_lock}
        for method in {entry["fails"] for entry in entries}:
            name = "try_lock" if method == "release" else method
            self.__dict__[name] = own.get(name) or (self._waited if name in WAITED else self._checked)(name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._host, name)

    def _checked(self, method: str) -> Callable[..., Any]:
        def called(*given: Any) -> Any:
            value = getattr(self._host, method)(*given) if method in AFTER else None
            self._check(method)
            return value if method in AFTER else getattr(self._host, method)(*given)

        return called

    def _waited(self, method: str) -> Callable[..., Any]:
        async def called(*given: Any) -> Any:
            self._check(method)
            return await getattr(self._host, method)(*given)

        return called

    def _path(self, program: str) -> Any:
        self._check("path", str(program))
        return self._host.path(program)

    async def _start(self, program: str, args: Sequence[str], *, env: Mapping[str, str], cwd: str) -> Any:
        self._check("start", str(program))
        return await self._host.start(program, args, env=env, cwd=cwd)

    def _try_lock(self, name: str) -> Any:
        self._check("try_lock")
        lease = self._host.try_lock(name)
        return None if lease is None else _Lease(lease, lambda: self._check("release"))

    def _check(self, method: str, program: str = "") -> None:
        """Raises where this call of the method is to fail."""
        failed = ""
        for place, entry in enumerate(self._entries):
            if entry["fails"] == method and entry.get("of", program) == program:
                self._calls[place] += 1
                if not failed and entry.get("nth", self._calls[place]) == self._calls[place]:
                    failed = entry.get("errno", "EIO")
        if failed:
            self._history.note("failed", what=method, program=program)
            raise LookupError(program) if method == "path" else OSError(*ERRORS[failed])


class _Lease:
    def __init__(self, lease: Any, check: Callable[[], None]) -> None:
        self._lease = lease
        self._check = check

    def release(self) -> None:
        self._lease.release()
        self._check()


def failing(host: Any, entries: Sequence[Mapping[str, Any]], history: History) -> Any:
    """The host, failing where the entries say so."""
    return Failing(host, entries, history) if entries else host
