"""What counts as drift, kind by kind, and what does not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.replay.bindings import Bindings
from harness.replay.drift import (
    KINDS,
    WORDS,
    Drift,
    Rules,
    Tools,
    inside,
    inventories,
    method_key,
    name_of,
    tool_drifts,
)
from harness.replay.pointers import ABSENT
from harness.replay.profiles import CODEX, JSONRPC, MCP, Profile
from harness.replay.recording import Item, frame_of
from harness.replay.template import Language


def item(value: Any, n: int = 5, *, answers: str | None = None, dialect: str = "jsonrpc") -> Item:
    raw = (value if isinstance(value, str) else json.dumps(value)).encode() + b"\n"
    made = Item(n, 0, "frame", "out", raw)
    made.dialect = dialect
    if answers is not None:
        made.asked = Item(1, 0, "frame", "in", json.dumps({"id": 1, "method": answers}).encode() + b"\n")
        made.asked.dialect = "jsonrpc"
    return made


def rules(profile: Profile = JSONRPC, names: tuple[str, ...] = ()) -> Rules:
    return Rules(profile, Bindings(profile, "jsonrpc", Language(names), {}))


def found(of: Rules, recorded: Item, seen: Any) -> list[tuple[str, str]]:
    raw = (seen if isinstance(seen, str) else json.dumps(seen)).encode() + b"\n"
    return [(drift.kind, drift.pointer) for drift in of.drifts(recorded, frame_of(raw, recorded.dialect, "<<"))]


def reply(**result: Any) -> dict[str, Any]:
    return {"id": 1, "result": result}


def notice(method: str = "n", **params: Any) -> dict[str, Any]:
    return {"method": method, "params": params}


COMPARED: list[tuple[str, Profile, Item, Any, list[tuple[str, str]]]] = [
    ("equal", JSONRPC, item(reply(a=1), answers="m"), {"result": {"a": 1}, "id": "x"}, []),
    ("a reply", JSONRPC, item(reply(a=1), answers="m"), reply(a=2), [("answer differs", "/result/a")]),
    ("a notice", JSONRPC, item(notice(a=1)), notice(a=None), [("notice differs", "/params/a")]),
    ("a request", JSONRPC, item({"id": 0, **notice(a=1)}), {"id": 4, **notice()}, [("request differs", "/params/a")]),
    ("the type of its id", JSONRPC, item({"id": 0, **notice()}), {"id": "0", **notice()}, [("request differs", "/id")]),
    ("a line", JSONRPC, item("log 1"), "log 2", [("output differs", "")]),
    ("a line and JSON", JSONRPC, item("log 1"), notice(), [("output differs", "")]),
    ("a time", CODEX, item(notice(thread={"createdAt": 0})), notice(thread={"createdAt": 99}), []),
    ("a time of another profile", JSONRPC, item(notice(createdAt=0)), notice(createdAt=9),
     [("notice differs", "/params/createdAt")]),
    ("no time", CODEX, item(notice(createdAt=0)), notice(), [("notice differs", "/params/createdAt")]),
    ("either", CODEX, item(reply(data=[{"runtimeStatus": "starting"}]), answers="mcpServerStatus/list"),
     reply(data=[{"runtimeStatus": "connected"}]), []),
    ("neither", CODEX, item(reply(data=[{"runtimeStatus": "starting"}]), answers="mcpServerStatus/list"),
     reply(data=[{"runtimeStatus": "failed"}]), [("answer differs", "/result/data/0/runtimeStatus")]),
    ("chosen", CODEX, item(reply(thread={"id": "recorded"}), answers="thread/start"),
     reply(thread={"id": "seen1"}), []),
    ("chosen, another type", CODEX, item(reply(thread={"id": "recorded"}), answers="thread/start"),
     reply(thread={"id": 7}), [("answer differs", "/result/thread/id")]),
    ("chosen by another answer", CODEX, item(reply(thread={"id": "recorded"}), answers="m"),
     reply(thread={"id": "seen1"}), [("answer differs", "/result/thread/id")]),
    ("chosen numbers", CODEX, item(reply(turn={"id": 3}), answers="turn/start"), reply(turn={"id": 4}), []),
    ("an error", JSONRPC, item({"id": 1, "error": {"code": -1, "message": "a"}}, answers="m"), reply(),
     [("answer differs", "/error"), ("answer differs", "/result")]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("profile", "recorded", "seen", "expected"), [row[1:] for row in COMPARED], ids=[row[0] for row in COMPARED]
)
def test_what_drifts(profile: Profile, recorded: Item, seen: Any, expected: list[tuple[str, str]]) -> None:
    assert found(rules(profile), recorded, seen) == expected
    assert {kind for kind, _ in expected} <= set(KINDS)


def test_a_chosen_value_is_the_same_value_from_then_on() -> None:
    of = rules(CODEX)
    assert (
        found(of, item(reply(thread={"id": "recorded"}), answers="thread/start"), reply(thread={"id": "seen1"})) == []
    )
    assert found(of, item(notice(threadId="recorded")), notice(threadId="seen1")) == []
    assert found(of, item(notice(threadId="recorded")), notice(threadId="recorded")) == [
        ("notice differs", "/params/threadId")
    ]
    again = item(reply(thread={"id": "recorded"}), answers="thread/start")
    assert found(of, again, reply(thread={"id": "seen2"})) == [("answer differs", "/result/thread/id")]


def test_placeholders_are_learned_from_what_comes_and_only_if_it_fits() -> None:
    of = rules(names=("ROOT",))
    assert found(of, item(notice(a="<ROOT>/x")), notice(a="elsewhere")) == [("notice differs", "/params/a")]
    assert found(of, item(notice(a="<ROOT>/x")), notice(a="/srv/x")) == []
    assert found(of, item(notice(a="<ROOT>/y")), notice(a="/tmp/y")) == [("notice differs", "/params/a")]
    assert found(of, item("in <ROOT>"), "in /srv") == []


def test_which_of_several_a_frame_is_most_like() -> None:
    of = rules(CODEX, names=("ROOT",))
    starting, ready = (item(notice("s", status=status, emittedAtMs=1, at="<ROOT>")) for status in ("starting", "ready"))
    seen = frame_of(json.dumps(notice("s", status="ready", emittedAtMs=5, at="/x")).encode() + b"\n", "jsonrpc", "<<")
    assert (of.distance(starting, seen), of.distance(ready, seen)) == (1, 0)
    assert found(of, item(notice(at="<ROOT>")), notice(at="/y")) == [], "looking binds nothing"


CLICK = {"name": "click", "inputSchema": {"type": "object"}}
TYPE = {"name": "type", "inputSchema": {"type": "object"}}
INVENTORIES: list[tuple[str, Any, Any, list[tuple[str, str, str]]]] = [
    ("the same in another order", [CLICK, TYPE], [TYPE, CLICK], []),
    ("added", [CLICK], [TYPE, CLICK], [("tool added", "type", "/result/tools")]),
    ("removed", [CLICK, TYPE], [TYPE], [("tool removed", "click", "/result/tools")]),
    (
        "changed",
        [CLICK],
        [{**CLICK, "inputSchema": {"type": "array"}}],
        [("tool changed", "click", "/inputSchema/type")],
    ),
    ("annotated", [CLICK], [{**CLICK, "title": "x"}], [("tool changed", "click", "/title")]),
    ("no list", [CLICK], "none", [("tool removed", "click", "/result/tools")]),
    ("without names", [{"a": 1}], [{"a": 2}], [("tool changed", "0", "/a")]),
    ("no objects", [1], [CLICK], [("tool added", "click", "/result/tools")]),
]


@pytest.mark.parametrize(
    ("old", "new", "expected"), [row[1:] for row in INVENTORIES], ids=[row[0] for row in INVENTORIES]
)
def test_tools_are_compared_by_name(old: Any, new: Any, expected: list[tuple[str, str, str]]) -> None:
    recorded = item({"jsonrpc": "2.0", **reply(tools=old, nextCursor=None)}, answers="tools/list", dialect="mcp")
    of = Rules(MCP, Bindings(MCP, "mcp", Language(), {}))
    raw = json.dumps({"jsonrpc": "2.0", **reply(tools=new, nextCursor=None)}).encode() + b"\n"
    drifts = of.drifts(recorded, frame_of(raw, "mcp", "<<"))
    assert [(drift.kind, drift.what, drift.pointer) for drift in drifts] == expected


def test_an_inventory_that_is_an_error_now() -> None:
    recorded = item(reply(tools=[CLICK]), answers="tools/list")
    seen = frame_of(b'{"id":1,"error":{"code":1,"message":"x"}}\n', "jsonrpc", "<<")
    assert [drift.kind for drift in tool_drifts("/result/tools", recorded, seen)] == ["tool removed"]


def test_inventories_of_several_servers() -> None:
    value: Any = {"result": {"data": [{"name": "a", "tools": {"t": {}}}, {"name": "b"}, {"tools": {}}, 7]}}
    of = list(inventories("/result/data/*/tools", value))
    assert [(tools.pointer, list(tools.by_name)) for tools in of] == [
        ("/result/data/0/tools", ["t"]), ("/result/data/2/tools", []),
    ]  # fmt: skip
    assert [tools.pointer for tools in inventories("/a/*", {"a": {"x": {}, "y/z": {}}})] == ["/a/x", "/a/y~1z"]
    assert Tools("", 7).by_name == {}


@pytest.mark.parametrize(("pointer", "within"), [
    ("/result/data/0/tools", True), ("/result/data/1/tools/click/name", True), ("/result/data/0/name", False),
    ("/result/data", False),
])  # fmt: skip
def test_inside(pointer: str, within: bool) -> None:
    assert inside("/result/data/*/tools", pointer) is within


def test_names_and_keys() -> None:
    assert method_key(item(reply(), answers="m")) == "?m" and method_key(item(reply())) == "?"
    assert method_key(item(notice())) == "n" and method_key(item("x")) == ""
    assert name_of(item(reply(), answers="m")) == "answer to m (event 5)"
    assert name_of(item(reply())) == "answer to an unknown request (event 5)"
    assert name_of(item(notice())) == "notice n (event 5)" and name_of(item("x")) == "output (event 5)"
    assert set(WORDS) == {"reply", "request", "notice", "raw"}


def test_as_json() -> None:
    drift = Drift("answer differs", "a", 3, "/x", recorded=None, seen=ABSENT)
    assert drift.as_json() == {"kind": "answer differs", "what": "a", "event": 3, "pointer": "/x", "recorded": None}
