"""The server: who may ask it what, and when it ends."""

from __future__ import annotations

import socket
import stat
from pathlib import Path
from typing import Any

import anyio
import pytest

from stack.errors import CallError, StackError
from stack.safari_jxa.settings import Settings
from stack.session import client, place, server
from tests.stack.session.holding import Safari, host_in, opening, run


def served(monkeypatch: pytest.MonkeyPatch, host: Any, check: Any, safari: Safari | None = None) -> None:
    """Run a check while a server of the name `a` runs; it must have ended by itself, or is stopped after it."""
    monkeypatch.setattr(server.safari_jxa, "open", opening(safari or Safari()))  # type: ignore[attr-defined]

    async def main() -> None:
        stop = anyio.Event()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(server.serve, host, Settings(), "a", stop)
            while not host.published():
                await anyio.sleep(0.01)
            await check()
            stop.set()

    run(main)
    assert host.published() == {}


@pytest.mark.claim("JXA-SES-01", tooth="a socket that others can open")
def test_only_its_user_can_open_the_socket(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    host = host_in(tmp_path)

    async def check() -> None:
        path = host.meeting / place.socket_of("a")
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
        assert stat.S_IMODE(host.meeting.stat().st_mode) == 0o700

    served(monkeypatch, host, check)


@pytest.mark.claim("JXA-SES-01", tooth="a peer that is another user's, at either end")
def test_another_users_process_is_not_answered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    host, ours = host_in(tmp_path), host_in(tmp_path)
    monkeypatch.setattr(host, "is_mine", lambda stream: False)

    async def check() -> None:
        with pytest.raises(StackError, match="another user"):
            await client.connect(host, "a")
        asked = await client.connect(ours, "a")
        with pytest.raises(client.SessionOver):
            await asked.ask("status", {})
        await asked.aclose()

    served(monkeypatch, host, check)


@pytest.mark.parametrize("line", [b"no\n", b'{"call":1,"arguments":{}}\n', b'{"call":"observe"}\n'])
def test_what_is_no_request_ends_the_connection_and_not_the_server(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, line: bytes
) -> None:
    host = host_in(tmp_path)

    async def check() -> None:
        async with await host.dial(place.address(host, "a")) as stream:
            await stream.send(line)
            with pytest.raises(anyio.EndOfStream):
                await stream.receive()
        asked = await client.connect(host, "a")
        assert (await asked.ask("windows", {})).code == "unknown_tool"
        assert (await asked.ask("status", {})).outcome == "done"
        await asked.aclose()

    served(monkeypatch, host, check)


def test_the_socket_that_a_dead_server_left_is_taken_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    host = host_in(tmp_path)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(host.meeting / place.socket_of("a")))

    async def check() -> None:
        asked = await client.connect(host, "a")
        assert (await asked.ask("status", {})).outcome == "done"
        await asked.aclose()

    served(monkeypatch, host, check)


def test_a_name_that_stays_taken_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    host = host_in(tmp_path)
    monkeypatch.setattr(server, "LOCK_PAUSE_MS", 0.1)

    async def check() -> None:
        with pytest.raises(CallError) as caught:
            await server.serve(host, Settings(), "a")
        assert caught.value.code == "session_taken"

    served(monkeypatch, host, check)


def test_a_server_that_nobody_asks_ends(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(server, "FIRST_MS", 10)
    host = host_in(tmp_path)

    async def check() -> None:
        with anyio.fail_after(20):
            while host.published():
                await anyio.sleep(0.01)
        assert not (host.meeting / place.socket_of("a")).exists()

    served(monkeypatch, host, check)


def test_nobody_is_asked_anything() -> None:
    async def main() -> None:
        await server.Nobody().tools_changed()
        with pytest.raises(Exception, match="nobody"):
            await server.Nobody().ask(None)  # type: ignore[arg-type]

    run(main)
