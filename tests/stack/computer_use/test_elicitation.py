"""Questions in, answers out, unchanged; everything else is cancel."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest

from stack.computer_use.elicitation import MODES, announces_openai_forms, put, question, result
from stack.contract import Answer, AskFailed
from tests.stack.scripted_host import ScriptedCaller
from tests.stack.staging import play

PARAMS: dict[str, Any] = {"mode": "form", "message": "m", "_meta": {"a": [1]}, "requestedSchema": {"properties": {}}}


@pytest.mark.claim("CUA-ELI-01")
def test_a_question_is_its_params() -> None:
    asked = question(PARAMS)
    assert asked is not None
    assert (asked.mode, asked.message, asked.params) == ("form", "m", PARAMS)
    without = question({"mode": "url"})
    assert without is not None
    assert without.message == ""


@pytest.mark.parametrize("mode", ["openaiForm", "", None, 3, [], {}])
def test_an_unknown_mode_is_no_question(mode: Any) -> None:
    assert question({"mode": mode}) is None


@pytest.mark.claim("CUA-ELI-01")
@pytest.mark.parametrize("action", ["accept", "decline", "cancel"])
@pytest.mark.parametrize("content", [None, {"a": [1, None]}, "text", [], False])
@pytest.mark.parametrize("meta", [None, {"persist": "always"}])
def test_an_answer_goes_back_unchanged(action: Any, content: Any, meta: Any) -> None:
    sent = dict(result(Answer(action, content, meta)))
    assert sent.pop("action") == action
    assert sent.pop("content", None) == content
    assert sent.pop("_meta", None) == meta
    assert sent == {}


NO_ANSWERS: list[Any] = [
    *(None, "accept", {"action": "accept"}),
    SimpleNamespace(action="allow"),
    SimpleNamespace(action=None),
    SimpleNamespace(action=[]),
    SimpleNamespace(action=1),
    SimpleNamespace(action="accept", content=math.inf),
    SimpleNamespace(action="accept", content={1, 2}),
    SimpleNamespace(action="accept", content=object()),
    SimpleNamespace(action="accept", meta=object()),
]


@pytest.mark.claim("CUA-ELI-02")
@pytest.mark.parametrize("answer", NO_ANSWERS)
def test_what_is_no_answer_is_cancel(answer: Any) -> None:
    assert result(answer) == {"action": "cancel"}


def test_an_answer_of_another_class_is_taken_by_its_members() -> None:
    assert result(SimpleNamespace(action="accept", content={"a": 1})) == {"action": "accept", "content": {"a": 1}}


@pytest.mark.claim("CUA-ELI-02")
@pytest.mark.parametrize(
    ("modes", "answers", "sent", "asked"),
    [
        (MODES, [Answer("accept")], "accept", 1),
        (frozenset({"url"}), [], "cancel", 0),
        (frozenset(), [], "cancel", 0),
        (MODES, [AskFailed()], "cancel", 1),
    ],
)
def test_only_a_client_that_supports_it_is_asked(
    modes: frozenset[str], answers: list[Any], sent: str, asked: int
) -> None:
    caller = ScriptedCaller(modes, answers)

    async def main() -> None:
        assert await put(caller, PARAMS) == {"action": sent}
        assert len(caller.asked) == asked

    play(main)


@pytest.mark.claim("CUA-ELI-04")
def test_openai_forms_are_announced_for_those_who_have_them() -> None:
    assert announces_openai_forms(ScriptedCaller(MODES))
    assert not announces_openai_forms(ScriptedCaller(MODES - {"openai/form"}))
