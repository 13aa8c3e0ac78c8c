"""The judge's endpoint: one HTTP request in, one completion out, in the style of the path that was asked.

It is a service: each connection is a process of its own, so `answers` of the settings are taken by the number of the
connection in the run, the last one for all that come after. What it approves the world is told, so that an effect
under that approval has its grant. It thinks nothing: what a real model decides is recorded from one.
"""

from __future__ import annotations

from fakes.settings import read
from harness.faults.steps import At, Exit, Send, Wait
from harness.serve.machine import Silent
from harness.wire.http_text import reply
from harness.wire.jsontext import JsonTextError, dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from fakes.settings import Table
    from harness.faults.steps import Handler
    from harness.serve.machine import Given
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

KEYS: Table = {
    "answers": ("list", [{}], "what each connection gets, the last one for all after it"),
    "think_ms": ("number", 400, "how long a decision takes where the answer does not say it"),
    "key": ("text or null", None, "the key that it wants; another one, or none, is answered with 401"),
}
ANSWER: Table = {
    "decision": ("text", "approve", "the decision, in the strict reply"),
    "text": ("text or null", None, "the text in place of the strict reply"),
    "parts": ("list", [], "further parts of the content, before the text"),
    "stop": ("text or null", None, "why it stopped; by itself where absent"),
    "status": ("int", 200, "status of the reply"),
    "body": ("text or null", None, "the whole body in its place"),
    "think_ms": ("number", -1, "how long this one takes; below 0: as the settings say"),
    "usage": ("list", [310, 9], "tokens in and out"),
}
VALUES: dict[str, str] = {"type": "value", "keyPress": "value", "fill": "text", "select": "value"}
"""Scope -> the member of its action that is the value of its effect; the others have none."""


def _openai(answer: Mapping[str, Any], text: str) -> dict[str, Json]:
    content: Json = [*answer["parts"], {"type": "text", "text": text}] if answer["parts"] else text
    message: Json = {"role": "assistant", "content": content}
    choice: Json = {"index": 0, "message": message, "finish_reason": answer["stop"] or "stop"}
    into, out = answer["usage"]
    usage: Json = {"prompt_tokens": into, "completion_tokens": out}
    return {"object": "chat.completion", "choices": [choice], "usage": usage}


def _anthropic(answer: Mapping[str, Any], text: str) -> dict[str, Json]:
    content: Json = [*answer["parts"], {"type": "text", "text": text}]
    into, out = answer["usage"]
    return {
        "type": "message",
        "role": "assistant",
        "content": content,
        "stop_reason": answer["stop"] or "end_turn",
        "usage": {"input_tokens": into, "output_tokens": out},
    }


PATHS: dict[str, tuple[Callable[[Mapping[str, Any], str], dict[str, Json]], str]] = {
    "POST /v1/chat/completions": (_openai, "authorization"),
    "POST /v1/messages": (_anthropic, "x-api-key"),
}
"""Method and path -> (its style, the header of its key)."""


class Judge(Silent):
    """See the module."""

    wires: Mapping[str, str] = {"stdio": "http"}
    moments: Sequence[str] = ("deciding",)

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        self.settings = read(dict(given.settings), KEYS, "programs.judge")
        answers = self.settings["answers"]
        self.answer = read(answers[min(given.nth, len(answers)) - 1], ANSWER, "programs.judge.answers")

    def received(self, wire: str, frame: Frame) -> Handler:
        style, key_header = PATHS.get(str(frame.method), (None, ""))
        if style is None or not isinstance(frame.value, dict):
            yield from self._end(404, dumps({"error": "no such endpoint"}))
            return
        if self.settings["key"] is not None and self.settings["key"] not in _key(frame.value, key_header):
            yield from self._end(401, dumps({"error": "another key is wanted"}))
            return
        asked = _proposal(frame.value.get("body"))
        if asked is None:
            yield from self._end(400, dumps({"error": "the body is not what this endpoint takes"}))
            return
        think_ms = self.answer["think_ms"]
        yield Wait(self.settings["think_ms"] if think_ms < 0 else think_ms)
        yield At("deciding", {"decision": self.answer["decision"]})
        text = self.answer["text"]
        if text is None:
            text = dumps({"decision": self.answer["decision"]})
            if self.answer["decision"] == "approve" and self.answer["status"] == 200 and self.answer["body"] is None:
                self.world.approve(f"judge:{self.given.nth}", *asked)
        body = self.answer["body"]
        yield from self._end(self.answer["status"], dumps(style(self.answer, text)) if body is None else body)

    def _end(self, status: int, body: str) -> Handler:
        yield Send(reply(status, body))
        yield Exit(0)


def _proposal(body: Json) -> tuple[str, Json] | None:
    """Verb and value of the effect that is asked about; None for a body of another form: what can't be read is not
    approved."""
    try:
        request: Any = loads(str(body))
        asked: Any = loads(request["messages"][-1]["content"])
        scope, arguments = str(asked["proposal"]["scope"]), asked["proposal"]["arguments"]
        action = arguments.get("action") or {}
        return scope, arguments.get("url") if scope == "navigate" else action.get(VALUES.get(scope, ""))
    except (JsonTextError, KeyError, IndexError, TypeError, AttributeError):
        return None


def _key(value: Mapping[str, Json], name: str) -> str:
    from harness.wire.http_text import header

    return header(value, name) or ""
