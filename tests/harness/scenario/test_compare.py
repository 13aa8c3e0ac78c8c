"""What is compared between two runs, and the first place where they differ."""

from __future__ import annotations

from typing import Any

import pytest

from harness.scenario.compare import comparable, first_difference, outcomes, process_names

STARTED = {"n": 0, "t": 1.5, "p": 4, "e": "started", "program": "codex", "argv": ["/tmp/x/bin"], "parent": None}
SENT = {"n": 1, "t": 2.5, "p": 4, "e": "bytes", "w": "stdio", "s": "in", "b": "a", "cuts": [1]}
SAID = {"n": 2, "t": 3.5, "p": 4, "e": "bytes", "w": "stdio", "s": "out", "b": "b", "cause": 1}
JOURNAL = [STARTED, SENT, SAID]
HISTORY = [
    {"n": 0, "t": 1, "k": 1, "j": 0, "e": "asked", "call": 0, "arguments": {"path": "/tmp/x/file"}},
    {"n": 1, "t": 2, "k": 2, "j": 0, "e": "launched", "program": "codex"},
    {"n": 2, "t": 3, "k": 5, "j": 3, "e": "answered", "call": 0, "outcome": "done", "evidence": {"ms": 3}, "bytes": 7},
    {"n": 3, "t": 4, "k": 6, "j": 3, "e": "wrote", "place": "audit", "text": "3 ms", "mode": "0600"},
]
WORLD = [
    {"n": 0, "t": 1, "k": 3, "j": 1, "e": "effect", "p": 4, "verb": "click"},
    {"n": 1, "t": 1, "k": 4, "j": 1, "e": "changed", "what": {"a": 1}, "by": "user"},
]


def test_times_numbers_and_paths_are_left_out() -> None:
    books = comparable(HISTORY, WORLD, JOURNAL, {"<BIN>": "/tmp/x"})
    assert books["history"] == [
        {"e": "asked", "call": 0, "arguments": {"path": "<BIN>/file"}},
        {"e": "launched", "program": "codex"},
        {"e": "answered", "call": 0, "outcome": "done"},
        {"e": "wrote", "place": "audit"},
    ]
    assert books["world"][0] == {"e": "effect", "p": "codex#1", "verb": "click"}
    assert books["journal codex#1"] == [
        {"p": "codex#1", "e": "started", "program": "codex", "argv": ["<BIN>/bin"], "parent": None},
        {"p": "codex#1", "e": "bytes", "w": "stdio", "s": "in", "b": "a"},
        {"p": "codex#1", "e": "bytes", "w": "stdio", "s": "out", "b": "b", "cause": 1},
    ]


def test_streams_can_be_compared_one_by_one() -> None:
    books = comparable(HISTORY, WORLD, JOURNAL, by_stream=True)
    assert {name: len(lines) for name, lines in books.items() if name.startswith("journal")} == {
        "journal codex#1": 1, "journal codex#1 stdio in": 1, "journal codex#1 stdio out": 1,
    }  # fmt: skip
    assert "cause" not in books["journal codex#1 stdio out"][0]


def test_how_a_child_was_told_to_end_is_a_race() -> None:
    started = [STARTED, {**STARTED, "n": 1, "p": 5, "program": "helper", "parent": 4}]
    by_input = [
        *started,
        {"n": 2, "p": 5, "e": "closed", "w": "stdio", "s": "in"},
        {"n": 3, "p": 5, "e": "exited", "status": 0},
    ]
    by_signal = [
        *started,
        {"n": 2, "p": 5, "e": "signalled", "number": 15},
        {"n": 3, "p": 5, "e": "exited", "status": -15},
    ]
    crashed = [*started, {"n": 2, "p": 5, "e": "exited", "status": 1}]
    books = [comparable([], [], journal, by_stream=True) for journal in (by_input, by_signal, crashed)]
    assert first_difference(books[0], books[1]) is None
    assert first_difference(books[0], books[2]) is not None
    assert first_difference(comparable([], [], by_input), comparable([], [], by_signal)) is not None
    parents = [
        comparable([], [], [STARTED, {"n": 1, "p": 4, "e": "exited", "status": n}], by_stream=True) for n in (0, -15)
    ]
    assert first_difference(*parents) is not None


def test_processes_are_named_by_program_and_place() -> None:
    events: list[dict[str, Any]] = [{**STARTED, "p": 9}, {**STARTED, "p": 2}, {**STARTED, "p": 3, "program": "helper"}]
    assert process_names(events) == {9: "codex#1", 2: "codex#2", 3: "helper#1"}


def test_between_backs_only_outcomes_count() -> None:
    other_journal = [{**STARTED, "p": 8, "n": 0}, {**STARTED, "p": 4, "n": 1}]
    other_world = [WORLD[1], {"e": "violation", "p": 4, "why": "x"}, {**WORLD[0], "p": 4}]
    ours = outcomes(HISTORY, WORLD, JOURNAL, {"<BIN>": "/tmp/x"})
    theirs = outcomes(HISTORY, other_world, other_journal, {"<BIN>": "/tmp/x"})
    assert first_difference(ours, theirs) is None
    assert [line["e"] for line in ours["history"]] == ["asked", "answered", "wrote"]
    told = [*HISTORY[:2], {**HISTORY[2], "outcome": "unknown"}, HISTORY[3]]
    assert first_difference(ours, outcomes(told, WORLD, JOURNAL, {"<BIN>": "/tmp/x"})) is not None


def test_the_order_between_two_processes_does_not_count_between_backs() -> None:
    journal = [STARTED, {**STARTED, "p": 5, "n": 1}]
    lines = [{"e": "freed", "p": 4, "id": "a"}, {"e": "freed", "p": 5, "id": "b"}]
    assert first_difference(outcomes([], lines, journal, {}), outcomes([], lines[::-1], journal, {})) is None


def test_the_first_difference_is_named() -> None:
    assert first_difference({"a": [1, 2]}, {"a": [1, 3]}) == "a line 1: 2 | 3"
    assert first_difference({"a": [1]}, {"a": [1], "b": [2]}) == "b line 0: nothing | 2"
    assert first_difference({"a": [1, 2]}, {"a": [1]}) == "a line 1: 2 | nothing"
    assert first_difference({"a": [1]}, {"a": [1]}) is None


def test_that_there_was_an_engine_is_no_difference_between_backs() -> None:
    engine = [{"e": e, "p": 0, "what": "engine", "id": "X 1"} for e in ("held", "freed")]
    window = [{"e": "held", "p": 4, "what": "window", "id": "w"}]
    ours = outcomes([], window, [STARTED], {})
    assert first_difference(ours, outcomes([], [*window, *engine], [STARTED], {})) is None
    assert first_difference(ours, outcomes([], engine, [STARTED], {})) is not None


PAGE = {"tab": "tab-1", "document": "doc-2"}


def changed(by: str = "page", **what: Any) -> dict[str, Any]:
    return {"e": "changed", "what": what, "by": by}


def shown(node: str) -> dict[str, Any]:
    return {"e": "shown", "p": 4, "ref": node, "what": {**PAGE, "node": node}}


@pytest.mark.parametrize(
    ("ours", "theirs", "equal"),
    [
        ([changed(**PAGE, node="n", text="x")], [], True),
        ([changed(document="doc-2", inserted="n"), changed(document="doc-2", removed="n")], [], True),
        ([changed(**PAGE, url="u")], [], False),
        ([changed("effect:3", **PAGE, url="u")], [changed("page", **PAGE, url="u")], True),
        ([changed("effect:3", closed="tab-1")], [changed("page", closed="tab-1")], False),
        ([changed("effect:3", closed="tab-1")], [changed("effect:5", closed="tab-1")], True),
        ([{"e": "apple_event", "p": 4, "request": 1}], [], True),
        ([shown("a"), shown("b")], [shown("b"), shown("a")], True),
        ([shown("a"), shown("b")], [shown("a")], False),
        ([{"e": "effect", "p": 4, "verb": "click"}], [], False),
    ],
)
def test_of_pages_only_what_both_backs_can_tell_is_compared(ours: list[Any], theirs: list[Any], equal: bool) -> None:
    found = first_difference(outcomes([], ours, [STARTED], {}), outcomes([], theirs, [STARTED], {}))
    assert (found is None) is equal
