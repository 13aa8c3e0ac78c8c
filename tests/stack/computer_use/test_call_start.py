"""A call whose start goes wrong: refused, with nothing dispatched."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

from stack.computer_use.pinned import PINNED
from stack.computer_use.settings import LINUX, Bounds, Deadlines, Settings
from stack.contract import Program, Reply
from tests.stack.one_call import APP, CALL, LIST, START, WORK, one, words
from tests.stack.scripted_host import ScriptedCaller
from tests.stack.scripted_programs import codesign
from tests.stack.scripted_server import (
    DONE,
    AppServer,
    asks,
    exits,
    inventory,
    listed_tools,
    notice,
    refusal,
    reply,
    status,
    thread_result,
)
from tests.stack.staging import play, staged

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
    ({LIST: [notice("some/new/thing"), reply(inventory())]}, "unexpected_frame"),
    ({"initialized": [notice("some/new/thing")]}, "unexpected_frame"),
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


REPLY_S = Deadlines().reply / 1000


@pytest.mark.claim("CUA-RUN-10")
@pytest.mark.parametrize(
    ("method", "seconds", "code"),
    [("initialize", 15, "initialize_timeout"), (START, 30, "thread_start_timeout"), (LIST, REPLY_S, "call_timeout")],
)
def test_a_start_that_takes_too_long_is_an_error_that_says_so(method: str, seconds: float, code: str) -> None:
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
