"""A short conversation with the player, for its tests: what is recorded, and what a client says now."""
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.harness.replay.drive import Client, Play, Seen, virtual
from tests.harness.replay.tapes import (
    EOF,
    OUT_ENDS,
    Event,
    exited,
    tape,
)

HELLO = '{"id":1,"method":"hello"}'
WELCOME = '{"id":1,"result":{}}'
CLOSE = (EOF, OUT_ENDS, exited())


def ask(id: object, method: str, **params: object) -> str:
    shown = ",".join(f'"{name}":{value}' for name, value in params.items())
    return f'{{"id":{id},"method":"{method}","params":{{{shown}}}}}'


def reply(id: object, result: object) -> str:
    return f'{{"id":{id},"result":{result}}}'


def talk(*steps: str | int) -> Play:
    """A client that sends texts, and waits at numbers for so many lines in all."""

    async def play(client: Client) -> None:
        for step in steps:
            if isinstance(step, int):
                await client.lines(step)
            else:
                await client.send(step)

    return play


def run(tmp_path: Path, events: Sequence[Event], play: Play, **settings: Any) -> Seen:
    header = settings.pop("header", {})
    path = tape(tmp_path / "t.jsonl", *events, **header)
    return virtual({"tape": path, "process": 1, **settings}, play)
