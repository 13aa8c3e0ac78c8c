"""Whether a frame is a recorded one: what is compared, what is the client's own, and the key that finds it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from harness.replay.bindings import Bindings
from harness.replay.compare import Comparison, Rules, has_value, text_of
from harness.replay.profiles import CODEX, JSONRPC, MCP, PLAIN, Profile
from harness.replay.recording import frame_of
from harness.replay.template import Language
from harness.wire.frame import Frame
from tests.harness.replay.test_pointers import JSON


def comparison(profile: Profile = JSONRPC, dialect: str = "jsonrpc", names: tuple[str, ...] = ()) -> Comparison:
    return Comparison(profile, Bindings(profile, dialect, Language(names), {}))


def frame(value: Any, dialect: str = "jsonrpc") -> Frame:
    return frame_of((value if isinstance(value, str) else json.dumps(value)).encode() + b"\n", dialect, ">>")


def request(**params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": params.pop("method", "m"), "params": params}


SAME: list[tuple[str, Profile, Any, Any, str | None]] = [
    ("the id", JSONRPC, request(), {**request(), "id": "x"}, None),
    ("spacing", JSONRPC, request(a=1), json.dumps(request(a=1), indent=None, separators=(",", ":")), None),
    ("a value", JSONRPC, request(a=1), request(a=2), "/params/a"),
    ("a type", JSONRPC, request(a=1), request(a=1.0), "/params/a"),
    ("one more", JSONRPC, request(a=1), request(a=1, b=2), "/params/b"),
    ("the method", JSONRPC, request(), request(method="n"), "/method"),
    ("a notice", JSONRPC, request(), {"method": "m", "params": {}}, "/method"),
    ("the id of an answer", JSONRPC, {"id": 1, "result": 1}, {"id": 2, "result": 1}, "/id"),
    ("a list", PLAIN, [1, 2], [1, 3], "/1"),
    ("no JSON", JSONRPC, "hello", "hello ", ""),
    ("no JSON and JSON", JSONRPC, "hello", request(), "/method"),
    ("a text line", PLAIN, '"a"', ' "a"', ""),
    ("client info", CODEX, request(method="initialize", clientInfo={"name": "a"}),
     request(method="initialize", clientInfo={"name": "b", "version": 2}), None),
    ("no client info", CODEX, request(method="initialize", clientInfo={"name": "a"}), request(method="initialize"),
     "/params/clientInfo"),
    ("capabilities", CODEX, request(method="initialize", capabilities=None),
     request(method="initialize", capabilities={}), "/params/capabilities"),
    ("the folder", CODEX, request(method="thread/start", cwd="/a"), request(method="thread/start", cwd="/b"), None),
    ("no service name", CODEX, request(method="thread/start", serviceName="a"), request(method="thread/start"), None),
    ("the folder of another method", CODEX, request(cwd="/a"), request(cwd="/b"), "/params/cwd"),
    ("a token", MCP, request(_meta={"progressToken": 1}), request(_meta={"progressToken": "x"}), None),
    ("no token", MCP, request(_meta={"progressToken": 1}), request(_meta={}), "/params/_meta/progressToken"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("profile", "recorded", "got", "pointer"), [row[1:] for row in SAME], ids=[row[0] for row in SAME]
)
def test_what_is_compared(profile: Profile, recorded: Any, got: Any, pointer: str | None) -> None:
    dialect = "mcp" if profile is MCP else "jsonrpc" if profile is not PLAIN else "ndjson"
    compare = comparison(profile, dialect)
    one, two = frame(recorded, dialect), frame(got, dialect)
    found = next(compare.differences(one, two), None)
    assert (None if found is None else found[0]) == pointer
    assert (compare.key(one) == compare.key(two, got=True)) == (pointer is None)


@given(JSON, JSON)
def test_keys_are_equal_exactly_where_nothing_differs(one: Any, two: Any) -> None:
    compare = comparison(PLAIN, "ndjson")
    first, second = frame(one, "ndjson"), frame(two, "ndjson")
    assert (compare.key(first) == compare.key(second, got=True)) == (not any(compare.differences(first, second)))


def test_what_binds_and_what_it_changes() -> None:
    compare = comparison(CODEX)
    start = frame(request(method="thread/start", cwd="/recorded"))
    assert compare.bind(start, frame(request(method="thread/start", cwd="/now here")))
    later = frame(request(at="/recorded"))
    assert compare.key(later) == compare.key(frame(request(at="/now here")), got=True)
    assert not any(compare.differences(later, frame(request(at="/now here"))))
    assert any(compare.differences(later, frame(request(at="/recorded"))))
    assert not compare.bind(later, later)


def test_tokens_are_found_learned_and_kept() -> None:
    compare = comparison(names=("ROOT",))
    recorded, got = frame(request(path="<ROOT>/a")), frame(request(path="/x/a"))
    assert compare.has_tokens(recorded) and not compare.has_tokens(got)
    assert not compare.has_tokens(frame(request(path="a < b"))) and compare.has_tokens(frame("log <ROOT>"))
    assert not any(compare.differences(recorded, got))
    compare.bind(recorded, got)
    assert any(compare.differences(recorded, frame(request(path="/y/a"))))
    assert not any(compare.differences(frame("in <ROOT>"), frame("in /x")))


def test_tokens_in_what_is_the_clients_own_do_not_count() -> None:
    compare = comparison(CODEX, names=("ROOT",))
    assert not compare.has_tokens(frame(request(method="initialize", clientInfo={"name": "<ROOT>"})))


def test_a_cancellation_names_a_request_of_this_session() -> None:
    compare = comparison(MCP, "mcp")
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    from harness.replay.recording import Item

    item = Item(1, 0, "frame", "in", json.dumps(request()).encode() + b"\n")
    item.dialect = "mcp"
    compare.bindings.request(item, 77)
    now = {**cancel, "params": {"requestId": 77, "reason": "late"}}
    assert not any(compare.differences(frame(cancel, "mcp"), frame(now, "mcp")))
    assert any(compare.differences(frame(cancel, "mcp"), frame(cancel, "mcp")))


def test_rules_are_for_what_has_a_method() -> None:
    assert Rules(CODEX, "reply", None).dropped == []
    assert Rules(CODEX, "notice", "m").dropped == []
    assert Rules(CODEX, "request", "m").dropped == ["/id"]


def test_values_and_bytes() -> None:
    assert has_value(frame([], "ndjson")) and not has_value(frame("x")) and not has_value(frame('"x"', "ndjson"))
    assert text_of(b"a\xff").encode("utf-8", "surrogateescape") == b"a\xff"
