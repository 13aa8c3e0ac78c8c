"""Questions that come during a call."""

from __future__ import annotations

import math
from typing import Any

import anyio
import pytest

from stack.contract import Answer, AskFailed, Reply
from tests.stack.one_call import APP, CALL, FORMS, one
from tests.stack.scripted_host import ScriptedCaller
from tests.stack.scripted_server import (
    DONE,
    IDLE,
    WAITING,
    AppServer,
    asks,
    exits,
    hear,
    resolved,
)
from tests.stack.staging import check_clean, play, staged

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
    server = AppServer({CALL: [120_000.0, asks(0), hear, resolved(0), 5_000.0, DONE]})
    assert one(server, caller=caller, cleanup="unknown").outcome == "done"
    caller = ScriptedCaller(FORMS, [Answer("accept")], thinks_s=3600)
    server = AppServer({CALL: [120_000.0, asks(0), hear, resolved(0), 15_000.0, DONE]})
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
