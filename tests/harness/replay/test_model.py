"""Random sessions of a small JSON-RPC language: a recording of one replays as it was, and a client that changes one
value of one frame misses there, and is told which."""
from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from harness.replay.player import MISSED
from tests.harness.replay.drive import Client, following, items, of, virtual
from tests.harness.replay.tapes import EOF, OUT_ENDS, Event, err, exited, got, said, tape

ACTIONS = ("ask", "reply", "tell", "say", "question", "answer", "log", "junk")


@dataclass
class Session:
    """A model of both sides: what is open, and the events so far. Every number that is sent is a new one."""

    causes: bool
    events: list[Event] = field(default_factory=list)
    asked: list[tuple[int, int]] = field(default_factory=list)
    questions: list[int] = field(default_factory=list)
    number: int = 0

    def step(self, action: str, choice: int) -> None:
        self.number += 1
        number, method = self.number, f"m{choice % 3}"
        if action == "ask":
            self.asked.append((number, len(self.events) + 1))
            self.add(got, id=number, method=method, params={"n": number})
        elif action == "reply" and self.asked:
            id, cause = self.asked.pop(choice % len(self.asked))
            self.add(said, id=id, result=number)
            if self.causes:
                self.events[-1]["cause"] = cause
        elif action == "tell":
            self.add(got, method=method, params={"n": number})
        elif action == "say":
            self.add(said, method=method, params={"n": number})
        elif action == "question":
            self.questions.append(number)
            self.add(said, id=number, method=method)
        elif action == "answer" and self.questions:
            self.add(got, id=self.questions.pop(choice % len(self.questions)), result={"n": number})
        elif action == "log":
            self.events.append(err(f"log {number}"))
        elif action == "junk":
            self.events.append(said(f"junk {number}"))

    def add(self, way: Any, **message: Any) -> None:
        self.events.append(way(json.dumps(message)))


ENDS: dict[str, list[Event]] = {
    "orderly": [EOF, OUT_ENDS, exited(0)],
    "late": [EOF, err("bye"), OUT_ENDS, exited(4)],
    "crash": [said(b'{"id":1,"res'), exited(-11)],
    "unknown": [],
}


@st.composite
def sessions(draw: st.DrawFn) -> list[Event]:
    session = Session(draw(st.booleans()))
    for action, choice in draw(st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(0, 9)), max_size=25)):
        session.step(action, choice)
    return session.events + ENDS[draw(st.sampled_from(sorted(ENDS)))]


@pytest.mark.claim("HAR-PLAY-01", "HAR-PLAY-04")
@settings(max_examples=60)
@given(sessions(), st.none() | st.integers(0, 5))
def test_a_recording_replays_as_it_was(events: list[Event], seed: int | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = tape(Path(folder) / "t.jsonl", *events)
        recorded = items(path)
        seen = virtual({"tape": path, "process": 1, "seed": seed}, following(recorded))
    if seed is None:
        assert seen.out == of(recorded, "out")
    else:
        assert sorted(seen.out.split(b"\n")) == sorted(of(recorded, "out").split(b"\n"))
    assert seen.err == of(recorded, "err")
    assert seen.status == next((item.number for item in recorded if item.kind == "exited"), 0)


CHANGES: dict[str, tuple[str, Callable[[Any, str], Any]]] = {
    "value": ("n", lambda value, key: {**value, key: {**value[key], "n": 1000}}),
    "type": ("n", lambda value, key: {**value, key: {**value[key], "n": str(value[key]["n"])}}),
    "gone": ("n", lambda value, key: {**value, key: {}}),
    "more": ("x", lambda value, key: {**value, key: {**value[key], "x": None}}),
}


@pytest.mark.claim("HAR-PLAY-02")
@settings(max_examples=60)
@given(sessions(), st.sampled_from(sorted(CHANGES)), st.integers(0, 99))
def test_one_changed_value_is_a_miss_that_names_it(events: list[Event], change: str, choice: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = tape(Path(folder) / "t.jsonl", *events)
        recorded = items(path)
        frames = [item for item in recorded if item.client and item.kind == "frame"]
        assume(frames)
        changed = frames[choice % len(frames)]
        member, how = CHANGES[change]
        value: Any = changed.frame.value
        key = "params" if "params" in value else "result"
        now = json.dumps(how(value, key)).encode() + b"\n"

        async def play(client: Client) -> None:
            await following(recorded[: recorded.index(changed)])(client)
            await client.until(lambda: len(client.out) >= len(of(recorded[: recorded.index(changed)], "out")))
            await client.send(now)

        seen = virtual({"tape": path, "process": 1}, play)
    assert seen.status == MISSED
    assert f"which differs at /{key}/{member}: " in seen.err.decode()
