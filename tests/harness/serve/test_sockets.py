"""Addresses of a process run: mapped to sockets of this run, so that two runs never meet."""
from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
import trio
from anyio.abc import SocketAttribute

from harness.serve.launch import make_folder, remove_folder
from harness.serve.services import Services
from harness.serve.sockets import SocketNetwork
from harness.serve.stage import Stage
from tests.harness.serve.machines import Counter
from tests.harness.serve.oracle import ADDRESS, MACHINES, PlainHost, SocketHost, ask, sheet_of
from tests.harness.serve.test_network import echo

TCP = "tcp:127.0.0.1:9000"


def hosted(play: Callable[[SocketHost, Path], Awaitable[Any]]) -> Any:
    folder = make_folder(())

    async def main() -> Any:
        stage = Stage(sheet_of(), MACHINES, Counter, clock=trio.current_time)
        async with trio.open_nursery() as nursery:
            result = await play(SocketHost(SocketNetwork(Services(stage, nursery), folder)), folder)
            nursery.cancel_scope.cancel()
        return result

    try:
        return trio.run(main)
    finally:
        remove_folder(folder)


async def heard(host: Any, address: str) -> bytes:
    async with await host.dial(address) as stream:
        await stream.send(b"x")
        data: bytes = await stream.receive()
        return data


def test_the_same_address_in_two_runs_at_once() -> None:
    async def play(host: SocketHost, folder: Path) -> list[Any]:
        other = SocketHost(SocketNetwork(host.network._services, folder))
        ports, listeners = [], []
        async with trio.open_nursery() as nursery:
            for each in (host, other):
                listener = await each.listen(TCP)
                listeners.append(listener)
                ports.append(listener.extra(SocketAttribute.local_port))
                assert listener.extra(SocketAttribute.local_address) == ("127.0.0.1", 9000)
                nursery.start_soon(listener.serve, echo)
            said = [await heard(each, TCP) for each in (host, other)]
            assert host.network.listening() == [TCP]
            nursery.cancel_scope.cancel()
        for listener in listeners:
            await listener.aclose()
        return [*ports, *said]

    assert hosted(play) == [9000, 9000, b"echo x", b"echo x"]


def test_port_0_and_a_closed_listener() -> None:
    async def play(host: SocketHost, folder: Path) -> None:
        listener = await host.listen("tcp:127.0.0.1:0")
        port = listener.extra(SocketAttribute.local_port)
        assert port > 0
        async with anyio.create_task_group() as group:
            group.start_soon(listener.serve, echo)
            assert await heard(host, f"tcp:127.0.0.1:{port}") == b"echo x"
            group.cancel_scope.cancel()
        await listener.aclose()
        with pytest.raises(ConnectionRefusedError):
            await host.dial(f"tcp:127.0.0.1:{port}")
        assert host.network.listening() == []

    hosted(play)


def test_unix_sockets_are_where_the_stack_says() -> None:
    async def play(host: SocketHost, folder: Path) -> None:
        address = f"unix:{folder}/mine.sock"
        listener = await host.listen(address)
        assert listener.extra(SocketAttribute.local_address) == f"{folder}/mine.sock"
        assert host.network.listening() == ["mine.sock"]
        async with anyio.create_task_group() as group:
            group.start_soon(listener.serve, echo)
            assert await heard(PlainHost(), address) == b"echo x"
            assert await heard(host, address) == b"echo x"
            group.cancel_scope.cancel()
        await listener.aclose()

    hosted(play)


def test_what_else_listens_on_this_machine_is_no_part_of_the_run() -> None:
    async def play(host: SocketHost, folder: Path) -> None:
        listener = await PlainHost().listen("tcp:127.0.0.1:0")
        with pytest.raises(ConnectionRefusedError):
            await host.dial(f"tcp:127.0.0.1:{listener.extra(SocketAttribute.local_port)}")
        await listener.aclose()
        for work in (host.dial, host.listen):
            with pytest.raises(PermissionError):
                await work("tcp:192.0.2.1:80")
        for taken in (ADDRESS, TCP):
            if taken == TCP:
                mine = await host.listen(TCP)
            with pytest.raises(OSError, match="already in use"):
                await host.listen(taken)
        await mine.aclose()

    hosted(play)


def test_a_service_is_reached_and_leaves_no_socket() -> None:
    async def play(host: SocketHost, folder: Path) -> tuple[bytes, list[Path]]:
        return await ask(host), list(folder.iterdir())

    answer, left = hosted(play)
    assert answer.endswith(b'{"number":3}')
    assert left == []


class Broken:
    """A host that can't dial."""

    async def dial(self, address: str) -> Any:
        raise ConnectionRefusedError(111, "Connection refused")


def test_a_host_that_can_not_dial_leaves_no_process() -> None:
    async def play(host: SocketHost, folder: Path) -> None:
        with pytest.raises(ConnectionRefusedError):
            await host.network.dial(Broken(), ADDRESS)
        assert list(folder.iterdir()) == []
        assert host.network._services._stage.living() == []

    hosted(play)
