"""Fake helpers that say one thing otherwise than the protocol has it: what a stranger's client must not take."""
from __future__ import annotations

import json
from collections.abc import Callable, Generator
from typing import Any

from fakes.fronts.helper import Helper
from harness.faults.steps import Send, Step

Message = dict[str, Any]


class Broken(Helper):
    """A helper whose messages are changed before they are sent."""

    def change(self, message: Message) -> None:
        raise AssertionError("a broken helper says what it changes")

    def received(self, wire: str, frame: Any) -> Generator[Step, Any, None]:
        handler = super().received(wire, frame)
        answer: Any = None
        while True:
            try:
                step = handler.send(answer)
            except StopIteration:
                return
            if isinstance(step, Send):
                message = json.loads(step.raw)
                self.change(message)
                step = Send(json.dumps(message).encode() + b"\n")
            answer = yield step


def broken(change: Callable[[Message], None]) -> type[Broken]:
    return type("Changed", (Broken,), {"change": lambda self, message: change(message)})


def result_of(message: Message) -> Message:
    found = message.get("result")
    return found if isinstance(found, dict) else {}


def _succeeds(message: Message) -> None:
    if "isError" in result_of(message):
        message["result"]["isError"] = False


def _answers(message: Message) -> None:
    if message.pop("error", None):
        message["result"] = {"content": [], "isError": False}


def _lists_fewer(message: Message) -> None:
    if "tools" in result_of(message):
        message["result"]["tools"].pop()


def _is_another(message: Message) -> None:
    if "serverInfo" in result_of(message):
        message["result"]["serverInfo"]["name"] = "another"


def _speaks_another_revision(message: Message) -> None:
    if "protocolVersion" in result_of(message):
        message["result"]["protocolVersion"] = "1999-01-01"


def _has_no_picture(message: Message) -> None:
    if "content" in result_of(message):
        message["result"]["content"] = [each for each in message["result"]["content"] if each["type"] == "text"]


def _has_no_schemas(message: Message) -> None:
    for tool in result_of(message).get("tools", ()):
        del tool["inputSchema"]


Succeeds = broken(_succeeds)
Answers = broken(_answers)
ListsFewer = broken(_lists_fewer)
IsAnother = broken(_is_another)
SpeaksAnotherRevision = broken(_speaks_another_revision)
HasNoPicture = broken(_has_no_picture)
HasNoSchemas = broken(_has_no_schemas)

BROKEN = (
    "Succeeds", "Answers", "ListsFewer", "IsAnother", "SpeaksAnotherRevision", "HasNoPicture", "HasNoSchemas",
)  # fmt: skip
"""Classes of this module by what their helper does."""
