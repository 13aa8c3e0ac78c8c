"""The client as the stack's Caller: tables. What goes over a wire is in tests/stack/test_server.py."""

from __future__ import annotations

from typing import Any

import mcp_types as types
import pytest

from stack.contract import Answer, AskFailed, Question
from stack.serving.caller import ADDRESS, METHODS, answer_of, modes_of, request_of

ACTIONS = ("accept", "decline", "cancel")


@pytest.mark.claim("CUA-ELI-02", "CUA-ELI-04")
def test_a_client_that_says_nothing_supports_nothing() -> None:
    assert modes_of(None) == frozenset()
    assert modes_of(types.ClientCapabilities()) == frozenset()


def test_every_mode_has_its_request_and_loses_only_the_address() -> None:
    for mode in METHODS:
        params: dict[str, Any] = {"mode": mode, "message": "m", "new": None, **dict.fromkeys(ADDRESS, "x")}
        method, sent = request_of(Question(mode, "m", params))
        assert method == METHODS[mode]
        assert sent == {"message": "m", "new": None, **({} if mode == "openai/form" else {"mode": mode})}
    with pytest.raises(AskFailed, match="'new mode'"):
        request_of(Question("new mode", "", {}))


@pytest.mark.claim("CUA-ELI-01", "CUA-ELI-02")
def test_only_the_three_actions_with_objects_are_answers() -> None:
    shapes: list[Any] = [None, {}, {"a": [None]}, "text", 1, [], True]
    for action in (*ACTIONS, "Accept", "", None, 1, ["accept"]):
        for content in shapes:
            for meta in shapes:
                result = {"action": action, "content": content, "_meta": meta}
                fits = action in ACTIONS and isinstance(content, dict | None) and isinstance(meta, dict | None)
                if fits:
                    assert answer_of(result) == Answer(action, content, meta)  # type: ignore[arg-type]
                else:
                    with pytest.raises(AskFailed):
                        answer_of(result)
