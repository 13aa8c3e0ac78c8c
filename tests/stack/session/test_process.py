"""Servers in real processes: one that outlives its command, one that is killed, one that can't open a window."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from anyio.abc import Process

from stack.contract import Program
from stack.errors import StackError
from stack.session import client, process
from stack.session.client import SessionOver
from stack.session.process import spawner
from tests.stack.session.holding import host_in, run


def script(folder: Path, module: str) -> str:
    """A program that starts a server of this name with the folders of the test."""
    path = folder / "session"
    root = Path(__file__).parents[3]
    path.write_text(f'#!/bin/sh\ncd {root}\nexec {sys.executable} -m {module} {folder} "$@"\n')
    path.chmod(0o700)
    return str(path)


@pytest.mark.claim("JXA-SES-06", tooth="a server that is killed between two commands, and in the middle of one")
def test_a_server_lives_on_its_own_and_its_death_is_the_end_of_the_session(tmp_path: Path) -> None:
    host = host_in(tmp_path, session=script(tmp_path, "tests.stack.session.holding"))
    started: list[Process] = []

    async def main() -> None:
        begin = host.start

        async def start(program: Program, args: list[str], **more: object) -> object:
            made = await begin(program, args, **more)  # type: ignore[arg-type]
            started.append(made)
            return made

        host.start = start  # type: ignore[method-assign,assignment]
        asked = await client.begin(host, "a", spawner(host), print)
        assert (await asked.ask("attach", {"window": 7})).outcome == "done"
        await asked.aclose()
        again = await client.connect(host, "a")
        assert (await again.ask("status", {})).outcome == "done"
        started[0].kill()
        await started[0].wait()
        with pytest.raises(SessionOver) as caught:
            await again.ask("act", {"observation": 1, "action": "e1"})
        assert (caught.value.code, caught.value.outcome) == ("session_dead", "unknown")
        await again.aclose()
        for said in ("its socket was cleared", "no_session"):
            with pytest.raises(StackError, match=said):
                await client.connect(host, "a")
        assert await started[0].wait() == -signal.SIGKILL

    run(main)


def test_a_signal_ends_a_server_as_its_end_does(tmp_path: Path) -> None:
    host = host_in(tmp_path)

    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(process._main, host, "b")
            with anyio.fail_after(10):
                while not host.published():
                    await anyio.sleep(0.02)
            os.kill(os.getpid(), signal.SIGTERM)

    run(main)
    assert host.published() == {}


def test_a_name_that_is_none_is_no_server(tmp_path: Path) -> None:
    assert process.command(["../x"], host_in(tmp_path)) == process.COULD_NOT_RUN
    assert process.command([], host_in(tmp_path)) == process.COULD_NOT_RUN


def test_a_server_whose_machine_gives_it_no_socket_ends_with_a_status(tmp_path: Path) -> None:
    host = host_in(tmp_path)

    async def refuse(address: str) -> Any:
        raise OSError("no socket")

    host.listen = refuse  # type: ignore[method-assign]
    assert anyio.run(process._main, host, "a", backend="trio") == process.COULD_NOT_RUN


def test_a_server_that_can_not_be_started_is_said(tmp_path: Path) -> None:
    async def main() -> None:
        await spawner(host_in(tmp_path))("a")

    with pytest.raises(Exception, match="start_failed"):
        run(main)


def test_a_server_that_was_started_keeps_no_stream_of_its_command(tmp_path: Path) -> None:
    host = host_in(tmp_path)
    closed: list[str] = []

    class Stream:
        def __init__(self, name: str) -> None:
            self.name = name

        async def aclose(self) -> None:
            closed.append(self.name)

    async def start(program: Program, args: list[str], **more: object) -> object:
        return SimpleNamespace(stdin=Stream("stdin"), stdout=Stream("stdout"), stderr=None)

    host.start = start  # type: ignore[method-assign,assignment]
    run(lambda: spawner(host)("a"))
    assert closed == ["stdin", "stdout"]
