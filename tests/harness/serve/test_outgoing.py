"""What a process writes, without a session: holding, corking, closing, and what the journal gets of it."""
from __future__ import annotations

from typing import Any

import pytest

from harness.serve.outgoing import Outgoing
from harness.serve.stage import Stage
from harness.serve.wires import Wire
from tests.harness.serve.machines import MACHINES, Counter


def made(children: tuple[str, ...] = (), pairs: bool = True, **more: Any) -> tuple[Outgoing, Wire, Stage]:
    stage = Stage({"v": 1}, MACHINES, Counter, clock=lambda: 0.0, **more)
    wire = Wire("stdio", "jsonrpc", ">>", "<<", ("out", "err"))
    return Outgoing(stage, 1, children, pairs), wire, stage


def texts(stage: Stage) -> list[object]:
    return [event.get("b", event["e"]) for event in stage.journal]


def test_frames_are_journalled_whole_whatever_the_writes_were() -> None:
    out, wire, stage = made()
    out.put(wire, "out", b"[1")
    out.put(wire, "out", b"]\n[2]\n")
    assert texts(stage) == ["[1]\n", "[2]\n"]
    assert out.take() == [("write", "stdio", "out", b"[1"), ("write", "stdio", "out", b"]\n[2]\n")]
    assert out.take() == []


def test_what_is_held_goes_out_in_its_order_after_the_frame_in_pieces() -> None:
    out, wire, stage = made()
    out.hold(wire, "out")
    out.write(wire, "out", b"[1")
    out.put(wire, "out", b"[2]\n")
    out.put(wire, "err", b"aside\n")
    out.write(wire, "out", b"]\n")
    out.release(wire, "out")
    assert [output[3] for output in out.take()] == [b"[1", b"aside\n", b"]\n", b"[2]\n"]
    assert texts(stage) == ["aside\n", "[1]\n", "[2]\n"]


def test_a_close_writes_what_was_gathered_and_journals_the_half_frame() -> None:
    out, wire, stage = made()
    out.cork(wire, "out")
    out.put(wire, "out", b"[1]\n[2")
    out.close(wire, "out")
    out.close(wire, "out")
    out.put(wire, "out", b"late")
    assert out.take() == [("write", "stdio", "out", b"[1]\n[2"), ("close", "stdio", "out")]
    assert texts(stage) == ["[1]\n", "[2", "closed"]


def test_a_wire_to_a_child_is_the_childs_to_journal() -> None:
    out, wire, stage = made(children=("stdio",))
    out.put(wire, "out", b"[1]\n[2")
    out.close(wire, "out")
    assert texts(stage) == []
    assert [output[0] for output in out.take()] == ["write", "close"]


@pytest.mark.parametrize(("pairs", "open_length"), [(True, 2), (False, 0)])
def test_where_nobody_wants_the_frames_they_are_not_looked_for(pairs: bool, open_length: int) -> None:
    out, wire, _ = made(pairs=pairs, keep=False)
    out.put(wire, "out", b"[1")
    assert wire.outward["out"].length == open_length
    assert out.take() == [("write", "stdio", "out", b"[1")]
