"""Whether the front application stayed in front while a call ran: a listener, and a sample before and after.

A finding after the action, never a prevention. `LSOtherASN` on an event's line is another application, likely the
one that lost the focus: only the line's own `LSASN` counts. The finding is null, never true, where the listener died,
was not up in time, or left a line that could not be understood.
Source: codex app-server facts, section 6: lsappinfo's output on macOS up to 26, and on 27.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import anyio
from anyio.abc import ByteReceiveStream

from stack.computer_use.launch import PROGRAM_ENVIRONMENT
from stack.computer_use.programs import GONE, RunFailed, discard, pipes_of, run_program
from stack.computer_use.settings import Settings
from stack.computer_use.teardown import Tree
from stack.contract import Host, Program

LISTEN: Final = ("listen", "+becameFrontmost", "forever")
_ASN: Final = rb"ASN:0x[0-9a-fA-F]+-0x[0-9a-fA-F]+:"
FRONT: Final = re.compile(rb"\s*(" + _ASN + rb")\s*")
BUNDLE: Final = re.compile(
    rb'\s*"CFBundleIdentifier"="([^"\n]+)"\s*|\[ NULL \]\s+' + _ASN + rb'[^\n]*\n\s*bundleID="([^"\n]+)"\s*'
)
"""The two forms of `lsappinfo info -only bundleID`: macOS up to 26, and 27."""
EVENT_ASN: Final = re.compile(rb'"LSASN"=(' + _ASN + rb")")
EVENT_BUNDLE: Final = re.compile(rb'"CFBundleIdentifier"="([^"]+)"')
EVENT_KIND: Final = b"kLSNotifyBecameFrontmost"
EVENT_START: Final = b"Notification: " + EVENT_KIND
"""Of a whole line: where one was cut, the next one's start stands in its middle."""


@dataclass(frozen=True, slots=True)
class Front:
    """An application in front, or one that came there: its serial number and, where known, its bundle identifier."""

    asn: bytes
    bundle: bytes | None


def read_event(line: bytes) -> Front | None:
    """The application that an event says came to the front; None for a line that can't be understood."""
    found = set(EVENT_ASN.findall(line))
    if not line.startswith(EVENT_START) or line.count(EVENT_KIND) != 1 or len(found) != 1:
        return None
    bundles = set(EVENT_BUNDLE.findall(line))
    return Front(found.pop(), bundles.pop().lower() if len(bundles) == 1 else None)


def read_front(output: bytes) -> bytes | None:
    """The serial number that `lsappinfo front` prints."""
    found = FRONT.fullmatch(output)
    return found[1] if found else None


def read_bundle(output: bytes) -> bytes | None:
    """The bundle identifier that `lsappinfo info -only bundleID` prints, in either form."""
    found = BUNDLE.fullmatch(output)
    return (found[1] or found[2]).lower() if found else None


def same(one: Front, other: Front) -> bool | None:
    """Whether two are one application; None where only their numbers differ and an identifier is missing."""
    if one.asn == other.asn:
        return True
    if one.bundle is None or other.bundle is None:
        return None
    return one.bundle == other.bundle


def judge(before: Front | None, events: Iterable[Front | None], after: Front | None, *, whole: bool) -> bool | None:
    """Whether the front application stayed. whole: the listener was up before, and is up still, with no line open."""
    if before is None:
        return None
    kept = [same(before, seen) if seen is not None else None for seen in (*events, after)]
    if False in kept:
        return False
    return True if whole and None not in kept else None


class FocusWatch:
    """One listener, from its start to its verified end."""

    def __init__(self, host: Host, settings: Settings) -> None:
        self._host = host
        self._settings = settings
        self._events: list[Front | None] = []
        self._rest = bytearray()
        self._since: float | None = None
        self._listening = False
        self._ending = anyio.Event()
        self.up = anyio.Event()
        self.ended = anyio.Event()
        self.problems: list[str] = []
        self._mark = 0
        self._before: Front | None = None
        self._bundles: dict[bytes, bytes] = {}
        self._whole = False

    async def run(self) -> None:
        """Listen until `end`. Started in the stack's task group; a listener that can't start leaves findings null."""
        with anyio.CancelScope(shield=True):
            try:
                process = await self._host.start(Program.LSAPPINFO, LISTEN, env=PROGRAM_ENVIRONMENT, cwd="/")
            except (LookupError, OSError):
                self.up.set()
                self.ended.set()
                return
            self._since, self._listening = anyio.current_time(), True
            self.up.set()
            try:
                pipes = pipes_of(process)
                async with anyio.create_task_group() as readers:
                    readers.start_soon(self._read, pipes.stdout)
                    readers.start_soon(discard, pipes.stderr)
                    await self._ending.wait()
                    tree = Tree(self._host, process, self._settings.deadlines)
                    await tree.terminate()
                    self.problems += [f"focus listener: {problem}" for problem in tree.problems]
                    readers.cancel_scope.cancel()
                await tree.close()
            finally:
                self.ended.set()

    async def end(self) -> list[str]:
        """End the listener; the problems, none where its end was seen."""
        self._ending.set()
        await self.ended.wait()
        return self.problems

    async def before(self) -> None:
        """Note what is in front, and from where on events count. Waits until the listener has had time to come up."""
        deadlines = self._settings.deadlines
        if self._since is not None:
            await anyio.sleep(max(0.0, self._since + deadlines.settle / 1000 - anyio.current_time()))
        self._mark = len(self._events)
        self._before = await self._sample()
        self._whole = self._listening and not self._rest

    async def after(self) -> bool | None:
        """The finding about everything since `before`, late events included."""
        await anyio.sleep(self._settings.deadlines.late / 1000)
        after = await self._sample()
        events = [await self._resolved(event) for event in self._events[self._mark :]]
        return judge(self._before, events, after, whole=self._whole and self._listening and not self._rest)

    async def _read(self, stream: ByteReceiveStream) -> None:
        while len(self._rest) <= self._settings.bounds.focus_bytes:
            try:
                self._rest += await stream.receive()
            except GONE:
                break
            *lines, rest = bytes(self._rest).split(b"\n")
            self._rest[:] = rest
            self._events += [read_event(line) for line in lines if line.strip()]
        self._listening = False

    async def _resolved(self, event: Front | None) -> Front | None:
        if event is None or event.bundle is not None or (self._before and event.asn == self._before.asn):
            return event
        return Front(event.asn, await self._bundle(event.asn))

    async def _sample(self) -> Front | None:
        asn = read_front(await self._ask("front"))
        return None if asn is None else Front(asn, await self._bundle(asn))

    async def _bundle(self, asn: bytes) -> bytes | None:
        """The bundle identifier of a serial number, which is never given to another application."""
        if asn not in self._bundles:
            found = read_bundle(await self._ask("info", "-only", "bundleID", asn.decode("ascii")))
            if found is None:
                return None
            self._bundles[asn] = found
        return self._bundles[asn]

    async def _ask(self, *arguments: str) -> bytes:
        """What a short lsappinfo prints; nothing where it fails, hangs, or is missing."""
        limit_ms, output_bytes = self._settings.deadlines.focus, self._settings.bounds.output_bytes
        try:
            printed = await run_program(
                self._host, Program.LSAPPINFO, arguments, limit_ms=limit_ms, output_bytes=output_bytes
            )
        except RunFailed:
            return b""
        return printed.out if printed.status == 0 else b""
