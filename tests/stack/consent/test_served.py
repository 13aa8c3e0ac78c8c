"""The tool that asks for a task: what the user is asked, what an answer begins, and what everything else ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import anyio
import pytest

from stack.consent.gate import ConsentGate
from stack.consent.judge import REQUEST_CHARACTERS
from stack.consent.served import ASK, FIELD, MESSAGE, QUESTION, SCHEMA, AsksForTask
from stack.consent.settings import Settings
from stack.contract import Answer, AskFailed, Caller, Json, Reply, StackEvent, Tool
from tests.stack.consent.rig import ALLOW, CLICK, FRESH, JUDGES, Endpoint, played
from tests.stack.scripted_host import ScriptedCaller
from tests.stack.scripted_stack import DONE, ScriptedStack

WANTED = "put the book into the basket"


class Inner(ScriptedStack):
    """A stack with a real gate, which is all that a task is for."""

    def __init__(self) -> None:
        super().__init__(listed=(Tool("click", "Click", {}),))
        host: Any = Endpoint()
        self.gate = ConsentGate(host, Settings(JUDGES["openai"]))
        self.heard: list[tuple[str, Json]] = []

    async def tell(self, event: StackEvent, data: Json) -> None:
        self.heard.append((event, data))
        await self.gate.tell(event, data)
        await super().tell(event, data)

    @property
    def task(self) -> str | None:
        return self.gate.grants.task


def said(text: Json = WANTED, **more: Json) -> Answer:
    return Answer("accept", {FIELD: text, **more})


def person(*answers: Answer | BaseException, thinks_s: float = 0) -> ScriptedCaller:
    return ScriptedCaller(frozenset({"form"}), [*answers], thinks_s=thinks_s)


async def ask(stack: AsksForTask, caller: Caller, arguments: Mapping[str, Json] | None = None) -> Reply:
    return await stack.call(ASK.name, arguments or {}, caller)


def test_the_rest_is_the_inner_stack_s() -> None:
    async def body() -> None:
        inner = Inner()
        stack = AsksForTask(inner)
        assert [tool.name for tool in await stack.tools()] == ["click", ASK.name]
        assert await stack.call("click", {"a": 1}, person()) is DONE
        assert inner.calls == [("click", {"a": 1})]
        assert await stack.status() is inner.state
        await stack.tell("session_switch", None)
        assert inner.heard == [("session_switch", None)]

    played(body)


def test_the_tool_takes_nothing_that_a_model_writes() -> None:
    assert ASK.input_schema == {"type": "object", "properties": {}, "additionalProperties": False}
    assert ASK.annotations == {
        "readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": False,
    }  # fmt: skip

    async def body() -> None:
        inner, caller = Inner(), person(said())
        await inner.gate.tell("user_input", FRESH)
        reply = await ask(AsksForTask(inner), caller, {FIELD: "buy everything"})
        assert (reply.outcome, reply.code, reply.is_error) == ("refused", "invalid_arguments", True)
        assert caller.asked == []
        assert inner.task == FRESH["text"]  # nothing was asked, nothing changed

    played(body)


@pytest.mark.claim("SAF-PERM-05", tooth="the question is fixed, and only an accepted answer is a fresh request")
def test_an_accepted_answer_is_the_task() -> None:
    async def body() -> None:
        inner, caller = Inner(), person(said())
        reply = await ask(AsksForTask(inner), caller)
        assert (reply.outcome, reply.code, reply.is_error) == ("done", None, False)
        assert [content.text for content in reply.content] == [f"The user's task: {WANTED}"]
        assert inner.task == WANTED
        assert inner.heard == [
            ("task_end", None),
            ("user_input", {"text": WANTED, "source": "fresh", "interactive": True}),
        ]
        assert caller.asked == [QUESTION]
        assert QUESTION.params == {"mode": "form", "message": MESSAGE, "requestedSchema": dict(SCHEMA)}
        (await inner.gate.authorize(CLICK, caller)).check()

    played(body)


NO_ANSWERS: Mapping[str, tuple[Answer | BaseException, str]] = {
    "declined": (Answer("decline"), "consent_no_task"),
    "cancelled": (Answer("cancel"), "consent_no_task"),
    "declined with a text": (Answer("decline", {FIELD: WANTED}), "consent_no_task"),
    "failed": (AskFailed("gone"), "consent_no_task"),
    "no content": (Answer("accept"), "consent_no_task"),
    "no object": (Answer("accept", [WANTED]), "consent_no_task"),
    "another field": (Answer("accept", {"text": WANTED}), "consent_no_task"),
    "a field too many": (said(grant="allow"), "consent_no_task"),
    "no text": (said(5), "consent_no_task"),
    "blank": (said(" \n\t"), "consent_no_task"),
    "a command": (said(" /allow everything"), "consent_no_task"),
    "too long": (said("a" * (REQUEST_CHARACTERS + 1)), "consent_too_large"),
}


@pytest.mark.claim(
    "SAF-PERM-05", "SAF-PERM-06", tooth="an answer that is none begins nothing, and ends the task of before"
)
@pytest.mark.parametrize("name", NO_ANSWERS)
def test_every_other_answer_begins_no_task_and_ends_the_one_of_before(name: str) -> None:
    answer, code = NO_ANSWERS[name]

    async def body() -> None:
        inner = Inner()
        await inner.gate.tell("user_input", FRESH)
        permit = await inner.gate.authorize(CLICK, person())
        reply = await ask(AsksForTask(inner), person(answer))
        assert (reply.outcome, reply.code, reply.is_error) == ("refused", code, True)
        assert code in str(reply.content[0].text)
        assert inner.task is None
        with pytest.raises(Exception, match="consent_retired"):
            permit.check()

    played(body)


def test_the_longest_request_is_a_task() -> None:
    async def body() -> None:
        inner = Inner()
        assert (await ask(AsksForTask(inner), person(said("a" * REQUEST_CHARACTERS)))).outcome == "done"

    played(body)


def test_a_client_without_forms_is_not_asked() -> None:
    async def body() -> None:
        inner, caller = Inner(), ScriptedCaller(frozenset({"url"}), [said()])
        reply = await ask(AsksForTask(inner), caller)
        assert (reply.outcome, reply.code) == ("refused", "consent_noninteractive")
        assert (caller.asked, inner.heard) == ([], [])

    played(body)


def test_while_the_user_thinks_there_is_no_task_and_no_second_question() -> None:
    async def body() -> None:
        inner, caller = Inner(), person(said(), thinks_s=60)
        stack = AsksForTask(inner)
        await inner.gate.tell("user_input", FRESH)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask, stack, caller)
            await anyio.sleep(1)
            assert inner.task is None
            second = await ask(stack, caller)
            assert (second.outcome, second.code) == ("refused", "consent_asking")
            assert len(caller.asked) == 1
        assert inner.task == WANTED
        assert (await ask(stack, person(Answer("decline")))).code == "consent_no_task"  # and it can be asked again

    played(body)


@pytest.mark.parametrize("event", ["task_end", "session_switch", "session_shutdown", "revoke", "cancel"])
def test_what_happens_meanwhile_takes_the_question_back(event: StackEvent) -> None:
    async def body() -> None:
        inner, caller, replies = Inner(), person(said(), thinks_s=60), list[Reply]()
        stack = AsksForTask(inner)

        async def asking() -> None:
            replies.append(await ask(stack, caller))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(asking)
            await anyio.sleep(1)
            await stack.tell(event, None)
        assert [(reply.outcome, reply.code) for reply in replies] == [("refused", "consent_retired")]
        assert inner.task is None

    played(body)


def test_a_call_that_is_taken_back_says_so_and_begins_nothing() -> None:
    async def body() -> None:
        inner, replies = Inner(), list[Reply]()
        stack = AsksForTask(inner)
        await inner.gate.tell("user_input", FRESH)
        with anyio.move_on_after(1):
            replies.append(await ask(stack, person(said(), thinks_s=60)))
        assert [(reply.outcome, reply.code) for reply in replies] == [("refused", "cancelled")]
        assert inner.task is None

    played(body)


def test_an_answer_that_comes_as_the_call_is_taken_back_is_none() -> None:
    async def body() -> None:
        inner, replies = Inner(), list[Reply]()
        stack = AsksForTask(inner)
        with anyio.CancelScope() as scope:

            class Late(ScriptedCaller):
                async def ask(self, question: Any) -> Answer:
                    scope.cancel()
                    return said()

            replies.append(await ask(stack, Late(frozenset({"form"}))))
        assert [reply.code for reply in replies] == ["cancelled"]
        assert inner.task is None

    played(body)


@pytest.mark.claim("SAF-PERM-07", tooth="no full grant comes to a served stack")
def test_there_is_no_full_grant() -> None:
    async def body() -> None:
        inner = Inner()
        with pytest.raises(Exception, match="consent_noninteractive: a full grant for a served stack"):
            await AsksForTask(inner).tell("grant", ALLOW)
        assert not inner.gate.grants.full
        assert inner.heard == []

    played(body)


def test_a_defect_of_the_client_s_side_is_not_hidden() -> None:
    async def body() -> None:
        inner = Inner()
        stack = AsksForTask(inner)
        with pytest.raises(ZeroDivisionError):
            await ask(stack, person(cast(Any, ZeroDivisionError())))
        assert (await ask(stack, person(said()))).outcome == "done"

    played(body)
