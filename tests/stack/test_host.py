"""The real host: processes, files, locks, sockets and applications of this machine, in a temporary folder."""

from __future__ import annotations

import fcntl
import os
import plistlib
import shutil
import signal
import ssl
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
    Address,
    ProcessRow,
    RealHost,
    default_folder,
    descendants,
    linux_processes,
    parse_address,
    ps_processes,
    read_bundle,
)
from tests.stack.real_programs import write_application, write_program

T = TypeVar("T")
SLEEP = "import time\ntime.sleep(600)\n"
PARENT = f"""
import os, subprocess, sys
child = subprocess.Popen([sys.executable, "-SEc", {SLEEP!r}], start_new_session=len(sys.argv) > 2, process_group=0
                         if len(sys.argv) <= 2 else None)
print(child.pid, flush=True)
if sys.argv[1] == "stay":
    child.wait()
"""


def run(main: Callable[[], Awaitable[T]]) -> T:
    return anyio.run(main, backend="trio")


@pytest.fixture
def host(tmp_path: Path) -> RealHost:
    programs = tmp_path / "programs"
    programs.mkdir()
    write_program(programs / "codex", PARENT)
    write_program(programs / "helper", SLEEP)
    table = {Program.CODEX: str(programs / "codex"), Program.HELPER: str(programs / "helper")}
    applications = (str(tmp_path / "applications"), str(tmp_path / "none"))
    return RealHost(table, folder=tmp_path / "state", locks=tmp_path / "locks", application_folders=applications)


# Processes


async def started(host: RealHost, *arguments: str) -> tuple[anyio.abc.Process, int]:
    process = await host.start(Program.CODEX, arguments, env={}, cwd="/")
    assert process.stdout is not None
    return process, int(await process.stdout.receive())


async def gone(host: RealHost, pid: int) -> None:
    while host.tree(pid):
        await anyio.sleep(0.01)


@pytest.mark.claim("CUA-CLN-01")
@pytest.mark.parametrize("processes", [linux_processes, ps_processes])
@pytest.mark.parametrize("arguments", [("stay",), ("stay", "session")])
def test_a_tree_has_children_with_groups_and_sessions_of_their_own(
    host: RealHost, processes: Callable[[], dict[int, ProcessRow]], arguments: tuple[str, ...]
) -> None:
    host._processes = processes

    async def main() -> None:
        process, child = await started(host, *arguments)
        assert host.tree(process.pid) == tuple(sorted((process.pid, child)))
        assert host.tree(child) == (child,)
        host.signal(child, signal.SIGTERM)
        assert await process.wait() == 0
        await process.aclose()
        assert host.tree(process.pid) == ()
        assert host.tree(child) == ()
        with pytest.raises(ProcessLookupError):
            host.signal(child, signal.SIGTERM)

    run(main)


@pytest.mark.claim("CUA-CLN-02")
@pytest.mark.parametrize("processes", [linux_processes, ps_processes])
def test_an_orphan_is_found_by_its_session(host: RealHost, processes: Callable[[], dict[int, ProcessRow]]) -> None:
    host._processes = processes

    async def main() -> None:
        process, child = await started(host, "leave")
        assert await process.wait() == 0
        assert host.tree(process.pid) == (child,)
        host.signal(child, signal.SIGKILL)
        await gone(host, child)
        await process.aclose()

    run(main)


def test_a_number_that_another_process_has_now_is_left_alone(host: RealHost) -> None:
    rows = {50: ProcessRow(1, 50, "then"), 51: ProcessRow(50, 50, "then")}
    host._processes = lambda: rows
    assert host.tree(50) == (50, 51)
    rows[50] = ProcessRow(1, 50, "now")
    rows[51] = ProcessRow(1, 51, "now")
    with pytest.raises(ProcessLookupError):
        host.signal(51, signal.SIGKILL)
    assert host.tree(50) == ()


@pytest.mark.parametrize("pid", [0, 1, -5])
def test_groups_and_the_first_process_are_never_signalled(host: RealHost, pid: int) -> None:
    with pytest.raises(ValueError, match="may signal"):
        host.signal(pid, signal.SIGTERM)


def test_descendants_by_parent_and_by_session() -> None:
    rows = {
        10: ProcessRow(1, 10, ""),
        11: ProcessRow(10, 10, ""),
        12: ProcessRow(11, 12, ""),
        13: ProcessRow(1, 10, ""),
        14: ProcessRow(13, 14, ""),
        20: ProcessRow(1, 20, ""),
    }
    assert descendants(rows, 10) == {10, 11, 12, 13, 14}
    del rows[10]
    assert descendants(rows, 10) == {11, 12, 13, 14}
    assert descendants(rows, 99) == set()


@pytest.mark.claim("CUA-RUN-08")
def test_a_program_gets_exactly_its_environment(host: RealHost, tmp_path: Path) -> None:
    write_program(Path(host.path(Program.HELPER)), "import os\nprint(sorted(os.environ), os.getcwd(), flush=True)\n")

    async def main() -> bytes:
        process = await host.start(Program.HELPER, [], env={"A": "b"}, cwd=str(tmp_path))
        assert process.stdout is not None
        printed = await process.stdout.receive()
        await process.wait()
        await process.aclose()
        return printed

    assert run(main) in (f"['A'] {tmp_path}\n".encode(), f"['A', 'LC_CTYPE'] {tmp_path}\n".encode())


def test_ps_that_fails_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PS", "/bin/false")
    with pytest.raises(OSError, match="ps exited with 1"):
        ps_processes()


def test_a_session_that_can_not_be_told_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(pid: int) -> int:
        raise PermissionError

    monkeypatch.setattr(os, "getsid", refuse)
    assert ps_processes()[os.getpid()].session == 0


# Programs


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


# Files


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


# Locks

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


# Sockets

ADDRESSES = {
    "tcp:127.0.0.1:80": Address("tcp", "127.0.0.1", 80),
    "tcp:[::1]:8080": Address("tcp", "::1", 8080),
    "tls:example.com:443": Address("tls", "example.com", 443),
    "unix:/run/a b:c": Address("unix", "/run/a b:c", 0),
}


@pytest.mark.parametrize(("address", "parsed"), ADDRESSES.items())
def test_addresses(address: str, parsed: Address) -> None:
    assert parse_address(address) == parsed


@pytest.mark.parametrize(
    "address", ["", "tcp:", "tcp:80", "tcp::80", "tcp:a:b", "tcp:a:70000", "udp:a:1", "unix:a", "http://a:1", "tls:a"]
)
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(ValueError, match="tcp:HOST:PORT"):
        parse_address(address)


@pytest.mark.parametrize(
    ("host_name", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", False),
        ("10.0.0.1", False),
        ("0.0.0.0", False),
    ],
)
def test_what_is_loopback(host_name: str, loopback: bool) -> None:
    assert Address("tcp", host_name, 80).loopback is loopback


@pytest.mark.parametrize("address", ["tcp:10.0.0.1:80", "tls:example.com:443", "tcp:localhost:80"])
def test_nothing_but_loopback_is_dialled_or_listened_on(host: RealHost, address: str) -> None:
    for method in (host.dial, host.listen):

        async def main() -> None:
            await method(address)  # noqa: B023 - run before the loop goes on

        with pytest.raises(PermissionError):
            run(main)


@pytest.mark.parametrize("where", ["tcp:127.0.0.1:0", "unix:{}/socket"])
def test_a_loopback_socket_is_dialled_and_listened_on(host: RealHost, tmp_path: Path, where: str) -> None:
    address = where.format(tmp_path)

    async def main() -> bytes:
        listener = await host.listen(address)
        if address.startswith("tcp:"):
            port = listener.extra(anyio.abc.SocketAttribute.local_port)
            target = f"tcp:127.0.0.1:{port}"
        else:
            target = address
            assert (tmp_path / "socket").stat().st_mode & 0o777 == 0o600

        async def greet(stream: anyio.abc.ByteStream) -> None:
            await stream.send(b"hello")
            await stream.aclose()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(listener.serve, greet)
            stream = await host.dial(target)
            received = await stream.receive()
            await stream.aclose()
            tasks.cancel_scope.cancel()
        await listener.aclose()
        return received

    assert run(main) == b"hello"


def test_tls_to_loopback_is_checked(host: RealHost) -> None:
    async def main() -> None:
        listener = await host.listen("tcp:127.0.0.1:0")
        port = listener.extra(anyio.abc.SocketAttribute.local_port)

        async def answer(stream: anyio.abc.ByteStream) -> None:
            await stream.send(b"no TLS here, not at all")
            await stream.aclose()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(listener.serve, answer)
            with pytest.raises(ssl.SSLError):
                await host.dial(f"tls:127.0.0.1:{port}")
            tasks.cancel_scope.cancel()
        await listener.aclose()

    run(main)


# The rest


@pytest.mark.parametrize("length", [0, 1, 7, 16, 33])
def test_tokens_have_their_length_and_differ(host: RealHost, length: int) -> None:
    token = host.token(length)
    assert len(token) == length
    assert set(token) <= set("0123456789abcdef")
    assert length < 7 or host.token(length) != token


def test_the_date_is_of_utc(host: RealHost) -> None:
    assert host.date().isoformat().endswith("+00:00")


# Applications


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


def test_a_home_folder_is_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_home", lambda: tmp_path)
    write_application(tmp_path / "Applications", "Mine", "a.mine")
    host = RealHost(folder=tmp_path / "state", application_folders=("~/Applications",))
    assert [application.bundle_id for application in host.applications()] == ["a.mine"]
