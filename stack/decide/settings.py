"""What a run may be told, and its bounds. What is left out has its default here, and never zero.

Separate from the loop, so that each number has one place. Nothing here turns a check off: the floor of BLOCKED can be
raised by the floor of actions, and never lowered.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from stack.contract import Json
from stack.errors import CallError

PAUSES_MS: Final = (300, 800, 2500)
"""Before the first, second and third further look at one question."""
WORK: Final = 40
"""Steps of work that a leg has."""
LOOKS: Final = 25
"""Looks without work that a leg has."""
BLOCKED_FLOOR: Final = 0.6
CONFIDENT_NO: Final = 0.25
"""P(the outcome is visible) up to which a DONE is disputed."""
FILL_CHARACTERS: Final = 2000
RECENT: Final = 10
"""Actions that the model is told of."""
PATH: Final = "/v1/systemone"
_OPTIONS: Final = frozenset({"goal", "plan", "literals", "execute", "expect", "min_confidence", "steady"})
_MODEL: Final = frozenset({"url", "name", "key"})


@dataclass(frozen=True, slots=True)
class Model:
    """Where the model is. url: of the service, without the path; name: of the model; key: sent as a bearer token.
    All times in milliseconds; attempts: of one request, the first one included; asks: requests for one decision."""

    url: str
    name: str = "jev-1.13.0"
    key: str | None = field(default=None, repr=False)
    timeout_ms: int = 25_000
    attempts: int = 3
    asks: int = 2
    longest_wait_ms: int = 10_000
    waits_ms: tuple[int, ...] = (500, 1_000)

    @property
    def endpoint(self) -> str:
        return self.url.rstrip("/") + PATH


@dataclass(frozen=True, slots=True)
class Options:
    """One run. plan: the goals of its legs; in_plan: whether it was given as a plan; literals: part of a control's
    label -> text; floor: least confidence of an action; steady_ms: between two looks while the model thinks."""

    plan: tuple[str, ...]
    in_plan: bool = True
    literals: tuple[tuple[str, str], ...] = ()
    execute: bool = False
    expect: re.Pattern[str] | None = None
    floor: float = 0.5
    steady_ms: float = 200

    @property
    def blocked_floor(self) -> float:
        return max(BLOCKED_FLOOR, self.floor)


def _wrong(seen: str) -> CallError:
    return CallError("invalid_arguments", seen)


def _texts(value: Json, place: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(each, str) and each.strip() for each in value):
        raise _wrong(f"{place} is not a list of texts that say something")
    return tuple(str(each) for each in value)


def _number(given: Mapping[str, Json], name: str, default: float, least: float, most: float) -> float:
    """A number; its default where it is absent or null."""
    value = given.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _wrong(f"{name} is not a number")
    if not least <= value <= most:
        raise _wrong(f"{name} is {value:g}; expected {least:g} to {most:g}")
    return float(value)


def _literals(value: Json) -> tuple[tuple[str, str], ...]:
    """`{label: text}`, or a list of `[label, text]`, which may have a label twice."""
    if isinstance(value, dict):
        value = [[label, text] for label, text in value.items()]
    if not isinstance(value, list):
        raise _wrong("literals are neither an object nor a list of pairs")
    found = []
    for pair in value:
        if not isinstance(pair, list) or len(pair) != 2:
            raise _wrong("a literal is not a pair of a label and a text")
        label, text = pair
        if not isinstance(label, str) or not isinstance(text, str) or not label.strip():
            raise _wrong("a literal is not a label that says something, and a text")
        if len(text) > FILL_CHARACTERS:
            raise _wrong(f"a literal of {len(text)} characters; expected at most {FILL_CHARACTERS}")
        found.append((label, text))
    return tuple(found)


def _expected(value: Json) -> re.Pattern[str] | None:
    if value is None:
        return None
    if not isinstance(value, str) or not value:
        raise _wrong("expect is not a regular expression")
    try:
        return re.compile(value)
    except re.error as error:
        raise _wrong(f"expect is not a regular expression: {error}") from None


def options_from(given: Mapping[str, Json]) -> Options:
    """The options of a run from what a caller gave; null is the same as absent. CallError."""
    unknown = sorted(set(given) - _OPTIONS)
    if unknown:
        raise _wrong(f"unknown: {', '.join(unknown)}")
    goal, plan = given.get("goal"), given.get("plan")
    if (goal is None) == (plan is None):
        raise _wrong("a run has a goal or a plan, and not both")
    legs = _texts([goal] if plan is None else plan, "goal" if plan is None else "plan")
    execute = given.get("execute")
    if not isinstance(execute, bool | None):
        raise _wrong("execute is neither true nor false")
    literals = given.get("literals")
    return Options(
        plan=legs,
        in_plan=plan is not None,
        literals=() if literals is None else _literals(literals),
        execute=execute is True,
        expect=_expected(given.get("expect")),
        floor=_number(given, "min_confidence", 0.5, 0.0, 1.0),
        steady_ms=1000 * _number(given, "steady", 0.2, 0.01, 10.0),
    )


def model_from(given: Json) -> Model:
    """The model from `{url, name?, key?}`. ValueError names what is wrong; never the key."""
    if not isinstance(given, dict) or set(given) - _MODEL or not isinstance(given.get("url"), str):
        raise ValueError(f"a model that is no object with url, and name or key beside it; members: {sorted(_MODEL)}")
    texts = {name: value for name, value in given.items() if value is not None}
    if not all(isinstance(value, str) and value for value in texts.values()):
        raise ValueError("a url, name or key of the model that is not a text")
    return Model(**{name: str(value) for name, value in texts.items()})  # type: ignore[arg-type]
