from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest

from harness.wire.frame import Frame
from harness.wire.jsonrpc import CHECKS, ERROR_CHECKS, JSONRPC_ERRORS, SHAPES, JsonRpcCodec
from harness.wire.ndjson import NDJSON_ERRORS
from tests.harness.wire.streams import codes, only


def read(value: Any) -> Frame:
    return only(JsonRpcCodec("<<", 10_000).feed(json.dumps(value).encode() + b"\n"))


GOOD: list[tuple[Any, tuple[str, str | None, Any, bool]]] = [
    ({"method": "initialize", "id": "1", "params": {}}, ("request", "initialize", "1", True)),
    ({"jsonrpc": "2.0", "method": "initialize", "id": 0}, ("request", "initialize", 0, True)),
    ({"method": "m", "id": None}, ("request", "m", None, True)),
    ({"method": "m", "id": 1.5}, ("request", "m", 1.5, True)),
    ({"method": "m", "id": 2**53 + 1, "params": []}, ("request", "m", 2**53 + 1, True)),
    ({"method": "initialized"}, ("notice", "initialized", None, False)),
    ({"method": "n", "params": None, "emittedAtMs": 170}, ("notice", "n", None, False)),
    ({"id": "1", "result": {}}, ("reply", None, "1", True)),
    ({"id": 0, "result": None}, ("reply", None, 0, True)),
    ({"error": {"code": -32600, "message": "x"}, "id": "1"}, ("reply", None, "1", True)),
    ({"error": {"code": -32603, "message": "x", "data": [1]}, "id": None}, ("reply", None, None, True)),
]


@pytest.mark.parametrize(("value", "expected"), GOOD, ids=range(len(GOOD)))
def test_messages(value: Any, expected: tuple[str, str | None, Any, bool]) -> None:
    frame = read(value)
    assert frame.problem is None
    assert (frame.kind, frame.method, frame.id, frame.has_id) == expected
    assert type(frame.id) is type(expected[2])
    assert frame.value == value


BAD: list[tuple[Any, str]] = [
    ([{"method": "m", "id": 1}], "not_object"),
    ("text", "not_object"),
    (None, "not_object"),
    ({"jsonrpc": "1.0", "method": "m"}, "bad_version"),
    ({"jsonrpc": 2.0, "method": "m"}, "bad_version"),
    ({"jsonrpc": None, "method": "m"}, "bad_version"),
    ({}, "no_method"),
    ({"id": 1}, "no_method"),
    ({"Method": "m", "params": {}}, "no_method"),
    ({"method": "m", "id": 1, "result": {}}, "request_and_reply"),
    ({"id": 1, "result": {}, "error": {"code": 1, "message": "x"}}, "result_and_error"),
    ({"result": {}}, "reply_without_id"),
    ({"error": {"code": 1, "message": "x"}}, "reply_without_id"),
    ({"method": 1, "id": 1}, "bad_method"),
    ({"method": None}, "bad_method"),
    ({"method": "m", "id": True}, "bad_id"),
    ({"method": "m", "id": [1]}, "bad_id"),
    ({"id": {}, "result": 1}, "bad_id"),
    ({"method": "m", "params": "x"}, "bad_params"),
    ({"method": "m", "id": 1, "params": 0}, "bad_params"),
    ({"id": 1, "error": "x"}, "bad_error"),
    ({"id": 1, "error": None}, "bad_error"),
    ({"id": 1, "error": {}}, "bad_error"),
    ({"id": 1, "error": {"code": "1", "message": "x"}}, "bad_error"),
    ({"id": 1, "error": {"code": 1.0, "message": "x"}}, "bad_error"),
    ({"id": 1, "error": {"code": True, "message": "x"}}, "bad_error"),
    ({"id": 1, "error": {"code": 1}}, "bad_error"),
]


@pytest.mark.claim("HAR-WIRE-01")
@pytest.mark.parametrize(("value", "code"), BAD, ids=range(len(BAD)))
def test_what_breaks_a_rule_is_raw_with_its_value_and_problem(value: Any, code: str) -> None:
    frame = read(value)
    assert codes([frame]) == [code]
    assert frame.problem is not None
    assert not frame.problem.fatal
    assert (frame.kind, frame.method, frame.has_id) == ("raw", None, False)
    assert frame.value == value


def test_every_error_is_reached() -> None:
    assert {code for _, code in BAD} == set(JSONRPC_ERRORS) - set(NDJSON_ERRORS)


MEMBERS: dict[str, Any] = {"method": "m", "id": 1, "result": {}, "error": {"code": 1, "message": "x"}}


def test_every_shape_has_one_row() -> None:
    assert set(SHAPES) == set(product([True, False], repeat=4))


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_shapes(shape: tuple[bool, bool, bool, bool]) -> None:
    frame = read({member: MEMBERS[member] for member, there in zip(MEMBERS, shape, strict=True) if there})
    assert (frame.problem.code if frame.problem else frame.kind) == SHAPES[shape]


def test_every_kind_has_checks_and_every_check_an_error() -> None:
    kinds = {kind for kind in SHAPES.values() if kind not in JSONRPC_ERRORS}
    assert kinds == set(CHECKS)
    used = {code for checks in [*CHECKS.values(), ERROR_CHECKS] for _, _, code in checks}
    assert used <= set(JSONRPC_ERRORS)


def test_a_problem_names_types_and_no_content() -> None:
    problem = read({"method": "login", "id": 1, "params": "hunter2"}).problem
    assert problem is not None
    assert problem.seen == "params of type text"
    assert "hunter2" not in str(problem)
    missing = read({"token": "hunter2"}).problem
    assert missing is not None
    assert missing.seen == "an object with 1 members, none of them method, id, result or error"
