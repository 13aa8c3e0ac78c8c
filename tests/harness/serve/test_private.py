from __future__ import annotations

import pytest

from harness.serve.private import PrivateState, installed


class Desk:
    def installed(self) -> list[tuple[str, str, tuple[str, ...]]]:
        return [("com.apple.Chess", "/Chess.app", ("Chess", "Schach"))]


APPS = installed(Desk())


def test_folders_files_and_locks() -> None:
    state = PrivateState(APPS)
    folder = state.make_folder("home")
    assert folder == "/trailcam/state/home"
    with pytest.raises(FileExistsError):
        state.make_folder("home")
    assert state.files() == {"home": b""}
    state.remove_folder(folder)
    with pytest.raises(FileNotFoundError):
        state.remove_folder(folder)
    state.append_private("audit.jsonl", b"1\n")
    state.append_private("audit.jsonl", b"2\n")
    assert state.files() == {"audit.jsonl": b"1\n2\n"}
    lease = state.try_lock("a")
    assert lease is not None
    assert state.try_lock("a") is None
    assert state.locks_held() == ["a"]
    lease.release()
    lease.release()
    assert state.locks_held() == []


def test_installed_applications() -> None:
    state = PrivateState(APPS)
    assert state.applications() == (("com.apple.Chess", "/Chess.app", ("Chess", "Schach")),)
    assert state.applications("/Chess.app") == state.applications()
    assert state.applications("/Other.app") == ()


def test_a_world_without_applications_has_none() -> None:
    assert installed(object()) == ()
