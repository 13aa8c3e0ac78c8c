"""What is sent to the page, and what is read of its answer."""

from __future__ import annotations

import json

import pytest

from stack.safari_jxa.scripts import program
from stack.safari_loop.program import answer, expression

VOID = '{"status":"void"}'


def test_the_program_is_that_of_apple_events_and_the_words_are_one_argument() -> None:
    text = expression({"op": "act", "text": "\u2028)(\n)(\"'"})
    assert text.startswith(f"return ({program()}\n)(")
    assert json.loads(text.removeprefix(f"return ({program()}\n)(")[:-1]) == {"op": "act", "text": "\u2028)(\n)(\"'"}
    assert text.isascii()
    with pytest.raises(ValueError, match="JSON compliant"):
        expression({"x": float("nan")})


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (json.dumps(VOID), "void"),
        (json.dumps(json.dumps(VOID)), "void"),
        (VOID, "void"),
        (json.dumps(json.dumps(json.dumps(VOID))), None),
        ("null", None),
        ("", None),
        ('"', None),
        (json.dumps('{"status":"never heard of"}'), None),
        (json.dumps("[]"), None),
        (json.dumps('{"status":"refused"}'), None),
        (json.dumps('{"status":"void","status":"void"}'), None),
    ],
)
def test_an_answer_is_a_reply_of_the_program_or_none(text: str, status: str | None) -> None:
    found = answer(text)
    assert (None if found is None else found["status"]) == status
