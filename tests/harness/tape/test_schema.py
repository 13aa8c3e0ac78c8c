"""The tables are the schema: every field, type and rule of them can fail a line."""
from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.tape.event import COMMON, EVENTS, REQUEST, RESPONSE
from harness.tape.header import CLOCK, HEADER, ORIGIN, PRODUCT, REDACTION
from harness.tape.schema import TYPES, event_fault, fault_in, is_usual, shown, type_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.tape.event import Table

GOOD: dict[str, list[Any]] = {
    "str": ["", "a"], "bool": [True, False], "int": [0, -9], "count": [0, 7], "instant": [0, 0.5, 7],
    "text": ["a", "é"], "base64": ["", "/w=="], "stream": ["in", "out", "err"],
    "date": ["2026-01-31", "2026-12-01T23:59:60Z"], "sha256": ["0af" * 21 + "0"],
    "list[str]": [[], ["a"]], "list[count]": [[], [1]], "list[pair]": [[], [["a", "b"]]],
    "object": [{}], "list": [[]], "request": [{}], "response": [{}],
}
BAD: dict[str, list[Any]] = {
    "str": [1, None, []], "bool": [0, 1, "true"], "int": [1.0, True, "1"], "count": [-1, True, 1.0],
    "instant": [-1, 1e15, float("inf"), True, "0"], "text": [1, "\ud800"], "base64": [1, "a", "/w==\n", "é"],
    "stream": ["IN", None, []],
    "date": [20260131, "2026-1-31", "2026-13-01", "2026-01-32", "2026-01-31T", "2026-01-31T1:00:00Z", "2026-01-31TaaZ",
             "2026-01-31T25:00:00Z", "2026-01-31T23:59:59", "２０２６-01-31", "2026-01-31T2３:59:59Z"],
    "sha256": ["0af", "G" * 64, 1, "A" * 64],
    "list[str]": [[1], "a", {}], "list[count]": [[-1], 1], "list[pair]": [["a"], [["a"]], [["a", 1]], [[1, "a"]]],
    "object": [[], None], "list": [{}], "request": [1], "response": [1],
}  # fmt: skip
TABLES: list[Table] = [COMMON, *EVENTS.values(), REQUEST, RESPONSE, HEADER, ORIGIN, PRODUCT, CLOCK, REDACTION]


@pytest.mark.parametrize("name", TYPES)
def test_a_type_takes_what_it_says_and_refuses_the_rest(name: str) -> None:
    check, _ = TYPES[name]
    assert [check(value) for value in GOOD[name]] == [True] * len(GOOD[name])
    assert [check(value) for value in BAD[name]] == [False] * len(BAD[name])


def test_every_type_in_the_tables_is_known() -> None:
    names = {kind for table in TABLES for kind, _, _ in table.values()}
    assert {name.partition(" or ")[0] for name in names} <= set(TYPES)


def test_null_is_taken_only_where_the_table_says_so() -> None:
    assert [type_of("date")[0](None), type_of("date or null")[0](None), type_of("date or null")[0]("x")] == [
        False, True, False,
    ]


@pytest.mark.parametrize("kind", EVENTS)
def test_every_field_of_every_kind_is_checked(kind: str) -> None:
    """One event a field with a wrong type, one without it where it is required, one with a field too many."""
    table = {**COMMON, **EVENTS[kind]}
    whole: dict[str, Any] = {field: GOOD[name][0] for field, (name, required, _) in table.items() if required}
    whole |= {"e": kind, "n": 0}
    if kind == "bytes":
        whole["b"] = ""
    if kind == "flow":
        whole["request"] = {"method": "GET", "url": "http://x/"}
    assert event_fault(whole, 0) is None
    for field, (name, required, _) in table.items():
        if field != "e":
            assert event_fault({**whole, field: BAD[name][0]}, 0) is not None
        if required:
            assert event_fault({key: value for key, value in whole.items() if key != field}, 0) is not None
    assert event_fault({**whole, "zzz": 1}, 0) is not None


BYTES: dict[str, Any] = {"n": 3, "t": 0, "p": 1, "e": "bytes", "w": "stdio", "s": "in"}
FLOW: dict[str, Any] = {"n": 0, "t": 0, "p": 0, "e": "flow", "w": "http"}
ASKED: dict[str, Any] = {"method": "GET", "url": "http://x/"}


@pytest.mark.parametrize(
    ("event", "n", "seen"),
    [
        ({"e": "strange"}, 0, "an event of kind 'strange'"),
        ({"e": ["bytes"]}, 0, "an event of kind ['bytes']"),
        ({"n": 1}, 0, "an event of kind None"),
        ({**BYTES, "b": ""}, 4, "n 3"),
        (BYTES, 3, "a 'bytes' event with neither b nor b64"),
        ({**BYTES, "b": "", "b64": ""}, 3, "a 'bytes' event with both b and b64"),
        ({**BYTES, "b": "", "cause": 3}, 3, "cause 3 in event 3"),
        ({**BYTES, "b": "ab", "cuts": [3]}, 3, "cuts [3] in 2 bytes"),
        ({**BYTES, "b": "ab", "cuts": [0]}, 3, "cuts [0] in 2 bytes"),
        ({**BYTES, "b": "abc", "cuts": [2, 1]}, 3, "cuts [2, 1] in 3 bytes"),
        ({**BYTES, "b": "abc", "cuts": [1, 1]}, 3, "cuts [1, 1] in 3 bytes"),
        ({**BYTES, "b": "é", "cuts": [2]}, 3, None),
        ({**BYTES, "b64": "/w==", "cuts": [1]}, 3, None),
        ({**BYTES, "b64": "/w==", "cuts": [2]}, 3, "cuts [2] in 1 bytes"),
        ({**BYTES, "b": "ab", "cuts": [1, 2], "cause": 2, "more": True}, 3, None),
        ({**FLOW, "request": {}}, 0, "the request of a flow without method"),
        ({**FLOW, "request": {**ASKED, "b": "", "b64": ""}}, 0, "the request of a flow with both b and b64"),
        ({**FLOW, "request": ASKED, "response": {"status": 200, "x": 1}}, 0,
         "an unknown field 'x' in the response of a flow"),
        ({**FLOW, "request": ASKED, "response": {"status": 200, "headers": [["a", "b"]], "b": ""}}, 0, None),
    ],
)
def test_rules_between_fields(event: dict[str, Any], n: int, seen: str | None) -> None:
    fault = event_fault(event, n)
    assert (fault and fault[0]) == seen


def test_a_message_shows_a_long_or_odd_value_short_and_in_ascii() -> None:
    assert shown("é\x1b") == r"'\xe9\x1b'"
    assert shown("a" * 100) == "'" + "a" * 59 + "… (102 characters)"
    assert fault_in({"a": 1}, {"a": ("str", True, "")}, "it") == ("a 1 in it", "text")


USUAL: dict[str, Any] = {"n": 3, "t": 1.5, "p": 1, "e": "bytes", "w": "stdio", "s": "in", "b": "é"}
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [0, 3, -1, 1.5, 1e99, True, None, "in", "x", "\ud800", [], {}, "bytes", 2**70]
)


def test_a_usual_line_is_known_at_once() -> None:
    assert is_usual(USUAL, 3) and is_usual({**USUAL, "cause": 2}, 3)
    assert not is_usual(USUAL, 4) and not is_usual({**USUAL, "more": True}, 3)


@given(st.dictionaries(st.sampled_from([*USUAL, "cause", "cuts", "x"]), ODD, max_size=3), st.sampled_from([*USUAL, ""]))
def test_what_is_usual_has_no_fault(changes: dict[str, Any], gone: str) -> None:
    event = {**USUAL, **changes}
    event.pop(gone, None)
    if is_usual(event, 3):
        assert event_fault(event, 3) is None
    elif set(event) <= {*USUAL, "cause"}:
        assert event_fault(event, 3) is not None, "slow, and right all the same"
