"""What one call answers: outcome, code, content and evidence, for every way in which it can end."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import anyio
import pytest

from stack.computer_use.pinned import PINNED
from stack.computer_use.settings import LINUX, Bounds, Deadlines, Settings
from stack.contract import Answer, Application, AskFailed, Program, Reply
from tests.stack.scripted_host import (
    CHESS,
    DONE,
    IDLE,
    THREAD,
    WAITING,
    AppServer,
    LsAppInfo,
    ScriptedCaller,
    ScriptedHost,
    asks,
    check_clean,
    codesign,
    event_line,
    exits,
    hear,
    inventory,
    listed_tools,
    notice,
    play,
    refusal,
    reply,
    resolved,
    staged,
    status,
    text,
    thread_result,
)

CALL, LIST, START = "mcpServer/tool/call", "mcpServerStatus/list", "thread/start"
APP: dict[str, Any] = {"app": "Chess"}
FORMS = frozenset({"form", "url", "openai/form"})
WORK = "/scripted/work-0000000000000001"


def one(
    server: AppServer,
    tool: str = "click",
    arguments: Mapping[str, Any] = APP,
    *,
    caller: ScriptedCaller | None = None,
    set_up: Callable[[ScriptedHost], None] = lambda host: None,
    cleanup: bool | str = True,
    **staging: Any,
) -> Reply:
    """One call on a fresh stack. cleanup: what its evidence says; where it is verified nothing may be left."""
    replies: list[Reply] = []

    async def main() -> None:
        async with staged(server, **staging) as (host, stack):
            set_up(host)
            replies.append(await stack.call(tool, arguments, caller or ScriptedCaller()))
            assert host.audit[-1]["outcome"] == replies[0].outcome
            assert host.audit[-1]["code"] == replies[0].code
            assert host.audit[-1]["directCalls"] == len(server.calls())
            if cleanup is True:
                check_clean(host)

    play(main)
    (answer,) = replies
    assert answer.evidence["cleanupVerified"] == cleanup
    assert answer.evidence["directCalls"] == len(server.calls())
    return answer


def words(answer: Reply) -> str:
    return "\n".join(content.text or "" for content in answer.content)


# Before anything is started

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


# What the machine has

SETUPS: list[tuple[set[str], dict[str, Any], str]] = [
    ({"missing codex"}, {}, "program_missing"),
    ({"start codex"}, {}, "start_failed"),
    ({"start codesign"}, {}, "signature_unreadable"),
    ({"make_folder"}, {}, "state_unwritable"),
    ({"try_lock"}, {}, "state_unwritable"),
    ({"tree"}, {}, "start_failed"),
    (set(), {"signs": codesign(verify=1)}, "signature_invalid"),
    (set(), {"signs": codesign(show=1)}, "signature_unreadable"),
    (set(), {"signs": codesign(wait_s=11)}, "signature_unreadable"),
    (set(), {"signs": codesign(b"x" * 70_000)}, "signature_unreadable"),
    (set(), {"signs": codesign(b"")}, "signature_invalid"),
]


@pytest.mark.claim("CUA-SIG-01", "CUA-AUD-02")
@pytest.mark.parametrize(("fails", "staging", "code"), SETUPS)
def test_a_machine_that_is_not_as_it_should_be_is_refused(fails: set[str], staging: dict[str, Any], code: str) -> None:
    server = AppServer()
    answer = one(server, set_up=lambda host: host.fails.update(fails), cleanup="tree" not in fails, **staging)
    assert (answer.outcome, answer.code) == ("refused", code)
    assert server.calls() == []
    if code.startswith("signature"):
        assert server.heard == []


def test_applications_that_can_not_be_listed_refuse() -> None:
    answer = one(AppServer(), set_up=lambda host: host.fails.add("applications"), cleanup="unknown")
    assert (answer.outcome, answer.code) == ("refused", "applications_unreadable")


@pytest.mark.parametrize("program", [Program.CODEX, Program.HELPER, Program.CODESIGN])
def test_a_program_that_the_host_has_not_refuses(program: Program) -> None:
    answer = one(AppServer(), set_up=lambda host: host.scripts.__delitem__(program))
    assert answer.outcome == "refused"
    assert answer.code == ("signature_unreadable" if program is Program.CODESIGN else "program_missing")


@pytest.mark.claim("CUA-AUD-02")
def test_an_audit_that_can_not_be_written_fails_the_call_and_hides_nothing() -> None:
    replies: list[Reply] = []

    async def main() -> None:
        async with staged() as (host, stack):
            host.fails.add("append_private")
            replies.append(await stack.call("list_apps", {}, ScriptedCaller()))
            replies.append(await stack.call("paint", {}, ScriptedCaller()))
            await stack.call("get_app_state", APP, ScriptedCaller())
            await stack.tell("task_end", None)
            assert "the audit can't be written" in str((await stack.status())["cleanup"])

    play(main)
    assert [(answer.outcome, answer.code) for answer in replies] == [
        ("done", "state_unwritable"),
        ("refused", "unknown_tool"),
    ]
    assert words(replies[0]) == "done"


# The start

MISTAKES: list[tuple[dict[Any, Sequence[Any]], str]] = [
    ({"initialize": [b"WARNING: x\n"]}, "not_json"),
    ({"initialize": [b"[]\n"]}, "not_a_frame"),
    ({"initialize": [b'{"id":"9","result":{}}\n']}, "unexpected_response"),
    ({"initialize": [b'{"id":1,"result":{}}\n']}, "unexpected_response"),
    ({"initialize": [notice("skills/changed"), reply({})]}, "unexpected_frame"),
    ({"initialize": [refusal(-32600, "Already initialized")]}, "request_refused"),
    ({"initialize": [exits(1)]}, "start_failed"),
    ({START: [refusal(-32603, "failed to load configuration: x")]}, "request_refused"),
    ({START: [exits(1)]}, "connection_closed"),
    ({START: [b'{"id":"2","res']}, "thread_start_timeout"),
    ({START: [notice("turn/started", turn={})]}, "model_activity"),
    ({START: [notice("warning", message="x is disallowed by requirements")]}, "policy_downgraded"),
    ({START: [reply({}), notice("thread/started", thread={"id": "x"})]}, "policy_downgraded"),
    ({LIST: [reply({"data": [], "nextCursor": None})]}, "inventory_drift"),
    ({LIST: [reply(inventory(runtimeStatus="failed"))]}, "helper_dead"),
    ({LIST: [reply(inventory(tools={}))]}, "helper_failed"),
    ({LIST: [status("failed")]}, "helper_failed"),
    ({LIST: [asks(0)]}, "unexpected_frame"),
    ({LIST: [exits(3)]}, "connection_closed"),
]


@pytest.mark.claim("CUA-RUN-02", "CUA-RUN-04", "CUA-TOOL-02", "CUA-TOOL-05", "CUA-CLN-01")
@pytest.mark.parametrize(("rows", "code"), MISTAKES)
def test_a_start_that_goes_wrong_dispatches_nothing(rows: dict[Any, Sequence[Any]], code: str) -> None:
    server = AppServer(rows)
    answer = one(server)
    assert (answer.outcome, answer.code) == ("refused", code)
    assert server.calls() == []


def test_an_app_server_that_ends_at_its_start_is_quoted_by_its_last_words() -> None:
    async def complain(process: Any) -> None:
        await process.complain(b"\nError: unknown configuration field `x`\n\n")

    answer = one(AppServer({"initialize": [complain, 10.0, exits(1)]}))
    assert answer.code == "start_failed"
    assert "Error: unknown configuration field `x`" in words(answer)


ECHOES: list[tuple[dict[str, Any], str]] = [
    ({"thread_ephemeral": False}, "thread_not_attested"),
    ({"thread_path": "/x"}, "thread_not_attested"),
    ({"thread_turns": [{}]}, "thread_not_attested"),
    ({"approvalPolicy": "on-request"}, "policy_downgraded"),
    ({"sandbox": {"type": "readOnly"}}, "policy_downgraded"),
    ({"modelProvider": "openai"}, "thread_not_attested"),
    ({"cwd": "/"}, "thread_not_attested"),
    ({"instructionSources": ["/AGENTS.md"]}, "thread_not_attested"),
]


@pytest.mark.claim("CUA-RUN-03", "CUA-RUN-07")
@pytest.mark.parametrize(("changes", "code"), ECHOES)
def test_a_thread_that_is_not_as_asked_dispatches_nothing(changes: dict[str, Any], code: str) -> None:
    server = AppServer({START: [reply(thread_result(WORK, **changes))]})
    answer = one(server)
    assert (answer.outcome, answer.code) == ("refused", code)
    assert server.calls() == []


@pytest.mark.claim("CUA-RUN-10")
@pytest.mark.parametrize(
    ("method", "seconds", "code"),
    [("initialize", 15, "initialize_timeout"), (START, 30, "thread_start_timeout"), (LIST, 150, "call_timeout")],
)
def test_a_start_that_takes_too_long_is_an_error_that_says_so(method: str, seconds: int, code: str) -> None:
    late = one(AppServer({method: [math.inf]}))
    assert (late.outcome, late.code) == ("refused", code)
    took = late.evidence["durationMs"]
    assert isinstance(took, float)
    assert 0 <= took - seconds * 1000 <= 6000
    assert "othing was dispatched" in words(late) or late.evidence["directCalls"] == 0
    server = AppServer()
    server.rows = {method: [(seconds - 2) * 1000.0, *server.usual(method, WORK)]}
    assert one(server, cleanup="unknown").outcome == "done"


@pytest.mark.claim("CUA-RUN-05")
@pytest.mark.parametrize(("more", "code"), [(0, None), (1, "line_too_long")])
def test_a_line_is_bounded_before_it_is_held(more: int, code: str | None) -> None:
    limit = 4096
    frame = b'{"method":"skills/changed","params":{"x":"%s"}}'
    filled = frame % (b"y" * (limit - len(frame) + 2 + more))
    server = AppServer({CALL: [filled + b"\n", DONE]})
    settings = Settings(platform=LINUX, bounds=Bounds(line_bytes=limit), inventory={"click": PINNED["click"]})
    server.rows[LIST] = [reply(inventory(tools={"click": listed_tools()["click"]}))]
    answer = one(server, settings=settings, cleanup=True if code else "unknown")
    assert answer.code == code
    assert answer.outcome == ("unknown" if code else "done")


# The call

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
    ([notice("some/new/thing")], "click", "unknown", "unexpected_frame"),
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
    assert 150_000 <= took <= Deadlines().answer


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


# Elicitations

ANSWERS: list[tuple[str, frozenset[str], list[Any], dict[str, Any]]] = [
    ("form", FORMS, [Answer("accept", {"a": 1}, {"persist": "always"})],
     {"action": "accept", "content": {"a": 1}, "_meta": {"persist": "always"}}),
    ("url", FORMS, [Answer("decline")], {"action": "decline"}),
    ("openai/form", FORMS, [Answer("cancel")], {"action": "cancel"}),
    ("form", frozenset(), [], {"action": "cancel"}),
    ("form", FORMS, [AskFailed("no")], {"action": "cancel"}),
    ("form", FORMS, ["accept"], {"action": "cancel"}),
    ("form", FORMS, [Answer("allow")], {"action": "cancel"}),  # type: ignore[arg-type]
    ("form", FORMS, [Answer("accept", {"a": math.nan})], {"action": "cancel"}),
    ("openaiForm", FORMS, [], {"action": "cancel"}),
]  # fmt: skip


@pytest.mark.claim("CUA-ELI-01", "CUA-ELI-02")
@pytest.mark.parametrize(("mode", "modes", "answers", "sent"), ANSWERS)
def test_answers_go_back_unchanged_and_none_is_made_up(
    mode: str, modes: frozenset[str], answers: list[Any], sent: dict[str, Any]
) -> None:
    caller = ScriptedCaller(modes, answers)
    server = AppServer({CALL: [WAITING, asks(0, mode, _meta={"x": [1]}), hear, resolved(0), IDLE, DONE]})
    asked = bool(answers)
    answer = one(server, caller=caller, cleanup="unknown")
    assert (answer.outcome, answer.code, answer.evidence["elicitationRequests"]) == ("done", None, 1)
    assert server.answers() == [{"id": 0, "result": sent}]
    assert [question.params for question in caller.asked] == (
        [asks(0, mode, _meta={"x": [1]})["params"]] if asked else []
    )


@pytest.mark.claim("CUA-RUN-05")
def test_the_deadline_stops_while_a_user_is_asked() -> None:
    caller = ScriptedCaller(FORMS, [Answer("accept")], thinks_s=3600)
    server = AppServer({CALL: [140_000.0, asks(0), hear, resolved(0), 5_000.0, DONE]})
    assert one(server, caller=caller, cleanup="unknown").outcome == "done"
    caller = ScriptedCaller(FORMS, [Answer("accept")], thinks_s=3600)
    server = AppServer({CALL: [140_000.0, asks(0), hear, resolved(0), 15_000.0, DONE]})
    answer = one(server, caller=caller)
    assert (answer.outcome, answer.code) == ("unknown", "call_timeout")


@pytest.mark.claim("CUA-ELI-03")
def test_a_call_taken_back_while_a_user_is_asked_answers_nothing() -> None:
    server = AppServer({CALL: [asks(0), hear, resolved(0), DONE]})

    async def main() -> None:
        async with staged(server) as (host, stack):
            caller = ScriptedCaller(FORMS, [Answer("accept")], thinks_s=60)
            replies: list[Reply] = []
            with anyio.move_on_after(30):
                replies.append(await stack.call("click", APP, caller))
            assert [(answer.outcome, answer.code) for answer in replies] == [("unknown", "cancelled")]
            check_clean(host)
            await anyio.sleep(60)
            assert server.answers() == []

    play(main)


@pytest.mark.claim("CUA-ELI-03")
@pytest.mark.parametrize(
    ("steps", "outcome", "code"),
    [([DONE], "done", None), ([exits(1)], "unknown", "connection_closed"), ([b"x\n"], "unknown", "not_json")],
)
def test_a_question_that_the_call_outlives_is_dropped_unanswered(
    steps: list[Any], outcome: str, code: str | None
) -> None:
    caller = ScriptedCaller(FORMS, [Answer("accept")], thinks_s=60)
    server = AppServer({CALL: [asks(0), 1000.0, *steps]})
    answer = one(server, caller=caller)
    assert (answer.outcome, answer.code) == (outcome, code)
    assert server.answers() == []
    assert len(caller.asked) == 1


def test_a_defect_of_the_caller_comes_out_after_the_cleanup() -> None:
    server = AppServer({CALL: [asks(0), hear, DONE]})

    async def main() -> None:
        async with staged(server) as (host, stack):
            caller = ScriptedCaller(FORMS, [ZeroDivisionError()])
            with pytest.raises(ZeroDivisionError):
                await stack.call("click", APP, caller)
            check_clean(host)
            assert server.answers() == []

    play(main)


BAD_QUESTIONS: list[tuple[list[Any], str]] = [
    ([asks(0, threadId="other")], "unexpected_frame"),
    ([asks(0, serverName="other")], "unexpected_frame"),
    ([asks(0), hear, resolved(0), asks(0)], "unexpected_frame"),
    ([asks(0), hear, resolved("0")], "unexpected_frame"),
    ([asks(0), hear, resolved(0), resolved(0)], "unexpected_frame"),
    ([resolved(0)], "unexpected_frame"),
    ([step for n in range(9) for step in (asks(n), hear)], "too_many_elicitations"),
]


@pytest.mark.claim("CUA-ELI-01")
@pytest.mark.parametrize(("steps", "code"), BAD_QUESTIONS)
def test_questions_that_break_the_protocol_end_the_sequence(steps: list[Any], code: str) -> None:
    caller = ScriptedCaller(FORMS, [Answer("accept") for _ in range(9)])
    answer = one(AppServer({CALL: [*steps, DONE]}), caller=caller)
    assert (answer.outcome, answer.code) == ("unknown", code)
    assert len(caller.asked) <= 8


@pytest.mark.claim("CUA-ELI-04")
@pytest.mark.parametrize(
    ("modes", "announced"), [(FORMS, True), (frozenset({"form", "url"}), False), (frozenset(), False)]
)
def test_openai_forms_are_announced_exactly_where_the_client_has_them(modes: frozenset[str], announced: bool) -> None:
    server = AppServer()
    one(server, caller=ScriptedCaller(modes), cleanup="unknown")
    assert server.heard[0]["params"]["capabilities"] == {"mcpServerOpenaiFormElicitation": announced}


@pytest.mark.claim("CUA-ELI-04")
def test_a_client_with_other_forms_gets_an_app_server_of_its_own() -> None:
    server = AppServer()

    async def main() -> None:
        async with staged(server) as (host, stack):
            await stack.call("click", APP, ScriptedCaller(FORMS))
            await stack.call("click", APP, ScriptedCaller())
            first = [m["params"]["capabilities"] for m in server.heard if m.get("method") == "initialize"]
            assert [list(capabilities.values()) for capabilities in first] == [[True], [False]]
            assert len([name for name in host.running() if name == "codex"]) == 1

    play(main)


# Focus

OTHER, FINDER = "ASN:0x0-0xa40a4:", "ASN:0x0-0x39039:"
FOCUS: list[tuple[LsAppInfo, bool | None]] = [
    (LsAppInfo(), True),
    (LsAppInfo(events=[(500, event_line(FINDER, "com.apple.finder", OTHER))]), True),
    (LsAppInfo(events=[(500, event_line(OTHER, "com.apple.TextEdit"))]), False),
    (LsAppInfo(events=[(500, event_line(OTHER, None))]), False),
    (LsAppInfo(events=[(0, event_line(OTHER, "com.apple.TextEdit"))]), True),
    (LsAppInfo(events=[(500, event_line("ASN:0x0-0x1:", None))]), None),
    (LsAppInfo(events=[(500, b"rubbish\n")]), None),
    (LsAppInfo(events=[(500, event_line(OTHER, "com.apple.TextEdit")[:50])]), None),
    (LsAppInfo(events=[(500, b"x" * 70_000)]), None),
    (LsAppInfo(fronts=[FINDER, OTHER]), False),
    (LsAppInfo(fronts=[""]), None),
    (LsAppInfo(fronts=[FINDER, ""]), None),
    (LsAppInfo(fronts=[FINDER, "hang"]), None),
]


@pytest.mark.claim("CUA-FOC-01", "CUA-FOC-02")
@pytest.mark.parametrize("macos", [26, 27])
@pytest.mark.parametrize(("fronts", "finding"), FOCUS)
def test_whether_the_front_application_stayed_in_front(fronts: LsAppInfo, finding: bool | None, macos: int) -> None:
    fresh = LsAppInfo(fronts.fronts, fronts.events)
    fresh.macos = macos
    answer = one(AppServer({CALL: [1000.0, DONE]}), fronts=fresh, cleanup="unknown")
    assert answer.evidence["backgroundPreserved"] is finding
    assert answer.outcome == "done"


@pytest.mark.claim("CUA-FOC-01")
def test_events_in_one_large_chunk_and_late_ones_count() -> None:
    chunk = event_line(OTHER, "com.apple.TextEdit") + event_line(FINDER, "com.apple.finder") * 400
    large = one(AppServer({CALL: [1000.0, DONE]}), fronts=LsAppInfo(events=[(500, chunk)]), cleanup="unknown")
    assert large.evidence["backgroundPreserved"] is False
    late = [(1050.0 + 100, event_line(OTHER, "com.apple.TextEdit"))]
    answer = one(AppServer({CALL: [1000.0, DONE]}), fronts=LsAppInfo(events=late), cleanup="unknown")
    assert answer.evidence["backgroundPreserved"] is False


@pytest.mark.claim("CUA-FOC-02")
def test_a_listener_that_died_or_never_started_finds_nothing() -> None:
    dead = LsAppInfo(events=[(500, b"")])
    dead.dies = True
    answer = one(AppServer({CALL: [1000.0, DONE]}), fronts=dead, cleanup="unknown")
    assert answer.evidence["backgroundPreserved"] is None
    missing = one(AppServer(), set_up=lambda host: host.fails.add("start lsappinfo"), cleanup="unknown")
    assert (missing.outcome, missing.evidence["backgroundPreserved"]) == ("done", None)


@pytest.mark.claim("CUA-FOC-01")
def test_a_failed_call_has_its_finding_too() -> None:
    seen = LsAppInfo(events=[(500, event_line(OTHER, "com.apple.TextEdit"))])
    answer = one(AppServer({CALL: [1000.0, refusal(-10005, "cgWindowNotFound")]}), fronts=seen)
    assert answer.evidence["backgroundPreserved"] is False


# Cleanup


def _orphan(server: AppServer) -> None:
    server.orphans = True
    server.rows[CALL] = [exits(1)]


def _stubborn(server: AppServer) -> None:
    server.at_end = [math.inf]


CLEANUPS: list[tuple[str, Callable[[AppServer], None], set[str], str]] = [
    ("processes can't be listed", lambda server: None, {"tree"}, "start_failed"),
    ("a private folder could not be removed", lambda server: None, {"remove_folder"}, "cleanup_unverified"),
    ("the lease was not seen to be released", lambda server: None, {"release"}, "cleanup_unverified"),
    ("a child was orphaned by an early exit", _orphan, set(), "connection_closed"),
]


@pytest.mark.claim("CUA-CLN-02", "CUA-AUD-02")
@pytest.mark.parametrize(("problem", "change", "fails", "code"), CLEANUPS)
def test_a_cleanup_that_can_not_be_verified_fails_the_call(
    problem: str, change: Callable[[AppServer], None], fails: set[str], code: str
) -> None:
    server = AppServer({CALL: [reply({"content": text("no"), "isError": True})]})
    change(server)
    if code == "cleanup_unverified":
        server.rows[CALL] = [asks(0), DONE]  # done, with a question left open: the sequence ends
    answer = one(server, set_up=lambda host: host.fails.update(fails), cleanup=False)
    assert answer.code == code
    problems = answer.evidence["cleanupProblems"]
    assert isinstance(problems, list)
    assert problem in problems


@pytest.mark.claim("CUA-CLN-01")
def test_an_app_server_that_does_not_end_by_itself_is_ended_by_number() -> None:
    server = AppServer()
    _stubborn(server)
    assert one(server, "list_apps", {}).code is None


@pytest.mark.claim("CUA-CLN-02")
def test_a_process_that_can_not_be_killed_is_not_waited_for() -> None:
    server = AppServer()
    server.orphans = True
    answer = one(server, "list_apps", {}, cleanup=False)
    assert (answer.outcome, answer.code) == ("done", "cleanup_unverified")
    assert answer.evidence["cleanupProblems"] == ["a process still runs after it was killed"]


@pytest.mark.claim("CUA-FOC-02", "CUA-CLN-02")
def test_a_listener_that_can_not_be_ended_is_a_problem() -> None:
    fronts = LsAppInfo()
    fronts.stubborn = {9, 15}
    answer = one(AppServer({CALL: [refusal(-10005, "cgWindowNotFound")]}), fronts=fronts, cleanup=False)
    assert answer.code == "window_not_found"
    assert answer.evidence["cleanupProblems"] == ["focus listener: a process still runs after it was killed"]
