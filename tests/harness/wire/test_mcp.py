from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest

from harness.wire.frame import Frame
from harness.wire.jsonrpc import JSONRPC_ERRORS, message
from harness.wire.mcp import (
    BATCH_REVISIONS,
    CAPABILITIES_KEY,
    HANDSHAKE_REVISIONS,
    MCP,
    MCP_CHECKS,
    MCP_ERRORS,
    MCP_SHAPES,
    STATELESS_REVISIONS,
    VERSION_KEY,
    McpCodec,
    envelope_of,
)
from harness.wire.ndjson import NDJSON_ERRORS
from tests.harness.wire.streams import codes, notice, only, reply, request

ERROR = {"code": -32700, "message": "x"}


def read(value: Any, revision: str | None = None) -> Frame:
    codec = McpCodec("<<", 10_000)
    codec.revision = revision
    return only(codec.feed(json.dumps(value).encode() + b"\n"))


GOOD: list[tuple[Any, tuple[str, str | None, Any, bool]]] = [
    (request(0, "initialize", params={"protocolVersion": "2025-06-18"}), ("request", "initialize", 0, True)),
    (request("a", "ping"), ("request", "ping", "a", True)),
    (notice("notifications/initialized"), ("notice", "notifications/initialized", None, False)),
    (reply(0, result={"tools": []}), ("reply", None, 0, True)),
    (reply("0", error=ERROR), ("reply", None, "0", True)),
    (reply(None, error=ERROR), ("reply", None, None, True)),
    ({"jsonrpc": "2.0", "error": ERROR}, ("reply", None, None, False)),
]


@pytest.mark.parametrize(("value", "expected"), GOOD, ids=range(len(GOOD)))
def test_messages(value: Any, expected: tuple[str, str | None, Any, bool]) -> None:
    frame = read(value)
    assert frame.problem is None
    assert (frame.kind, frame.method, frame.id, frame.has_id) == expected


BAD: list[tuple[Any, str]] = [
    ("text", "not_object"),
    ({"method": "m", "id": 1}, "bad_version"),
    ({"jsonrpc": 2, "method": "m", "id": 1}, "bad_version"),
    ({"jsonrpc": "2.0", "id": 1}, "no_method"),
    (request(1, result={}), "request_and_reply"),
    (reply(1, result={}, error=ERROR), "result_and_error"),
    ({"jsonrpc": "2.0", "result": {}}, "reply_without_id"),
    (request(1, 5), "bad_method"),  # type: ignore[arg-type]
    (request(None), "bad_id"),
    (request(0.0), "bad_id"),
    (request(True), "bad_id"),
    (reply(None, result={}), "bad_id"),
    (reply(1.0, error=ERROR), "bad_id"),
    (request(1, params=[1]), "bad_params"),
    (request(1, params=None), "bad_params"),
    (reply(1, result=[]), "bad_result"),
    (reply(1, result=None), "bad_result"),
    (reply(1, error={"code": "x", "message": "x"}), "bad_error"),
    (reply(1, error=None), "bad_error"),
    ([request(1)], "batch"),
    ([], "batch"),
]
BAD_BATCHES: list[tuple[Any, str]] = [
    ([], "an empty array"),
    ([1], "member 0: not_object, integer"),
    ([request(1), []], "member 1: not_object, array"),
    ([request(1), {"method": "m"}], "member 1: bad_version, jsonrpc of type none (it is not there)"),
    ([request(1, "initialize")], "member 0: initialize"),
]


@pytest.mark.claim("HAR-WIRE-01")
@pytest.mark.parametrize(("value", "code"), BAD, ids=range(len(BAD)))
def test_what_breaks_a_rule_is_raw_with_its_value_and_problem(value: Any, code: str) -> None:
    frame = read(value)
    assert codes([frame]) == [code]
    assert (frame.kind, frame.method, frame.has_id) == ("raw", None, False)
    assert frame.value == value


@pytest.mark.parametrize(("value", "seen"), BAD_BATCHES, ids=range(len(BAD_BATCHES)))
def test_bad_batches(value: Any, seen: str) -> None:
    frame = read(value, "2025-03-26")
    assert frame.problem is not None
    assert (frame.problem.code, frame.problem.seen) == ("bad_batch", seen)


def test_every_error_is_reached() -> None:
    own = {code for code in MCP_ERRORS if MCP_ERRORS[code] != NDJSON_ERRORS.get(code)}
    assert {code for _, code in BAD} | {"bad_batch"} == own
    assert set(JSONRPC_ERRORS) <= set(MCP_ERRORS)


@pytest.mark.parametrize("revision", [None, *HANDSHAKE_REVISIONS, *STATELESS_REVISIONS])
def test_batches_are_legal_in_one_revision(revision: str | None) -> None:
    batch = [request(1), notice("n"), reply(2)]
    frame = read(batch, revision)
    assert (frame.kind, frame.value) == ("raw", batch)
    assert (frame.problem is None) == (revision == "2025-03-26")
    assert set(BATCH_REVISIONS) == {"2025-03-26"}


def test_every_shape_has_one_row() -> None:
    assert set(MCP_SHAPES) == set(product([True, False], repeat=4))
    assert {kind for kind in MCP_SHAPES.values() if kind not in MCP_ERRORS} == set(MCP_CHECKS)


@pytest.mark.parametrize("shape", sorted(MCP_SHAPES))
def test_shapes(shape: tuple[bool, bool, bool, bool]) -> None:
    members: dict[str, Any] = {"method": "m", "id": 1, "result": {}, "error": ERROR}
    value = {member: members[member] for member, there in zip(members, shape, strict=True) if there}
    frame = read({"jsonrpc": "2.0", **value})
    kind = MCP_SHAPES[shape]
    assert (frame.problem.code if frame.problem else frame.kind) == {"error_reply": "reply"}.get(kind, kind)


FULL = {VERSION_KEY: "2026-07-28", CAPABILITIES_KEY: {}}
ENVELOPES: list[tuple[Any, tuple[str | None, bool]]] = [
    (request(1, "tools/list", params={"_meta": FULL}), ("2026-07-28", True)),
    (request(1, "tools/list", params={"_meta": {VERSION_KEY: "2026-07-28"}}), ("2026-07-28", False)),
    (request(1, "tools/list", params={"_meta": {**FULL, CAPABILITIES_KEY: []}}), ("2026-07-28", False)),
    (request(1, "tools/list", params={"_meta": {**FULL, VERSION_KEY: 5}}), ("5", False)),
    (request(1, "tools/list", params={"_meta": {**FULL, VERSION_KEY: "2099-01-01"}}), ("2099-01-01", True)),
    (request(1, "tools/list", params={"_meta": {"progressToken": 1}}), (None, False)),
    (request(1, "tools/list", params={"_meta": None}), (None, False)),
    (request(1, "tools/list", params={}), (None, False)),
    (request(1, "tools/list"), (None, False)),
    ([], (None, False)),
]


@pytest.mark.parametrize(("value", "expected"), ENVELOPES, ids=range(len(ENVELOPES)))
def test_the_stateless_revision_is_recognised_by_the_metadata_of_a_request(
    value: Any, expected: tuple[str | None, bool]
) -> None:
    assert envelope_of(message(MCP, b"", value)) == expected
