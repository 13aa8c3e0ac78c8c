"""What a decision leads to. One table, whose rows are looked up by what was chosen and what is known of the leg.

Separate from the loop, so that a test can try every input. A row says how many further looks the question gets, under
which tag, and what comes after them; a look that says something else is followed instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from stack.decide.answer import Decision
from stack.decide.settings import CONFIDENT_NO, Options
from stack.decide.space import BLOCKED, DONE
from stack.decide.transcript import Tag


class Choice(StrEnum):
    """Kinds of decisions."""

    ACTION = "action"
    DONE = "done"
    BLOCKED = "blocked"


class Then(StrEnum):
    """What comes after the looks. PASS: done in a plan, handed back otherwise; DOUBT: done, and the doubt is said;
    PASS_IN_DOUBT: both."""

    ACT = "act"
    ASK = "ask"
    DONE = "done"
    PASS = "pass"
    DOUBT = "doubt"
    PASS_IN_DOUBT = "pass_in_doubt"
    BLOCKED = "blocked"


class Question(StrEnum):
    """What a further look is about; looks are counted for each since the last work."""

    FLOOR = "floor"
    DISPUTE = "dispute"
    STUCK = "stuck"


@dataclass(frozen=True, slots=True)
class Row:
    """looks: further looks before `then`."""

    question: Question
    looks: int
    then: Then


class Known(NamedTuple):
    """The inputs of the table. sure: at or above its floor; acted: the leg has done work; disputed: a DONE of which
    the yes/no head is a confident no."""

    choice: Choice
    sure: bool
    acted: bool
    disputed: bool


_F, _D, _S = Question.FLOOR, Question.DISPUTE, Question.STUCK
RULES: Final[Mapping[Known, Row]] = {
    #     choice          sure   acted  disputed
    Known(Choice.ACTION, True, False, False): Row(_F, 0, Then.ACT),
    Known(Choice.ACTION, True, True, False): Row(_F, 0, Then.ACT),
    Known(Choice.ACTION, False, False, False): Row(_F, 1, Then.ASK),
    Known(Choice.ACTION, False, True, False): Row(_F, 1, Then.ASK),
    Known(Choice.DONE, True, False, False): Row(_F, 0, Then.DONE),
    Known(Choice.DONE, True, True, False): Row(_F, 0, Then.DONE),
    Known(Choice.DONE, False, False, False): Row(_F, 1, Then.PASS),
    Known(Choice.DONE, False, True, False): Row(_F, 1, Then.PASS),
    Known(Choice.DONE, True, False, True): Row(_D, 3, Then.ASK),
    Known(Choice.DONE, False, False, True): Row(_D, 3, Then.ASK),
    Known(Choice.DONE, True, True, True): Row(_D, 1, Then.DOUBT),
    Known(Choice.DONE, False, True, True): Row(_D, 1, Then.PASS_IN_DOUBT),
    Known(Choice.BLOCKED, True, False, False): Row(_S, 3, Then.BLOCKED),
    Known(Choice.BLOCKED, False, False, False): Row(_S, 3, Then.BLOCKED),
    Known(Choice.BLOCKED, True, True, False): Row(_S, 0, Then.BLOCKED),
    Known(Choice.BLOCKED, False, True, False): Row(_S, 2, Then.BLOCKED),
}
TAGS: Final[Mapping[Question, Tag]] = {_F: "RELOOK", _D: "UNPROVEN", _S: "RELOOK"}
CHOICES: Final[Mapping[str, Choice]] = {DONE: Choice.DONE, BLOCKED: Choice.BLOCKED}


def known(decision: Decision, options: Options, acted: bool) -> Known:
    """The inputs that a decision gives."""
    choice = CHOICES.get(decision.operation, Choice.ACTION)
    floor = options.blocked_floor if choice is Choice.BLOCKED else options.floor
    sure = decision.confidence >= floor and (choice is not Choice.ACTION or decision.action is not None)
    disputed = decision.visible is not None and decision.visible <= CONFIDENT_NO
    return Known(choice, sure, acted, disputed)
