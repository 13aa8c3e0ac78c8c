"""The picture of a run: right arrows, marks where verdicts point, bounded, and no markup from outside."""
from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.sequence import LIMIT, Diagram, Row, diagram, svg
from tests.reports.made import kept

CALL = '{"id":1,"method":"call","params":{"tool":"t"}}\n'
JOURNAL: list[dict[str, Any]] = [
    {"n": 0, "t": 0, "p": 1, "e": "started", "program": "codex", "argv": ["app-server"]},
    {"n": 1, "t": 1, "p": 1, "e": "bytes", "w": "stdio", "s": "in", "b": CALL},
    {"n": 2, "t": 2, "p": 2, "e": "started", "program": "helper", "argv": [], "parent": 1},
    {"n": 3, "t": 2, "p": 2, "e": "bytes", "w": "stdio", "s": "out", "b": "no json\n"},
    {"n": 4, "t": 3, "p": 1, "e": "bytes", "w": "stdio", "s": "err", "b": "first\n"},
    {"n": 5, "t": 3, "p": 1, "e": "bytes", "w": "stdio", "s": "err", "b": "second\n"},
    {"n": 6, "t": 4, "p": 1, "e": "bytes", "w": "stdio", "s": "out", "b": '{"id":1,"result":{}}\n'},
    {"n": 7, "t": 4, "p": 1, "e": "bytes", "w": "stdio", "s": "out", "b": '{"id":2,"error":{}}\n'},
    {"n": 8, "t": 4, "p": 1, "e": "bytes", "w": "stdio", "s": "out", "b64": "/w=="},
    {"n": 9, "t": 4, "p": 1, "e": "bytes", "w": "stdio", "s": "out", "b": "[1]\n"},
    {"n": 10, "t": 5, "p": 2, "e": "signalled", "number": 15},
    {"n": 11, "t": 5, "p": 2, "e": "exited", "status": -15},
    {"n": 12, "t": 5, "p": 1, "e": "closed", "w": "stdio", "s": "in"},
    {"n": 13, "t": 5, "p": 1, "e": "exited", "status": 3},
    {"n": 14, "t": 6, "p": 3, "e": "started", "program": "codex", "argv": []},
    {"n": 15, "t": 6, "p": 0, "e": "note", "text": "x"},
]  # fmt: skip
WORLD: list[dict[str, Any]] = [
    {"n": 0, "t": 2, "k": 2, "j": 4, "e": "effect", "p": 2, "verb": "click", "target": {"app": "a", "node": "b"}},
    {"n": 1, "t": 2, "k": 3, "j": 4, "e": "fault", "p": 1, "id": "f1", "fault": "drop"},
    {"n": 2, "t": 2, "k": 4, "j": 4, "e": "refused", "p": 2, "verb": "click", "why": "locked"},
    {"n": 3, "t": 2, "k": 5, "j": 4, "e": "changed", "what": {}, "by": "user"},
    {"n": 4, "t": 2, "k": 6, "j": 4, "e": "violation", "p": 1, "why": "crlf"},
    {"n": 5, "t": 2, "k": 7, "j": 4, "e": "shown", "p": 2, "ref": "1", "what": {}},
]  # fmt: skip
HISTORY: list[dict[str, Any]] = [
    {"n": 0, "t": 0, "k": 1, "j": 0, "e": "asked", "call": 0, "tool": "t"},
    {"n": 1, "t": 1, "k": 8, "j": 6, "e": "questioned", "call": 0, "question": {}},
    {"n": 2, "t": 1, "k": 9, "j": 6, "e": "replied", "call": 0, "answer": {"action": "accept"}},
    {"n": 3, "t": 1, "k": 10, "j": 6, "e": "cancelled", "call": 0},
    {"n": 4, "t": 1, "k": 11, "j": 16, "e": "answered", "call": 0, "outcome": "refused", "code": "x"},
    {"n": 5, "t": 1, "k": 12, "j": 16, "e": "left", "processes": []},
]  # fmt: skip

EXPECTED = [
    ("ask", 0, 0, "call 0: t"),
    ("start", 0, 1, "start"),
    ("frame", 0, 1, "call t"),
    ("start", 1, 2, "start"),
    ("frame", 2, 1, "no json"),
    ("effect", 2, 2, "click b"),
    ("fault", 1, 1, "fault drop"),
    ("refused", 2, 2, "refused click: locked"),
    ("changed", 0, 0, "changed by user"),
    ("refused", 1, 1, "violation: crlf"),
    ("stderr", 1, 0, "first"),
    ("ask", 0, 0, "question in call 0"),
    ("answer", 0, 0, "the user: accept"),
    ("answer", 0, 0, "call 0 cancelled"),
    ("frame", 1, 0, "result of call"),
    ("frame", 1, 0, "error"),
    ("frame", 1, 0, "bytes"),
    ("frame", 1, 0, "[1]"),
    ("signal", 2, 2, "signal 15"),
    ("exit", 2, 2, "killed by signal 15"),
    ("closed", 1, 1, "end of in"),
    ("exit", 1, 1, "exit 3"),
    ("start", 0, 1, "start"),
    ("answer", 0, 0, "call 0: refused (x)"),
]


def test_each_line_is_the_row_that_it_should_be() -> None:
    drawn = diagram(HISTORY, WORLD, JOURNAL)
    assert [(row.kind, row.source, row.target, row.text) for row in drawn.rows] == EXPECTED
    assert drawn.lanes == ("stack", "codex ×2", "helper")
    assert next(row for row in drawn.rows if row.kind == "stderr").more == "first\\n\nsecond\\n"


def test_what_a_verdict_points_at_is_marked_and_never_left_out() -> None:
    drawn = diagram(HISTORY, WORLD, JOURNAL, world_marks=frozenset({3}), frame_marks=frozenset({9}), limit=8)
    assert {row.text for row in drawn.rows if row.marked} == {"changed by user", "[1]"}
    assert sum(row.kind != "cut" for row in drawn.rows) == 7
    hidden = sum(int(row.text.split()[1]) for row in drawn.rows if row.kind == "cut")
    assert hidden == len(EXPECTED) - 7


def test_a_real_run_fits_and_shows_its_effect_in_its_place() -> None:
    run = kept("none")
    drawn = diagram(run.history, run.world, run.journal)
    assert sum(row.kind != "cut" for row in drawn.rows) <= LIMIT
    texts = [row.text for row in drawn.rows]
    assert texts.index("tools/call") < texts.index("click new-game")
    assert texts.index("click new-game") < len(texts) - 1 - texts[::-1].index("result of tools/call")


@pytest.mark.claim("HAR-RPT-02")
@given(st.text(), st.text(), st.sampled_from(["frame", "effect", "stderr", "cut"]), st.booleans())
def test_text_from_outside_makes_no_markup(text: str, more: str, kind: str, marked: bool) -> None:
    from reports.plain import one_line

    row = Row(kind, 0, 1 if kind in ("frame", "stderr") else 0, one_line(text), one_line(more), marked)
    picture = ElementTree.fromstring(svg(Diagram(("stack", one_line(text)), (row,)), one_line(more)))
    assert {element.tag for element in picture.iter()} <= {"svg", "g", "line", "path", "text", "title"}
