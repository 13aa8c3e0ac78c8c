"""A tape for a terminal: offsets and ways, and nothing that a hostile tape could do to the terminal."""
from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.tape.event import EVENTS
from harness.tape.show import heading, lines, plain
from tests.harness.tape.tapes import EXIT, ORIGIN, START, call, header, number, reply, sent

EVERYTHING: list[dict[str, Any]] = number([
    {**START, "parent": 2},
    {**call(), "cuts": [3, 9]},
    reply() | {"cause": 1},
    sent("log,", "err", more=True),
    sent("line\n", "err"),
    {"e": "bytes", "w": "stdio", "s": "out", "b64": "/w=="},
    {"e": "closed", "w": "stdio", "s": "out"},
    {"e": "signalled", "number": 15},
    {"e": "gap", "why": "disk full", "events": 2, "size": 7},
    {"e": "note", "text": "remark"},
    {"e": "flow", "w": "http", "p": 0, "request": {"method": "GET", "url": "http://x/"}, "response": {"status": 200}},
    {"e": "flow", "w": "http", "p": 0, "request": {"method": "GET", "url": "http://x/"}},
    EXIT,
    {"e": "exited", "status": -9},
])
SHOWN = """\
     0        0.000   1    started fake serve, child of 2
     1        1.000   1 >> stdio in @0+37 cuts 3,9  {"id":1,"method":"ping","params":{}}
     2        2.000   1 << stdio out @0+21 answers 1  {"id":1,"result":{}}
     3        3.000   1 << stdio err @0+4 goes on  log,
     4        4.000   1 << stdio err @4+5  line
     5        5.000   1 << stdio out @21+1  base64 /w==
     6        6.000   1 << stdio out closed at @22
     7        7.000   1    signal 15 sent to it
     8        8.000   1    GAP, 2 events, 7 size: disk full
     9        9.000   1    note: remark
    10       10.000   0    http GET http://x/ -> status 200
    11       11.000   0    http GET http://x/ -> no response
    12       12.000   1    exited with 0
    13       13.000   1    killed by signal 9
"""


def test_every_kind_of_event() -> None:
    assert "\n".join(lines(EVERYTHING, 0)) + "\n" == SHOWN
    assert {event["e"] for event in EVERYTHING} == set(EVENTS)


def test_long_content_is_cut_and_offsets_are_not() -> None:
    found = list(lines(number([sent("a" * 100 + "\n"), sent("b")]), 20))
    assert found[0].endswith(f"@0+101  {'a' * 17}...")
    assert found[1].endswith("@101+1  b")


def test_the_header() -> None:
    head = header(
        origin={**ORIGIN, "source": "a test"}, redaction=[{"what": "keys", "how": "hash"}], profile="p",
        expires="2027-01-01",
    )
    assert list(heading(head)) == [
        "tape of fake 1 on Linux, model: a fake",
        "recorded 2026-01-31 by test 1; bytes verbatim",
        "clock virtual, profile p, expires 2027-01-01",
        "source: a test",
        "wires of fake: stdio jsonrpc",
        "redacted: keys",
    ]
    bare = list(heading(header(origin={**ORIGIN, "products": []}, date=None, wires={})))
    assert bare[:3] == [
        "tape of no product on Linux, model: a fake",
        "recorded at an unknown time by test 1; bytes verbatim",
        "clock virtual, profile none, expires never",
    ]


HOSTILE = "\x1b[2J\x1b]0;title\x07\r\x08\x7f\x9b\u202e\u2028\U000e0041\n\0é"


@pytest.mark.parametrize(
    "event",
    [
        {**START, "argv": [HOSTILE]}, sent(HOSTILE), {**sent("a"), "w": HOSTILE}, {"e": "note", "text": HOSTILE},
        {"e": "gap", "why": HOSTILE}, {"e": "closed", "w": HOSTILE, "s": "in"},
        {"e": "flow", "w": HOSTILE, "request": {"method": HOSTILE, "url": HOSTILE}},
    ],
)
def test_a_hostile_tape_stays_text(event: dict[str, Any]) -> None:
    (shown,) = lines(number([event]), 0)
    assert all(" " <= letter <= "~" for letter in shown)
    assert r"\x1b[2J" in shown
    head = header(origin={**ORIGIN, "platform": HOSTILE, "recorder": HOSTILE, "source": HOSTILE,
                          "products": [{"name": HOSTILE, "version": HOSTILE}]},
                  profile=HOSTILE, wires={HOSTILE: {HOSTILE: HOSTILE}}, redaction=[{"what": HOSTILE, "how": ""}])
    assert all(" " <= letter <= "~" for text in heading(head) for letter in text)


@given(st.text(), st.integers(0, 40))
def test_text_is_printable_and_no_longer_than_asked(text: str, width: int) -> None:
    shown = plain(text, width)
    assert all(" " <= letter <= "~" for letter in shown)
    assert not width or len(shown) <= max(width, 3)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a\tb\r\n", r"a\tb\r\n"), ("\x1b", r"\x1b"), ("é", r"\xe9"), ("\u202e", r"\u202e"),
     ("😀", r"\U0001f600"), ("", "")],
)
def test_escapes(text: str, shown: str) -> None:
    assert plain(text) == shown
