"""The real Host: the only module of the stack that starts programs, opens sockets and files, and draws randomness.

Production code builds `RealHost()`, whose table of programs is the constant below. Another table can be given only by
code that builds the host in process (tests, the harness); nothing here reads an argument, a file or the environment.

Process trees are read from /proc on Linux and from `ps` elsewhere. The `ps` reader is tested on Linux's `ps`, whose
output has the same columns; on macOS itself it has not run yet.
"""

from __future__ import annotations

import errno
import fcntl
import os
import plistlib
import pwd
import secrets
import shutil
import ssl
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import anyio
from anyio.abc import ByteStream, Listener, Process

from stack.contract import Application, Lease, Program
from stack.meeting import Meeting

_CHATGPT: Final = "/Applications/ChatGPT.app/Contents/Resources"
_PLUGIN: Final = f"{_CHATGPT}/plugins/openai-bundled/plugins/computer-use"

PROGRAMS: Final[Mapping[Program, str]] = {
    Program.CODEX: f"{_CHATGPT}/codex",
    Program.HELPER: f"{_PLUGIN}/Codex Computer Use.app/Contents/SharedSupport/SkyComputerUseClient.app/Contents/MacOS/"
    "SkyComputerUseClient",
    Program.CODESIGN: "/usr/bin/codesign",
    Program.LSAPPINFO: "/usr/bin/lsappinfo",
    Program.SAFARIDRIVER: "/usr/bin/safaridriver",
    Program.OSASCRIPT: "/usr/bin/osascript",
    Program.SESSION: sys.executable,
}
"""Where the programs are on macOS. Source: the paths of codex-computer-use-mcp 0.3.0, and the system's own."""

APPLICATION_FOLDERS: Final = ("/Applications", "/System/Applications", "~/Applications")
INFO: Final = "Contents/Info.plist"
_NAME_BYTES: Final = 255
_PS: Final = "/bin/ps"
_PS_TIMEOUT_S: Final = 5


def _home() -> Path:
    """The user's home folder from the user database; never from the environment, which a caller could change."""
    return Path(pwd.getpwuid(os.getuid()).pw_dir)


def default_folder() -> Path:
    """Where the stack's state is for this user."""
    if sys.platform == "darwin":
        return _home() / "Library/Application Support/trailcam"
    return _home() / ".local/state/trailcam"


def _private(folder: Path) -> None:
    """Make a folder that only its user can enter, or see that it is one. PermissionError where it is not."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    seen = os.stat(folder, follow_symlinks=False)
    if not stat.S_ISDIR(seen.st_mode) or seen.st_uid != os.getuid() or seen.st_mode & 0o077:
        raise PermissionError(errno.EACCES, "not a folder that is closed to other users", str(folder))


def _file_name(name: str) -> str:
    if not name or name in (".", "..") or "/" in name or "\0" in name or len(os.fsencode(name)) > _NAME_BYTES:
        raise ValueError(f"{name!r} is not a file name of 1 to {_NAME_BYTES} bytes")
    return name


def _open_private(path: Path, flags: int) -> int:
    """Open or make a file that only its user can read; a link, another user's or an open one is refused."""
    number = os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    seen = os.fstat(number)
    if not stat.S_ISREG(seen.st_mode) or seen.st_uid != os.getuid() or seen.st_mode & 0o077:
        os.close(number)
        raise PermissionError(errno.EACCES, "not a file that is closed to other users", str(path))
    return number


def read_private(path: Path, limit: int) -> bytes:
    """The data of a file that only its user can read, at most `limit` bytes. OSError for any other: a link, another
    user's, an open one, a longer one, or what is no file."""
    number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        seen = os.fstat(number)
        if not stat.S_ISREG(seen.st_mode) or seen.st_uid != os.getuid() or seen.st_mode & 0o077:
            raise PermissionError(errno.EACCES, "not a file of yours that is closed to other users", str(path))
        data = os.read(number, limit + 1)
    finally:
        os.close(number)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"a file of more than {limit} bytes", str(path))
    return data


class FileLease:
    """A flock on one open file. The file stays: removing it would let two holders hold two files of one name."""

    __slots__ = ("_number",)

    def __init__(self, number: int) -> None:
        self._number: int | None = number

    def release(self) -> None:
        number, self._number = self._number, None
        if number is None:
            return
        try:
            fcntl.flock(number, fcntl.LOCK_UN)
        finally:
            os.close(number)


@dataclass(frozen=True, slots=True)
class ProcessRow:
    """One process that runs. began: when it started, in whatever form the system gives."""

    parent: int
    session: int
    began: str


def linux_processes() -> dict[int, ProcessRow]:
    """Every process that runs, from /proc; one that has exited and waits to be reaped does not run."""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            text = Path("/proc", name, "stat").read_text(encoding="utf-8", errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended between the two looks
        fields = text.rpartition(")")[2].split()
        if fields[0] not in "ZX":
            found[int(name)] = ProcessRow(int(fields[1]), int(fields[3]), fields[19])
    return found


def ps_processes() -> dict[int, ProcessRow]:
    """The same from `ps`, whose session column is no number on macOS: the session comes from the kernel."""
    done = subprocess.run(
        [_PS, "-axo", "pid=,ppid=,stat=,lstart="],
        capture_output=True,
        timeout=_PS_TIMEOUT_S,
        check=False,
        env={"LC_ALL": "C"},
    )
    if done.returncode != 0:
        raise OSError(errno.EIO, f"ps exited with {done.returncode}")
    found = {}
    for line in done.stdout.decode("ascii", "replace").split("\n"):
        fields = line.split()
        if len(fields) < 4 or fields[2].startswith("Z"):
            continue
        pid = int(fields[0])
        try:
            session = os.getsid(pid)
        except (ProcessLookupError, PermissionError):
            session = 0
        found[pid] = ProcessRow(int(fields[1]), session, " ".join(fields[3:]))
    return found


def descendants(rows: Mapping[int, ProcessRow], root: int) -> set[int]:
    """`root` and what descends from it, by parent, and by session where root leads one: a helper with a process group
    of its own, or one whose parent has died, is still found by its session."""
    members = {pid for pid, row in rows.items() if pid == root or row.session == root}
    grew = True
    while grew:
        more = {pid for pid, row in rows.items() if row.parent in members} - members
        members |= more
        grew = bool(more)
    return members


@dataclass(frozen=True, slots=True)
class Address:
    """A parsed address. port is 0 for unix."""

    scheme: str
    host: str
    port: int

    @property
    def loopback(self) -> bool:
        """Whether nothing leaves this machine. Names are never loopback: what they mean can be changed."""
        if self.scheme == "unix":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False


def parse_address(address: str) -> Address:
    """ "tcp:HOST:PORT", "tls:HOST:PORT" (IPv6 in brackets) or "unix:PATH"; ValueError for anything else."""
    scheme, _, rest = address.partition(":")
    if scheme == "unix" and rest.startswith("/"):
        return Address(scheme, rest, 0)
    host, _, port = rest.rpartition(":")
    if scheme not in ("tcp", "tls") or not host or not port.isdigit() or int(port) > 65535:
        raise ValueError(f"{address!r} is not tcp:HOST:PORT, tls:HOST:PORT or unix:/PATH")
    return Address(scheme, host[1:-1] if host.startswith("[") and host.endswith("]") else host, int(port))


class RealHost(Meeting):
    """The Host of production.

    programs: path of each program; folder: private state root; locks, meeting: where locks are and where the stack's
    processes meet, one for the user whatever `folder` is; application_folders: where applications are installed; live:
    whether `dial` may leave this machine.
    """

    def __init__(
        self,
        programs: Mapping[Program, str] = PROGRAMS,
        *,
        folder: Path | None = None,
        locks: Path | None = None,
        meeting: Path | None = None,
        application_folders: Sequence[str] = APPLICATION_FOLDERS,
        live: bool = False,
    ) -> None:
        super().__init__(meeting or default_folder() / "meeting")
        self.folder = Path(os.path.realpath(folder or default_folder()))  # programs report paths without links
        self._programs = dict(programs)
        self._locks = locks or default_folder() / "locks"
        self._application_folders = tuple(application_folders)
        self._live = live
        self._began: dict[int, str] = {}
        self._bundles: dict[Path, tuple[tuple[int, ...], Application | None]] = {}
        self._processes = linux_processes if sys.platform == "linux" else ps_processes
        _private(self.folder)

    def path(self, program: Program) -> str:
        return self._programs[program]

    async def start(self, program: Program, args: Sequence[str], *, env: Mapping[str, str], cwd: str) -> Process:
        path = self.path(program)
        if not os.path.isabs(path):
            raise FileNotFoundError(errno.ENOENT, "not an absolute path", path)
        return await anyio.open_process([path, *args], env=dict(env), cwd=cwd, start_new_session=True)

    def tree(self, pid: int) -> tuple[int, ...]:
        rows = self._processes()
        if pid in rows and self._began.setdefault(pid, rows[pid].began) != rows[pid].began:
            del self._began[pid]  # the number has been given to another process
            return ()
        members = descendants(rows, pid)
        for member in members:
            self._began.setdefault(member, rows[member].began)
        if not members:
            self._began.pop(pid, None)
        return tuple(sorted(members))

    def signal(self, pid: int, number: int) -> None:
        if pid <= 1:
            raise ValueError(f"{pid} is not a process that the stack may signal")
        if pid in self._began:
            row = self._processes().get(pid)
            if row is None or row.began != self._began[pid]:
                raise ProcessLookupError(errno.ESRCH, "the process has gone", str(pid))
        os.kill(pid, number)

    async def dial(self, address: str) -> ByteStream:
        where = parse_address(address)
        if not where.loopback and not self._live:
            raise PermissionError(errno.EACCES, "only loopback can be dialled by a host that is not live", address)
        if where.scheme == "unix":
            return await anyio.connect_unix(where.host)
        if where.scheme == "tcp":
            return await anyio.connect_tcp(where.host, where.port)
        context = ssl.create_default_context()
        return await anyio.connect_tcp(where.host, where.port, ssl_context=context, tls_standard_compatible=True)

    async def listen(self, address: str) -> Listener[ByteStream]:
        where = parse_address(address)
        if not where.loopback or where.scheme == "tls":
            raise PermissionError(errno.EACCES, "only loopback and unix sockets can be listened on", address)
        if where.scheme == "unix":
            return await anyio.create_unix_listener(where.host, mode=0o600)
        return await anyio.create_tcp_listener(local_host=where.host, local_port=where.port)

    def token(self, length: int) -> str:
        return secrets.token_hex((length + 1) // 2)[:length]

    def date(self) -> datetime:
        return datetime.now(UTC)

    def make_folder(self, name: str) -> str:
        path = self.folder / _file_name(name)
        path.mkdir(mode=0o700)
        return str(path)

    def remove_folder(self, path: str) -> None:
        if Path(path).parent != self.folder:
            raise PermissionError(errno.EACCES, "not a folder that this host made", path)
        shutil.rmtree(path)
        if os.path.lexists(path):
            raise OSError(errno.ENOTEMPTY, "still there after it was removed", path)

    def append_private(self, name: str, line: bytes) -> None:
        number = _open_private(self.folder / _file_name(name), os.O_WRONLY | os.O_APPEND)
        try:
            written = os.write(number, line)
        finally:
            os.close(number)
        if written != len(line):
            raise OSError(errno.EIO, f"{written} of {len(line)} bytes were written", name)

    def try_lock(self, name: str) -> Lease | None:
        _private(self._locks)
        number = _open_private(self._locks / _file_name(name), os.O_RDWR)
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(number)
            return None
        except OSError:
            os.close(number)
            raise
        return FileLease(number)

    def applications(self, path: str | None = None) -> Sequence[Application]:
        if path is not None:
            found = self._bundle(Path(path))
            return () if found is None else (found,)
        bundles = (self._bundle(bundle) for folder in self._application_folders for bundle in _bundles(folder))
        return tuple(bundle for bundle in bundles if bundle is not None)

    def _bundle(self, bundle: Path) -> Application | None:
        """What a bundle says; read again only where its Info.plist has changed, since every call asks for all."""
        try:
            seen = os.stat(bundle / INFO)
        except OSError:
            return None
        mark = (seen.st_dev, seen.st_ino, seen.st_mtime_ns, seen.st_size)
        known = self._bundles.get(bundle)
        if known is None or known[0] != mark:
            known = self._bundles[bundle] = (mark, read_bundle(bundle))
        return known[1]


def _bundles(folder: str) -> Iterator[Path]:
    """The application bundles in a folder and in its folders (Utilities and the like), one level down."""
    root = _home() / folder[2:] if folder.startswith("~/") else Path(folder)
    if not root.is_dir():
        return
    for entry in sorted(root.iterdir()):
        if entry.suffix == ".app":
            yield entry
        elif entry.is_dir():
            yield from sorted(entry.glob("*.app"))


def read_bundle(bundle: Path) -> Application | None:
    """What a bundle's Info.plist says; None where it is no application bundle that can be read."""
    path = Path(os.path.realpath(bundle))
    try:
        with open(path / INFO, "rb") as file:
            info = plistlib.load(file)
    except (OSError, plistlib.InvalidFileException, ValueError):
        return None
    if not isinstance(info, dict):
        return None
    identifier = info.get("CFBundleIdentifier")
    if not isinstance(identifier, str) or not identifier:
        return None
    names = [path.stem, *(info.get(key) for key in ("CFBundleDisplayName", "CFBundleName"))]
    return Application(identifier, str(path), tuple(dict.fromkeys(n for n in names if isinstance(n, str) and n)))
