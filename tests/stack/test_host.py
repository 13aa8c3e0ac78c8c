"""The real host: its table of programs, files, locks, tokens and applications, in a temporary folder."""

from __future__ import annotations

import fcntl
import os
import plistlib
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import anyio
import pytest

from stack import host as module
from stack.contract import Program
from stack.host import (
    RealHost,
    default_folder,
    read_bundle,
    read_private,
)
from tests.stack.real_programs import write_application

T = TypeVar("T")


def run(main: Callable[[], Awaitable[T]]) -> T:
    return anyio.run(main, backend="trio")


@pytest.fixture
def host(tmp_path: Path) -> RealHost:
    applications = (str(tmp_path / "applications"), str(tmp_path / "none"))
    return RealHost(folder=tmp_path / "state", locks=tmp_path / "locks", application_folders=applications)


@pytest.mark.claim("CUA-SIG-02")
def test_the_table_is_constant_and_no_environment_changes_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("CODEX", "CODEX_PATH", "PATH", "HOME", "TRAILCAM_CODEX", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    host = RealHost(folder=tmp_path / "state")
    assert host.path(Program.CODEX) == "/Applications/ChatGPT.app/Contents/Resources/codex"
    assert host.path(Program.HELPER).endswith("/SkyComputerUseClient")
    assert not str(default_folder()).startswith(str(tmp_path))


def test_what_is_not_in_the_table_or_not_absolute_is_an_error(tmp_path: Path) -> None:
    host = RealHost({Program.CODEX: "codex"}, folder=tmp_path / "state")
    with pytest.raises(LookupError):
        host.path(Program.HELPER)

    async def main() -> None:
        await host.start(Program.CODEX, [], env={}, cwd="/")

    with pytest.raises(FileNotFoundError):
        run(main)


@pytest.mark.parametrize(
    ("platform", "end"), [("darwin", "Library/Application Support/trailcam"), ("linux", "trailcam")]
)
def test_the_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, platform: str, end: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert str(default_folder()).endswith(end)


@pytest.mark.claim("CUA-AUD-02")
def test_files_and_folders_are_private(host: RealHost) -> None:
    path = host.make_folder("a")
    for folder in (host.folder, Path(path)):
        assert folder.stat().st_mode & 0o777 == 0o700
    with pytest.raises(FileExistsError):
        host.make_folder("a")
    host.append_private("log", b"1\n")
    host.append_private("log", b"2\n")
    file = host.folder / "log"
    assert file.read_bytes() == b"1\n2\n"
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_folder_is_removed_with_all_in_it_and_no_other_folder_is(host: RealHost, tmp_path: Path) -> None:
    path = Path(host.make_folder("a"))
    (path / "b").mkdir()
    (path / "b/c").write_text("x")
    (path / "link").symlink_to(tmp_path)
    host.remove_folder(str(path))
    assert not path.exists()
    assert tmp_path.exists()
    for other in (str(tmp_path), str(host.folder), f"{path}/b"):
        with pytest.raises(PermissionError):
            host.remove_folder(other)
    with pytest.raises(FileNotFoundError):
        host.remove_folder(str(path))


def test_a_folder_that_comes_back_is_an_error(host: RealHost, monkeypatch: pytest.MonkeyPatch) -> None:
    path = host.make_folder("a")
    monkeypatch.setattr(shutil, "rmtree", lambda path: None)
    with pytest.raises(OSError, match="still there"):
        host.remove_folder(path)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/a", "a\0b", "x" * 256])
def test_what_is_no_file_name_is_refused(host: RealHost, name: str) -> None:
    for method in (host.make_folder, host.try_lock):
        with pytest.raises(ValueError, match="file name"):
            method(name)
    with pytest.raises(ValueError, match="file name"):
        host.append_private(name, b"x\n")


def test_links_and_open_files_are_refused(host: RealHost, tmp_path: Path) -> None:
    (host.folder / "link").symlink_to(tmp_path / "other")
    with pytest.raises(OSError, match="symbolic"):
        host.append_private("link", b"x\n")
    (host.folder / "open").write_text("")
    (host.folder / "open").chmod(0o644)
    with pytest.raises(PermissionError):
        host.append_private("open", b"x\n")
    os.mkfifo(host.folder / "pipe", 0o600)
    reader = os.open(host.folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(PermissionError):
        host.append_private("pipe", b"x\n")
    os.close(reader)


def test_a_short_write_is_an_error(host: RealHost, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "write", lambda number, data: 1)
    with pytest.raises(OSError, match="1 of 2 bytes"):
        host.append_private("log", b"x\n")


def test_an_open_root_is_refused(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir(mode=0o755)
    (tmp_path / "state").chmod(0o755)
    with pytest.raises(PermissionError):
        RealHost(folder=tmp_path / "state")
    (tmp_path / "file").write_text("")
    with pytest.raises(FileExistsError):
        RealHost(folder=tmp_path / "file")


HOLD = """
import fcntl, os, sys
number = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600)
fcntl.flock(number, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.mark.claim("CUA-LOCK-01")
def test_a_lock_is_exclusive_across_processes_and_free_at_once_when_its_holder_is_killed(host: RealHost) -> None:
    mine = host.try_lock("a.lock")
    assert mine is not None
    assert host.try_lock("a.lock") is None
    mine.release()
    mine.release()
    path = str(host._locks / "a.lock")
    with subprocess.Popen(
        [sys.executable, "-SEc", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert host.try_lock("a.lock") is None
        holder.kill()
        holder.wait()
        again = host.try_lock("a.lock")
        assert again is not None
        again.release()
    assert host._locks.stat().st_mode & 0o777 == 0o700


@pytest.mark.claim("CUA-LOCK-02")
def test_a_lock_holds_between_state_folders(tmp_path: Path) -> None:
    one = RealHost(folder=tmp_path / "one", locks=tmp_path / "locks")
    other = RealHost(folder=tmp_path / "other", locks=tmp_path / "locks")
    held = one.try_lock("a.lock")
    assert held is not None
    assert other.try_lock("a.lock") is None
    free = other.try_lock("b.lock")
    assert free is not None
    assert RealHost(folder=tmp_path / "one")._locks == RealHost(folder=tmp_path / "other")._locks
    held.release()
    free.release()


def test_a_lock_that_fails_is_an_error(host: RealHost, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(number: int, how: int) -> None:
        raise OSError(5, "Input/output error")

    lease = host.try_lock("b.lock")
    assert lease is not None
    monkeypatch.setattr(fcntl, "flock", fail)
    with pytest.raises(OSError, match="Input/output"):
        host.try_lock("a.lock")
    with pytest.raises(OSError, match="Input/output"):
        lease.release()
    lease.release()


@pytest.mark.parametrize("length", [0, 1, 7, 16, 33])
def test_tokens_have_their_length_and_differ(host: RealHost, length: int) -> None:
    token = host.token(length)
    assert len(token) == length
    assert set(token) <= set("0123456789abcdef")
    assert length < 7 or host.token(length) != token


def test_the_date_is_of_utc(host: RealHost) -> None:
    assert host.date().isoformat().endswith("+00:00")


@pytest.mark.claim("CUA-APP-01")
def test_applications_are_read_from_their_folders_one_level_down(host: RealHost, tmp_path: Path) -> None:
    folder = tmp_path / "applications"
    chess = write_application(folder, "Chess", "com.apple.Chess")
    write_application(folder / "Utilities", "Terminal", "com.apple.Terminal")
    write_application(folder / "a/b", "Deep", "com.apple.Deep")
    (folder / "Broken.app").mkdir()
    (folder / "note.txt").write_text("x")
    assert [application.bundle_id for application in host.applications()] == ["com.apple.Chess", "com.apple.Terminal"]
    link = tmp_path / "Link.app"
    link.symlink_to(chess)
    (found,) = host.applications(str(link))
    assert (found.bundle_id, found.path, found.names) == ("com.apple.Chess", str(chess.resolve()), ("Chess",))
    assert host.applications(str(tmp_path / "no.app")) == ()


@pytest.mark.parametrize(
    "data",
    [
        b"rubbish",
        plistlib.dumps([1]),
        plistlib.dumps({}),
        plistlib.dumps({"CFBundleIdentifier": ""}),
        plistlib.dumps({"CFBundleIdentifier": 3}),
    ],
)
def test_a_bundle_that_can_not_be_read_is_none(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "A.app/Contents").mkdir(parents=True)
    (tmp_path / "A.app/Contents/Info.plist").write_bytes(data)
    assert read_bundle(tmp_path / "A.app") is None


def test_a_bundle_has_all_its_names(tmp_path: Path) -> None:
    (tmp_path / "A.app/Contents").mkdir(parents=True)
    info = {"CFBundleIdentifier": "a.b", "CFBundleDisplayName": "Display", "CFBundleName": "A"}
    (tmp_path / "A.app/Contents/Info.plist").write_bytes(plistlib.dumps(info))
    found = read_bundle(tmp_path / "A.app")
    assert found is not None
    assert found.names == ("A", "Display")


def test_a_bundle_is_read_again_when_it_changed(host: RealHost, tmp_path: Path) -> None:
    bundle = write_application(tmp_path / "applications", "Chess", "com.apple.Chess")
    (first,) = host.applications()
    (again,) = host.applications()
    assert again is first
    (bundle / "Contents/Info.plist").write_bytes(plistlib.dumps({"CFBundleIdentifier": "org.other.Chess"}))
    (changed,) = host.applications()
    assert changed.bundle_id == "org.other.Chess"


def test_a_home_folder_is_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_home", lambda: tmp_path)
    write_application(tmp_path / "Applications", "Mine", "a.mine")
    host = RealHost(folder=tmp_path / "state", application_folders=("~/Applications",))
    assert [application.bundle_id for application in host.applications()] == ["a.mine"]


def test_a_private_file_is_read_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "key"
    path.write_bytes(b"secret")
    path.chmod(0o400)
    assert read_private(path, 6) == b"secret"
    with pytest.raises(OSError, match="a file of more than 5 bytes"):
        read_private(path, 5)
    path.chmod(0o440)
    with pytest.raises(PermissionError, match="closed to other users"):
        read_private(path, 6)
    path.chmod(0o600)
    monkeypatch.setattr(os, "getuid", lambda: 1_234_567)
    with pytest.raises(PermissionError, match="not a file of yours"):
        read_private(path, 6)
