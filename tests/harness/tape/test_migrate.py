"""Older tapes are read, one step at a time, or refused with the way to migrate."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from harness.tape.event import VERSION
from harness.tape.import_frames import log_header
from harness.tape.migrate import STEPS, upgrade
from harness.tape.problem import OlderTape, TapeProblem, TornTape
from harness.tape.read import read_stream
from harness.wire.jsontext import dumps
from tests.harness.tape.tapes import ORIGIN, file

LOG = [
    {"dir": "c2s", "ts": 0.001, "frame": {"id": 1, "method": "é\u2028"}},
    {"dir": "exit", "ts": 0.5, "frame": {"rc": 3}},
]


def old(*lines: Any) -> bytes:
    head = log_header(ORIGIN, program="fake", dialect="jsonrpc")
    return "".join(f"{dumps(each, ascii_only=False)}\n" for each in (head, *lines)).encode()


@pytest.mark.claim("HAR-TAPE-01")
def test_a_tape_of_version_0_is_read_as_one_of_this_version() -> None:
    head, events = read_stream(file(old(*LOG)), "old.jsonl")
    assert (head.bytes, head.clock["kind"]) == ("reconstructed", "reconstructed")
    assert head.wires == {"fake": {"stdio": "jsonrpc"}}
    assert [(event["n"], event["t"], event["e"]) for event in events] == [
        (0, 1.0, "started"), (1, 1.0, "bytes"), (2, 500.0, "note"), (3, 500.0, "exited"),
    ]


@pytest.mark.claim("HAR-TAPE-01")
def test_a_bad_line_of_version_0_is_named_by_its_place_in_the_file() -> None:
    _, events = read_stream(file(old(LOG[0], {"dir": "up", "ts": 0, "frame": {}})), "old.jsonl")
    with pytest.raises(TapeProblem, match=r"old\.jsonl:3: saw "):
        list(events)
    with pytest.raises(TapeProblem, match=r"old\.jsonl:1: saw program None in a header of version 0"):
        read_stream(file(b'{"trailcam":"tape","v":0,"origin":{}}\n'), "old.jsonl")


def test_a_torn_tape_of_version_0_is_refused_even_where_a_torn_one_is_accepted() -> None:
    _, events = read_stream(file(old(*LOG)[:-5]), "old.jsonl", killed="accept")
    with pytest.raises(TornTape):
        list(events)


def test_there_is_a_step_from_every_older_version() -> None:
    assert sorted(STEPS) == list(range(VERSION))


def test_steps_are_taken_one_by_one() -> None:
    def step(header: Mapping[str, Any], lines: Iterator[tuple[int, Any]], name: str) -> Any:
        version = header["v"]
        return {**header, "v": version + 1}, ((number, [*event, version]) for number, event in lines)

    first: Any = [(2, [])]
    header, lines = upgrade({"v": 3}, iter(first), "t", version=6, steps={3: step, 4: step, 5: step})
    assert header == {"v": 6}
    found: list[Any] = list(lines)
    assert found == [(2, [3, 4, 5])]


def test_a_version_without_a_step_is_refused() -> None:
    with pytest.raises(OlderTape, match="t:1: saw a tape of version 1; expected version 3, or one of 0, 2"):
        upgrade({"v": 1}, iter(()), "t", version=3, steps={0: STEPS[0], 2: STEPS[0]})
