"""The model's answer, read strictly: a decision, or Invalid with the reason.

Only the head of the operation that was chosen is read, and the yes/no head only where the choice is DONE; what stands
in the others means nothing. Confidence is computed from the distribution, as (top - 1/n) / (1 - 1/n), and never taken
from what a server says: servers define that member in several ways, and a floor means something in one of them alone.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from stack.contract import Json
from stack.decide.port import Action
from stack.decide.question import OPERATION, OUTCOME
from stack.decide.space import DONE, NONE, Space

SUM_WITHIN: Final = 0.02
TOP_WITHIN: Final = 1e-6


class Invalid(Exception):
    """An answer that is none to what was asked; the text says why, without the answer's own words."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What was chosen. action: None for DONE, BLOCKED, and an operation whose target is none of those offered;
    target: confidence of the target, None where the operation has none; visible: P(the outcome is visible), for DONE.
    """

    operation: str
    action: Action | None
    sure: float
    target: float | None
    visible: float | None

    @property
    def confidence(self) -> float:
        """The lower of the two."""
        return self.sure if self.target is None else min(self.sure, self.target)


def decision(body: bytes, space: Space) -> Decision:
    """The decision in the body of a reply. Raises Invalid."""
    answers = _answers(body)
    name, sure = _chosen(answers, OPERATION, space.operations)
    operation = space.operations[name]
    if not operation.targets:
        visible = _probability(_head(answers, OUTCOME, "noul").get("noul"), OUTCOME) if name == DONE else None
        return Decision(name, operation.action, sure, None, visible)
    target, confidence = _chosen(answers, operation.head, (*operation.targets, NONE))
    if target == NONE:
        return Decision(name, None, sure, 0.0, None)
    return Decision(name, operation.targets[target], sure, confidence, None)


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Invalid("an object has a member twice")
    return members


def _answers(body: bytes) -> Mapping[str, Json]:
    try:
        value: Json = json.loads(body, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise Invalid("the body is not JSON") from None
    answers = value.get("answers") if isinstance(value, dict) else None
    if not isinstance(answers, dict):
        raise Invalid("there are no answers in it")
    return answers


def _head(answers: Mapping[str, Json], name: str, kind: str) -> Mapping[str, Json]:
    head = answers.get(name)
    if not isinstance(head, dict) or head.get("type") != kind:
        raise Invalid(f"the head {name} is missing, or is no {kind}")
    return head


def _probability(value: Json, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or not 0 <= value <= 1:
        raise Invalid(f"the head {name} has a probability that is no number from 0 to 1")
    return float(value)


def _chosen(answers: Mapping[str, Json], name: str, options: Collection[str]) -> tuple[str, float]:
    """The option that was chosen, and how sure that is."""
    head = _head(answers, name, "choice")
    given, choice = head.get("probabilities"), head.get("choice")
    if not isinstance(given, dict) or set(given) != set(options):
        raise Invalid(f"the head {name} does not have one probability for each option")
    probabilities = {option: _probability(value, name) for option, value in given.items()}
    total, top = math.fsum(probabilities.values()), max(probabilities.values())
    if abs(total - 1) > SUM_WITHIN:
        raise Invalid(f"the probabilities of the head {name} have the sum {total:.4f}")
    if not isinstance(choice, str) or choice not in probabilities:
        raise Invalid(f"the head {name} chose what was not offered")
    if top - probabilities[choice] > TOP_WITHIN:
        raise Invalid(f"the head {name} chose what is not its most probable option")
    return choice, max(0.0, (top - 1 / len(options)) / (1 - 1 / len(options)))
