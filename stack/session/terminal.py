"""Asking the user at a terminal what is to be done, and what an answer there grants.

Separate from the command, because this is where an interactive context is told from every other. The words of a command
line are nobody's request: a program may have written them. Only an answer typed at a terminal is one.
"""

from __future__ import annotations

from typing import Final, TextIO

from stack.consent.grants import ALLOW, COMMAND_MARK
from stack.consent.judge import REQUEST_CHARACTERS
from stack.contract import AskFailed, Json, Question, StackEvent

QUESTION: Final = (
    "What is to be done in the browser? Each action is checked against your words.\n"
    f"Say it in one line; {COMMAND_MARK}{ALLOW} allows every action of this run; an empty line none.\n> "
)


def answered(source: TextIO, sink: TextIO) -> str | None:
    """One line of the user's. source, sink: where it is typed, and where the question is shown; None where either is no
    terminal, and then nothing is read."""
    if not (source.isatty() and sink.isatty()):
        return None
    sink.write(QUESTION)
    sink.flush()
    return source.readline(REQUEST_CHARACTERS + 1)


def told_by(answer: str) -> tuple[StackEvent, Json] | None:
    """The event that an answer is: a full grant, the user's request, or none."""
    text = answer.strip()
    if text == f"{COMMAND_MARK}{ALLOW}":
        return "grant", {"command": ALLOW, "interactive": True}
    if not text or text.startswith(COMMAND_MARK):
        return None
    return "user_input", {"text": text, "source": "fresh", "interactive": True}


class AtTerminal:
    """The caller of a command. modes: those of one who can be asked, where somebody answered at the terminal. The
    question was asked before: in the middle of a run nothing is."""

    def __init__(self, user: str | None) -> None:
        self.modes = frozenset() if user is None else frozenset({"form"})

    async def ask(self, question: Question) -> object:
        raise AskFailed("a command asks before its run, and not in it")

    async def tools_changed(self) -> None:
        return
