"""What the operating system gives beside the extension: windows, native accessibility, OCR, pictures, real clicks.

A port of the provider, behind which is one program: it reads a request in one JSON line, answers in one, and ends. No
such program is in the host's table of production yet, so there every step of the ladder that needs it says that it is
not available; runs against fakes have one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import anyio
from anyio.abc import ByteReceiveStream, Process

from stack.contract import Host, Json, Program
from stack.tasks import task_group

ANSWER_BYTES: Final = 8 * 1024 * 1024
ASK_MS: Final = 5_000
DO_MS: Final = 12_000
"""How long the answer to a press or a click is waited for: giving up leaves unknown whether it was done."""
ENDS_MS: Final = 500
UNSAID: Final = frozenset({"timed_out", "invalid_answer"})
"""Reasons that are not the program's own word."""


class DesktopError(Exception):
    """The system did not do it. reason: `unavailable` where there is no such help here, or the program's own word."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.message = message

    @property
    def said(self) -> bool:
        """Whether it is sure that nothing was done: there is no program, or it has said so itself."""
        return self.reason not in UNSAID


@dataclass(frozen=True, slots=True)
class Window:
    """One window on the screen. pid: of the process that owns it; unit: of its places, `point` or `pixel`."""

    id: int
    pid: int
    app: str
    front: bool
    unit: str


@dataclass(frozen=True, slots=True)
class Thing:
    """One node of native accessibility, or one word of OCR; its place is on the screen, in the window's unit."""

    id: str
    role: str
    name: str
    value: str | None
    actions: tuple[str, ...]
    bounds: Mapping[str, float]


class Desktop:
    """Each method raises DesktopError."""

    def __init__(self, host: Host) -> None:
        self._host = host

    async def windows(self) -> list[Window]:
        """The windows on the screen, the one in front first."""
        rows = _list(await self._ask({"ask": "windows"}), "windows")
        return [Window(_whole(row, "id"), _whole(row, "pid"), _text(row, "app"), row.get("front") is True,
                       _text(row, "unit")) for row in rows]  # fmt: skip

    async def read(self, window: int, part: str) -> list[Thing]:
        """Native accessibility of a window; part: `browser` for all but the page, or `page`."""
        return _things(await self._ask({"ask": "read", "window": window, "part": part}), "nodes")

    async def recognise(self, window: int) -> list[Thing]:
        """The words that OCR finds in a window."""
        return _things(await self._ask({"ask": "recognise", "window": window}), "nodes")

    async def picture(self, window: int) -> Mapping[str, Json]:
        """A picture of a window, as an image block."""
        answer = await self._ask({"ask": "picture", "window": window})
        return {"type": "image", "data": _text(answer, "data"), "mimeType": _text(answer, "mime")}

    async def press(self, window: int, node: str) -> None:
        """Activate a node of native accessibility."""
        await self._ask({"ask": "press", "window": window, "node": node})

    async def click(self, window: int, x: float, y: float) -> None:
        """One real click at a place on the screen, if that window is in front there."""
        await self._ask({"ask": "click", "window": window, "x": x, "y": y})

    async def _ask(self, request: Mapping[str, Json]) -> Mapping[str, Any]:
        answer: Json = None
        limit_ms = DO_MS if request["ask"] in ("press", "click") else ASK_MS
        with anyio.move_on_after(limit_ms / 1000) as limit:
            answer = _parsed(await self._talk(json.dumps(request).encode() + b"\n"))
        if limit.cancelled_caught:
            raise DesktopError("timed_out", f"no answer to {request['ask']} within {limit_ms} ms")
        if not isinstance(answer, dict) or answer.get("ok") not in (True, False):
            raise DesktopError("invalid_answer", "no answer in the form that was agreed")
        if answer["ok"] is False:
            raise DesktopError(_text(answer, "reason"), _text(answer, "message"))
        result = answer.get("result")
        if not isinstance(result, dict):
            raise DesktopError("invalid_answer", "an answer without a result")
        return result

    async def _talk(self, line: bytes) -> bytes:
        """All that the program says to one line."""
        try:
            self._host.path(Program.DESKTOP)
            process = await self._host.start(Program.DESKTOP, [], env={}, cwd="/")
        except (LookupError, OSError) as error:
            raise DesktopError("unavailable", f"no native help on this system ({type(error).__name__})") from None
        try:
            async with task_group() as unheard:
                unheard.start_soon(_discard, process.stderr)  # unread, it would stop a program that has much to say
                said = await _exchange(process, line)
                unheard.cancel_scope.cancel()
            return said
        finally:
            with anyio.move_on_after(ENDS_MS / 1000, shield=True):
                await process.wait()
            if process.returncode is None:
                process.kill()
            await process.aclose()


async def _exchange(process: Process, line: bytes) -> bytes:
    """Say one line, and hear all until the end of the output."""
    assert process.stdin is not None
    assert process.stdout is not None
    said = bytearray()
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # it has ended: what it said counts
        await process.stdin.send(line)
        await process.stdin.aclose()  # one that reads to the end of its input ends too
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        async for data in process.stdout:
            said += data
            if len(said) > ANSWER_BYTES:
                raise DesktopError("invalid_answer", f"an answer of over {ANSWER_BYTES} bytes")
    return bytes(said)


async def _discard(stream: ByteReceiveStream | None) -> None:
    assert stream is not None
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        async for _ in stream:
            pass


def _parsed(data: bytes) -> Json:
    """The answer; one that is said again is the same answer. Raises DesktopError."""
    lines = {line for line in data.split(b"\n") if line}
    try:
        value: Json = json.loads(lines.pop() if len(lines) == 1 else data)
    except (ValueError, RecursionError):
        raise DesktopError("invalid_answer", f"{len(data)} bytes that are no JSON") from None
    return value


def _things(answer: Mapping[str, Any], name: str) -> list[Thing]:
    return [
        Thing(_text(row, "id"), _text(row, "role"), _text(row, "name"), _optional(row, "value"),
              tuple(each for each in row.get("actions", ()) if isinstance(each, str)), _bounds(row))
        for row in _list(answer, name)
    ]  # fmt: skip


def _list(answer: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    rows = answer.get(name)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise DesktopError("invalid_answer", f"an answer without a list of {name}")
    return rows


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if not isinstance(value, str):
        raise DesktopError("invalid_answer", f"an answer without a text {name}")
    return value


def _optional(row: Mapping[str, Any], name: str) -> str | None:
    return None if row.get(name) is None else _text(row, name)


def _whole(row: Mapping[str, Any], name: str) -> int:
    value = row.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise DesktopError("invalid_answer", f"an answer without a number {name}")
    return value


def _bounds(row: Mapping[str, Any]) -> Mapping[str, float]:
    bounds = row.get("bounds")
    found: dict[str, float] = {}
    for key in "xywh":
        value = bounds.get(key) if isinstance(bounds, dict) else None
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise DesktopError("invalid_answer", "a node without a place")
        found[key] = value
    return found
