"""Running a short program to its end, bounded in time and output, and leaving nothing of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, Process

from stack.computer_use.launch import PROGRAM_ENVIRONMENT
from stack.contract import Host, Program


class RunFailed(Exception):
    """The program could not be run to its end. The text says why, and names the program and nothing else."""


@dataclass(frozen=True, slots=True)
class Printed:
    """How it ended and what it printed."""

    status: int
    out: bytes
    err: bytes


@dataclass(frozen=True, slots=True)
class Pipes:
    """The three pipes of a process."""

    stdin: ByteSendStream
    stdout: ByteReceiveStream
    stderr: ByteReceiveStream

    async def aclose(self) -> None:
        """Close all three."""
        for stream in (self.stdin, self.stdout, self.stderr):
            await stream.aclose()


def pipes_of(process: Process) -> Pipes:
    """The pipes that every process of a Host has. TypeError where the host has left one out."""
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise TypeError("a host must start its programs with pipes for stdin, stdout and stderr")
    return Pipes(process.stdin, process.stdout, process.stderr)


GONE = (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError)
"""What reading from a pipe raises at its end."""


async def discard(stream: ByteReceiveStream) -> None:
    """Read a stream to its end and keep nothing."""
    while True:
        try:
            await stream.receive()
        except GONE:
            return


class _Collected:
    """What one stream has printed, up to a bound over which the rest is dropped."""

    def __init__(self, limit: int) -> None:
        self.data = bytearray()
        self.over = False
        self._limit = limit

    async def collect(self, stream: ByteReceiveStream) -> None:
        while True:
            try:
                data = await stream.receive()
            except GONE:
                return
            self.over = self.over or len(self.data) + len(data) > self._limit
            if not self.over:
                self.data += data


async def run_program(
    host: Host, program: Program, arguments: Sequence[str], *, limit_ms: int, output_bytes: int
) -> Printed:
    """Start, close its input, read both outputs, wait. RunFailed where it is missing, hangs or prints too much."""
    try:
        process = await host.start(program, arguments, env=PROGRAM_ENVIRONMENT, cwd="/")
    except (LookupError, OSError) as error:
        raise RunFailed(f"{program} can't be started ({_reason(error)})") from error
    try:
        with anyio.move_on_after(limit_ms / 1000):
            return await _to_the_end(process, program, output_bytes)
        raise RunFailed(f"{program} had not ended after {limit_ms} ms")
    finally:
        if process.returncode is None:
            process.kill()
        await process.aclose()  # waits for the end even where the caller is cancelled


async def _to_the_end(process: Process, program: Program, output_bytes: int) -> Printed:
    out, err = _Collected(output_bytes), _Collected(output_bytes)
    pipes = pipes_of(process)
    async with anyio.create_task_group() as readers:
        await pipes.stdin.aclose()
        readers.start_soon(err.collect, pipes.stderr)
        await out.collect(pipes.stdout)
    status = await process.wait()
    if out.over or err.over:
        raise RunFailed(f"{program} printed more than {output_bytes} bytes")
    return Printed(status, bytes(out.data), bytes(err.data))


def _reason(error: Exception) -> str:
    return error.strerror or type(error).__name__ if isinstance(error, OSError) else "not in the host's table"
