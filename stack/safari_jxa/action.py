"""Which action of which observation a caller means, and how it is asked of the page.

Separate from its dispatch: an action that is not exactly one candidate of its observation is refused here, before
anything is sent anywhere. That is what keeps a caller's words from becoming a program, a selector or a coordinate.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stack.contract import Json
from stack.errors import CallError
from stack.safari_jxa.page import Action, Observation, canonical
from stack.safari_jxa.settings import FILL_CHARACTERS

DIRECTIONS: Final[Mapping[str, str]] = {"scroll-down": "down", "scroll-up": "up"}
TAKES_TEXT: Final[Mapping[str, bool]] = {"click": False, "fill": True, "select": False, "scroll": False, "wait": False}
"""Kind -> whether it needs a text; a kind that needs none takes none."""


def candidate(given: str | Action, page: Observation) -> Action:
    """The one candidate that is meant: by its id, or as the whole action. CallError where it is none, or not one."""
    if isinstance(given, str):
        found = [action for action in page.actions if action["id"] == given]
    else:
        found = [action for action in page.actions if action["id"] == given.get("id")]
    if len(found) > 1:
        raise CallError("invalid_action", f"{len(found)} candidates of observation {page.number} have this id")
    if not found:
        raise CallError("invalid_action", f"no candidate of observation {page.number} has this id")
    differing = [] if isinstance(given, str) else _differing(given, found[0])
    if differing:
        raise CallError("invalid_action", f"the action differs from the candidate in {', '.join(differing)}")
    return found[0]


def _differing(one: Action, other: Action) -> list[str]:
    """The fields in which two actions are not the same; a whole number is not the same as a fraction."""
    names = sorted(set(one) | set(other))
    return [n for n in names if n not in one or n not in other or canonical(one[n]) != canonical(other[n])]


def check_text(action: Action, text: str | None) -> None:
    """Whether the text goes with the action. CallError."""
    kind = str(action["kind"])
    if TAKES_TEXT[kind] != (text is not None):
        raise CallError("invalid_arguments", f"a {kind} {'needs a' if TAKES_TEXT[kind] else 'takes no'} text")
    if text is not None and len(text) > FILL_CHARACTERS:
        raise CallError("invalid_arguments", f"a text of {len(text)} characters; expected at most {FILL_CHARACTERS}")


def argument(op: str, action: Action, page: Observation, **more: Json) -> dict[str, Json]:
    """The argument of the page program for an action. Only values that were observed, and the caller's text."""
    guard: dict[str, Json] = {name: page.page.get(name) for name in ("route", "viewport")}
    if "node" in action:
        guard |= page.guards[str(action["node"])]
    else:
        guard |= {name: page.page.get(name) for name in ("fields", "content")}
    asked: dict[str, Json] = {
        "kind": action["kind"],
        "node": action.get("node"),
        "option": action.get("option"),
        "direction": DIRECTIONS.get(str(action["id"])),
    }
    return {"op": op, "epoch": page.epoch, "action": asked, "guard": guard, **more}
