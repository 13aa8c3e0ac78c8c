"""Where the processes of one user meet, and who is at the end of a socket."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from stack.meeting import Meeting, user_of


def test_what_is_published_is_found_until_it_is_withdrawn(tmp_path: Path) -> None:
    meeting = Meeting(tmp_path / "meet")
    meeting.publish("a.json", b"one")
    meeting.publish("a.json", b"two")
    assert meeting.published() == {"a.json": b"two"}
    assert stat.S_IMODE(os.stat(tmp_path / "meet").st_mode) == 0o700
    assert stat.S_IMODE(os.stat(tmp_path / "meet/a.json").st_mode) == 0o600
    meeting.withdraw("a.json")
    meeting.withdraw("a.json")
    assert meeting.published() == {}
    assert meeting.parent() == os.getppid()


@pytest.mark.claim("CHR-IPC-01", tooth="files and folders that others can read, links, sockets and half files")
def test_only_closed_files_of_this_user_are_looked_into(tmp_path: Path) -> None:
    meeting = Meeting(tmp_path / "meet")
    meeting.publish("mine.json", b"mine")
    folder = meeting.meeting
    (folder / "open.json").write_bytes(b"x")
    (folder / "open.json").chmod(0o644)
    (folder / "link.json").symlink_to(folder / "mine.json")
    (folder / "half.json.partial").write_bytes(b"x")
    (folder / "half.json.partial").chmod(0o600)
    (folder / "folder").mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "s.sock"))
        assert meeting.published() == {"mine.json": b"mine"}
    folder.chmod(0o755)
    with pytest.raises(PermissionError):
        meeting.published()


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/a"])
def test_names_are_names_of_files(tmp_path: Path, name: str) -> None:
    meeting = Meeting(tmp_path / "meet")
    with pytest.raises(ValueError, match="not the name"):
        meeting.publish(name, b"")
    with pytest.raises(ValueError, match="not the name"):
        meeting.withdraw(name)


@pytest.mark.claim("CHR-IPC-01", tooth="a process of another user, and a socket whose other end has no user")
def test_the_user_at_the_other_end_is_asked_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    stream: Any = SimpleNamespace(extra=lambda attribute: ours)
    with ours, theirs, socket.socket() as tcp:
        assert user_of(ours) == os.getuid()
        meeting = Meeting(tmp_path)
        assert meeting.is_mine(stream)
        monkeypatch.setattr(os, "getuid", lambda: 4242)
        assert not meeting.is_mine(stream)
        with pytest.raises(OSError, match="only the other end of a unix socket"):
            user_of(tcp)


def test_the_credentials_of_macos_are_read_in_their_own_form(monkeypatch: pytest.MonkeyPatch) -> None:
    fake: Any = SimpleNamespace(family=socket.AF_UNIX, getsockopt=lambda *_: b"\0\0\0\0\x09\0\0\0")
    monkeypatch.setattr("sys.platform", "darwin")
    assert user_of(fake) == 9
