"""What listens in a virtual run can be dialled in it, and nothing else."""
from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
import trio
from anyio.abc import SocketAttribute

from harness.serve.network import FIRST_PORT, MemoryListener, is_loopback, shown
from harness.serve.scheduler import run_virtual
from harness.serve.stage import Stage
from harness.serve.virtual import VirtualHost, new_network
from tests.harness.serve.machines import Counter
from tests.harness.serve.oracle import ADDRESS, MACHINES, ask, sheet_of

TCP, UNIX = "tcp:127.0.0.1:9000", "unix:/trailcam/x.sock"


def hosted(play: Callable[[VirtualHost, VirtualHost], Awaitable[Any]]) -> Any:
    """Two hosts of one run."""

    async def main() -> Any:
        stage = Stage(sheet_of(), MACHINES, Counter, clock=trio.current_time)
        async with trio.open_nursery() as nursery:
            network = new_network(stage, nursery)
            hosts = [VirtualHost(stage, nursery, number, network=network) for number in (1, 2)]
            result = await play(hosts[0], hosts[1])
            nursery.cancel_scope.cancel()
        return result

    return run_virtual(main, 1)


async def echo(stream: anyio.abc.ByteStream) -> None:
    async with stream:
        async for data in stream:
            await stream.send(b"echo " + data)


@pytest.mark.parametrize("address", [TCP, UNIX])
def test_one_host_reaches_what_another_listens_on(address: str) -> None:
    async def play(one: VirtualHost, other: VirtualHost) -> list[bytes]:
        heard = []
        async with trio.open_nursery() as nursery:
            listener = await one.listen(address)
            nursery.start_soon(listener.serve, echo)
            assert one.network.listening() == [shown(address)]
            for word in (b"a", b"b"):
                stream = await other.dial(address)
                await stream.send(word)
                heard.append(await stream.receive())
                await stream.send_eof()
                with pytest.raises(anyio.EndOfStream):
                    await stream.receive()
                await stream.aclose()
            nursery.cancel_scope.cancel()
        return heard

    assert hosted(play) == [b"echo a", b"echo b"]


def test_a_closed_listener_refuses_and_ends_what_waited() -> None:
    async def play(one: VirtualHost, other: VirtualHost) -> None:
        listener = await one.listen(TCP)
        waiting = await other.dial(TCP)
        await listener.aclose()
        await listener.aclose()
        with pytest.raises(anyio.EndOfStream):
            await waiting.receive()
        with pytest.raises(ConnectionRefusedError, match="9000"):
            await other.dial(TCP)
        with pytest.raises(ExceptionGroup) as caught:
            await listener.serve(echo)
        assert caught.group_contains(anyio.ClosedResourceError)
        assert one.network.listening() == []
        again = await other.listen(TCP)
        await again.aclose()

    hosted(play)


def test_a_listener_that_serves_ends_when_it_is_closed() -> None:
    async def play(one: VirtualHost, other: VirtualHost) -> None:
        listener = await one.listen(UNIX)
        async with anyio.create_task_group() as group:

            async def serve() -> None:
                with pytest.raises(anyio.ClosedResourceError):
                    await listener.serve(echo, group)

            group.start_soon(serve)
            stream = await other.dial(UNIX)
            await stream.send(b"x")
            assert await stream.receive() == b"echo x"
            await listener.aclose()
            await stream.send(b"y")
            assert await stream.receive() == b"echo y"  # a connection outlives the listener
            await stream.aclose()

    hosted(play)


def test_addresses_are_taken_once() -> None:
    async def play(one: VirtualHost, other: VirtualHost) -> None:
        await one.listen(TCP)
        for address in (TCP, ADDRESS):
            with pytest.raises(OSError, match="already in use"):
                await other.listen(address)

    hosted(play)


def test_port_0_is_a_free_one() -> None:
    async def play(one: VirtualHost, other: VirtualHost) -> list[int]:
        ports = []
        for _ in range(2):
            listener = await one.listen("tcp:127.0.0.1:0")
            ports.append(listener.extra(SocketAttribute.local_port))
            assert listener.extra(SocketAttribute.local_address) == ("127.0.0.1", ports[-1])
            stream = await other.dial(f"tcp:127.0.0.1:{ports[-1]}")
            await stream.aclose()
        unix = await one.listen(UNIX)
        assert unix.extra(SocketAttribute.local_address) == "/trailcam/x.sock"
        return ports

    assert hosted(play) == [FIRST_PORT, FIRST_PORT + 1]


@pytest.mark.parametrize("address", ["tcp:192.0.2.1:80", "tcp:localhost:80", "tls:example.org:443", "udp:127.0.0.1:1"])
def test_beyond_loopback_nothing_is_reached(address: str) -> None:
    async def play(one: VirtualHost, other: VirtualHost) -> None:
        for work in (one.dial, one.listen):
            with pytest.raises(PermissionError, match="only loopback"):
                await work(address)

    hosted(play)
    assert not is_loopback(address)


def test_tls_is_dialled_and_not_listened_on() -> None:
    async def play(one: VirtualHost, other: VirtualHost) -> None:
        with pytest.raises(ConnectionRefusedError):
            await one.dial("tls:127.0.0.1:443")
        with pytest.raises(PermissionError):
            await one.listen("tls:127.0.0.1:443")

    hosted(play)


def test_both_hosts_reach_the_services() -> None:
    async def play(one: VirtualHost, other: VirtualHost) -> tuple[bytes, bytes]:
        return await ask(one), await ask(other)

    first, second = hosted(play)
    assert (first[-12:], second[-12:]) == (b'{"number":3}', b'{"number":5}')


def test_what_is_shown_has_no_path_of_this_machine() -> None:
    assert [shown(address) for address in (TCP, UNIX)] == [TCP, "x.sock"]
    assert isinstance(MemoryListener(TCP, lambda _: None).extra(SocketAttribute.local_port), int)
