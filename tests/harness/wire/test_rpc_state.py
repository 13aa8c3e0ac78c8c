from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from harness.wire import rpc_state
from harness.wire.frame import Frame
from harness.wire.jsonrpc import JSONRPC, message
from harness.wire.mcp import MCP
from harness.wire.rpc_state import CANCEL, EXCHANGE, EXCHANGE_ERRORS, MESSAGES, STATES, Exchange, id_key
from tests.harness.wire.streams import notice, reply, request

RULES = {"jsonrpc": JSONRPC, "mcp": MCP}
ERROR = {"code": -32700, "message": "x"}


def see(exchange: Exchange, way: str, value: Any, dialect: str = "mcp") -> str | None:
    problem = exchange.saw(way, message(RULES[dialect], b"", value))
    return problem.code if problem else None


@pytest.mark.parametrize("dialect", EXCHANGE)
def test_every_state_and_message_has_one_row(dialect: str) -> None:
    table = EXCHANGE[dialect]
    assert set(table) == set(product(STATES, MESSAGES))
    assert set(table.values()) <= set(STATES) | set(EXCHANGE_ERRORS)


def test_every_error_is_a_row_or_the_bound() -> None:
    outcomes = {outcome for table in EXCHANGE.values() for outcome in table.values()}
    assert set(EXCHANGE_ERRORS) - outcomes == {"too_many_open"}


@pytest.mark.claim("HAR-WIRE-01")
@pytest.mark.parametrize("way", [">>", "<<"])
@pytest.mark.parametrize(("dialect", "state", "what"), list(product(EXCHANGE, STATES, MESSAGES)))
def test_the_class_runs_the_table(dialect: str, state: str, what: str, way: str) -> None:
    """Every row, those included that no frame of the dialect leads to (null has no twin, jsonrpc no cancellation)."""
    exchange = Exchange(dialect)
    side = exchange._sides[way]
    if state == "twin":
        side.move(id_key("7"), "open", "other")
    else:
        side.move(id_key(7), state, "m")
    assert side.state(id_key(7)) == state
    outcome = EXCHANGE[dialect][state, what]
    problem = exchange._move(way, what, 7, "m")
    assert (problem.code if problem else None) == (outcome if outcome in EXCHANGE_ERRORS else None)
    assert side.state(id_key(7)) == (state if outcome in EXCHANGE_ERRORS else outcome)


SESSIONS: list[tuple[str, list[tuple[str, Any, str | None]]]] = [
    ("jsonrpc", [(">>", request(1), None), ("<<", reply(1), None), (">>", request(1), None)]),
    ("mcp", [(">>", request(1), None), ("<<", reply(1), None), (">>", request(1), "id_used_again")]),
    ("jsonrpc", [(">>", request(1), None), (">>", request(1), "id_in_use")]),
    ("jsonrpc", [(">>", request(1), None), ("<<", reply(1), None), ("<<", reply(1), "answered_twice")]),
    ("jsonrpc", [(">>", reply(1), "unknown_id"), ("<<", reply(1, error=ERROR), "unknown_id")]),
    ("jsonrpc", [("<<", reply(None, error=ERROR), None), ("<<", reply(None, error=ERROR), None)]),
    ("jsonrpc", [("<<", reply(None), "unknown_id")]),
    ("jsonrpc", [(">>", request(None), None), ("<<", reply(None, error=ERROR), None),
                 ("<<", reply(None), "answered_twice")]),
    ("jsonrpc", [(">>", notice(CANCEL, requestId=7), None)]),
    ("mcp", [("<<", {"jsonrpc": "2.0", "error": ERROR}, None)]),
    ("mcp", [(">>", request(1), None), ("<<", notice(CANCEL, requestId=1), "cancels_nothing")]),
    ("mcp", [(">>", request(1), None), (">>", notice(CANCEL, requestId="1"), "cancels_nothing")]),
    ("mcp", [(">>", request(1), None), ("<<", reply(1), None), (">>", notice(CANCEL, requestId=1), None)]),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "session"), SESSIONS, ids=range(len(SESSIONS)))
def test_sessions(dialect: str, session: list[tuple[str, Any, str | None]]) -> None:
    exchange = Exchange(dialect)
    assert [see(exchange, way, value, dialect) for way, value, _ in session] == [code for *_, code in session]


IDS: list[Any] = [0, "0", 0.0]


@pytest.mark.parametrize(("asked", "answered"), list(product(IDS, IDS)))
def test_ids_are_compared_with_their_type(asked: Any, answered: Any) -> None:
    exchange = Exchange("jsonrpc")
    assert see(exchange, "<<", request(asked, "elicit"), "jsonrpc") is None
    code = see(exchange, ">>", reply(answered), "jsonrpc")
    assert code == (None if type(asked) is type(answered) else "id_type")
    assert exchange.waiting("<<") == ([] if code is None else [(asked, "elicit")])


@pytest.mark.parametrize(
    ("asked", "answered"), [(0, "00"), (0, "zero"), (0, 0.5), ("0", 1), (1, "1 "), ("x", 0), ("9" * 30, 9), (0, None)]
)
def test_an_id_that_only_resembles_another_is_unknown(asked: Any, answered: Any) -> None:
    exchange = Exchange("jsonrpc")
    see(exchange, ">>", request(asked), "jsonrpc")
    assert see(exchange, "<<", reply(answered), "jsonrpc") == "unknown_id"


def test_all_three_types_of_an_id_may_be_open_at_once() -> None:
    exchange = Exchange("jsonrpc")
    for id, method in zip(IDS, ["a", "b", "c"], strict=True):
        assert see(exchange, ">>", request(id, method), "jsonrpc") is None
    methods = [exchange.method_of("<<", message(JSONRPC, b"", reply(id))) for id in IDS]
    assert methods == ["a", "b", "c"]


def test_each_direction_has_ids_of_its_own() -> None:
    exchange = Exchange("jsonrpc")
    assert see(exchange, ">>", request(0, "mcpServer/tool/call"), "jsonrpc") is None
    assert see(exchange, "<<", request(0, "mcpServer/elicitation/request"), "jsonrpc") is None
    answer = message(JSONRPC, b"", reply(0))
    assert exchange.method_of(">>", answer) == "mcpServer/elicitation/request"
    assert exchange.method_of("<<", answer) == "mcpServer/tool/call"
    assert exchange.saw(">>", answer) is None
    assert exchange.waiting(">>") == [(0, "mcpServer/tool/call")]
    assert exchange.waiting("<<") == []


def test_method_of_every_kind_of_frame() -> None:
    exchange = Exchange("mcp")
    exchange.saw(">>", message(MCP, b"", request(1, "tools/call")))
    answer = message(MCP, b"", reply(1))
    assert exchange.method_of("<<", answer) == "tools/call"
    exchange.saw("<<", answer)
    assert exchange.method_of("<<", answer) == "tools/call"
    assert exchange.method_of("<<", message(MCP, b"", reply(2))) is None
    assert exchange.method_of(">>", message(MCP, b"", request(2, "ping"))) == "ping"
    assert exchange.method_of(">>", message(MCP, b"", notice("n"))) == "n"
    assert exchange.method_of(">>", Frame(b"junk\n")) is None


def test_a_cancelled_request_keeps_its_method_and_may_still_be_answered() -> None:
    exchange = Exchange("mcp")
    see(exchange, ">>", request(1, "tools/call"))
    assert see(exchange, ">>", notice(CANCEL, requestId=1)) is None
    assert exchange.waiting(">>") == []
    assert exchange.method_of("<<", message(MCP, b"", reply(1))) == "tools/call"
    assert see(exchange, "<<", reply(1)) is None
    assert see(exchange, "<<", reply(1)) == "answered_twice"


def test_a_cancellation_without_an_id_cancels_nothing() -> None:
    assert see(Exchange("mcp"), ">>", notice(CANCEL)) == "cancels_nothing"
    assert see(Exchange("mcp"), ">>", notice(CANCEL, requestId={"a": 1})) == "cancels_nothing"


def test_an_id_may_be_used_again_in_jsonrpc_with_another_method() -> None:
    exchange = Exchange("jsonrpc")
    for method in ("first", "second"):
        assert see(exchange, ">>", request(1, method), "jsonrpc") is None
        answer = message(JSONRPC, b"", reply(1))
        assert exchange.method_of("<<", answer) == method
        assert exchange.saw("<<", answer) is None


def test_a_batch_is_seen_member_by_member() -> None:
    exchange = Exchange("mcp")
    batch = Frame(b"", [request(1, "a"), request(2, "b"), notice("n")])
    assert exchange.saw(">>", batch) is None
    assert exchange.waiting(">>") == [(1, "a"), (2, "b")]
    problem = exchange.saw("<<", Frame(b"", [reply(2), reply(3), reply(2)]))
    assert problem is not None
    assert problem.code == "unknown_id"
    assert exchange.waiting(">>") == [(1, "a")]


def test_frames_that_are_no_messages_change_nothing() -> None:
    exchange = Exchange("jsonrpc")
    see(exchange, ">>", request(1), "jsonrpc")
    for value in ({"id": 1}, [reply(1)], "text", {"id": 1, "result": 1, "error": ERROR}):
        assert see(exchange, "<<", value, "jsonrpc") is None
    assert exchange.waiting(">>") == [(1, "m")]


def test_a_violation_names_id_and_state() -> None:
    problem = Exchange("jsonrpc").saw("<<", message(JSONRPC, b"", reply("x" * 100)))
    assert problem is not None
    assert problem.seen == f"reply with id '{'x' * 39}… while it is new"


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rpc_state, "REMEMBERED", 10)
    exchange = Exchange("mcp")
    for id in range(100):
        assert see(exchange, ">>", request(id)) is None
        assert see(exchange, "<<", reply(id)) is None
    side = exchange._sides[">>"]
    assert len(side.answered) + len(side.answered_before) <= 20
    assert see(exchange, "<<", reply(99)) == "answered_twice"
    assert see(exchange, "<<", reply(90)) == "answered_twice"
    assert see(exchange, "<<", reply(0)) == "unknown_id"
    for id in range(100, 200):
        assert see(exchange, ">>", request(id)) is None
        assert see(exchange, ">>", notice(CANCEL, requestId=id)) is None
    assert len(side.cancelled) == 10


def test_open_requests_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rpc_state, "OPEN_LIMIT", 2)
    exchange = Exchange("jsonrpc")
    assert [see(exchange, ">>", request(id), "jsonrpc") for id in range(3)] == [None, None, "too_many_open"]
    assert see(exchange, "<<", reply(2), "jsonrpc") == "unknown_id"
    assert see(exchange, "<<", reply(0), "jsonrpc") is None
    assert see(exchange, ">>", request(3), "jsonrpc") is None
