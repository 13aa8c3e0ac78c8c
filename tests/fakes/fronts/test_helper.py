"""The helper over a desktop, spoken to as an MCP server."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

import pytest

from tests.fakes.drive import Peer, Run, run

CHESS, TEXT = "com.apple.Chess", "com.apple.TextEdit"
FORMS = {"elicitation": {"form": {}, "url": {}}, "extensions": {"openai/form": {}, "openai/elicitation": {"form": {}}}}


async def begin(made: Run, capabilities: Mapping[str, Any] = FORMS, revision: str = "2025-06-18") -> Peer:
    helper = await made.start("helper", "mcp")
    params = {"protocolVersion": revision, "capabilities": capabilities, "clientInfo": {"name": "t", "version": "1"}}
    await helper.ask("initialize", params)
    await helper.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    return helper


async def call(helper: Peer, tool: str, **arguments: Any) -> Any:
    return await helper.ask("tools/call", {"name": tool, "arguments": arguments}, id=next(NUMBERS))


async def answer(helper: Peer, request: Any, **result: Any) -> Any:
    await helper.send({"jsonrpc": "2.0", "id": request["id"], "result": result})
    return await helper.frame()


NUMBERS = count(100)
OFF = {"helper": {"approval": "off"}}


def test_it_says_what_it_is_and_lists_ten_tools() -> None:
    async def body(made: Run) -> None:
        helper = await made.start("helper", "mcp")
        for revision, spoken in (("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-06-18")):
            reply = await helper.ask("initialize", {"protocolVersion": revision, "capabilities": {}})
            assert reply["result"]["protocolVersion"] == spoken
        assert reply["result"]["instructions"] == "be kind"
        assert len((await helper.ask("tools/list"))["result"]["tools"]) == 10
        assert (await helper.ask("ping"))["result"] == {}
        assert (await helper.ask("resources/list"))["error"]["code"] == -32601
        assert (await helper.finish())[0] == 0

    run(body, programs={"helper": {"instructions": "be kind"}})


def test_its_tools_may_drift() -> None:
    drift: dict[str, Any] = {"drag": None, "click": {"description": "other"}, "launch_app": {"inputSchema": {}}}

    async def body(made: Run) -> None:
        helper = await begin(made)
        tools = {tool["name"]: tool for tool in (await helper.ask("tools/list"))["result"]["tools"]}
        assert "drag" not in tools
        assert (tools["click"]["description"], tools["launch_app"]["inputSchema"]) == ("other", {})
        assert tools["click"]["annotations"]["readOnlyHint"] is False

    run(body, programs={"helper": {"drift": drift}})


def test_it_may_refuse_experimental_capabilities() -> None:
    async def body(made: Run) -> None:
        helper = await made.start("helper", "mcp")
        refused = await helper.ask("initialize", {"capabilities": {"experimental": {}}})
        assert refused["error"]["code"] == -32603
        assert "result" in await helper.ask("initialize", {"capabilities": {}})

    run(body, programs={"helper": {"reject_experimental": True}})


@pytest.mark.claim("HAR-FAKE-02")
def test_a_click_happens_in_the_world_and_its_answer_is_the_new_state() -> None:
    async def body(made: Run) -> None:
        helper = await begin(made)
        state = (await call(helper, "get_app_state", app="TextEdit"))["result"]
        assert [block["type"] for block in state["content"]] == ["text", "image"]
        assert "1 checkbox bold, Value: 0" in state["content"][0]["text"]
        clicked = (await call(helper, "click", app=TEXT, element_index="1"))["result"]
        assert "1 checkbox bold, Value: 1" in clicked["content"][0]["text"]
        assert clicked["isError"] is False
        await helper.finish()

    made = run(body, programs=OFF)
    [effect] = made.of("effect")
    assert effect == {
        "p": 1, "verb": "click", "target": {"app": TEXT, "window": "untitled", "node": "bold"}, "value": None,
    }  # fmt: skip
    assert made.of("freed") == [{"p": 1, "what": "lease", "id": TEXT}]


VALUES: tuple[tuple[str, dict[str, Any], Any], ...] = (
    ("click", {"element_index": "0", "click_count": 2, "mouse_button": "right"}, "right x2"),
    ("click", {"x": 1, "y": 2}, None),
    ("set_value", {"element_index": "0", "value": "v"}, "v"),
    ("select_text", {"element_index": "0", "text": "hello"}, "hello"),
    ("scroll", {"element_index": "0", "direction": "down", "pages": 0.5}, "down"),
    ("drag", {"from_x": 1, "from_y": 2, "to_x": 3.5, "to_y": 4}, [1, 2, 3.5, 4]),
    ("press_key", {"key": "Meta_L+a"}, "Meta_L+a"),
    ("type_text", {"text": "t"}, "t"),
)


@pytest.mark.parametrize(("verb", "arguments", "value"), VALUES)
def test_each_verb_has_its_value_in_the_record(verb: str, arguments: dict[str, Any], value: Any) -> None:
    async def body(made: Run) -> None:
        helper = await begin(made)
        await call(helper, "get_app_state", app=TEXT)
        assert (await call(helper, verb, app=TEXT, **arguments))["result"]["isError"] is False

    [effect] = run(body, programs=OFF).of("effect")
    assert (effect["verb"], effect["value"]) == (verb, value)


def test_a_secondary_action_is_taken() -> None:
    async def body(made: Run) -> None:
        helper = await begin(made)
        await call(helper, "get_app_state", app=CHESS)
        await call(helper, "perform_secondary_action", app=CHESS, element_index="1", action="AXShowMenu")

    assert run(body, programs=OFF).of("effect")[0]["value"] == "AXShowMenu"


REFUSALS: tuple[tuple[str, dict[str, Any], str, str], ...] = (
    ("click", {"app": TEXT, "element_index": "1"}, "not_active", "Computer Use is not active"),
    ("click", {"app": TEXT}, "no_place", "Give element_index, or x and y"),
    ("get_app_state", {"app": "Nothing"}, "no_app", "No app matches 'Nothing'"),
    ("get_app_state", {"app": "com.apple.finder"}, "no_window", "error -10005: noWindowsAvailable"),
)


@pytest.mark.parametrize(("tool", "arguments", "why", "text"), REFUSALS)
def test_a_refusal_is_said_and_recorded(tool: str, arguments: dict[str, Any], why: str, text: str) -> None:
    async def body(made: Run) -> None:
        helper = await begin(made)
        result = (await call(helper, tool, **arguments))["result"]
        assert result["isError"] is True
        assert text in result["content"][0]["text"]

    made = run(body, programs=OFF)
    assert [(event["verb"], event["why"]) for event in made.of("refused")] == [(tool, why)]
    assert made.of("effect") == []


def test_unknown_tools_and_bad_arguments_are_protocol_errors() -> None:
    async def body(made: Run) -> None:
        helper = await begin(made)
        for tool, message in (
            ("launch_app", "Unknown tool: launch_app"),
            ("click", "Invalid arguments for click: missing required argument app"),
        ):
            reply = await call(helper, tool)
            assert reply["error"] == {"code": -32602, "message": message}
        assert "result" in await helper.ask("tools/call", {"name": "list_apps"})

    assert run(body).of("refused") == []


@pytest.mark.parametrize(
    ("settings", "seen"),
    [
        ({}, {"isError": "Computer Use server error -10005: cgWindowNotFound"}),
        ({"locked_in_words": True}, {"isError": "Computer Use server error -10005: The Mac is locked"}),
        ({"carrier": "code"}, {"code": -10005}),
        ({"carrier": "text"}, {"code": -32603}),
    ],
)
def test_a_locked_screen_is_told_in_each_carrier(settings: dict[str, Any], seen: dict[str, Any]) -> None:
    async def body(made: Run) -> None:
        helper = await begin(made)
        reply = await call(helper, "get_app_state", app=CHESS)
        if "code" in seen:
            assert reply["error"]["code"] == seen["code"]
            assert "-10005: cgWindowNotFound" in reply["error"]["message"]
        else:
            assert reply["result"]["content"][0]["text"].startswith(seen["isError"])

    run(body, world={"locked": True}, programs={"helper": settings})


def test_an_app_that_does_not_answer_costs_time() -> None:
    async def body(made: Run) -> None:
        helper = await begin(made)
        made.world.change("x", unresponsive=CHESS)
        before = made.world.now_ms()
        reply = await call(helper, "get_app_state", app=CHESS)
        assert "timeoutReached" in reply["result"]["content"][0]["text"]
        assert made.world.now_ms() - before == 5002

    run(body)


def test_the_list_of_apps_needs_no_approval() -> None:
    async def body(made: Run) -> None:
        helper = await begin(made)
        text = (await call(helper, "list_apps"))["result"]["content"][0]["text"]
        assert text.split("\n")[0] == "Chess — com.apple.Chess [running, frontmost, last-used=2025-12-01, uses=1]"

    assert run(body).of("changed") == []


ANSWERS: tuple[tuple[dict[str, Any], str | None], ...] = (
    ({"action": "accept"}, "once"),
    ({"action": "accept", "_meta": {"persist": "session"}}, "session"),
    ({"action": "accept", "_meta": {"persist": "always"}, "content": {}}, "always"),
    ({"action": "accept", "_meta": {"persist": "for ever"}}, "once"),
    ({"action": "decline"}, None),
    ({"action": "cancel"}, None),
    ({}, None),
)


@pytest.mark.parametrize(("result", "kind"), ANSWERS)
def test_an_app_is_approved_by_an_elicitation(result: dict[str, Any], kind: str | None) -> None:
    async def body(made: Run) -> None:
        helper = await begin(made)
        request = await call(helper, "get_app_state", app=CHESS)
        assert (request["method"], request["params"]["message"]) == ("elicitation/create", "Allow Codex to use Chess?")
        assert request["params"]["_meta"]["tool_params"] == {"app": CHESS}
        reply = await answer(helper, request, **result)
        text = reply["result"]["content"][0]["text"]
        if kind is None:
            assert text == f"Computer Use approval denied via MCP elicitation for app '{CHESS}'."
        else:
            assert text.startswith("App=")
        again = await call(helper, "get_app_state", app=CHESS)
        assert ("method" in again) is (kind in (None, "once"))

    approvals = [event["what"]["kind"] for event in run(body).of("changed")]
    assert approvals == ([kind] if kind else [])


def test_calls_interleave_while_one_waits_for_an_answer() -> None:
    async def body(made: Run) -> None:
        helper = await begin(made)
        request = await call(helper, "get_app_state", app=CHESS)
        await helper.send({"jsonrpc": "2.0", "id": 77, "result": {}})
        await helper.send({"jsonrpc": "2.0", "id": "text", "result": {}})
        await helper.send([])
        assert "Chess" in (await call(helper, "list_apps"))["result"]["content"][0]["text"]
        assert (await answer(helper, request, action="accept"))["result"]["isError"] is False

    assert len(run(body).of("changed")) == 1


FORM_KINDS: tuple[tuple[str, dict[str, Any], str | None, str], ...] = (
    ("fields", FORMS, "elicitation/create", "requestedSchema"),
    ("url", FORMS, "elicitation/create", "url"),
    ("openai/form", FORMS, "openai/form", "requestedSchema"),
    ("openai/elicitation", FORMS, "openai/elicitation/create", "requestedSchema"),
    ("empty", {}, None, ""),
    ("openai/form", {"elicitation": {}}, None, ""),
    ("openai/elicitation", {"elicitation": {}}, None, ""),
)


@pytest.mark.parametrize(("form", "capabilities", "method", "member"), FORM_KINDS)
def test_each_kind_of_form_is_asked_where_the_client_takes_it(
    form: str, capabilities: dict[str, Any], method: str | None, member: str
) -> None:
    async def body(made: Run) -> None:
        helper = await begin(made, capabilities)
        reply = await call(helper, "get_app_state", app=CHESS)
        if method is None:
            assert "approval denied" in reply["result"]["content"][0]["text"]
        else:
            assert reply["method"] == method
            assert member in reply["params"]

    run(body, programs={"helper": {"form": form}})


def test_a_stored_denial_asks_nobody() -> None:
    async def body(made: Run) -> None:
        helper = await begin(made)
        assert "denied" in (await call(helper, "get_app_state", app=CHESS))["result"]["content"][0]["text"]

    assert run(body, world={"approvals": {CHESS: "denied"}}).of("refused")[0]["why"] == "denied"


def test_the_state_after_an_action_may_have_no_window() -> None:
    windows = [{"id": "w", "elements": [{"id": "close", "closes": "w"}]}]

    async def body(made: Run) -> None:
        helper = await begin(made)
        await call(helper, "get_app_state", app="a")
        closed = (await call(helper, "click", app="a", element_index="0"))["result"]
        assert closed["content"][0]["text"].endswith("No window is on the screen.\n")
        state = (await call(helper, "get_app_state", app="a"))["result"]
        assert "-10005: noWindowsAvailable" in state["content"][0]["text"]

    run(body, world={"apps": [{"name": "A", "bundle": "a", "windows": windows}]}, programs=OFF)


def test_states_may_be_padded_and_without_a_picture() -> None:
    async def body(made: Run) -> None:
        helper = await begin(made)
        [block] = (await call(helper, "get_app_state", app=CHESS))["result"]["content"]
        assert block["text"].endswith(" " * 1000)

    run(body, programs={"helper": {"approval": "off", "padding": 1000, "image": False}})


@pytest.mark.parametrize(
    ("stubborn", "number", "status"), [(False, 15, -15), (False, 2, -2), (True, 15, None), (True, 9, -9)]
)
def test_signals_end_it_unless_it_is_stubborn(stubborn: bool, number: int, status: int | None) -> None:
    async def body(made: Run) -> None:
        helper = await begin(made)
        await call(helper, "get_app_state", app=CHESS)
        made.host.signal(helper.process.pid, number)
        if status is None:
            assert "result" in await call(helper, "list_apps")
            assert made.stage.living() != []
        else:
            assert await helper.process.wait() == status

    freed = run(body, programs={"helper": {"approval": "off", "stubborn": stubborn}}).of("freed")
    assert len(freed) == (0 if status is None else 1)
