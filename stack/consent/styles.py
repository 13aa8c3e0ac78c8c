"""How an endpoint is asked for one completion and how its reply is read, for the two styles that are in use.

A reply is read strictly: what has another shape is `Unreadable`, and a reply that may not count (more than one choice,
a call of a tool, a part that is neither text nor thinking, another reason to stop) is one that says so. Whoever judges
by it decides; nothing here knows what the text is about. Source of the shapes: the public references of both styles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from stack.contract import Json


class Unreadable(Exception):
    """The reply is not of its style's shape. args: one sentence, without anything of the reply."""


@dataclass(frozen=True, slots=True)
class Completion:
    """text: its text parts, joined. whole: whether it ended by itself and has nothing else in it; usage: the whole
    numbers that the endpoint says it used, by its own names."""

    text: str
    whole: bool
    usage: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Style:
    """headers: of a key. body: of (model, instruction, message, limit of tokens). read: the reply's JSON."""

    headers: Callable[[str], Sequence[tuple[str, str]]]
    body: Callable[[str, str, str, int], dict[str, Json]]
    read: Callable[[Json], Completion]


def _object(value: Json, what: str) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise Unreadable(f"{what} is no object")
    return value


def _usage(value: Json) -> dict[str, Json]:
    """Only whole numbers: nothing that an endpoint writes in words reaches a reply this way."""
    given = value if isinstance(value, dict) else {}
    return {name[:40]: number for name, number in given.items() if type(number) is int}


def _openai_body(model: str, instruction: str, message: str, tokens: int) -> dict[str, Json]:
    return {
        "model": model,
        "temperature": 0,
        "max_tokens": tokens,
        "messages": [{"role": "system", "content": instruction}, {"role": "user", "content": message}],
    }


def _openai_read(reply: Json) -> Completion:
    choices = _object(reply, "the reply").get("choices")
    if not isinstance(choices, list) or not choices:
        raise Unreadable("the reply has no list of choices")
    choice = _object(choices[0], "the choice")
    message = _object(choice.get("message"), "the message")
    content = message.get("content")
    parts: list[Json] = content if isinstance(content, list) else [{"type": "text", "text": content}]
    text, plain = _joined(parts, {"text"})
    only = not any(message.get(name) for name in ("tool_calls", "function_call", "refusal", "audio"))
    whole = len(choices) == 1 and only and plain and choice.get("finish_reason") == "stop"
    return Completion(text, whole, _usage(_object(reply, "the reply").get("usage")))


def _anthropic_body(model: str, instruction: str, message: str, tokens: int) -> dict[str, Json]:
    return {
        "model": model,
        "temperature": 0,
        "max_tokens": tokens,
        "system": instruction,
        "messages": [{"role": "user", "content": message}],
    }


def _anthropic_read(reply: Json) -> Completion:
    given = _object(reply, "the reply")
    parts = given.get("content")
    if not isinstance(parts, list):
        raise Unreadable("the reply has no list of content")
    text, plain = _joined(parts, {"text", "thinking"})
    return Completion(text, plain and given.get("stop_reason") == "end_turn", _usage(given.get("usage")))


def _joined(parts: Sequence[Json], kinds: set[str]) -> tuple[str, bool]:
    """(the text of the text parts, whether there is no part but of these kinds)."""
    texts: list[str] = []
    plain = True
    for part in parts:
        kind = part.get("type") if isinstance(part, dict) else None
        plain = plain and kind in kinds
        if isinstance(part, dict) and kind == "text":
            said = part.get("text")
            if not isinstance(said, str):
                raise Unreadable("a text part without a text")
            texts.append(said)
    return "".join(texts), plain


STYLES: Final[Mapping[str, Style]] = {
    "openai": Style(lambda key: (("Authorization", f"Bearer {key}"),) if key else (), _openai_body, _openai_read),
    "anthropic": Style(
        lambda key: (*((("x-api-key", key),) if key else ()), ("anthropic-version", "2023-06-01")),
        _anthropic_body,
        _anthropic_read,
    ),
}
"""Name -> style."""
