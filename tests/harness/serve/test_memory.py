"""The memory pipe behaves as a pipe does: capacity, ends that close on their own, data that outlives its writer."""
from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio
import pytest
import trio

from harness.serve.memory import CAPACITY, Pipe, Reader, Writer
from harness.serve.scheduler import run_virtual


def both() -> tuple[Pipe, Writer, Reader]:
    pipe = Pipe()
    return pipe, Writer(pipe), Reader(pipe)


def test_a_full_pipe_blocks_until_it_is_read() -> None:
    async def main() -> tuple[int, float]:
        _, writer, reader = both()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(writer.send, b"x" * (CAPACITY + 1))
            await trio.sleep(5)
            first = len(await reader.receive(2 * CAPACITY))
            rest = len(await reader.receive())
        return first, rest

    assert run_virtual(main, 1) == (CAPACITY, 1)


def test_what_was_written_is_read_after_the_writer_closed() -> None:
    async def main() -> list[bytes]:
        _, writer, reader = both()
        await writer.send(b"last")
        await writer.aclose()
        return [data async for data in reader]

    assert run_virtual(main, 1) == [b"last"]


Act = Callable[[Writer, Reader], Awaitable[object]]
CLOSED: list[tuple[str, Act, type[Exception]]] = [
    ("reader", lambda writer, reader: writer.send(b"x"), anyio.BrokenResourceError),
    ("writer", lambda writer, reader: writer.send(b"x"), anyio.ClosedResourceError),
    ("writer", lambda writer, reader: reader.receive(), anyio.EndOfStream),
    ("reader", lambda writer, reader: reader.receive(), anyio.ClosedResourceError),
]


@pytest.mark.parametrize(("closed", "act", "error"), CLOSED)
def test_each_end_closed(closed: str, act: Act, error: type[Exception]) -> None:
    async def main() -> None:
        _, writer, reader = both()
        await {"reader": reader, "writer": writer}[closed].aclose()
        with pytest.raises(error):
            await act(writer, reader)

    run_virtual(main, 1)


@pytest.mark.parametrize("closed", ["reader", "writer"])
def test_closing_wakes_who_waits(closed: str) -> None:
    async def main() -> None:
        _, writer, reader = both()
        if closed == "reader":
            await writer.send(b"x" * CAPACITY)
        async with trio.open_nursery() as nursery:

            async def waits() -> None:
                with pytest.raises((anyio.BrokenResourceError, anyio.EndOfStream)):
                    await (writer.send(b"x") if closed == "reader" else reader.receive())

            nursery.start_soon(waits)
            await trio.sleep(1)
            await (reader if closed == "reader" else writer).aclose()

    run_virtual(main, 1)
