"""Where two tapes differ first, and what does not count as a difference."""
from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.tape.diff import COMPARED, Difference, Tape, as_lines, diff, first_difference
from harness.tape.event import EVENTS
from tests.harness.tape.tapes import EXIT, START, call, header, number, reply, sent, session


def tape(events: list[dict[str, Any]], **fields: Any) -> Tape:
    return Tape(header(**fields), number(events))


def only(left: Tape, right: Tape, **options: Any) -> Difference:
    found = diff(left, right, **options)
    assert len(found) == 1
    return found[0]


def test_a_tape_equals_itself_whatever_its_times_and_reads() -> None:
    later = copy.deepcopy(session())
    for event in later:
        event["t"] += 1000
        if event["e"] == "bytes":
            event["cuts"] = [1]
    assert diff(Tape(header(), session()), Tape(header(), later)) == []
    assert diff(tape([START, {"e": "note", "text": "a"}, EXIT]), tape([START, EXIT])) == []


def test_pieces_of_a_frame_are_one_frame() -> None:
    pieces = [START, sent('{"id":1,', more=True), sent('"method":"ping","params":{}}\n'), EXIT]
    assert diff(tape(pieces), tape([START, call(), EXIT])) == []
    open_end = tape([START, sent('{"id":1,', more=True)])
    assert only(open_end, tape([START, sent('{"id":1,')])).what == "more"


def flow(method: str) -> dict[str, Any]:
    return {"e": "flow", "w": "a", "request": {"method": method, "url": "x"}}


CHANGES: list[tuple[dict[str, Any], dict[str, Any], tuple[str, str, str, str | None, int | None]]] = [
    ({**START, "argv": ["a", "b"]}, {**START, "argv": ["a", "c"]}, ("argv", '"b"', '"c"', "/1", None)),
    ({"e": "signalled", "number": 2}, EXIT, ("kind", "signalled", "exited", None, None)),
    (EXIT, {"e": "exited", "status": 3}, ("status", "0", "3", "", None)),
    ({"e": "signalled", "number": 2}, {"e": "signalled", "number": 15}, ("number", "2", "15", "", None)),
    (reply(1, '{"a":[1,2]}'), reply(1, '{"a":[1,3]}'), ("bytes", "2", "3", "/result/a/1", 25)),
    (reply(1, '{"a":1}'), reply(1, '{"a":1.0}'), ("bytes", "1", "1.0", "/result/a", 23)),
    (reply(1, '{"a":1}'), reply(1, '{"b":1}'), ("bytes", "1", "absent", "/result/a", 19)),
    (reply(1, "1"), reply(1, "true"), ("bytes", "1", "true", "/result", 17)),
    (reply(1, "[1]"), reply(1, "[1,null]"), ("bytes", "absent", "null", "/result/1", 19)),
    (reply(1, '{"a/b":{"~":1}}'), reply(1, '{"a/b":{"~":2}}'), ("bytes", "1", "2", "/result/a~1b/~0", 29)),
    (reply(1, '{"a":1}'), reply(1, '{"a": 1}'), ("bytes", r"b'1}}\n'", r"b' 1}}\n'", None, 22)),
    (sent("junk\n", "out"), sent("junks\n", "out"), ("bytes", r"b'\n'", r"b's\n'", None, 4)),
    (sent("x\n", "out"), sent("x\n", "err"), ("s", '"out"', '"err"', "", None)),
    (sent("{}\n"), sent("{}"), ("bytes", r"b'\n'", "b''", None, 2)),
    (flow("GET"), flow("PUT"), ("request", '"GET"', '"PUT"', "/method", None)),
    ({"e": "gap", "why": "x"}, {"e": "gap", "why": "x", "size": 1}, ("size", "absent", "1", "", None)),
]


@pytest.mark.parametrize(("left", "right", "difference"), CHANGES)
def test_the_first_difference(left: dict[str, Any], right: dict[str, Any], difference: tuple[Any, ...]) -> None:
    before = [] if left["e"] == "started" else [START]
    found = only(tape([*before, left, reply(9)]), tape([*before, right, reply(8)]))
    assert (found.what, found.left, found.right, found.pointer, found.offset) == difference
    assert (found.left_n, found.right_n) == (len(before), len(before))


def test_every_kind_that_passes_between_processes_is_compared() -> None:
    assert set(EVENTS) - set(COMPARED) == {"note"}


def test_one_tape_may_end_before_the_other() -> None:
    found = only(tape([START, call(), EXIT]), tape([START, call()]))
    assert found == Difference("fake #1", "end", 2, None, "exited", "nothing more")
    assert only(tape([START]), tape([START, EXIT])) == Difference("fake #1", "end", None, 1, "nothing more", "exited")


def test_processes_are_paired_by_program_and_start_and_their_order_does_not_count() -> None:
    two = [START, {**START, "program": "helper", "p": 2}, call(), {**call(2), "p": 2}]
    turned = [{**START, "program": "helper"}, {**START, "p": 2}, call(2), {**call(), "p": 2}]
    assert diff(tape(two), tape(turned)) == []
    assert only(tape(two), tape(two[::2])) == Difference("helper #1", "process", 1, None)
    assert only(tape(two[::2]), tape(two)) == Difference("helper #1", "process", None, 1)
    wrong = [*two[:2], call(7), {**call(8), "p": 2}]
    assert [each.process for each in diff(tape(two), tape(wrong))] == ["fake #1", "helper #1"]


def test_a_gap_of_the_whole_tape_is_a_difference() -> None:
    assert only(tape([START, {"e": "gap", "why": "x", "p": 0}]), tape([START])).process == "the tape"


VOLATILE = [
    ('{"t":1,"x":1}', '{"t":22,"x":1}', True),
    ('{"t":1,"x":1}', '{"t":22,"x":2}', False),
    ('{"t":1,"x":1}', '{"t":"1","x":1}', False),
    ('{"t":1,"x":1}', '{"x":1}', False),
    ('{"t":1,"x":1}', '{"x":1,"t":1}', False),
    ('{"t":{"a":1},"x":1}', '{"t":{"b":[2]},"x":1}', True),
    ('{"x":1,"t":"absent"}', '{"x":1}', False),
]


@pytest.mark.parametrize(("left", "right", "equal"), VOLATILE)
def test_volatile_values_may_differ_but_not_in_type(left: str, right: str, equal: bool) -> None:
    tapes = tape([START, reply(1, left)]), tape([START, reply(1, right)])
    assert (diff(*tapes, volatile=["/result/t"]) == []) == equal
    assert diff(*tapes) != []


def test_reconstructed_frames_are_compared_by_value() -> None:
    spaced = [START, sent('{"result": {}, "id": 1}\n', "out")]
    assert diff(tape([START, reply()], bytes="reconstructed"), tape(spaced)) == []
    assert only(tape([START, reply()]), tape(spaced)).what == "bytes"
    half = tape([START, sent('{"id":1,"result":{}}', "out")], bytes="reconstructed")
    assert only(half, tape([START, reply()])).what == "bytes"


def test_the_length_before_a_native_message_is_compared() -> None:
    def native(length: int, body: str) -> Tape:
        message = length.to_bytes(4, "little").decode() + body
        return tape([START, sent(message, "out")], wires={"fake": {"stdio": "native"}})

    assert diff(native(7, '{"a":1}'), native(8, '{"a":22}'), volatile=["/a"]) == []
    assert only(native(7, '{"a":1}'), native(6, '{"a":1}'), volatile=["/a"]).offset == 0


def test_order_between_streams_counts_unless_told_otherwise() -> None:
    left = tape([START, sent("a\n", "err"), reply(), EXIT])
    right = tape([START, reply(), sent("a\n", "err"), EXIT])
    assert only(left, right).what == "s"
    assert diff(left, right, by_stream=True) == []
    assert only(left, tape([START, reply(), sent("b\n", "err"), EXIT]), by_stream=True).process == "fake #1 stdio err"


def test_reads_of_a_raw_stream_are_no_frames() -> None:
    left = tape([START, sent("ab", "out"), sent("c", "out")], wires={})
    right = tape([START, sent("a", "out"), sent("bc", "out")], wires={})
    assert diff(left, right, by_stream=True) == []
    assert only(left, right).what == "bytes"


JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats(-2, 2) | st.text("ab~/", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab~/", max_size=2), inner, max_size=3),
    max_leaves=6,
)


@given(JSON, JSON)
def test_values_are_equal_only_with_their_types(left: Any, right: Any) -> None:
    assert first_difference(left, left, ()) is None
    found = first_difference(left, right, ())
    assert (found is None) == (typed(left) == typed(right))
    if found is not None:
        other = first_difference(right, left, ())
        assert other is not None


def typed(value: Any) -> Any:
    if isinstance(value, dict):
        return {"object": {name: typed(part) for name, part in value.items()}}
    if isinstance(value, list):
        return ["list", [typed(part) for part in value]]
    return (type(value).__name__, value)


def test_a_value_nested_deeper_than_python_recurses_is_compared() -> None:
    left: Any = 1
    right: Any = 2
    for _ in range(5000):
        left, right = [left], [right]
    found = first_difference(left, right, ())
    assert found is not None
    assert found[0] == "/0" * 5000


def test_lines_for_a_terminal() -> None:
    left, right = tape([START, reply(1, '"a"'), EXIT]), tape([START, reply(1, '"b"')])
    assert list(as_lines(diff(left, right))) == [
        "fake #1: bytes differs (event 1 / 1), byte 18 of the frame, at /result", '  - "a"', '  + "b"',
    ]
    assert list(as_lines(diff(tape([START]), tape([])))) == ["fake #1: process differs (event 0 / none)"]
    long = only(tape([START, reply(1, '"' + "a" * 500 + '"')]), tape([START, reply(1, "1")]))
    assert long.left is not None
    assert long.left.endswith("… (502 characters)")
