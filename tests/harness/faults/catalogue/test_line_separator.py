"""A separator that is legal in JSON and no end of a frame."""
from __future__ import annotations

import json
from typing import Any

import pytest

from harness.faults.registry import FAULTS
from harness.faults.steps import Raw
from harness.wire import codec
from tests.harness.faults.catalogue.struck import REPLY, strike, value_of, written


@pytest.mark.parametrize("character", ["2028", "2029", "0085"])
def test_it_is_one_frame_with_one_more_character(character: str) -> None:
    raw = written("line_separator", REPLY, character=character)
    (frame,) = codec("jsonrpc", "<<").feed(raw)
    assert frame.problem is None
    assert value_of(raw)["result"]["content"][0]["text"] == "caf\u00e9" + chr(int(character, 16))
    assert len(raw.decode().splitlines()) == 2


TEXTS = [
    {"handle": "page-1", "title": "caf\u00e9 \U0001f600 \"x\"", "n": 1},
    ["a\\b\n", {"k": None}],
    ["\ud83d", "\ud83dA"],
    {"list": [{"text": "\u4e2d", "more": 2}]},
]


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("document", TEXTS)
def test_in_a_text_that_is_a_document_it_stands_in_a_text_of_that(document: Any, ascii_only: bool) -> None:
    if not ascii_only and "\ud83d" in "".join(map(str, document)):
        return  # half a character stands in no UTF-8
    inner = json.dumps(document, ensure_ascii=ascii_only)
    reply = {"id": 1, "result": {"content": [{"type": "text", "text": inner}], "isError": False}}
    raw = written("line_separator", json.dumps(reply, ensure_ascii=ascii_only).encode() + b"\n", character="2028")
    assert b"\xe2\x80\xa8" in raw
    said = value_of(raw)["result"]["content"][0]["text"]
    assert said != inner and said.replace("\u2028", "") == inner
    assert json.loads(json.dumps(json.loads(said)).replace("\\u2028", "")) == document


def test_a_document_without_a_text_is_passed_over() -> None:
    reply = {"id": 1, "result": {"note": "x", "text": '{"requested":1,"done":[true]}'}}
    said = value_of(written("line_separator", json.dumps(reply).encode() + b"\n", character="2028"))["result"]
    assert said == {"note": "x\u2028", "text": '{"requested":1,"done":[true]}'}


def test_an_answer_says_all_that_it_said_and_a_request_may_not_be_understood() -> None:
    fault = FAULTS["line_separator"]
    assert not fault.hides_outcome({}, "reply", 1)
    assert fault.hides_outcome({}, "request", 1)


def test_a_text_that_is_only_an_id_stays_as_it_was() -> None:
    steps, only = strike("line_separator", [Raw(b'{"id":"q","result":{"n":1}}\n')], {})
    assert steps == [Raw(b'{"id":"q","result":{"n":1}}\n')]
    assert not only.fired
