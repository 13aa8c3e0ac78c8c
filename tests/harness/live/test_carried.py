"""Names that a run gives take the places of the scenario's, and nothing else is changed."""
from __future__ import annotations

from typing import Any

import pytest

from harness.live.carried import carried, given

NAMES = ("targetId", "epoch")


def answered(*texts: str, structured: Any = None) -> dict[str, Any]:
    return {"e": "answered", "content": [{"type": "text", "text": text} for text in texts], "structured": structured}


GIVEN: list[tuple[str, list[dict[str, Any]], dict[str, str]]] = [
    ("nothing yet", [{"e": "asked"}], {}),
    ("of a text", [answered('{"targetId":"a","epoch":"b","url":"u"}')], {"targetId": "a", "epoch": "b"}),
    ("of the structure", [answered(structured={"epoch": "b"})], {"epoch": "b"}),
    ("the latest", [answered('{"epoch":"a"}'), {"e": "told"}, answered('{"epoch":"b"}')], {"epoch": "b"}),
    ("one stays", [answered('{"epoch":"a"}'), answered('{"targetId":"t"}')], {"epoch": "a", "targetId": "t"}),
    ("no JSON", [answered('{"epoch":"a', "words", "")], {}),
    ("no object", [answered('["epoch"]', "7")], {}),
    ("no text", [answered('{"epoch":7,"targetId":null}')], {}),
    ("a picture", [{"e": "answered", "content": [{"type": "image"}]}], {}),
    ("no content", [{"e": "answered", "content": None}], {}),
]


@pytest.mark.parametrize(("history", "found"), [case[1:] for case in GIVEN], ids=[case[0] for case in GIVEN])
def test_what_a_run_has_given(history: list[dict[str, Any]], found: dict[str, str]) -> None:
    assert given(history, NAMES) == found


def call(**arguments: Any) -> dict[str, Any]:
    return {"call": {"tool": "x", "arguments": arguments}, "as": "one"}


STEPS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("both", call(targetId="s", epoch="t"), call(targetId="T", epoch="E")),
    ("one", call(epoch="t", url="t2"), call(epoch="E", url="t2")),
    ("also in what it means", {**call(targetId="s"), "means": {"ref": "s", "more": ["s", 1]}},
     {**call(targetId="T"), "means": {"ref": "T", "more": ["T", 1]}}),
    ("a part of a text is no name", {**call(targetId="s"), "means": {"ref": "s/1"}},
     {**call(targetId="T"), "means": {"ref": "s/1"}}),
    ("other members", call(url="s"), call(url="s")),
    ("what is no text stays wrong", call(epoch=7), call(epoch=7)),
    ("no arguments", {"call": {"tool": "x"}}, {"call": {"tool": "x"}}),
    ("no call", {"wait_ms": 5}, {"wait_ms": 5}),
]  # fmt: skip


@pytest.mark.parametrize(("step", "changed"), [case[1:] for case in STEPS], ids=[case[0] for case in STEPS])
def test_steps(step: dict[str, Any], changed: dict[str, Any]) -> None:
    assert carried(step, {"targetId": "T", "epoch": "E"}) == changed
    assert carried(step, {}) == step
