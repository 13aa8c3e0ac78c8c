"""The stack's port: every call a Reply, every failure a code with an outcome."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from stack.contract import Reply
from stack.safari_jxa.bridge import Bridge
from stack.safari_jxa.catalogue import TOOLS
from stack.safari_jxa.driver import CALLS, SafariJxa, open
from stack.safari_jxa.settings import Settings
from tests.stack.scripted_host import ScriptedHost
from tests.stack.scripted_safari import ACTIONS, SILENT, Safari, driving, failing, play


class NoCaller:
    """Nobody is asked anything here."""

    modes: frozenset[str] = frozenset()

    async def ask(self, question: Any) -> Any:
        raise AssertionError(question)

    async def tools_changed(self) -> None:
        raise AssertionError


async def call(stack: SafariJxa, tool: str, **arguments: Any) -> Reply:
    return await stack.call(tool, arguments, NoCaller())


def driven(safari: Safari, check: Any) -> float:
    async def main() -> None:
        async with driving(safari) as (_, stack):
            await check(stack)

    return play(main)


def test_each_tool_answers() -> None:
    safari = Safari()

    async def check(stack: SafariJxa) -> None:
        assert await stack.tools() == TOOLS
        said: dict[str, Any] = {}
        order: list[tuple[str, dict[str, Any]]] = [
            ("windows", {}),
            ("displays", {}),
            ("open", {"url": "http://shop.test/", "display": 1, "side": "top"}),
            ("observe", {}),
            ("fresh", {"observation": 1, "action": "e1"}),
            ("act", {"observation": 1, "action": ACTIONS[1], "text": "Lisbon"}),
            ("text", {}),
            ("status", {}),
            ("close", {}),
            ("attach", {"window": 7}),
        ]
        for tool, arguments in order:
            reply = await call(stack, tool, **arguments)
            assert (reply.outcome, reply.code, reply.is_error) == ("done", None, False), tool
            assert reply.content[0].text
            assert reply.evidence["durationMs"] == 0
            said[tool] = reply.structured
        assert set(said) == set(CALLS)
        assert said["fresh"] == {"fresh": True, "part": None, "reason": None}
        assert said["act"] == {"changed": True, "moved": "the page has changed", "landed": False}
        assert said["text"] == {"text": "Shop"}
        assert (said["observe"]["observation"], said["observe"]["actions"]) == (1, ACTIONS)
        assert said["status"]["state"] == "live"
        assert said["close"] == {"closed": "closed", "why": "the session had opened it"}

    driven(safari, check)


@pytest.mark.claim("JXA-ACT-08", tooth="a page that ignores what is done to it")
def test_a_page_that_ignores_an_action_has_changed_nothing_and_nothing_else_is_tried() -> None:
    safari = Safari(pages={"act": {"status": "finished", "changed": False}})

    async def check(stack: SafariJxa) -> None:
        await call(stack, "attach", window=7)
        await call(stack, "observe")
        reply = await call(stack, "act", observation=1, action="e1")
        assert reply.structured == {"changed": False, "moved": "nothing changed", "landed": False}
        assert len(safari.asked("act")) == 1

    driven(safari, check)


@pytest.mark.parametrize("tool", sorted(set(CALLS) - {"windows", "displays", "open", "attach"}))
def test_without_a_session_there_is_nothing_to_ask(tool: str) -> None:
    safari = Safari()

    async def check(stack: SafariJxa) -> None:
        arguments = {"observation": 1, "action": "e1"} if tool in ("act", "fresh") else {}
        reply = await call(stack, tool, **arguments)
        assert (reply.outcome, reply.code) == ("refused", "no_session")
        assert safari.heard == []

    driven(safari, check)


def test_one_session_at_a_time() -> None:
    safari = Safari()

    async def check(stack: SafariJxa) -> None:
        await call(stack, "attach", window=7)
        for tool, arguments in (("attach", {"window": 7}), ("open", {"url": "http://shop.test/"})):
            assert (await call(stack, tool, **arguments)).code == "session_open"
        assert (await call(stack, "windows")).outcome == "done"
        await call(stack, "close")
        assert (await call(stack, "attach", window=7)).outcome == "done"
        assert len(safari.asked("start")) == 2

    driven(safari, check)


FAILURES: list[tuple[dict[str, Any], dict[str, Any], str, str, dict[str, Any]]] = [
    ({"act": {"status": "refused", "part": "route"}}, {}, "refused", "stale_page", {"part": "route"}),
    ({"act": {"status": "refused", "reason": "covered"}}, {}, "refused", "action_blocked", {"reason": "covered"}),
    ({"act": {"status": "document"}}, {}, "refused", "scope_lost", {"cause": "new_document"}),
    (
        {},
        {"act": failing(-1743)},
        "refused",
        "automation_denied",
        {"number": -1743, "scope": False, "official": "Fehler"},
    ),
    ({}, {"act": SILENT}, "refused", "never_ran", {}),
    ({}, {"act": SILENT, "resolve": SILENT}, "unknown", "delivery_unknown", {}),
]


@pytest.mark.parametrize(("pages", "answers", "outcome", "code", "details"), FAILURES)
def test_a_failure_is_a_reply_that_a_program_can_read(
    pages: dict[str, Any], answers: dict[str, Any], outcome: str, code: str, details: dict[str, Any]
) -> None:
    safari = Safari()

    async def check(stack: SafariJxa) -> None:
        await call(stack, "attach", window=7)
        await call(stack, "observe")
        safari.pages, safari.answers = pages, answers
        reply = await call(stack, "act", observation=1, action="e1")
        assert (reply.outcome, reply.code, reply.is_error) == (outcome, code, True)
        assert isinstance(reply.structured, dict)
        assert {"error": code, **details}.items() <= reply.structured.items()
        assert reply.content[0].text is not None and reply.content[0].text.startswith(code)
        again = await call(stack, "observe")
        if code in ("scope_lost", "delivery_unknown"):
            assert (again.outcome, again.code) == ("refused", code)

    driven(safari, check)


def test_a_window_that_may_not_have_been_closed_is_unknown() -> None:
    safari = Safari()

    async def check(stack: SafariJxa) -> None:
        await call(stack, "open", url="http://shop.test/")
        safari.answers["close"] = SILENT
        reply = await call(stack, "close")
        assert (reply.outcome, reply.code, reply.is_error) == ("unknown", "delivery_unknown", True)

    driven(safari, check)


def test_wrong_arguments_and_unknown_tools_are_refused() -> None:
    async def check(stack: SafariJxa) -> None:
        assert (await call(stack, "evaluate", script="alert(1)")).code == "unknown_tool"
        assert (await call(stack, "open", url="javascript:alert(1)")).code == "invalid_arguments"

    driven(Safari(), check)


def test_taking_a_call_back_says_that_nothing_was_dispatched() -> None:
    safari = Safari()

    async def check(stack: SafariJxa) -> None:
        await call(stack, "attach", window=7)
        safari.answers["read"] = SILENT
        with anyio.move_on_after(1) as scope:
            reply = await call(stack, "observe")
            assert (reply.outcome, reply.code) == ("refused", "cancelled")
        assert scope.cancel_called

    driven(safari, check)


def test_cancel_takes_back_what_is_in_flight() -> None:
    safari = Safari()
    replies: list[Reply] = []

    async def check(stack: SafariJxa) -> None:
        await call(stack, "attach", window=7)
        safari.answers["read"] = SILENT

        async def observe() -> None:
            replies.append(await call(stack, "observe"))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(observe)
            await anyio.sleep(1)
            await stack.tell("cancel", None)
        assert [reply.code for reply in replies] == ["cancelled"]

    assert driven(safari, check) == 1


@pytest.mark.parametrize(("event", "closed"), [("task_end", 1), ("session_switch", 1), ("user_input", 0)])
def test_the_end_of_a_task_ends_the_session(event: Any, closed: int) -> None:
    safari = Safari()

    async def check(stack: SafariJxa) -> None:
        await stack.tell(event, None)
        await call(stack, "open", url="http://shop.test/")
        await stack.tell(event, None)
        assert safari.closed == closed

    driven(safari, check)
    assert safari.closed == 1


def silent_once(safari: Safari, method: str) -> None:
    """The next request of this method gets no answer, nor does anything else that process is asked."""
    hung: list[Any] = []

    def stall(request: dict[str, Any]) -> Any:
        return SILENT if hung else safari.answer(request)

    def first(request: dict[str, Any]) -> Any:
        hung.append(request)
        for other in ("displays", "windows", "look", "read"):
            safari.answers[other] = stall
        return SILENT

    def begins(request: dict[str, Any]) -> Any:
        hung.clear()
        return safari.answer(request)

    safari.answers |= {method: first, "start": begins}


def test_a_session_that_waits_for_safari_keeps_nobody_from_looking() -> None:
    safari = Safari()

    async def main() -> None:
        async with driving(safari) as (host, stack):
            await call(stack, "attach", window=7)
            silent_once(safari, "displays")
            assert (await call(stack, "displays")).code == "bridge_timeout"
            assert (await call(stack, "displays")).outcome == "done"
            assert len(host.running()) == 1, "the one that was begun for this call has ended, the session's has not"
            safari.answers.clear()
            assert (await call(stack, "text")).outcome == "done"
            assert len(safari.asked("start")) == 2
            assert (await call(stack, "windows")).outcome == "done"
            assert len(safari.asked("start")) == 2, "the session's own answers again"

    play(main)


def test_a_silent_bridge_that_no_session_needs_is_replaced() -> None:
    safari = Safari()

    async def main() -> None:
        async with driving(safari) as (host, stack):
            silent_once(safari, "windows")
            assert (await call(stack, "windows")).code == "bridge_timeout"
            assert (await call(stack, "attach", window=7)).outcome == "done"
            assert (len(safari.asked("start")), len(host.running())) == (2, 1)

    play(main)


def test_who_looks_first_at_the_same_time_looks_through_one_bridge() -> None:
    safari = Safari()

    async def main() -> None:
        async with driving(safari) as (_, stack), anyio.create_task_group() as tasks:
            for _ in range(3):
                tasks.start_soon(call, stack, "windows")

    play(main)
    assert len(safari.asked("start")) == 1


def test_a_bridge_on_which_a_session_begins_is_not_ended_for_somebody_who_looks() -> None:
    safari = Safari()

    def opened(request: dict[str, Any]) -> Any:
        safari.answer(request)
        safari.url = request["params"]["marker"]
        return SILENT

    async def windows(request: dict[str, Any]) -> Any:
        await anyio.sleep(5)
        return {"windows": [safari.row(9, [0, 0, 9, 9], request["params"])]}

    safari.answers |= {"open": opened, "windows": windows}

    async def main() -> None:
        async with driving(safari) as (_, stack), anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: call(stack, "open", url="http://shop.test/"))
            await anyio.sleep(12)
            assert (await call(stack, "displays")).outcome == "done"

    play(main)
    assert safari.closed == 1, "the window that was made is closed"


def test_a_window_is_opened_on_the_bridge_that_is_used_when_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    safari = Safari()
    bridge_of = SafariJxa.bridge
    asked: list[Bridge] = []

    async def bridge(stack: SafariJxa) -> Bridge:
        if len(asked) == 1:  # it goes silent between the displays and the beginning
            monkeypatch.setattr(Bridge, "silent", property(lambda it: it is asked[0]))
        asked.append(await bridge_of(stack))
        return asked[-1]

    monkeypatch.setattr(SafariJxa, "bridge", bridge)

    async def check(stack: SafariJxa) -> None:
        assert (await call(stack, "open", url="http://shop.test/")).outcome == "done"
        assert len(safari.asked("start")) == 2

    driven(safari, check)


def test_status_says_where_it_stands_and_sends_nothing() -> None:
    safari = Safari()

    async def check(stack: SafariJxa) -> None:
        assert (await stack.status())["session"] is None
        await call(stack, "attach", window=7)
        asked = len(safari.heard)
        status = await stack.status()
        assert isinstance(status["session"], dict) and status["session"]["window"] == 7
        assert (status["system"], status["changesSettings"], len(safari.heard)) == ("safari-jxa", False, asked)

    driven(safari, check)


def test_a_closed_stack_takes_no_call() -> None:
    safari = Safari()

    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            async with open(ScriptedHost(tasks, {}), Settings()) as stack:
                pass
            assert (await call(stack, "windows")).code == "stack_closed"
        assert safari.heard == []

    play(main)


def test_two_errors_at_once_are_both_said() -> None:
    async def fails() -> None:
        raise KeyError

    async def both(host: ScriptedHost) -> None:
        async with open(host, Settings()) as stack:
            stack._tasks.start_soon(fails)
            raise ValueError

    async def main() -> None:
        async with anyio.create_task_group() as tasks:
            with pytest.raises(BaseExceptionGroup) as caught:
                await both(ScriptedHost(tasks, {}))
            assert {type(error) for error in caught.value.exceptions} == {KeyError, ValueError}

    play(main)
