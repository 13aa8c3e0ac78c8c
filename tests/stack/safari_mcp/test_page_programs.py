"""Page programs: fixed text, callers' words as data, and answers that are their own. In WebKit they run where the
scenarios have the back engine."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stack.errors import CallError, ProtocolError
from stack.safari_mcp.page_programs import NAMES, PROGRAMS, PageAnswer, expression, read_answer


@settings(max_examples=50)
@given(st.sampled_from(NAMES), st.text(max_size=60))
def test_no_words_change_what_the_program_is(name: str, words: str) -> None:
    text = expression(name, {"selector": words, "text": words})
    assert text.isascii() or not PROGRAMS[name].isascii()
    head, _, tail = text.partition(")(")
    assert head == f"return ({PROGRAMS[name]}"
    assert tail.endswith(")")
    assert tail.isascii()
    assert json.loads(tail[:-1]) == {"selector": words, "text": words}


@pytest.mark.parametrize("name", NAMES)
def test_a_program_is_one_function_that_can_be_told_from_its_data(name: str) -> None:
    text = PROGRAMS[name]
    assert ")(" not in text
    assert re.search(rf"^function {name}\(input\) {{$", text, re.MULTILINE)
    assert text.endswith("}")
    assert re.findall(r"\b(?:eval|Function|fetch|XMLHttpRequest|click|submit|innerHTML|outerHTML|value)\b", text) == []


def answer(**members: Any) -> str:
    return json.dumps({"program": "read", "url": "http://a/", "ok": True, "data": {"a": 1}, **members})


def test_an_answer_is_a_text_or_the_json_of_a_text() -> None:
    for text in (answer(), json.dumps(answer())):
        assert read_answer("read", text) == PageAnswer("http://a/", {"a": 1})


@pytest.mark.parametrize("text", [
    "", "null", "[]", "1", '"x"', '"null"', "undefined", answer(program="find"), answer(url=None), answer(data=None),
    answer(ok=False), answer(ok=1), answer(ok=False, error="other"), "{}",
])  # fmt: skip
def test_everything_else_is_malformed(text: str) -> None:
    with pytest.raises(ProtocolError) as error:
        read_answer("read", text)
    assert error.value.code == "page_malformed"


def test_a_selector_that_the_page_can_not_read_is_the_callers_fault() -> None:
    with pytest.raises(CallError) as error:
        read_answer("read", answer(ok=False, error="invalid_selector"))
    assert error.value.code == "invalid_selector"
