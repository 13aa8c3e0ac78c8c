"""One app-server's life: what it is asked, and how it is read to its end."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from stack.computer_use.protocol import Replied
from stack.computer_use.session import Session
from stack.computer_use.settings import LINUX, Settings
from stack.errors import ProtocolError
from tests.stack.scripted_host import ScriptedHost
from tests.stack.scripted_server import DONE, AppServer, notice
from tests.stack.staging import check_clean, play, staged

LIST = "mcpServerStatus/list"


async def opened(host: ScriptedHost, tasks: anyio.abc.TaskGroup) -> Session:
    session = Session(host, Settings(platform=LINUX), openai_forms=False)
    tasks.start_soon(session.run)
    await session.up.wait()
    return session


@pytest.mark.parametrize(
    ("version", "named"),
    [
        ("0.171.0", True),
        ("0.172.0", True),
        ("1.0.0", True),
        ("0.144.2", False),
        ("0.170.9", False),
        ("x.y", False),
        ("7", False),
    ],
)
def test_the_inventory_is_asked_of_the_threads_own_helper_where_that_is_known(version: str, named: bool) -> None:
    server = AppServer(version=version)

    async def main() -> None:
        async with staged(server) as (host, _), anyio.create_task_group() as tasks:
            session = await opened(host, tasks)
            await session.handshake()
            await session.inventory()
            await session.end()
            check_clean(host)
        (asked,) = [message["params"] for message in server.heard if message.get("method") == LIST]
        assert asked.get("serverName") == ("computer-use" if named else None)
        assert session.broker_version == version

    play(main)


@pytest.mark.parametrize("agent", ["x/0.171.0", "0.171.0 (x)", None, 3, "x/" + "1" * 40 + " "])
def test_a_version_of_another_form_is_unknown(agent: Any) -> None:
    async def main() -> None:
        server = AppServer({"initialize": [{"id": "$id", "result": {"userAgent": agent}}]})
        async with staged(server) as (host, _), anyio.create_task_group() as tasks:
            session = await opened(host, tasks)
            await session.handshake()
            assert session.broker_version is None
            await session.end()

    play(main)


def test_ending_it_before_it_was_used_cleans_up() -> None:
    async def main() -> None:
        async with staged() as (host, _), anyio.create_task_group() as tasks:
            session = await opened(host, tasks)
            assert len(host.folders) == 2
            assert await session.end() == []
            check_clean(host)
            with pytest.raises(ProtocolError, match="connection_closed"):
                await session.dispatch("click", {})

    play(main)


@pytest.mark.parametrize("error", [anyio.BrokenResourceError, anyio.ClosedResourceError])
def test_an_app_server_that_reads_nothing_any_more_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    """Its input has gone, and its output goes on: no answer will come of what could not be sent."""

    async def gone(self: object, line: bytes) -> None:
        raise error

    async def main() -> None:
        async with staged() as (host, _), anyio.create_task_group() as tasks:
            session = await opened(host, tasks)
            await session.handshake()
            monkeypatch.setattr(Session, "_in_turn", gone)
            try:
                with anyio.fail_after(1), pytest.raises(ProtocolError, match="the app-server's input is closed"):
                    await session.inventory()
            finally:
                await session.end()

    play(main)


def test_two_writes_at_once_come_one_after_the_other() -> None:
    line = b'{"method": "initialized"}\n'
    server = AppServer()

    async def main() -> None:
        async with staged(server) as (host, _), anyio.create_task_group() as tasks:
            session = await opened(host, tasks)
            try:
                async with anyio.create_task_group() as writing:
                    writing.start_soon(session._write, line)
                    writing.start_soon(session._write, line)
            finally:
                await session.end()

    play(main)
    assert [message["method"] for message in server.heard] == ["initialized", "initialized"]


def test_what_came_before_a_fault_is_still_given() -> None:
    server = AppServer({"mcpServer/tool/call": [DONE, b"rubbish\n"]})

    async def main() -> None:
        async with staged(server) as (host, _), anyio.create_task_group() as tasks:
            session = await opened(host, tasks)
            await session.handshake()
            await session.inventory()
            await session.dispatch("click", {})
            await anyio.sleep(1)
            assert session.is_over
            assert isinstance(await session.next_event(), Replied)
            with pytest.raises(ProtocolError, match="not_json"):
                await session.next_event()
            assert session.violation is not None
            await session.end()

    play(main)


@pytest.mark.claim("CUA-RUN-04")
def test_model_activity_outranks_an_earlier_fault() -> None:
    server = AppServer({"mcpServer/tool/call": [b"rubbish\n", b"more\n", notice("turn/started")]})

    async def main() -> None:
        async with staged(server) as (host, _), anyio.create_task_group() as tasks:
            session = await opened(host, tasks)
            await session.handshake()
            await session.inventory()
            await session.dispatch("click", {})
            await anyio.sleep(1)
            await session.end()
            assert session.fault is not None
            assert session.fault.code == "model_activity"
            assert session.conversation.turns == 1

    play(main)


def test_many_words_on_stderr_are_drained_and_only_the_last_are_kept() -> None:
    async def shout(process: Any) -> None:
        for _ in range(100):
            await process.complain(b"x" * 1000 + b"\n")
        await process.complain("last ünd worst\n".encode())

    async def die(process: Any) -> None:
        process.exit(1)
        await anyio.sleep_forever()

    async def main() -> None:
        async with (
            staged(AppServer({"initialize": [shout, 1.0, die]})) as (host, _),
            anyio.create_task_group() as tasks,
        ):
            session = await opened(host, tasks)
            with pytest.raises(Exception, match="ended at its start: last ünd worst"):
                await session.handshake()
            await session.end()

    play(main)
