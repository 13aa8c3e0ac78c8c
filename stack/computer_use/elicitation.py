"""Questions that the app-server passes on, and the answers that go back: unchanged, and never made up.

Whatever goes wrong on the way to the client (it does not support the mode, it fails, its answer is none) becomes
cancel: only a person's client accepts or declines.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from stack.contract import AskFailed, Caller, Json, Question

CANCEL: Final[Mapping[str, Json]] = {"action": "cancel"}
ACTIONS: Final = frozenset({"accept", "decline", "cancel"})
OPENAI_FORM: Final = "openai/form"
MODES: Final = frozenset({"form", OPENAI_FORM, "url"})
"""The modes that the app-server may use with what we announce."""


def question(params: Mapping[str, Json]) -> Question | None:
    """The question of an elicitation's params; None where its mode is not one of the three."""
    mode, message = params.get("mode"), params.get("message")
    if not isinstance(mode, str) or mode not in MODES:
        return None
    return Question(mode, message if isinstance(message, str) else "", params)


def result(answer: object) -> Mapping[str, Json]:
    """The result that carries an answer; cancel where it has none of the three actions, or can't be sent."""
    action = getattr(answer, "action", None)
    if not isinstance(action, str) or action not in ACTIONS:
        return CANCEL
    members: dict[str, Json] = {"action": action}
    for name, value in (("content", getattr(answer, "content", None)), ("_meta", getattr(answer, "meta", None))):
        if value is not None:
            members[name] = value
    try:
        json.dumps(members, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return CANCEL
    return members


async def put(caller: Caller, params: Mapping[str, Json]) -> Mapping[str, Json]:
    """Ask the client, and give the result to send back. A client in the harness has an answer class of its own, so
    the answer is taken by its members."""
    asked = question(params)
    if asked is None or asked.mode not in caller.modes:
        return CANCEL
    try:
        return result(await caller.ask(asked))
    except AskFailed:
        return CANCEL


def announces_openai_forms(caller: Caller) -> bool:
    """Whether the app-server may be told that it can send OpenAI forms: only where this client shows them."""
    return OPENAI_FORM in caller.modes
