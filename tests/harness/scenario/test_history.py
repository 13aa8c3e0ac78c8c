"""What a history keeps: answers whole or in short, tools, and the script of the caller."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

import pytest
import trio

from harness.scenario.history import WHOLE_LIMIT, History, ScriptedCaller, describe, described_tool
from harness.serve.scheduler import run_virtual
from harness.tape.event import line


@dataclass
class Block:
    block: dict[str, Any]


@dataclass
class Reply:
    content: tuple[Block, ...] = ()
    outcome: str = "done"
    code: str | None = None
    structured: Any = None
    evidence: dict[str, Any] = field(default_factory=dict)


class Unasked(Exception):
    """The client can't be asked."""


@dataclass
class Question:
    mode: str = "form"
    message: str = "Go on?"
    params: dict[str, Any] = field(default_factory=lambda: {"a": 1})


def history() -> History:
    return History(lambda: {"t": 0.0, "k": 0, "j": 0})


def test_lines_are_numbered_and_stamped() -> None:
    book = history()
    book.note("told", event="x", data=None)
    book.note("told", event="y", data=None)
    assert book.lines[1] == {"n": 1, "t": 0.0, "k": 0, "j": 0, "e": "told", "event": "y", "data": None}


def test_a_small_answer_is_kept_whole() -> None:
    reply = Reply(
        (Block({"type": "text", "text": "hello"}), Block({"type": "image", "data": "AA"})), structured={"a": 1}
    )
    kept = describe(reply)
    data = line({"content": [block.block for block in reply.content], "structured": {"a": 1}}).encode()
    assert kept["content"] == [block.block for block in reply.content]
    assert kept["structured"] == {"a": 1}
    assert (kept["bytes"], kept["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
    assert kept["is_error"] is False


def test_a_large_answer_is_kept_in_short_unless_it_has_to_be_whole() -> None:
    reply = Reply((Block({"type": "text", "text": "x" * WHOLE_LIMIT}), Block({"type": "image", "data": "A" * 9})),
                  structured={"a": 1})  # fmt: skip
    short = describe(reply)
    assert [len(block.get("text", "")) for block in short["content"]] == [4096, 0]
    assert short["content"][1]["size"] > 9
    assert short["structured"] is None
    assert describe(reply, whole=True)["content"] == [block.block for block in reply.content]
    assert short["sha256"] == describe(reply, whole=True)["sha256"]


def test_a_tool_is_described_as_it_is_listed() -> None:
    @dataclass
    class Tool:
        name: str = "click"
        description: str = "Clicks"
        input_schema: dict[str, Any] = field(default_factory=dict)
        annotations: dict[str, Any] = field(default_factory=dict)

    assert described_tool(Tool()) == {"name": "click", "description": "Clicks", "inputSchema": {}, "annotations": {}}


def asked(answers: list[Any]) -> tuple[Any, list[Any], float]:
    """(what the caller answered or raised, the lines of the history, seconds that passed)."""
    book = history()
    caller = ScriptedCaller(3, book, answers, ["form"], Unasked)

    async def main() -> tuple[Any, list[Any], float]:
        begin = trio.current_time()
        try:
            answer: Any = await caller.ask(Question())
        except Unasked as error:
            answer = error
        await caller.tools_changed()
        return answer, book.lines, trio.current_time() - begin

    return run_virtual(main, 1)


def test_answers_are_taken_in_their_order() -> None:
    answers = [{"action": "accept", "content": {"a": 1}, "wait_ms": 1500}, {"action": "cancel"}]
    answer, lines, took = asked(answers)
    assert (answer.action, answer.content, answer.meta, took) == ("accept", {"a": 1}, None, 1.5)
    assert [each["e"] for each in lines] == ["questioned", "replied", "told"]
    assert lines[0]["question"] == {"mode": "form", "message": "Go on?", "params": {"a": 1}}
    assert lines[1]["answer"] == {"action": "accept", "content": {"a": 1}}
    assert lines[2]["data"] == {"call": 3}
    assert answers == [{"action": "cancel"}]


def test_an_answer_may_be_none_that_json_can_say() -> None:
    answer, lines, _ = asked([{"action": "accept", "not_json": True}])
    with pytest.raises(ValueError, match="not JSON compliant"):
        line({"content": answer.content})
    assert lines[1]["answer"] == {"action": "accept"}


@pytest.mark.parametrize(
    ("answers", "kept", "why"),
    [
        ([], None, "no answer for this question"),
        ([{"fails": "gone"}], {"fails": "gone"}, "gone"),
    ],
)
def test_a_client_that_can_not_be_asked(answers: list[Any], kept: Any, why: str) -> None:
    answer, lines, _ = asked(answers)
    assert isinstance(answer, Unasked)
    assert why in str(answer)
    assert lines[1]["answer"] == kept
