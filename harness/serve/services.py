"""Services: programs that are connected to instead of started. One connection is one process of the program.

As inetd ran its servers: what the client sends is the process's stdin, what it writes to stdout goes to the client, and
the end of the connection is the end of stdin. There is no stderr. Separate from the hosts, which differ in what a
connection is made of: memory, or a socket.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import anyio
import trio
from anyio.abc import ByteReceiveStream, ByteSendStream, ByteStream

from harness.faults.steps import Exit, Wait
from harness.serve.pump import BROKEN, Pump
from harness.serve.session import MachineFault, Session
from harness.serve.stage import Stage

if TYPE_CHECKING:
    from harness.serve.outgoing import Output

CONNECTING = "connecting"
"""The moment at which a fault can strike a connection that is being made."""
LINGER_MS = 1000
"""How long a process may outlive its connection: then it is ended as by a write to nobody, whatever it ignores."""
SIGPIPE = 13
NOT_CONNECTED = -9
"""Exit status of a process whose connection was given up before it was made."""


class Services:
    """The services of a run. sheet: `services` (program -> address). start_ms: program -> what a connection costs."""

    def __init__(self, stage: Stage, nursery: trio.Nursery, start_ms: Mapping[str, float] | None = None) -> None:
        self._stage = stage
        self._nursery = nursery
        self._start_ms = start_ms or {}
        addresses: Mapping[str, str] = stage.sheet.get("services") or {}
        self._programs = {address: program for program, address in addresses.items()}

    def __contains__(self, address: str) -> bool:
        """Whether a service is at this address."""
        return address in self._programs

    def address(self, program: str) -> str:
        """Where a service is. Raises MachineFault where the run has none of that name."""
        for address, name in self._programs.items():
            if name == program:
                return address
        raise MachineFault(f"saw connections to {program}; expected one of {sorted(self._programs.values())}")

    async def connect(self, address: str) -> Session:
        """The process of a new connection, before it is up. Raises ConnectionRefusedError where a fault says so."""
        program = self._programs[address]
        session = self._stage.open(program)
        session.is_connection = True
        if self._stage.plan.watching:
            try:
                for step in self._stage.strike(session, {"moment": CONNECTING}, []):
                    if isinstance(step, Wait):
                        await trio.sleep(step.ms / 1000)
                    elif isinstance(step, Exit):
                        session.abandoned(step.status)
                        raise ConnectionRefusedError(111, "Connection refused", address)
                    else:
                        session.first.append(step)
            except trio.Cancelled:
                session.abandoned(NOT_CONNECTED)
                raise
        return session

    def serve(self, session: Session, stream: ByteStream) -> None:
        """Run the process of a connection to its end, beside everything else. stream: the program's end of it."""
        self._nursery.start_soon(self._serve, session, stream)

    async def _serve(self, session: Session, stream: ByteStream) -> None:
        pump = Pump(session, _NoChildren(), {("stdio", "out"): _Sender(stream)})
        delay_ms = self._start_ms.get(session.program, 0)
        if delay_ms:
            await pump.delay(delay_ms)

        async def ended(status: int) -> None:
            await stream.aclose()

        await pump.run(_Receiver(stream, pump), [], {}, ended)


class _Sender(ByteSendStream):
    """The way to the client; closing it leaves the other way open."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self.offer = getattr(stream, "offer", None)

    async def send(self, item: bytes) -> None:
        await self._stream.send(item)

    async def aclose(self) -> None:
        try:
            await self._stream.send_eof()
        except (OSError, *BROKEN):
            return  # the client has gone already


class _Receiver(ByteReceiveStream):
    """The way from the client; after its end the process has `LINGER_MS`."""

    def __init__(self, stream: ByteStream, pump: Pump) -> None:
        self._stream = stream
        self._pump = pump

    async def receive(self, max_bytes: int = 65536) -> bytes:
        try:
            return await self._stream.receive(max_bytes)
        except (anyio.EndOfStream, *BROKEN):
            self._pump.task(self._linger)
            raise

    async def _linger(self) -> None:
        await trio.sleep(LINGER_MS / 1000)
        await self._pump.signal(SIGPIPE)

    async def aclose(self) -> None:
        await self._stream.aclose()


class _NoChildren:
    """What a service starts children with: it may not."""

    async def spawn(self, pump: Pump, output: Output) -> None:
        raise MachineFault(f"{pump.session.program} started a child; a service of a run can't")

    async def kill(self, pump: Pump, wire: str, number: int) -> None:
        raise MachineFault(f"{pump.session.program} signalled a child; a service of a run has none")
