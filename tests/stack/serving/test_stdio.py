"""The standard streams, on pipes that stand in the places of descriptors 0 and 1 for the time of a test."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import anyio
import pytest
from anyio.abc import ByteReceiveStream, ByteSendStream

from stack.serving.stdio import standard_streams

Ends: TypeAlias = list[int]
Body: TypeAlias = Callable[[ByteReceiveStream, ByteSendStream], Awaitable[None]]


@contextmanager
def piped() -> Iterator[Ends]:
    """(what a client writes into, what it reads from). Not a fixture: pytest moves descriptor 1 between the phases."""
    kept = os.dup(0), os.dup(1)
    (server_in, client_out), (client_in, server_out) = os.pipe(), os.pipe()
    os.dup2(server_in, 0)
    os.dup2(server_out, 1)
    os.close(server_in)
    os.close(server_out)
    ends = [client_out, client_in]
    try:
        yield ends
    finally:
        for number, old in enumerate(kept):
            os.dup2(old, number)
            os.close(old)
        for number in ends:
            os.close(number)


def opened(body: Body) -> None:
    async def main() -> None:
        with anyio.fail_after(60):
            async with standard_streams() as streams:
                await body(*streams)

    anyio.run(main, backend="trio")


@pytest.mark.claim("CUA-MCP-01")
def test_nothing_else_reads_or_writes_the_client() -> None:
    with piped() as ends:

        async def body(receive: ByteReceiveStream, send: ByteSendStream) -> None:
            os.write(1, b"a stray print\n")
            os.write(ends[0], b"question")
            assert os.read(0, 10) == b""
            assert await receive.receive() == b"question"
            await send.send(b"answer")

        opened(body)
        assert os.read(ends[1], 100) == b"answer"
        os.write(1, b"as it was")
        assert os.read(ends[1], 100) == b"as it was"
        assert os.get_blocking(0) and os.get_blocking(1)


def test_the_end_of_the_client_is_an_end() -> None:
    with piped() as ends:

        async def body(receive: ByteReceiveStream, send: ByteSendStream) -> None:
            while ends:
                os.close(ends.pop())
            with pytest.raises(anyio.EndOfStream):
                await receive.receive()
            with pytest.raises(anyio.BrokenResourceError):
                await send.send(b"x")

        opened(body)


def test_a_silent_client_does_not_hold_a_cancelled_reader() -> None:
    with piped():

        async def body(receive: ByteReceiveStream, send: ByteSendStream) -> None:
            with anyio.move_on_after(0.01) as scope:
                await receive.receive()
            assert scope.cancelled_caught

        opened(body)


def test_what_cannot_be_read_is_broken(tmp_path: Path) -> None:
    with piped():
        folder = os.open(tmp_path, os.O_RDONLY)
        os.dup2(folder, 0)
        os.close(folder)

        async def body(receive: ByteReceiveStream, send: ByteSendStream) -> None:
            with pytest.raises(anyio.BrokenResourceError):
                await receive.receive()

        opened(body)
