"""What one call answers: outcome, code, content and evidence, for every way in which it can end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import anyio
import pytest

from stack.computer_use.settings import Deadlines
from stack.contract import Application, Program, Reply
from tests.stack.one_call import APP, CALL, LIST, one, words
from tests.stack.scripted_host import CHESS, ScriptedCaller, ScriptedHost
from tests.stack.scripted_server import (
    DONE,
    THREAD,
    AppServer,
    exits,
    hear,
    inventory,
    notice,
    refusal,
    reply,
    status,
    text,
)
from tests.stack.staging import check_clean, play, staged

CALLERS = [
    ("paint", {}, "unknown_tool", "paint"),
    ("click", {}, "invalid_arguments", "'app'"),
    ("click", {"app": 3}, "invalid_arguments", "'app'"),
    ("click", {"app": "  "}, "invalid_arguments", "'app'"),
    ("click", {"app": "Nothing"}, "app_not_found", "'Nothing'"),
    ("click", {"app": "/Applications/Nothing.app"}, "app_not_found", "Nothing.app"),
]


@pytest.mark.claim("CUA-APP-01")
@pytest.mark.parametrize(("tool", "arguments", "code", "shown"), CALLERS)
def test_what_can_not_be_asked_is_refused_before_anything_starts(
    tool: str, arguments: dict[str, Any], code: str, shown: str
) -> None:
    server = AppServer()
    answer = one(server, tool, arguments, cleanup="unknown")
    assert (answer.outcome, answer.code, answer.is_error) == ("refused", code, True)
    assert shown in words(answer)
    assert server.heard == []


@pytest.mark.claim("CUA-APP-01")
def test_two_applications_of_one_name_are_refused_with_both_named() -> None:
    def set_up(host: ScriptedHost) -> None:
        host.installed = (CHESS, Application("org.other.chess", "/Applications/Other.app", ("chess",)))

    server = AppServer()
    answer = one(server, set_up=set_up, cleanup="unknown")
    assert (answer.outcome, answer.code) == ("refused", "app_ambiguous")
    assert "com.apple.Chess, org.other.chess" in words(answer)
    assert server.heard == []


@pytest.mark.claim("CUA-LOCK-01")
def test_a_busy_application_is_named_after_the_stated_wait() -> None:
    async def main() -> None:
        async with staged() as (host, stack):
            await stack.call("get_app_state", APP, ScriptedCaller())
            (lock,) = host.locks
            await stack.tell("task_end", None)
            host.locks.add(lock)
            began = anyio.current_time()
            answer = await stack.call("click", APP, ScriptedCaller())
            assert anyio.current_time() - began == pytest.approx(30, abs=0.06)
            assert (answer.outcome, answer.code) == ("refused", "app_busy")
            assert "com.apple.Chess" in words(answer)
            other = await stack.call("click", {"app": "TextEdit"}, ScriptedCaller())
            assert other.outcome == "done"
            host.locks.discard(lock)

    play(main)


@pytest.mark.claim("CUA-LOCK-01", "CUA-RUN-02")
def test_calls_on_one_application_run_one_at_a_time() -> None:
    server = AppServer({CALL: [20_000.0, DONE]})

    async def main() -> None:
        async with staged(server) as (_, stack):
            replies: list[Reply] = []

            async def calling() -> None:
                replies.append(await stack.call("click", APP, ScriptedCaller()))

            async with anyio.create_task_group() as tasks:
                for _ in range(3):
                    tasks.start_soon(calling)
            assert [answer.code for answer in replies] == [None, "app_busy", None]
            assert len(server.calls()) == 2

    play(main)


ERRORS: list[tuple[Sequence[Any], str, str, str]] = [
    ([refusal(-10005, "The screen is locked", data={"why": "x"})], "click", "refused", "screen_locked"),
    ([refusal(-10005, "cgWindowNotFound")], "click", "refused", "window_not_found"),
    ([refusal(-10005, "timeoutReached")], "click", "unknown", "official_timeout"),
    ([refusal(-10005, "timeoutReached")], "get_app_state", "refused", "official_timeout"),
    ([refusal(-10005, "something new")], "click", "unknown", "official_error"),
    ([refusal(-32603, "tool call failed for `x`: Transport closed")], "click", "unknown", "helper_dead"),
    ([refusal(-32602, "Unknown tool: click")], "click", "refused", "invalid_parameters"),
    ([reply({"content": text("Computer Use server error -10005: noWindowsAvailable"), "isError": True})], "click",
     "refused", "no_windows"),
    ([reply({"content": text("whatever"), "isError": True})], "click", "unknown", "official_error"),
    ([reply({"content": "x"})], "click", "unknown", "invalid_result"),
    ([reply({"content": ["x"]})], "click", "unknown", "invalid_result"),
    ([reply({"content": [], "isError": 1})], "click", "unknown", "invalid_result"),
    ([reply([])], "click", "unknown", "invalid_result"),
    ([exits(0)], "click", "unknown", "connection_closed"),
    ([b'{"id":"4","resu', exits(0)], "click", "unknown", "connection_closed"),
    ([b'{"id":4,"result":{"content":[]}}\n'], "click", "unknown", "unexpected_response"),
    ([b"{\xff}\n"], "click", "unknown", "not_json"),
    ([notice("turn/started")], "click", "unknown", "model_activity"),
    ([notice("thread/status/changed", threadId=THREAD, status={"type": "active", "activeFlags": []})], "click",
     "unknown", "model_activity"),
    ([notice("some/new/thing"), DONE], "click", "done", "unexpected_frame"),
    ([status("failed")], "click", "unknown", "helper_failed"),
    ([DONE, notice("turn/started")], "click", "done", "model_activity"),
    ([DONE, DONE], "click", "done", "unexpected_response"),
]  # fmt: skip


@pytest.mark.claim("CUA-ERR-01", "CUA-RUN-04", "CUA-RUN-05", "CUA-AUD-02", "CUA-CLN-01")
@pytest.mark.parametrize(("steps", "tool", "outcome", "code"), ERRORS)
def test_how_a_call_can_fail(steps: Sequence[Any], tool: str, outcome: str, code: str) -> None:
    answer = one(AppServer({CALL: steps}), tool)
    assert (answer.outcome, answer.code, answer.is_error) == (outcome, code, True)


@pytest.mark.claim("CUA-ERR-01")
def test_official_code_and_text_are_carried() -> None:
    message = 'tool call failed for `computer-use/click`: Mcp error: -10005: no({"a":1})'
    wrapped = one(AppServer({CALL: [refusal(-32603, message)]}, version="0.144.2"))
    assert wrapped.evidence["official"] == {"code": -10005, "text": message, "data": None}
    plain = one(AppServer({CALL: [refusal(-10005, "no", data={"a": 1})]}))
    assert plain.evidence["official"] == {"code": -10005, "text": "no", "data": {"a": 1}}
    assert "-10005: no" in words(plain)


@pytest.mark.claim("CUA-RES-01", "CUA-ERR-01")
def test_a_failed_result_keeps_its_content() -> None:
    content = [{"type": "text", "text": "Computer Use server error -10005: cgWindowNotFound"}, {"type": "image"}]
    result = {"content": content, "structuredContent": {"a": [1]}, "isError": True, "_meta": {"m": 1}}
    answer = one(AppServer({CALL: [reply(result)]}))
    assert [content.block for content in answer.content] == content
    assert (answer.structured, answer.meta, answer.is_error) == ({"a": [1]}, {"m": 1}, True)
    assert answer.evidence["official"] == {"code": -10005, "text": content[0]["text"], "data": None}


@pytest.mark.claim("CUA-RES-01", "CUA-RES-02")
def test_a_result_is_passed_on_unchanged_with_its_evidence() -> None:
    content = [{"type": "image", "data": "AA==", "mimeType": "image/png"}, {"type": "text", "text": "\u2028\x85é"}]
    answer = one(AppServer({CALL: [reply({"content": content, "structuredContent": [1, None]})]}), cleanup="unknown")
    assert [block.block for block in answer.content] == content
    assert (answer.structured, answer.meta, answer.is_error, answer.code) == ([1, None], None, False, None)
    assert answer.evidence == {
        "brokerVersion": "0.171.0",
        "clientBuild": "26.1",
        "durationMs": answer.evidence["durationMs"],
        "directCalls": 1,
        "modelTurnsStarted": 0,
        "elicitationRequests": 0,
        "ephemeralThread": True,
        "backgroundPreserved": True,
        "cleanupVerified": "unknown",
        "leaseReleased": False,
        "app": "com.apple.Chess",
    }


@pytest.mark.claim("CUA-RUN-05")
def test_a_call_outlives_no_deadline_and_its_outcome_is_unknown() -> None:
    server = AppServer({CALL: [math.inf]})
    answer = one(server)
    assert (answer.outcome, answer.code) == ("unknown", "call_timeout")
    took = answer.evidence["durationMs"]
    assert isinstance(took, float)
    assert Deadlines().reply <= took <= Deadlines().call


@pytest.mark.claim("CUA-RUN-05")
def test_an_app_server_that_does_not_read_makes_the_outcome_unknown_too() -> None:
    async def deaf(process: Any) -> None:
        process.stdin.full = True

    async def main() -> None:
        async with staged(AppServer({LIST: [deaf, reply(inventory())]})) as (host, stack):
            answer = await stack.call("click", APP, ScriptedCaller())
            assert (answer.outcome, answer.code) == ("unknown", "call_timeout")
            assert answer.evidence["directCalls"] == 1
            check_clean(host)

    play(main)


@pytest.mark.claim("CUA-RUN-05", "CUA-AUD-02")
def test_an_app_server_that_has_closed_its_input_makes_the_outcome_unknown() -> None:
    async def closes(process: Any) -> None:
        process.stdin.broken = True

    async def main() -> None:
        async with staged(AppServer({LIST: [closes, reply(inventory())]})) as (host, stack):
            answer = await stack.call("click", APP, ScriptedCaller())
            assert (answer.outcome, answer.code) == ("unknown", "connection_closed")
            assert answer.evidence["directCalls"] == 1
            check_clean(host)

    play(main)


@pytest.mark.claim("CUA-RUN-06")
def test_an_unknown_request_is_answered_with_an_error_and_ends_the_sequence() -> None:
    request = {"method": "item/tool/requestUserInput", "id": "q", "params": {}}
    server = AppServer({CALL: [request, hear]})
    answer = one(server)
    assert (answer.outcome, answer.code) == ("unknown", "unsupported_request")
    assert server.answers() == [{"id": "q", "error": {"code": -32601, "message": "Method not found"}}]


@pytest.mark.claim("CUA-TOOL-05")
def test_a_helper_that_died_between_two_calls_is_seen_before_the_next_is_dispatched() -> None:
    server = AppServer(version="0.144.2")

    async def main() -> None:
        async with staged(server) as (_, stack):
            await stack.call("get_app_state", APP, ScriptedCaller())
            assert server.helper is not None
            server.helper.exit(3)
            answer = await stack.call("click", APP, ScriptedCaller())
            assert (answer.outcome, answer.code) == ("refused", "helper_dead")
            assert len(server.calls()) == 1
            assert (await stack.call("click", APP, ScriptedCaller())).outcome == "done"

    play(main)


@pytest.mark.claim("CUA-RUN-04")
def test_model_activity_between_two_calls_refuses_the_next() -> None:
    server = AppServer({(CALL, 1): [DONE, 5000.0, notice("item/started")]})

    async def main() -> None:
        async with staged(server) as (host, stack):
            assert (await stack.call("click", APP, ScriptedCaller())).code is None
            await anyio.sleep(10)
            answer = await stack.call("click", APP, ScriptedCaller())
            assert (answer.outcome, answer.code) == ("refused", "model_activity")
            assert answer.evidence["cleanupVerified"] is True
            assert (await stack.call("type_text", {**APP, "text": "x"}, ScriptedCaller())).outcome == "done"
            assert len(host.of(Program.CODEX)) == 2

    play(main)


def test_an_app_server_that_ended_between_two_calls_is_replaced() -> None:
    server = AppServer({(CALL, 1): [DONE, 5000.0, exits(0)]})

    async def main() -> None:
        async with staged(server) as (host, stack):
            await stack.call("get_app_state", APP, ScriptedCaller())
            await anyio.sleep(10)
            assert (await stack.call("click", APP, ScriptedCaller())).outcome == "done"
            assert [record["event"] for record in host.audit] == ["call", "sequence_ended", "call"]

    play(main)


@pytest.mark.claim("CUA-RUN-04")
def test_model_activity_during_the_teardown_fails_the_call() -> None:
    server = AppServer()
    server.at_end = [b"rubbish\n", notice("turn/started")]
    answer = one(server, "list_apps", {})
    assert (answer.outcome, answer.code) == ("done", "model_activity")
    assert answer.evidence["modelTurnsStarted"] == 1
    assert words(answer) == "done"


def test_rubbish_during_the_teardown_is_dropped() -> None:
    server = AppServer()
    server.at_end = [b"rubbish\n", notice("some/new/thing"), {"id": 7, "method": "x", "params": {}}]
    assert one(server, "list_apps", {}).code is None


@pytest.mark.claim("CUA-KEY-01")
def test_keys_are_dispatched_in_the_official_form() -> None:
    server = AppServer()
    one(server, "press_key", {**APP, "key": "CMD+A"}, cleanup="unknown")
    one_more = AppServer()
    one(one_more, "type_text", {**APP, "text": "CMD+A"}, cleanup="unknown")
    assert server.calls()[0]["arguments"] == {"app": "com.apple.Chess", "key": "Meta_L+a"}
    assert one_more.calls()[0]["arguments"] == {"app": "com.apple.Chess", "text": "CMD+A"}


@pytest.mark.claim("CUA-LOCK-01")
def test_the_wait_for_a_turn_and_for_the_lease_is_one_wait() -> None:
    server = AppServer({CALL: [20_000.0, refusal(-10005, "cgWindowNotFound")]})

    async def main() -> None:
        async with staged(server) as (host, stack):
            taken: list[str] = []

            async def first() -> None:
                await stack.call("click", APP, ScriptedCaller())
                host.locks.update(taken)  # another process has the application at once

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(first)
                await anyio.sleep(1)
                taken += host.locks
                began = anyio.current_time()
                answer = await stack.call("click", APP, ScriptedCaller())
                assert (answer.outcome, answer.code) == ("refused", "app_busy")
                assert anyio.current_time() - began == pytest.approx(30, abs=0.1)
                host.locks.clear()

    play(main)
