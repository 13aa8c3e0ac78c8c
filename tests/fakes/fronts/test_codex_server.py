"""One connection to an MCP server: frames in and out, failures, and the clock of a call."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.fronts.codex_profiles import Profile
from fakes.fronts.codex_server import CONNECTED, FAILED, STARTING, Call, Connection, Spec, outcome, seconds
from harness.wire import codec
from harness.wire.frame import Frame
from harness.wire.jsontext import dumps, loads

TOOLS = [{"name": "b", "annotations": {"readOnlyHint": True, "title": "t", "extra": 1}}, {"name": "a"}]


def connection(version: str = "0.171.0", **config: Any) -> Connection:
    return Connection("helper:1", Spec("s", {"command": "c", **config}), Profile(version), "thread")


def frame(value: Any) -> Frame:
    return codec("mcp", ">>").feed(dumps(value).encode() + b"\n")[0]


def reply(made: Connection, id: int, **members: Any) -> tuple[bytes, str, Any]:
    return made.received(frame({"jsonrpc": "2.0", "id": id, **members}))


def up(made: Connection) -> Connection:
    made.hello({}, True)
    reply(made, 0, result={"capabilities": {}, "serverInfo": {"name": "n"}})
    assert reply(made, 1, result={"tools": TOOLS}) == (b"", "up", None)
    return made


@pytest.mark.parametrize(
    ("version", "for_thread", "members"),
    [
        ("0.144.2", True, {"extensions", "elicitation"}),
        ("0.144.2", False, {"elicitation"}),
        ("0.171.0", True, {"experimental", "extensions", "elicitation"}),
        ("0.171.0", False, {"elicitation"}),
    ],
)
def test_the_thread_s_server_is_told_more_than_the_inventory_s(
    version: str, for_thread: bool, members: set[str]
) -> None:
    hello: Any = loads(connection(version).hello({"openai/form": {}}, for_thread).decode())
    assert set(hello["params"]["capabilities"]) == members
    assert (hello["id"], hello["params"]["clientInfo"]["version"]) == (0, version)


def test_a_connection_comes_up_and_narrows_its_tools() -> None:
    made = up(connection(enabled_tools=["a", "b", "c"], disabled_tools=["a"]))
    assert (made.status, [tool["name"] for tool in made.tools]) == (CONNECTED, ["b"])
    entry: Any = made.entry(["b", "nowhere"], "connected")
    assert list(entry["tools"]["b"]["annotations"]) == ["title", "readOnlyHint", "extra"]


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ([{"error": {"code": -1, "message": "no"}}],
         "handshaking with MCP server failed: JSON-RPC error: -1: no: JSON-RPC error: -1: no"),
        ([{"result": {}}, {"error": {"code": -1, "message": "no", "data": [1]}}], "Mcp error: -1: no([1])"),
        ([{"result": {}}, {"result": {"tools": 3}}], "Mcp error: None: None"),
    ],
)  # fmt: skip
def test_a_connection_fails_with_its_reason(answers: list[dict[str, Any]], reason: str) -> None:
    made = connection()
    made.hello({}, True)
    happened = ""
    for id, members in enumerate(answers):
        happened = reply(made, id, **members)[1]
    assert (happened, made.status, made.reason) == ("failed", FAILED, reason)
    assert made.startup_error() == f"MCP client for `s` failed to start: MCP startup failed: {reason}"


def test_an_early_end_and_a_timeout_have_their_texts() -> None:
    made = connection("0.144.2", startup_timeout_sec=2.5)
    made.end()
    assert made.reason == "handshaking with MCP server failed: connection closed: initialize response"
    made = connection("0.144.2", startup_timeout_sec=2.5)
    made.time_out()
    assert made.reason == "timed out handshaking with MCP server after 2.5s"
    assert "timed out after 2 seconds" in made.startup_error()
    made = up(connection())
    made.end()
    assert (made.status, made.closed) == (CONNECTED, True)


def test_what_nobody_asked_for_is_ignored() -> None:
    made = up(connection())
    for value in (
        {"jsonrpc": "2.0", "id": 99, "result": {}},
        {"jsonrpc": "2.0", "id": "x", "result": {}},
        {"jsonrpc": "2.0", "method": "notifications/x"},
    ):
        assert made.received(frame(value)) == (b"", "", None)


def test_requests_of_the_server_are_answered_refused_or_passed_on() -> None:
    made = up(connection())
    for method, members in (
        ("ping", {"result": {}}),
        ("roots/list", {"result": {"roots": []}}),
        ("sampling/createMessage", {"error": {"code": -32601, "message": "sampling/createMessage"}}),
    ):
        back, happened, _ = made.received(frame({"jsonrpc": "2.0", "id": 5, "method": method}))
        assert (loads(back.decode()), happened) == ({"jsonrpc": "2.0", "id": 5, **members}, "")
    request = {"jsonrpc": "2.0", "id": 5, "method": "openai/elicitation/create"}
    assert made.received(frame(request))[1] == "asked"
    assert b"-32601" in up(connection("0.144.2")).received(frame(request))[0]


def test_resources_are_kept_where_there_are_any() -> None:
    made = up(connection())
    made.list_resources("resources/list")
    made.list_resources("resources/templates/list")
    assert reply(made, 2, result={"resources": [{"uri": "u"}]})[1] == "resources"
    assert reply(made, 3, error={"code": -32601, "message": "no"})[1] == "resources"
    entry = made.entry([], None)
    assert (entry["resources"], entry["resourceTemplates"]) == ([{"uri": "u"}], [])


def test_the_clock_of_a_call_stands_still_while_somebody_is_asked() -> None:
    made = connection(tool_timeout_sec=10)
    call = Call("id", made, "t", 1000)
    made.pause(2000)
    made.pause(3000)
    made.go_on(4000)
    made.go_on(9000)
    assert made.asking == 0
    assert call.left_ms(9000) == 10000 - 1000
    assert call.left_ms(12000) == 10000 - 4000
    assert Call("later", made, "t", 9000).left_ms(12000) == 10000 - 3000


@pytest.mark.parametrize(("ms", "text"), [(250, "250ms"), (1000, "1000ms"), (1500, "1s"), (2000, "2s"), (61000, "61s")])
def test_durations_are_said_as_the_real_one_says_them(ms: float, text: str) -> None:
    assert seconds(ms) == text


@pytest.mark.parametrize(
    ("value", "members"),
    [
        ({"result": {}}, {"error": -32603}),
        ({"result": {"content": [], "other": 1}}, {"result": {"content": []}}),
        ({"result": {"structuredContent": 1}}, {"result": {"content": [], "structuredContent": 1}}),
        ({"result": {"content": ["text"]}}, {"error": -32603}),
        ({"error": {"code": -1, "message": "m", "extra": 1}}, {"error": -1}),
        ({"error": None}, {"error": -32603}),
    ],
)
def test_an_answer_becomes_what_the_client_gets(value: dict[str, Any], members: dict[str, Any]) -> None:
    made: Any = outcome(Call("id", connection(), "t", 0), value)
    seen = {"error": made["error"]["code"]} if "error" in made else made
    assert seen == members


def test_times_and_defaults_of_a_configured_server() -> None:
    spec = Spec("s", {"command": "c"})
    assert (spec.startup_ms, spec.tool_ms, spec.required) == (30000, 300000, False)
    assert spec.offers("anything")
    assert connection().status == STARTING
