from __future__ import annotations

from pathlib import Path

import pytest

from harness.serve.private import PrivateState, installed

class Desk:
    def installed(self) -> list[tuple[str, str, tuple[str, ...]]]:
        return [("com.apple.Chess", "/Chess.app", ("Chess", "Schach"))]


APPS = installed(Desk())


def test_folders_files_and_locks(tmp_path: Path) -> None:
    state = PrivateState(tmp_path, APPS)
    folder = state.make_folder("home")
    assert Path(folder).stat().st_mode & 0o777 == 0o700
    with pytest.raises(FileExistsError):
        state.make_folder("home")
    (Path(folder) / "x").write_text("y")
    state.remove_folder(folder)
    assert not Path(folder).exists()
    state.append_private("audit.jsonl", b"1\n")
    state.append_private("audit.jsonl", b"2\n")
    assert (tmp_path / "audit.jsonl").read_bytes() == b"1\n2\n"
    assert (tmp_path / "audit.jsonl").stat().st_mode & 0o777 == 0o600
    lease = state.try_lock("a")
    assert lease is not None
    assert state.try_lock("a") is None
    assert state.locks_held() == ["a"]
    lease.release()
    lease.release()
    assert state.locks_held() == []


def test_installed_applications(tmp_path: Path) -> None:
    state = PrivateState(tmp_path, APPS)
    assert state.applications() == (("com.apple.Chess", "/Chess.app", ("Chess", "Schach")),)
    assert state.applications("/Chess.app") == state.applications()
    assert state.applications("/Other.app") == ()


def test_a_world_without_applications_has_none() -> None:
    assert installed(object()) == ()
