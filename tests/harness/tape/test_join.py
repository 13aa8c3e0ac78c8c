"""Segments of one boot become one tape in the order of time; nothing else may be joined."""
from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.tape.join import Segment, join, open_segments
from harness.tape.problem import TapeProblem
from harness.tape.schema import event_fault
from tests.harness.tape.tapes import EXIT, MONOTONIC, ORIGIN, START, call, header, number, reply, session, text, write

SECOND = 1_000_000_000


def segment(name: str, events: list[dict[str, Any]], began_ns: int = SECOND, **fields: Any) -> Segment:
    clock = {**MONOTONIC, "began_ns": began_ns, **fields.pop("clock", {})}
    return Segment(name, header(clock=clock, **fields), events)


def test_events_stand_in_the_order_of_time_with_numbers_of_their_own() -> None:
    one = number([START, {**call(), "t": 10}, {**reply(), "t": 30, "cause": 1}, {**EXIT, "t": 31}])
    other = number([{**START, "program": "helper"}, {**call(), "t": 5}, {**reply(), "t": 6, "cause": 1}])
    head, events = join([segment("one", one), segment("other", other, SECOND + 10_000_000)])
    found = list(events)
    assert [(event["n"], event["t"], event["p"], event["e"], event.get("cause")) for event in found] == [
        (0, 0.0, 1, "started", None), (1, 10.0, 1, "bytes", None), (2, 10.0, 2, "started", None),
        (3, 15.0, 2, "bytes", None), (4, 16.0, 2, "bytes", 3), (5, 30.0, 1, "bytes", 1), (6, 31.0, 1, "exited", None),
    ]
    assert all(event_fault(event, n) is None for n, event in enumerate(found))
    assert head.clock == {**MONOTONIC, "began_ns": SECOND}
    assert head.line()


def test_children_keep_their_parents_and_notes_belong_to_the_tape() -> None:
    one = number([START, {**START, "p": 2, "parent": 1}, {"e": "note", "text": "x", "p": 0}])
    other = number([START, {**START, "p": 2, "parent": 1}])
    _, events = join([segment("one", one), segment("other", other)])
    assert [(event["p"], event.get("parent")) for event in events] == [(1, None), (2, None), (3, 1), (4, 2), (0, None)]


EVENTS = st.lists(st.tuples(st.integers(0, 50), st.integers(1, 3)), max_size=8).map(sorted)


@given(st.lists(st.tuples(EVENTS, st.integers(0, 40_000_000)), min_size=2, max_size=4))
def test_order_and_everything_within_a_segment_stays(parts: list[tuple[list[tuple[int, int]], int]]) -> None:
    segments, expected = [], []
    for place, (instants, began_ns) in enumerate(parts):
        events = number([
            {"e": "note", "text": f"{place}/{n}", "t": t, "p": p} for n, (t, p) in enumerate(instants)
        ])
        expected.append([event["text"] for event in events])
        segments.append(segment(str(place), events, began_ns))
    found: list[Any] = list(join(segments)[1])
    assert [event["n"] for event in found] == list(range(len(found)))
    assert [event["t"] for event in found] == sorted(event["t"] for event in found)
    for place, texts in enumerate(expected):
        assert [event["text"] for event in found if event["text"].startswith(f"{place}/")] == texts
    owners: dict[int, set[str]] = {}
    for event in found:
        owners.setdefault(event["p"], set()).add(event["text"].split("/")[0])
    assert all(len(places) == 1 for places in owners.values())


def test_the_header_is_as_strong_as_the_weakest_and_loses_nothing() -> None:
    strong = {**ORIGIN, "strength": "live", "products": [{"name": "a", "version": "1"}], "platform": "macOS"}
    head, _ = join([
        segment("one", [], origin=strong, profile="p", wires={"a": {"stdio": "mcp"}}, expires="2027-01-01",
                redaction=[{"what": "x", "how": "y"}], hashes={"h": "0" * 64}, date="2026-02-01"),
        segment("other", [], redaction=[{"what": "x", "how": "y"}, {"what": "z", "how": "y"}], bytes="reconstructed",
                expires="2026-12-01"),
    ])
    assert head.origin["strength"] == "model"
    assert head.origin["products"] == [{"name": "a", "version": "1"}, {"name": "fake", "version": "1"}]
    assert head.origin["platform"] == "macOS, Linux"
    assert (head.bytes, head.profile, head.expires, head.date) == ("reconstructed", "p", "2026-12-01", "2026-01-31")
    assert head.wires == {"a": {"stdio": "mcp"}, "fake": {"stdio": "jsonrpc"}}
    assert [entry["what"] for entry in head.redaction] == ["x", "z"]
    assert head.hashes == {"h": "0" * 64}


@pytest.mark.parametrize(
    ("fields", "seen", "expected"),
    [
        ({"clock": {"boot": "boot-2"}}, "a tape of boot boot-2", "boot boot-1 of one"),
        ({"clock": {"kind": "virtual"}}, "a virtual clock", "a monotonic clock"),
        ({"wires": {"fake": {"stdio": "mcp"}}}, "dialect of fake stdio: mcp", "jsonrpc, as in an earlier segment"),
        ({"hashes": {"h": "1" * 64}}, "hash h: 1", "0000"),
        ({"profile": "q"}, "the profiles p, q", "one profile"),
    ],
)
def test_what_does_not_belong_together_is_refused(fields: dict[str, Any], seen: str, expected: str) -> None:
    one = segment("one", [], hashes={"h": "0" * 64}, profile="p")
    with pytest.raises(TapeProblem) as caught:
        join([one, segment("other", [], **fields)])
    assert caught.value.seen.startswith(seen)
    assert caught.value.expected.startswith(expected)
    assert caught.value.file == "other"


def test_a_clock_without_its_boot_is_refused() -> None:
    bare = Segment("bare", header(clock={"kind": "monotonic", "began_ns": 1}), [])
    with pytest.raises(TapeProblem, match="a monotonic clock without its boot"):
        join([bare, segment("other", [])])


def test_a_profile_that_is_chosen_wins() -> None:
    segments = [segment("one", [], profile="p"), segment("other", [], profile="q")]
    assert join(segments, profile="q")[0].profile == "q"
    assert join([segment("one", [], profile="p")], profile="q")[0].profile == "q"
    assert join([segment("one", [], profile="p")])[0].profile == "p"


@pytest.mark.claim("HAR-REC-02")
def test_a_torn_tape_alone_becomes_a_whole_one_with_a_gap(tmp_path: Path) -> None:
    path = tmp_path / "torn.jsonl"
    path.write_bytes(text(session())[:-10])
    head, events = join(open_segments([str(path)]))
    found = list(events)
    assert found[:-1] == session()[:-1]
    assert found[-1]["e"] == "gap"
    assert head.hashes == {}


def test_segments_are_named_by_their_hash(tmp_path: Path) -> None:
    head = header(clock=MONOTONIC)
    paths = [write(tmp_path / name, session(), head) for name in ("a", "b")]
    digest = hashlib.sha256(Path(paths[0]).read_bytes()).hexdigest()
    joined_header, events = join(open_segments(paths))
    assert joined_header.hashes == {"segment 1": digest, "segment 2": digest}
    assert len(list(events)) == 2 * len(session())


def test_tapes_are_closed_where_a_later_one_cannot_be_read(tmp_path: Path) -> None:
    """An open file that is dropped is a warning, and a warning fails the test."""
    with pytest.raises(TapeProblem, match="FileNotFoundError"):
        open_segments([write(tmp_path / "a"), str(tmp_path / "none")])
