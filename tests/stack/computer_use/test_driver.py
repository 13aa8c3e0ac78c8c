"""The driver as a whole: the straight path, listing, taking back, events, status, and the end of the context."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anyio
import pytest

from stack.computer_use import open as open_stack
from stack.computer_use.pinned import PINNED
from stack.computer_use.settings import LINUX, Settings
from stack.contract import AskFailed, Program, Stack, StackEvent
from stack.errors import CleanupError, DeadlineError, SetupError, StackError
from tests.stack.scripted_host import ScriptedCaller, ScriptedHost
from tests.stack.scripted_programs import LsAppInfo, codesign
from tests.stack.scripted_server import DONE, AppServer, inventory, refusal, reply, text
from tests.stack.staging import check_clean, play, staged

CALL = "mcpServer/tool/call"
PROGRESSIVE = Settings(platform=LINUX, progressive=True)
STATE: dict[str, Any] = {"app": "Chess"}


@pytest.mark.claim("CUA-RUN-01", "CUA-RUN-02", "CUA-CLN-01", "CUA-RES-02")
def test_a_sequence_of_calls_runs_in_one_app_server_and_leaves_nothing() -> None:
    server = AppServer()

    async def main() -> None:
        async with staged(server) as (host, stack):
            caller = ScriptedCaller()
            for tool, arguments in (("get_app_state", STATE), ("type_text", {**STATE, "text": "e4"})):
                reply = await stack.call(tool, arguments, caller)
                assert (reply.outcome, reply.code, [c.text for c in reply.content]) == ("done", None, ["done"])
                assert reply.evidence["cleanupVerified"] == "unknown"
                assert reply.evidence["leaseReleased"] is False
            (codex,) = host.of(Program.CODEX)
            assert codex.env == {**codex.env, "HOME": codex.env["CODEX_HOME"], "TMPDIR": codex.env["CODEX_HOME"]}
            assert codex.env["HOME"] in host.folders
            await stack.tell("task_end", None)
            check_clean(host)
        methods = [message.get("method") for message in server.heard]
        assert methods == [
            "initialize", "initialized", "thread/start", "mcpServerStatus/list", CALL, "mcpServerStatus/list", CALL,
        ]  # fmt: skip
        assert [call["arguments"] for call in server.calls()] == [
            {"app": "com.apple.Chess"},
            {"app": "com.apple.Chess", "text": "e4"},
        ]
        assert [record["event"] for record in host.audit] == ["call", "call", "sequence_ended"]
        ended = host.audit[-1]
        assert (ended["cleanupVerified"], ended["leaseReleased"], ended["directCalls"]) == (True, True, 2)

    play(main)


@pytest.mark.claim("CUA-RUN-01")
def test_apps_share_no_app_server_and_an_untargeted_call_keeps_none() -> None:
    async def main() -> None:
        async with staged() as (host, stack):
            caller = ScriptedCaller()
            listed = await stack.call("list_apps", {}, caller)
            assert listed.evidence["cleanupVerified"] is True
            assert "codex" not in host.running()
            await stack.call("get_app_state", STATE, caller)
            await stack.call("get_app_state", {"app": "TextEdit"}, caller)
            assert host.running().count("codex") == 2
            assert len(host.locks) == 2
        check_clean(host)

    play(main)


@pytest.mark.claim("CUA-RUN-01")
def test_an_error_ends_the_sequence_and_the_next_call_begins_afresh() -> None:
    server = AppServer({(CALL, 1): [reply({"content": text("no"), "isError": True})]})

    async def main() -> None:
        async with staged(server) as (host, stack):
            failed = await stack.call("click", STATE, ScriptedCaller())
            assert failed.evidence["cleanupVerified"] is True
            assert host.locks == set()
            server.rows.clear()
            assert (await stack.call("click", STATE, ScriptedCaller())).outcome == "done"
            assert len(host.of(Program.CODEX)) == 2

    play(main)


@pytest.mark.claim("CUA-RUN-01")
def test_an_idle_sequence_is_ended() -> None:
    async def main() -> None:
        async with staged() as (host, stack):
            await stack.call("get_app_state", STATE, ScriptedCaller())
            await anyio.sleep(119)
            assert "codex" in host.running()
            await stack.call("get_app_state", STATE, ScriptedCaller())
            await anyio.sleep(119)
            assert len(host.of(Program.CODEX)) == 1
            await anyio.sleep(2)
            check_clean(host)
            assert host.audit[-1]["event"] == "sequence_ended"

    play(main)


@pytest.mark.claim("CUA-TOOL-01")
def test_the_ten_tools_are_listed_with_the_helpers_descriptions_and_the_pinned_schemas() -> None:
    async def main() -> None:
        async with staged() as (host, stack):
            tools = await stack.tools()
            assert [tool.name for tool in tools] == list(PINNED)
            for tool in tools:
                assert tool.description == f"official {tool.name}"
                assert tool.input_schema == PINNED[tool.name].input_schema
                assert tool.annotations == PINNED[tool.name].annotations
            await stack.tools()
            assert len(host.of(Program.CODEX)) == 1
        check_clean(host)

    play(main)


def names(tools: Sequence[Any]) -> list[str]:
    return [tool.name for tool in tools]


@pytest.mark.claim("CUA-TOOL-03", "CUA-TOOL-04")
def test_the_progressive_listing_grows_once_after_a_state_was_read() -> None:
    server = AppServer({(CALL, 2): [reply({"content": text("no"), "isError": True})]})

    async def main() -> None:
        async with staged(server, settings=PROGRESSIVE) as (_, stack):
            caller = ScriptedCaller()
            assert names(await stack.tools()) == ["list_apps", "get_app_state"]
            assert (await stack.call("click", STATE, caller)).outcome == "done"  # not listed, and no gate
            assert (await stack.call("get_app_state", STATE, caller)).outcome == "refused"
            assert names(await stack.tools()) == ["list_apps", "get_app_state"]
            server.rows.clear()
            assert (await stack.call("get_app_state", STATE, caller)).outcome == "done"
            assert names(await stack.tools()) == list(PINNED)
            await stack.call("get_app_state", STATE, caller)
            assert caller.changed == 1

    play(main)


@pytest.mark.parametrize("tells", [AskFailed("gone"), None])
def test_a_client_that_can_not_be_told_of_the_longer_list_keeps_its_reply(tells: BaseException | None) -> None:
    class Slow(ScriptedCaller):
        async def tools_changed(self) -> None:
            await super().tools_changed()
            await anyio.sleep_forever()

    async def main() -> None:
        async with staged(settings=PROGRESSIVE) as (_, stack):
            caller = ScriptedCaller(tells=tells) if tells else Slow()
            assert (await stack.call("get_app_state", STATE, caller)).outcome == "done"
            assert caller.changed == 1

    play(main)


LISTING = [
    (AppServer({"mcpServerStatus/list": [reply(inventory(tools={}))]}), None, SetupError, "helper_failed"),
    (AppServer({"mcpServerStatus/list": []}), None, DeadlineError, "call_timeout"),
    (AppServer({"mcpServerStatus/list": [refusal(-32603, "no")]}), None, StackError, "request_refused"),
    (AppServer(), "remove_folder", CleanupError, "cleanup_unverified"),
]


@pytest.mark.parametrize(("server", "fails", "kind", "code"), LISTING)
def test_tools_that_can_not_be_found_out_are_an_error(
    server: AppServer, fails: str | None, kind: type[StackError], code: str
) -> None:
    async def main() -> None:
        async with staged(server) as (host, stack):
            host.fails = {fails} if fails else set()
            with pytest.raises(kind) as caught:
                await stack.tools()
            assert caught.value.code == code
            assert host.running() == []

    play(main)


@pytest.mark.claim("CUA-RUN-09")
@pytest.mark.parametrize("how", ["scope", "tell"])
@pytest.mark.parametrize(
    ("rows", "outcome", "dispatched"),
    [({"initialize": []}, "refused", 0), ({CALL: []}, "unknown", 1), ({CALL: [DONE]}, "done", 1)],
)
def test_a_call_taken_back_says_what_happened_and_cleans_up(
    how: str, rows: dict[str, Any], outcome: str, dispatched: int
) -> None:
    server = AppServer(rows)

    async def main() -> None:
        async with staged(server, fronts=LsAppInfo(events=[(500, b"x\n")])) as (host, stack):
            replies = []
            scope = anyio.CancelScope()

            async def calling() -> None:
                with scope:
                    replies.append(await stack.call("click", STATE, ScriptedCaller()))

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(calling)
                await anyio.sleep(
                    2 if outcome != "done" else 0.15
                )  # the last one is caught while it looks at the focus
                if how == "scope":
                    scope.cancel()
                else:
                    await stack.tell("cancel", None)
            (answer,) = replies
            assert (answer.outcome, answer.code) == (outcome, None if outcome == "done" else "cancelled")
            assert answer.evidence["directCalls"] == dispatched
            assert len(server.calls()) == dispatched
            if outcome != "done":
                assert answer.evidence["cleanupVerified"] is True
                check_clean(host)

    play(main)


@pytest.mark.claim("CUA-RUN-09")
def test_a_call_taken_back_after_its_reply_keeps_the_reply() -> None:
    class Slow(ScriptedCaller):
        async def tools_changed(self) -> None:
            await anyio.sleep_forever()

    async def main() -> None:
        async with staged(settings=PROGRESSIVE) as (_, stack):
            replies = []
            with anyio.move_on_after(1.5):
                replies.append(await stack.call("get_app_state", STATE, Slow()))
            assert [(answer.outcome, answer.code) for answer in replies] == [("done", None)]

    play(main)


def test_a_defect_of_the_host_does_not_hide_the_bodys_own() -> None:
    async def body(host: ScriptedHost) -> None:
        async with open_stack(host, Settings(platform=LINUX)) as stack:
            await stack.call("get_app_state", STATE, ScriptedCaller())
            host.folders.clear()  # removing them is a KeyError now, which no host may raise
            raise ZeroDivisionError

    async def main() -> None:
        async with staged() as (host, _):
            with pytest.RaisesGroup(ZeroDivisionError, KeyError):
                await body(host)

    play(main)


def test_events_that_change_nothing_change_nothing() -> None:
    async def main() -> None:
        async with staged() as (host, stack):
            await stack.call("get_app_state", STATE, ScriptedCaller())
            events: tuple[StackEvent, ...] = ("user_input", "grant", "revoke")
            for event in events:
                await stack.tell(event, {"x": 1})
            assert "codex" in host.running()
            await stack.tell("session_switch", None)
            check_clean(host)

    play(main)


def test_a_closed_stack_refuses() -> None:
    async def main() -> None:
        async with staged() as (host, stack):
            pass
        answer = await stack.call("list_apps", {}, ScriptedCaller())
        assert (answer.outcome, answer.code) == ("refused", "stack_closed")
        assert (answer.evidence["directCalls"], answer.evidence["cleanupVerified"]) == (0, "unknown")
        with pytest.raises(StackError, match="stack_closed"):
            await stack.tools()
        assert host.of(Program.CODEX) == []

    play(main)


def test_an_exception_of_the_body_comes_out_as_it_is_after_the_cleanup() -> None:
    async def body(host: ScriptedHost) -> None:
        async with open_stack(host, Settings(platform=LINUX)) as stack:
            await stack.call("get_app_state", STATE, ScriptedCaller())
            assert "codex" in host.running()
            raise ZeroDivisionError

    async def main() -> None:
        async with staged() as (host, _):
            with pytest.raises(ZeroDivisionError):
                await body(host)
            check_clean(host)

    play(main)


@pytest.mark.claim("CUA-STA-01", "CUA-POL-01")
@pytest.mark.parametrize(
    ("signs", "verdict"), [(codesign(), "verified"), (codesign(verify=1), "signature_invalid")], ids=["good", "bad"]
)
def test_status_dispatches_nothing_and_tells_the_one_policy(signs: Any, verdict: str) -> None:
    async def main() -> None:
        async with staged(signs=signs) as (host, stack):
            status = await stack.status()
            assert status["permissionMode"] == "no-permissions"
            assert status["wrapperPermissionPrompts"] is False
            assert status["officialApprovalPolicy"] == "full-access"
            assert status["officialElicitationHandling"] == "forwarded-if-emitted"
            assert status["nestedModel"] is False
            assert status["methods"] == list(PINNED)
            assert status["binaries"] == {"codex": verdict, "helper": verdict}
            assert status["binariesVerified"] is (verdict == "verified")
            assert status["cleanup"] == {"verified": 0, "problems": []}
            assert host.of(Program.CODEX) == []
            as_port: Stack = stack
            assert as_port is stack

    play(main)
