"""Small tapes for the tests of the tape."""
from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from harness.tape.event import line
from harness.tape.header import Header

Event = dict[str, Any]
ORIGIN: dict[str, Any] = {
    "strength": "model", "products": [{"name": "fake", "version": "1"}], "platform": "Linux", "recorder": "test 1",
}
MONOTONIC: dict[str, Any] = {"kind": "monotonic", "boot": "boot-1", "began_ns": 1_000_000_000}


def header(**fields: Any) -> Header:
    """A header that is whole; fields replace its own."""
    made: dict[str, Any] = {"wires": {"fake": {"stdio": "jsonrpc"}}, "date": "2026-01-31", **fields}
    return Header(made.pop("origin", ORIGIN), **made)


def number(events: Iterable[Event]) -> list[Event]:
    """The events with n, t and p where they have none."""
    return [{"n": n, "t": n, "p": 1, **event} for n, event in enumerate(events)]


def sent(text: str, s: str = "in", **fields: Any) -> Event:
    """One frame as text."""
    return {"e": "bytes", "w": "stdio", "s": s, "b": text, **fields}


START: Event = {"e": "started", "program": "fake", "argv": ["serve"]}
EXIT: Event = {"e": "exited", "status": 0}


def call(id: object = 1, method: str = "ping") -> Event:
    return sent(f'{{"id":{id!r},"method":"{method}","params":{{}}}}\n')


def reply(id: object = 1, result: str = "{}") -> Event:
    return sent(f'{{"id":{id!r},"result":{result}}}\n', "out")


def session() -> list[Event]:
    """A whole session: one call, one line of stderr, the end."""
    return number([START, call(), reply(), sent("log\n", "err"), {"e": "closed", "w": "stdio", "s": "in"},
                   {"e": "closed", "w": "stdio", "s": "out"}, EXIT])


def text(events: Sequence[Event], head: Header | None = None) -> bytes:
    """The bytes of a tape."""
    lines = [(head or header()).line(), *map(line, events)]
    return "".join(f"{each}\n" for each in lines).encode("ascii")


def file(data: bytes) -> io.BytesIO:
    return io.BytesIO(data)


def write(path: Path, events: Sequence[Event] | None = None, head: Header | None = None) -> str:
    """A tape in a file; its path as text."""
    path.write_bytes(text(session() if events is None else events, head))
    return str(path)
