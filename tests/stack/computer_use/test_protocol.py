"""The conversation: the tables are whole, and each row does what it says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stack.computer_use.protocol import (
    FATAL,
    INITIALIZE,
    INVENTORY,
    LEGAL,
    MODEL_ACTIVITY,
    NOTICES,
    REPLIED,
    SENDS,
    THREAD_START,
    TOOL_CALL,
    UNEXPECTED,
    Asked,
    Conversation,
    Kind,
    Refused,
    Replied,
    State,
    UnsupportedRequest,
    notice_kind,
)
from stack.computer_use.wire import classify, decode
from stack.errors import ADVICE, ProtocolError
from tests.stack.scripted_server import IDLE, THREAD, WAITING, asks, notice, resolved, status, thread_result

METHODS = (INITIALIZE, THREAD_START, INVENTORY, TOOL_CALL)
STARTED = notice("thread/started", thread={"id": THREAD})


def at(state: State) -> Conversation:
    """A conversation in that state, by the shortest way."""
    talk = Conversation(8)
    steps: list[tuple[State, Any]] = [
        (State.INITIALIZING, lambda: talk.request(INITIALIZE, {})),
        (State.INITIALIZED, lambda: talk.receive(classify({"id": "1", "result": {}}))),
        (State.THREAD, lambda: talk.request(THREAD_START, {})),
        (State.STARTING, lambda: talk.receive(classify({"id": "2", "result": thread_result("/w")}))),
        (State.LISTING, lambda: talk.request(INVENTORY, {})),
        (State.ARMED, lambda: talk.receive(classify({"id": "3", "result": {}}))),
        (State.CALLING, lambda: talk.request(TOOL_CALL, {})),
        (State.CLOSING, talk.close),
    ]
    for reached, step in steps:
        if talk.state is state:
            break
        step()
        assert talk.state is reached
    return talk


SENT_IDS = {State.SPAWNED: "1", State.INITIALIZED: "2", State.STARTING: "3", State.ARMED: "4"}
REPLY_IDS = {State.INITIALIZING: "1", State.THREAD: "2", State.LISTING: "3", State.CALLING: "4"}


def example(kind: Kind, state: State) -> dict[str, Any]:
    """A message of that kind."""
    identifier = REPLY_IDS.get(state, "1")
    return {
        Kind.RESULT: {"id": identifier, "result": {}},
        Kind.ERROR: {"id": identifier, "error": {"code": 1, "message": "m"}},
        Kind.STRAY_REPLY: {"id": "77", "result": {}},
        Kind.ELICITATION: asks(0),
        Kind.OTHER_REQUEST: {"id": 0, "method": "item/tool/call", "params": {}},
        Kind.NOTICE: notice("skills/changed"),
        Kind.WARNING: notice("warning", message="x"),
        Kind.REQUIREMENT: notice("configWarning", summary="value is disallowed by requirements"),
        Kind.THREAD_STARTED: STARTED,
        Kind.HELPER_STARTING: status("starting"),
        Kind.HELPER_READY: status("ready"),
        Kind.HELPER_FAILED: status("failed"),
        Kind.WAITING: WAITING,
        Kind.IDLE: IDLE,
        Kind.RESOLVED: resolved(0),
        Kind.MODEL: notice("turn/started"),
        Kind.UNKNOWN_NOTICE: notice("some/new/thing"),
    }[kind]


def prepare(talk: Conversation, kind: Kind) -> None:
    """What must have happened before a message of that kind."""
    if kind is Kind.HELPER_READY and talk.state in LEGAL and kind in LEGAL[talk.state]:
        talk.receive(classify(status("starting")))
    if kind is Kind.RESOLVED and talk.state is State.CALLING:
        talk.receive(classify(asks(0)))
        talk.answer(0, {})


@pytest.mark.claim("CUA-RUN-02", "CUA-RUN-04", "CUA-RUN-06")
@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("state", State)
def test_every_state_and_kind_has_one_row(state: State, kind: Kind) -> None:
    talk = at(state)
    has_reply = state in REPLY_IDS
    if kind in (Kind.RESULT, Kind.ERROR) and not has_reply and state is not State.CLOSING:
        assert kind not in LEGAL.get(state, ())
        return  # nothing is in flight, so no message is of that kind
    message = classify(example(kind, state))
    if kind is Kind.RESOLVED and state in (State.LISTING, State.ARMED):
        with pytest.raises(ProtocolError, match="not answered"):
            talk.receive(message)  # legal there only for what was answered before
        return
    prepare(talk, kind)
    if kind in LEGAL.get(state, ()):
        talk.receive(message)
        assert talk.state is (REPLIED[state] if kind in (Kind.RESULT, Kind.ERROR) and has_reply else state)
    else:
        with pytest.raises(ProtocolError) as caught:
            talk.receive(message)
        assert caught.value.code == FATAL.get(kind, UNEXPECTED)


def test_the_tables_are_whole() -> None:
    assert set(LEGAL) == set(State) - {State.SPAWNED}  # nothing may come before the first request
    assert {*FATAL.values(), UNEXPECTED} <= set(ADVICE)
    assert set(REPLIED) == set(SENDS.values()) == set(REPLY_IDS)


@pytest.mark.claim("CUA-RUN-02")
@pytest.mark.parametrize("method", [*METHODS, "turn/start"])
@pytest.mark.parametrize("state", State)
def test_only_the_rows_may_be_sent(state: State, method: str) -> None:
    talk = at(state)
    after = SENDS.get((state, method))
    if after is None:
        with pytest.raises(ProtocolError):
            talk.request(method, {})
        assert talk.state is state
    else:
        line = decode(talk.request(method, {"a": 1})[:-1])
        assert line == {"method": method, "id": SENT_IDS[state], "params": {"a": 1}}
        assert talk.state is after


def test_the_one_notice_is_sent_after_initialize() -> None:
    assert at(State.INITIALIZED).initialized() == b'{"method":"initialized"}\n'
    with pytest.raises(ProtocolError):
        at(State.SPAWNED).initialized()


@pytest.mark.parametrize("identifier", [1, "2", "01", 1.0])
def test_a_reply_must_have_the_very_id(identifier: Any) -> None:
    talk = at(State.INITIALIZING)
    value = {"id": identifier, "result": {}}
    with pytest.raises(ProtocolError):
        talk.receive(classify(value))


def test_replies_and_refusals_are_events() -> None:
    assert at(State.CALLING).receive(classify({"id": "4", "result": [1]})) == Replied([1])
    event = at(State.CALLING).receive(classify({"id": "4", "error": {"code": 7, "message": "m"}}))
    assert isinstance(event, Refused)
    assert event.official.code == 7


def is_clean(talk: Conversation) -> bool:
    return talk.clean


@pytest.mark.claim("CUA-ELI-01")
def test_a_question_is_answered_once_and_then_resolved() -> None:
    talk = at(State.CALLING)
    event = talk.receive(classify(asks(0)))
    assert event == Asked(0, asks(0)["params"])
    assert not is_clean(talk)
    for wrong in ("0", 1):
        with pytest.raises(ProtocolError):
            talk.answer(wrong, {})
    assert json.loads(talk.answer(0, {"action": "accept"})) == {"id": 0, "result": {"action": "accept"}}
    with pytest.raises(ProtocolError):
        talk.answer(0, {"action": "accept"})
    talk.receive(classify({"id": "4", "result": {}}))
    assert not is_clean(talk)
    with pytest.raises(ProtocolError):
        talk.answer(0, {})
    talk.receive(classify(resolved(0)))
    talk.receive(classify(IDLE))
    assert is_clean(talk)
    assert talk.asked == 1


def test_one_and_true_and_the_text_one_are_three_ids() -> None:
    talk = at(State.CALLING)
    assert talk.receive(classify(asks(1))) is not None
    assert talk.receive(classify(asks("1"))) is not None
    with pytest.raises(ProtocolError, match="used id"):
        talk.receive(classify(asks(1)))
    for identifier in (True, None):
        with pytest.raises(ProtocolError, match="which was not answered"):
            talk.receive(classify(resolved(identifier)))


def test_the_bound_on_questions_is_of_one_call() -> None:
    talk = at(State.CALLING)
    for number in range(8):
        talk.receive(classify(asks(number)))
        talk.answer(number, {})
        talk.receive(classify(resolved(number)))
    talk.receive(classify({"id": "4", "result": {}}))
    talk.request(TOOL_CALL, {})
    for number in range(8, 16):
        talk.receive(classify(asks(number)))
    with pytest.raises(ProtocolError) as caught:
        talk.receive(classify(asks(16)))
    assert caught.value.code == "too_many_elicitations"


@pytest.mark.claim("CUA-RUN-06")
def test_an_unknown_request_has_its_refusal_ready() -> None:
    with pytest.raises(UnsupportedRequest) as caught:
        at(State.ARMED).receive(classify({"id": "r", "method": "x" * 200}))
    assert json.loads(caught.value.reply) == {"id": "r", "error": {"code": -32601, "message": "Method not found"}}
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "message",
    [
        notice("thread/started", thread={"id": "other"}),
        notice("thread/started"),
        notice("mcpServer/startupStatus/updated", threadId="other", name="computer-use", status="starting"),
        notice("mcpServer/startupStatus/updated", threadId=THREAD, name="other", status="starting"),
        status("ready"),
        status("cancelled"),
    ],
)
def test_notices_of_others_and_out_of_order_are_fatal(message: dict[str, Any]) -> None:
    with pytest.raises(ProtocolError):
        at(State.STARTING).receive(classify(message))


@pytest.mark.parametrize(
    "message",
    [
        notice("some/new/thing"),
        status("strange"),
        notice("mcpServer/startupStatus/updated", threadId=THREAD, name="computer-use"),
    ],
)
def test_an_unknown_notice_is_kept_as_odd(message: dict[str, Any]) -> None:
    talk = at(State.CALLING)
    talk.receive(classify(message))
    assert talk.odd is not None
    assert talk.odd.code == "unexpected_frame"
    assert talk.receive(classify({"id": "4", "result": {}})) == Replied({})


@pytest.mark.claim("CUA-RUN-02")
@pytest.mark.parametrize("early", [STARTED, status("starting")])
def test_the_thread_may_be_told_of_before_the_reply(early: dict[str, Any]) -> None:
    talk = at(State.THREAD)
    talk.receive(classify(early))
    talk.receive(classify({"id": "2", "result": thread_result("/w")}))
    assert (talk.state, talk.thread) == (State.STARTING, THREAD)


def test_a_notice_of_another_thread_before_the_reply_is_fatal() -> None:
    talk = at(State.THREAD)
    talk.receive(classify(notice("thread/started", thread={"id": "other"})))
    with pytest.raises(ProtocolError, match="another thread"):
        talk.receive(classify({"id": "2", "result": thread_result("/w")}))


def test_what_happens_once_happens_once() -> None:
    talk = at(State.STARTING)
    for message in (STARTED, status("starting")):
        talk.receive(classify(message))
        with pytest.raises(ProtocolError, match="second time"):
            talk.receive(classify(message))
    talk.receive(classify(status("ready")))
    talk.receive(classify(status("ready")))


KINDS: list[tuple[str, dict[str, Any], Kind]] = [
    *((method, {}, Kind.NOTICE) for method in sorted(NOTICES)),
    *((beginning + "x", {}, Kind.MODEL) for beginning in MODEL_ACTIVITY),
    ("error", {}, Kind.MODEL),
    ("errors", {}, Kind.UNKNOWN_NOTICE),
    ("warning", {"message": "a"}, Kind.WARNING),
    ("configWarning", {"summary": "a", "details": "is disallowed by requirements"}, Kind.REQUIREMENT),
    ("thread/status/changed", {"status": {"type": "idle"}}, Kind.IDLE),
    ("thread/status/changed", {"status": {"type": "active", "activeFlags": ["waitingOnApproval"]}}, Kind.WAITING),
    ("thread/status/changed", {"status": {"type": "active", "activeFlags": []}}, Kind.MODEL),
    ("thread/status/changed", {"status": {"type": "active"}}, Kind.MODEL),
    ("thread/status/changed", {"status": {"type": "systemError"}}, Kind.UNKNOWN_NOTICE),
    ("thread/status/changed", {}, Kind.UNKNOWN_NOTICE),
    ("thread/closed", {}, Kind.UNKNOWN_NOTICE),
]


@pytest.mark.claim("CUA-RUN-04")
@pytest.mark.parametrize(("method", "params", "kind"), KINDS)
def test_what_a_notice_means(method: str, params: dict[str, Any], kind: Kind) -> None:
    assert notice_kind(method, params) is kind


@pytest.mark.claim("CUA-RUN-04")
def test_model_turns_are_counted_to_the_end() -> None:
    talk = at(State.CLOSING)
    with pytest.raises(ProtocolError):
        talk.receive(classify(notice("turn/started")))
    assert talk.turns == 1


@given(st.lists(st.sampled_from([*Kind]), max_size=12), st.sampled_from([*State]))
def test_no_order_of_messages_breaks_the_machine(kinds: list[Kind], state: State) -> None:
    talk = at(state)
    codes = set()
    for kind in kinds:
        try:
            talk.receive(classify(example(kind, talk.state)))
        except ProtocolError as error:
            codes.add(error.code)
            talk.close()
    assert codes <= set(ADVICE)
