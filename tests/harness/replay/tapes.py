"""Small tapes for the tests of the player and the probe, written as what was said to the program and by it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.tape.event import line, put_bytes
from harness.tape.header import Header

Event = dict[str, Any]
ORIGIN: dict[str, Any] = {
    "strength": "model",
    "products": [{"name": "fake", "version": "1"}],
    "platform": "Linux",
    "recorder": "test 1",
}
STEP_MS = 10
"""Between two events that say no time of their own."""

EOF: Event = {"e": "closed", "w": "stdio", "s": "in"}
OUT_ENDS: Event = {"e": "closed", "w": "stdio", "s": "out"}
ERR_ENDS: Event = {"e": "closed", "w": "stdio", "s": "err"}


def sent(stream: str, data: str | bytes, **fields: Any) -> Event:
    """One frame; text gets its newline."""
    raw = data if isinstance(data, bytes) else data.encode() + b"\n"
    return {"e": "bytes", "w": "stdio", "s": stream, **put_bytes(raw), **fields}


def got(data: str | bytes, **fields: Any) -> Event:
    """`>>`"""
    return sent("in", data, **fields)


def said(data: str | bytes, **fields: Any) -> Event:
    """`<<`"""
    return sent("out", data, **fields)


def err(data: str | bytes, **fields: Any) -> Event:
    return sent("err", data, **fields)


def exited(status: int = 0) -> Event:
    return {"e": "exited", "status": status}


def signalled(number: int) -> Event:
    return {"e": "signalled", "number": number}


def gap(p: int = 0) -> Event:
    return {"e": "gap", "why": "the writer was behind", "p": p}


def started(program: str = "fake", argv: Sequence[str] = ("serve",), p: int = 1) -> Event:
    return {"e": "started", "program": program, "argv": list(argv), "p": p}


def tape(
    path: Path, *events: Event, dialect: str = "jsonrpc", start: bool = True, program: str = "fake", **header: Any
) -> str:
    """A tape of these events; its path. start: whether process 1 is started first. header: its fields."""
    head: dict[str, Any] = {"wires": {program: {"stdio": dialect}}, **header}
    all_events = [started(program), *events] if start else list(events)
    lines = [Header(ORIGIN, **head).line()]
    t = 0.0
    for n, event in enumerate(all_events):
        t = event.get("t", t + STEP_MS)
        lines.append(line({"n": n, "t": t, "p": 1, **event}))
    path.write_text("".join(f"{each}\n" for each in lines), encoding="ascii")
    return str(path)
