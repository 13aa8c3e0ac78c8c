"""The real host's sockets: loopback and nothing else."""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import anyio
import pytest

from stack.host import (
    Address,
    RealHost,
    parse_address,
)

T = TypeVar("T")


def run(main: Callable[[], Awaitable[T]]) -> T:
    return anyio.run(main, backend="trio")


@pytest.fixture
def host(tmp_path: Path) -> RealHost:
    applications = (str(tmp_path / "applications"), str(tmp_path / "none"))
    return RealHost(folder=tmp_path / "state", locks=tmp_path / "locks", application_folders=applications)


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
