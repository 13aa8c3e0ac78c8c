"""Who is at the terminal, and what an answer there grants."""

from __future__ import annotations

import io
from typing import Any

import pytest

from stack.contract import AskFailed
from stack.session.terminal import QUESTION, AtTerminal, answered, told_by
from tests.stack.session.holding import run


class Stream(io.StringIO):
    """A text stream that is a terminal, or is none."""

    def __init__(self, text: str = "", *, terminal: bool = True) -> None:
        super().__init__(text)
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


def test_a_user_at_a_terminal_is_asked_in_one_fixed_line() -> None:
    sink = Stream()
    assert answered(Stream("buy one\nand more\n"), sink) == "buy one\n"
    assert sink.getvalue() == QUESTION
    assert answered(Stream(""), Stream()) == ""


@pytest.mark.claim("JXA-RUN-16", tooth="a request that a program has written")
@pytest.mark.parametrize(("source", "sink"), [(True, False), (False, True), (False, False)])
def test_where_no_terminal_is_nothing_is_read(source: bool, sink: bool) -> None:
    given, shown = Stream("buy one\n", terminal=source), Stream(terminal=sink)
    assert answered(given, shown) is None
    assert (given.tell(), shown.getvalue()) == (0, "")


@pytest.mark.claim("JXA-RUN-16", tooth="an answer that grants nothing")
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("buy one\n", ("user_input", {"text": "buy one", "source": "fresh", "interactive": True})),
        (" /allow \n", ("grant", {"command": "allow", "interactive": True})),
        ("/allow all\n", None),
        ("/revoke\n", None),
        ("\n", None),
        ("", None),
    ],
)
def test_an_answer_is_a_request_or_a_full_grant_or_nothing(answer: str, told: Any) -> None:
    assert told_by(answer) == told


@pytest.mark.claim("JXA-RUN-16", tooth="a command without anybody at its terminal")
def test_only_who_answered_can_be_asked() -> None:
    assert AtTerminal(None).modes == frozenset()
    assert AtTerminal("").modes == frozenset({"form"})

    async def main() -> None:
        await AtTerminal("x").tools_changed()
        with pytest.raises(AskFailed):
            await AtTerminal("x").ask(None)  # type: ignore[arg-type]

    run(main)
