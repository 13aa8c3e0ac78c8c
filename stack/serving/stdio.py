"""The standard input and output of this process as byte streams.

While they are open, descriptor 0 is the null device and descriptor 1 is standard error: a stray print, or a child that
inherited them, can neither eat a client's message nor write between two of ours. No thread reads: a signal can end the
server while the client says nothing. Separate from the messages, which need no process to be tested.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import anyio
import trio
from anyio.abc import ByteReceiveStream, ByteSendStream

_READ_BYTES: Final = 65536
_IN, _OUT, _ERR = 0, 1, 2


class Descriptor(ByteReceiveStream, ByteSendStream):
    """One file descriptor, with anyio's errors: BrokenResourceError where the other side has gone."""

    def __init__(self, number: int) -> None:
        self._stream = trio.lowlevel.FdStream(number)

    async def receive(self, max_bytes: int = _READ_BYTES) -> bytes:
        try:
            data = await self._stream.receive_some(max_bytes)
        except trio.BrokenResourceError as error:
            raise anyio.BrokenResourceError from error
        if not data:
            raise anyio.EndOfStream
        return bytes(data)

    async def send(self, item: bytes) -> None:
        try:
            await self._stream.send_all(item)
        except trio.BrokenResourceError as error:
            raise anyio.BrokenResourceError from error

    async def aclose(self) -> None:
        await self._stream.aclose()


def _divert(number: int, to: int) -> int:
    """Point a descriptor elsewhere; the new number of what it was. `to` is closed."""
    try:
        kept = os.dup(number)
        os.dup2(to, number)
    finally:
        os.close(to)
    return kept


@asynccontextmanager
async def standard_streams() -> AsyncIterator[tuple[ByteReceiveStream, ByteSendStream]]:
    """(input, output) of this process. Afterwards both descriptors are what they were. OSError where one is closed."""
    kept_in = _divert(_IN, os.open(os.devnull, os.O_RDONLY))
    try:
        kept_out = _divert(_OUT, os.dup(_ERR))
        try:
            async with Descriptor(os.dup(kept_in)) as receive, Descriptor(os.dup(kept_out)) as send:
                yield receive, send
        finally:
            _put_back(kept_out, _OUT)
    finally:
        _put_back(kept_in, _IN)


def _put_back(kept: int, number: int) -> None:
    os.dup2(kept, number)
    os.close(kept)
