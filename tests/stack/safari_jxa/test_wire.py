"""Lines of the bridge: split anywhere, and every way in which one can be wrong."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stack.safari_jxa.errors import AutomationDenied, BridgeCallError, BridgeError, JavaScriptDisabled
from stack.safari_jxa.wire import Answered, Conversation, Dropped, Event, Ready, decode

READY = b'{"method":"ready","params":{"bridge":1}}\n'


def line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


def talking() -> Conversation:
    wire = Conversation(1000)
    assert list(wire.feed(READY)) == [Ready()]
    return wire


@settings(max_examples=50)
@given(st.text(), st.lists(st.integers(0, 200), max_size=5))
@pytest.mark.claim("JXA-BRG-07", tooth="bytes split anywhere, any text")
def test_lines_are_the_same_however_they_are_split(text: str, cuts: list[int]) -> None:
    wire = talking()
    asked = wire.request("read", {"argument": {"text": text}})
    assert asked.isascii() and asked.count(b"\n") == 1
    assert json.loads(asked) == {"id": "1", "method": "read", "params": {"argument": {"text": text}}}
    stream = line({"id": "1", "result": {"value": text}})
    events: list[Event] = []
    places = sorted({0, *(cut for cut in cuts if cut < len(stream)), len(stream)})
    for start, end in pairwise(places):
        events += wire.feed(stream[start:end])
    assert events == [Answered({"value": text})]


def test_a_late_or_second_reply_answers_nothing_else() -> None:
    wire = talking()
    wire.request("read", {})
    wire.give_up()
    wire.request("read", {})
    late, mine, second = (
        line({"id": "1", "result": {}}),
        line({"id": "2", "result": {}}),
        line({"id": "2", "result": {}}),
    )
    assert list(wire.feed(late + mine + second)) == [Dropped(), Answered({}), Dropped()]


def test_a_notice_without_meaning_is_dropped() -> None:
    wire = Conversation(1000)
    assert list(wire.feed(line({"method": "trailcam/unknown", "params": {}}) + READY + READY)) == [
        Dropped(),
        Ready(),
        Dropped(),
    ]


@pytest.mark.parametrize(
    "said",
    [
        b"Traceback (most recent call last):\n",
        b"\n",
        b"[1]\n",
        b"null\n",
        b'{"id":"1","result":NaN}\n',
        b'{"id":"1","result":{"\xe9":1}}\n',
        b"[" * 5000 + b"\n",
        line({"id": "2", "result": {}}),
        line({"id": "0", "result": {}}),
        line({"id": "01", "result": {}}),
        line({"id": 1, "result": {}}),
        line({"id": None, "result": {}}),
        line({"result": {}}),
        line({"id": "1"}),
        line({"id": "1", "result": None}),
        line({"id": "1", "result": []}),
        line({"id": "1", "result": {}, "error": {}}),
        line({"id": "1", "error": {"code": "8", "message": "x"}}),
        line({"id": "1", "error": {"code": True, "message": "x"}}),
        line({"id": "1", "error": {"code": 8}}),
        line({"id": "1", "error": "x"}),
        line({"id": "7", "method": "trailcam/unsolicited", "params": {}}),
        b"x" * 1001,
        b"x" * 1001 + b"\n",
    ],
)
@pytest.mark.claim("JXA-BRG-02", tooth="each line that is none of this conversation's")
def test_what_is_no_reply_of_ours_ends_the_bridge(said: bytes) -> None:
    wire = Conversation(1000)
    list(wire.feed(READY))
    wire.request("read", {})
    with pytest.raises(BridgeError, match="bridge_failed"):
        list(wire.feed(said))


def test_a_line_of_the_bound_is_read() -> None:
    said = line({"method": "x", "pad": ""})
    padded = said.replace(b'"pad": ""', b'"pad": "' + b"x" * (1000 - len(said) + 1) + b'"')
    assert len(padded) == 1001
    assert list(Conversation(1000).feed(padded)) == [Dropped()]


def test_a_reply_before_the_bridge_is_ready_is_wrong() -> None:
    wire = Conversation(1000)
    wire.request("start", {})
    with pytest.raises(BridgeError, match="before the bridge was ready"):
        list(wire.feed(line({"id": "1", "result": {}})))


@pytest.mark.parametrize(
    ("number", "kind", "code"),
    [
        (-1743, AutomationDenied, "automation_denied"),
        (8, JavaScriptDisabled, "javascript_disabled"),
        (-10000, BridgeCallError, "apple_event_failed"),
    ],
)
@pytest.mark.claim("JXA-BRG-03", tooth="numbers with words of another language")
def test_errors_are_told_apart_by_number(number: int, kind: type[BridgeCallError], code: str) -> None:
    wire = talking()
    wire.request("read", {})
    (event,) = wire.feed(
        line({"id": "1", "error": {"code": number, "message": "nicht erlaubt", "data": {"sent": False}}})
    )
    assert isinstance(event, Answered) and type(event.error) is kind
    assert (event.error.code, event.error.number, event.error.sent) == (code, number, False)
    assert event.error.official is not None and event.error.official.text == "nicht erlaubt"


@pytest.mark.parametrize("data", [None, {}, {"sent": True}, {"sent": "false"}, []])
def test_where_the_bridge_does_not_say_the_event_may_have_gone_out(data: Any) -> None:
    wire = talking()
    wire.request("act", {})
    (event,) = wire.feed(line({"id": "1", "error": {"code": -1712, "message": "x", "data": data}}))
    assert isinstance(event, Answered) and event.error is not None
    assert (event.error.sent, event.error.outcome) == (True, "unknown")


def test_a_line_is_an_object_in_any_spelling() -> None:
    for text in ("x", "\u2028", "\U0001f600"):
        assert decode(json.dumps({"a": text}, ensure_ascii=False).encode()) == {"a": text}
