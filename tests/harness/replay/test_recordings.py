"""Every recording of a real program replays: 153 of codex app-server, and each process of the 26 of its helper.

A recorded client's side is played against the player, and what comes back has to be the recording, byte for byte; with
a seed the same frames, in an order that the profile keeps.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from harness.replay.order import out_of_order
from harness.replay.profiles import profile_of
from harness.replay.recording import Item, Recording
from tests.harness.replay.drive import MODES, Seen, following, items, of

FOLDER = Path(__file__).resolve().parents[3] / "scenarios" / "tapes" / "codex"
SEEDS = (1, 2, 3, 4, 5)


def processes() -> list[tuple[str, int]]:
    """(path under FOLDER, number of the process) of every recorded process."""
    found = []
    for path in sorted(FOLDER.rglob("*.jsonl")):
        for text in path.read_text().split("\n")[1:-1]:
            event = json.loads(text)
            if event["e"] == "started":
                found.append((str(path.relative_to(FOLDER)), event["p"]))
    return found


ALL = processes()
SAMPLE = [(f"{version}/{name}.jsonl", 1) for version, name in (
    ("0.144.2", "s01_happy"), ("0.171.0", "s01_happy"), ("0.171.0", "s01_happy.mcp"), ("0.144.2", "s05_crash"),
    ("0.171.0", "s08_slow_clienttimeout"), ("0.144.2", "s09b_slow_sigterm"), ("0.171.0", "s09b_slow_sigterm"),
    ("0.171.0", "s09d_idle_sigint"), ("0.171.0", "s12_framing"), ("0.144.2", "s17_turn"), ("0.171.0", "s31_no_reply"),
    ("0.171.0", "s32_two_parallel"), ("0.144.2", "s52_stubborn_child_15.mcp"), ("0.171.0", "s56_pipelined"),
)]  # fmt: skip
"""By variety: both versions and sides, a crash, signals of two outcomes, bad framing, a turn, silence, two elicitations
at once, pipelining."""


def play(name: str, process: int, mode: str = "virtual", **settings: object) -> tuple[list[Item], Seen]:
    path = str(FOLDER / name)
    recorded = items(path, process)
    made = {"tape": path, "process": process, **settings}
    return recorded, MODES[mode](made, following(recorded), Recording(path, process).argv)


def status_of(recorded: Sequence[Item]) -> int:
    """How the recorded process ended; 0 where the recording does not say."""
    return next((item.number for item in recorded if item.kind == "exited"), 0)


def test_all_recordings_are_here() -> None:
    sides = Counter("helper" if name.endswith(".mcp.jsonl") else "codex" for name, _ in {(name, 0) for name, _ in ALL})
    assert sides == {"codex": 153, "helper": 26}
    assert len(ALL) == 207


@pytest.mark.claim("HAR-PLAY-01", "HAR-PLAY-04")
@pytest.mark.parametrize(("name", "process"), ALL, ids=lambda value: str(value))
def test_it_replays_as_it_was(name: str, process: int) -> None:
    recorded, seen = play(name, process)
    assert seen.out == of(recorded, "out")
    assert seen.err == of(recorded, "err")
    assert seen.status == status_of(recorded)


@pytest.mark.claim("HAR-PLAY-01")
@pytest.mark.parametrize("mode", ["process", "alone"])
@pytest.mark.parametrize(("name", "process"), SAMPLE, ids=lambda value: str(value))
def test_it_replays_as_a_process(name: str, process: int, mode: str) -> None:
    recorded, seen = play(name, process, mode)
    assert (seen.out, seen.err, seen.status) == (of(recorded, "out"), of(recorded, "err"), status_of(recorded))


def frames(recorded: Sequence[Item], out: bytes) -> list[Item]:
    """The recorded frames of the program in the order in which `out` has them."""
    waiting = [item for item in recorded if item.kind == "frame" and item.stream == "out"]
    found = []
    for line in out.split(b"\n")[:-1]:
        item = next(item for item in waiting if item.raw == line + b"\n")
        waiting.remove(item)
        found.append(item)
    assert not waiting
    return found


def linked(recorded: Sequence[Item]) -> None:
    """Tell each reply its request, as the window does."""
    asked: dict[str, list[Item]] = {}
    for item in recorded:
        if item.kind == "frame" and item.stream != "err":
            if item.client and item.frame.kind == "request":
                asked.setdefault(repr(item.frame.id), []).append(item)
            elif not item.client and item.frame.kind == "reply" and asked.get(repr(item.frame.id)):
                item.asked = asked[repr(item.frame.id)].pop(0)


def test_seeds_draw_other_orders_and_keep_the_pairs() -> None:
    orders: dict[str, set[bytes]] = {}
    for name, process in [*SAMPLE, ("0.171.0/s32_nine_sequential.jsonl", 1), ("0.144.2/s11_preinit.jsonl", 1)]:
        recorded, plain = play(name, process)
        linked(recorded)
        header = Recording(str(FOLDER / name), process).header
        profile = profile_of(header.profile, next(iter(header.wires.values()))["stdio"])
        assert not out_of_order(profile, frames(recorded, plain.out))
        for seed in SEEDS:
            _, seen = play(name, process, seed=seed)
            assert not out_of_order(profile, frames(recorded, seen.out)), (name, seed)
            assert (seen.err, seen.status) == (plain.err, plain.status)
            orders.setdefault(name, {plain.out}).add(seen.out)
            assert play(name, process, seed=seed)[1].out == seen.out, "one seed, one order"
    other = {name for name, seen in orders.items() if len(seen) > 1}
    assert len(other) >= 8, f"another order was drawn in {sorted(other)} only"
