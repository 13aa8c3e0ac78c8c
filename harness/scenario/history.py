"""The history of a run: what the stack was asked, and what it answered; and the caller that it may ask back."""
from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from harness.tape.event import line

TEXT_LIMIT = 4096
"""Characters of a text block that a history keeps of an answer that is not kept whole; the tape has all of it."""
WHOLE_LIMIT = 65_536
"""Bytes of an answer that is kept whole."""


class History:
    """Lines in order. stamp: the stage's, so that history and world record share one order (`k`). whole: every answer
    is kept whole, however large, because a canary is searched in it."""

    def __init__(self, stamp: Callable[[], Mapping[str, Any]], *, whole: bool = False) -> None:
        self.lines: list[dict[str, Any]] = []
        self.whole = whole
        self._stamp = stamp

    def note(self, e: str, **fields: Any) -> None:
        self.lines.append({"n": len(self.lines), **self._stamp(), "e": e, **fields})


@dataclass(frozen=True, slots=True)
class Answer:
    """A scripted answer to a question, in the shape of the stack's port."""

    action: str
    content: Any = None
    meta: Any = None


class ScriptedCaller:
    """Who makes the calls of a scenario. Answers are taken in the order of the script; where none is left, or the
    script says so, the client can't be asked.

    modes: kinds of questions that the client supports. failed: the exception that says that it can't be asked. told_ms:
    how long it takes to be told that the list of tools has changed.
    """

    def __init__(
        self, call: int, history: History, answers: list[Any], modes: list[str], failed: type[Exception],
        told_ms: float = 0,
    ) -> None:  # fmt: skip
        self.modes = frozenset(modes)
        self._call = call
        self._history = history
        self._answers = answers
        self._failed = failed
        self._told_ms = told_ms

    async def ask(self, question: Any) -> Answer:
        self._history.note("questioned", call=self._call, question=_shape(question))
        if not self._answers:
            self._history.note("replied", call=self._call, answer=None)
            raise self._failed("the scenario has no answer for this question")
        answer = self._answers.pop(0)
        if answer.get("wait_ms"):
            import anyio

            await anyio.sleep(answer["wait_ms"] / 1000)
        kept = {key: value for key, value in answer.items() if key not in ("wait_ms", "not_json")}
        self._history.note("replied", call=self._call, answer=kept)
        if "fails" in kept:
            raise self._failed(str(kept["fails"]))
        if answer.get("not_json"):
            return Answer(**{**kept, "content": {**kept.get("content", {}), "not_json": float("nan")}})
        return Answer(**kept)

    async def tools_changed(self) -> None:
        if self._told_ms:
            import anyio

            await anyio.sleep(self._told_ms / 1000)
        self._history.note("told", event="tools_changed", data={"call": self._call})


def _shape(question: Any) -> dict[str, Any]:
    return {"mode": question.mode, "message": question.message, "params": dict(question.params)}


def describe(reply: Any, whole: bool = False) -> dict[str, Any]:
    """What a history keeps of a reply: outcome, code, content with its hash and size, and the evidence. Content over
    WHOLE_LIMIT is kept in short, unless it has to be whole."""
    blocks = [dict(content.block) for content in reply.content]
    data = line({"content": blocks, "structured": reply.structured}).encode()
    whole = whole or len(data) <= WHOLE_LIMIT
    return {
        "outcome": reply.outcome,
        "code": reply.code,
        "content": blocks if whole else [_short(block) for block in blocks],
        "structured": reply.structured if whole else None,
        "is_error": getattr(reply, "is_error", False),
        "sha256": hashlib.sha256(data).hexdigest(),
        "bytes": len(data),
        "evidence": dict(reply.evidence),
    }


def described_tool(tool: Any) -> dict[str, Any]:
    """A tool as it is listed, in the shape of MCP's tools/list."""
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": dict(tool.input_schema),
        "annotations": dict(tool.annotations),
    }


def _short(block: Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(block.get("text"), str):
        return {"type": block.get("type"), "text": block["text"][:TEXT_LIMIT]}
    return {"type": block.get("type"), "size": len(line(block))}
