"""The real host's processes: trees, orphans, signals, environment."""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import anyio
import pytest

from stack import host as module
from stack.contract import Program
from stack.host import (
    ProcessRow,
    RealHost,
    descendants,
    linux_processes,
    ps_processes,
)
from tests.stack.real_programs import write_program

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
