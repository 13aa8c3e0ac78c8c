"""One driver's life: handshake, requests, faults, and its end."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest

from stack.contract import Program
from stack.errors import StackError
from stack.safari_mcp.connection import ACCEPTED, CLIENT, ENVIRONMENT
from tests.stack.scripted_host import ScriptedHost, ScriptedProcess
from tests.stack.scripted_safaridriver import (
    Exit,
    SafariDriver,
    call,
    error,
    first_tab,
    listed_tools,
    result,
    staged,
    texts,
)
from tests.stack.staging import play

LIMIT = 256 * 1024


def one_call(driver: SafariDriver, tool: str = "tabs", **more: Any) -> tuple[Any, ScriptedHost]:
    """The reply to the first call of a stack, and the host after the stack was closed."""

    async def main() -> tuple[Any, ScriptedHost]:
        async with staged(driver, **more) as (host, stack):
            reply = await call(stack, tool)
        return reply, host

    return play(main)


def test_the_handshake_comes_first_and_in_its_order() -> None:
    driver = SafariDriver()
    reply, host = one_call(driver)
    assert reply.outcome == "done"
    assert driver.methods == ["initialize", "notifications/initialized", "tools/list", "tools/call"]
    greeting = driver.heard[0]["params"]
    assert greeting == {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": dict(CLIENT)}
    (process,) = host.of(Program.SAFARIDRIVER)
    assert (process.args, process.env) == (["--mcp"], ENVIRONMENT)


def test_no_driver_is_started_before_a_call() -> None:
    async def main() -> None:
        async with staged() as (host, stack):
            assert len(await stack.tools()) == 16
            await stack.status()
            await stack.tell("task_end", None)
        assert host.processes == []

    play(main)


@pytest.mark.parametrize("version", ACCEPTED)
def test_each_accepted_version(version: str) -> None:
    reply, _ = one_call(SafariDriver({"initialize": [result({"protocolVersion": version})]}))
    assert reply.outcome == "done"


@pytest.mark.parametrize(("answer", "seen"), [
    (result({"protocolVersion": "2026-07-28"}), "2026-07-28"),
    (result({"protocolVersion": 3}), "'3'"),
    (result({}), "no protocol version"),
    (result(None), "no protocol version"),
    (error(-32602, "unsupported"), "no protocol version"),
])  # fmt: skip
def test_a_handshake_that_fails(answer: dict[str, Any], seen: str) -> None:
    driver = SafariDriver({"initialize": [answer]})
    reply, host = one_call(driver)
    assert (reply.outcome, reply.code) == ("refused", "handshake_refused")
    assert seen in reply.content[0].text
    assert all(version in reply.content[0].text for version in ACCEPTED)
    assert driver.methods == ["initialize"]
    assert host.of(Program.SAFARIDRIVER)[0].signals == []


def test_a_list_of_tools_that_is_refused() -> None:
    driver = SafariDriver({"tools/list": [error(-32603, "no")]})
    reply, _ = one_call(driver)
    assert (reply.outcome, reply.code) == ("refused", "driver_malformed")
    assert reply.evidence["official"] == {"code": -32603, "text": "no"}
    assert driver.names == []


def complains(words: bytes, status: int) -> list[Any]:
    async def complain(process: ScriptedProcess) -> None:
        await process.complain(words)

    return [complain, Exit(status)]


@pytest.mark.parametrize(("steps", "code", "says"), [
    (complains(b"safaridriver: unrecognized option `--mcp'\nUsage: safaridriver [options]\n", 1), "driver_too_old",
     "Safari 27"),
    (complains(b"dyld: a library is missing\n", 1), "driver_start_failed", "a library is missing"),
    ([Exit(3)], "driver_start_failed", "ended at its start. "),
    ([b'{"jsonrpc', Exit(0)], "driver_start_failed", ""),
    ([b"Welcome to Safari\n"], "driver_malformed", "not JSON"),
])  # fmt: skip
def test_a_driver_that_ends_or_babbles_before_it_answers(steps: list[Any], code: str, says: str) -> None:
    reply, _ = one_call(SafariDriver({"initialize": steps}))
    assert (reply.outcome, reply.code) == ("refused", code)
    assert says in reply.content[0].text


@pytest.mark.parametrize(("fails", "platform", "code"), [
    ("missing safaridriver", "darwin", "driver_missing"),
    ("start safaridriver", "darwin", "driver_start_failed"),
    ("", "linux", "safari_unsupported"),
])  # fmt: skip
def test_a_driver_that_can_not_be_started(fails: str, platform: str, code: str) -> None:
    async def main() -> None:
        async with staged(platform=platform) as (host, stack):
            host.fails = {fails}
            reply = await call(stack, "tabs")
            assert (reply.outcome, reply.code) == ("refused", code)
            if code != "driver_start_failed":
                for words in ("Safari 27", "Show features for web developers", "Allow remote automation"):
                    assert words in str(reply.content[0].text)
        assert host.processes == []

    play(main)


NOT_ALLOWED = (
    "Error Domain=WebDriverErrorDomain Code=6 \"Could not create a session: You must enable 'Allow remote automation' "
    'in the Developer section of Safari Settings to control Safari via WebDriver."'
)


@pytest.mark.parametrize(("text", "code"), [
    (NOT_ALLOWED, "automation_not_allowed"),
    (f"Tool error: {NOT_ALLOWED}", "automation_not_allowed"),
    ("Tool error: No active tab", "driver_failed"),
    (f"Tool error: a page says {NOT_ALLOWED}", "driver_failed"),
    ("Error Domain=WebDriverErrorDomain Code=60", "driver_failed"),
])  # fmt: skip
def test_what_the_driver_says_failed(text: str, code: str) -> None:
    driver = SafariDriver({"list_tabs": [texts(text, failed=True)]})
    reply, _ = one_call(driver)
    assert (reply.outcome, reply.code, reply.is_error) == ("refused", code, True)
    assert driver.names == ["list_tabs"]
    assert "automation" in reply.content[0].text


def test_an_error_of_the_protocol_is_a_failure_with_its_number() -> None:
    reply, _ = one_call(SafariDriver({"list_tabs": [error(-32602, "Unknown tool")]}))
    assert reply.code == "driver_failed"
    assert reply.evidence["official"] == {"code": -32602, "text": "Unknown tool"}


@pytest.mark.parametrize("answer", [
    result(None), result({}), result({"content": "x"}), result({"content": [1]}), result({"content": [{}]}),
    result({"content": [{"type": "image", "data": ""}]}), result({"content": [{"type": "text"}]}),
    result({"content": [{"type": "text", "text": 1}]}), result({"content": [], "isError": "no"}), texts("no JSON"),
    texts(), texts("{}"),
])  # fmt: skip
def test_an_answer_that_is_none_is_an_error_and_the_connection_stays(answer: dict[str, Any]) -> None:
    async def main() -> None:
        driver = SafariDriver({"list_tabs": [answer]})
        async with staged(driver) as (host, stack):
            reply = await call(stack, "tabs")
            assert reply.code in ("driver_malformed", "tab_list_malformed")
            assert (reply.outcome, reply.is_error) == ("refused", True)
            driver.answers.clear()
            assert (await call(stack, "tabs")).outcome == "done"
            assert len(host.processes) == 1

    play(main)


UNKNOWN = {"jsonrpc": "2.0", "id": 99, "result": {"content": []}}


@pytest.mark.parametrize(("steps", "code"), [
    ([UNKNOWN, texts("[]")], "driver_malformed"),
    ([b"[]\n"], "driver_malformed"),
    ([b'{"jsonrpc": "2.0", "id": 3, "resu'], "operation_timeout"),
    ([b'{"a": "' + b"x" * LIMIT], "message_too_long"),
    ([b'{"a": "' + b"x" * LIMIT + b'"}\n'], "message_too_long"),
    ([Exit(0)], "driver_closed"),
    ([b'{"jsonrpc": "2.0"', Exit(1)], "driver_closed"),
    ([], "operation_timeout"),
])  # fmt: skip
def test_a_fault_ends_the_epoch_and_the_next_call_begins_anew(steps: list[Any], code: str) -> None:
    async def main() -> None:
        driver = SafariDriver()
        driver.add()
        async with staged(driver) as (host, stack):
            old = await first_tab(stack)
            driver.answers["list_tabs"] = lambda _: steps
            reply = await call(stack, "read", **old)
            assert (reply.outcome, reply.code) == ("refused", code)
            driver.answers.clear()
            assert (await call(stack, "read", **old)).code == "stale_target"
            new = await first_tab(stack)
            assert new["targetId"] == old["targetId"]
            assert new["epoch"] != old["epoch"]
            assert (await call(stack, "read", **old)).code == "stale_target"
            assert (await call(stack, "read", **new)).outcome == "done"
            assert driver.methods.count("initialize") == driver.methods.count("tools/list") == 2
            assert len(host.processes) == 2

    play(main)


def test_a_message_of_exactly_the_bound_is_read() -> None:
    body = json.dumps(texts("[]")).replace('"$id"', "3")
    line = body.encode() + b" " * (LIMIT - len(body)) + b"\n"
    reply, _ = one_call(SafariDriver({"list_tabs": [line]}))
    assert reply.outcome == "done"


def test_a_long_message_is_read_on_so_that_the_driver_can_end() -> None:
    async def babble(process: ScriptedProcess) -> None:
        for _ in range(20):
            await process.say(b"x" * 65536)

    driver = SafariDriver({"list_tabs": [babble]})
    _, host = one_call(driver)
    (process,) = host.of(Program.SAFARIDRIVER)
    assert (process.returncode, process.signals) == (0, [])
    assert process.stdout.data == b""


def test_what_the_driver_asks_is_answered_and_notices_are_let_be() -> None:
    asks = [
        {"jsonrpc": "2.0", "method": "notifications/message", "params": {}},
        {"jsonrpc": "2.0", "id": "p", "method": "ping"},
        {"jsonrpc": "2.0", "id": 7, "method": "sampling/createMessage", "params": {}},
        texts("[]"),
    ]
    driver = SafariDriver({"list_tabs": asks})

    async def main() -> None:
        async with staged(driver) as (_, stack):
            assert (await call(stack, "tabs")).outcome == "done"
            await call(stack, "tabs")

    play(main)
    answers = [message for message in driver.heard if "method" not in message]
    assert answers[:2] == [
        {"jsonrpc": "2.0", "id": "p", "result": {}},
        {"jsonrpc": "2.0", "id": 7, "error": {"code": -32601, "message": "Method not found"}},
    ]


def test_the_end_closes_the_input_waits_and_only_then_signals() -> None:
    async def ended(stays: bool, ignores: set[int]) -> tuple[list[int], float, list[Any]]:
        async with staged(SafariDriver(stays=stays)) as (host, stack):
            await call(stack, "tabs")
            host.processes[0].ignores = ignores
            began = anyio.current_time()
            await stack.close()
            status: Any = (await stack.status())["cleanup"]
            return host.processes[0].signals, anyio.current_time() - began, status["problems"]

    assert play(lambda: ended(False, set())) == ([], 0, [])
    assert play(lambda: ended(True, set())) == ([15], 2, [])
    signals, took, _ = play(lambda: ended(True, {15}))
    assert signals == [15, 9]
    assert took == pytest.approx(4)


def test_a_driver_whose_input_is_closed() -> None:
    async def main() -> None:
        async with staged() as (host, stack):
            await call(stack, "tabs")
            host.processes[0].stdin.broken = True
            reply = await call(stack, "tabs")
            assert (reply.outcome, reply.code) == ("refused", "driver_closed")

    play(main)


def test_a_call_waits_where_an_answer_to_the_driver_fills_its_input() -> None:
    """Two messages are never written at once, whose parts could come between each other."""

    async def asks(process: ScriptedProcess) -> None:
        process.stdin.full = True
        await process.say(b'{"jsonrpc":"2.0","id":"p","method":"ping"}\n')

    async def main() -> None:
        driver = SafariDriver({"list_tabs": [texts("[]"), asks]})
        async with staged(driver) as (_, stack):
            assert (await call(stack, "tabs")).outcome == "done"
            reply = await call(stack, "tabs")
            assert (reply.outcome, reply.code) == ("refused", "operation_timeout")
            assert driver.names == ["list_tabs"]

    play(main)


def test_every_tool_may_be_missing_alone() -> None:
    tools = [tool for tool in listed_tools() if tool["name"] != "get_page_content"]

    async def main() -> None:
        driver = SafariDriver({"tools/list": [result({"tools": tools})]})
        driver.add()
        async with staged(driver) as (_, stack):
            target = await first_tab(stack)
            assert (await call(stack, "snapshot", **target)).code == "capability_missing"
            assert (await call(stack, "screenshot", **target)).outcome == "done"
            assert "get_page_content" not in driver.names

    play(main)


def test_an_error_is_one_of_the_stacks() -> None:
    with pytest.raises(KeyError):
        StackError("not_a_code", "x")
