"""The request to the model: one operation, one target for each operation that has any, and whether it is done.

Separate from asking it, because its bytes are kept as golden files: the same page, goal and history give the same
request. It has nothing in it but what was observed, what was done, and the goal.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

from stack.contract import Json
from stack.decide.port import Page
from stack.decide.settings import RECENT
from stack.decide.space import NONE, Operation, Space

OPERATION: Final = "operation"
OUTCOME: Final = "outcome"
NO_TARGET: Final = "None of these"


def request(space: Space, page: Page, goal: str, recent: Sequence[Mapping[str, Json]], model: str) -> bytes:
    """The body of one request, in ASCII. recent: what was done, the latest last."""
    body: dict[str, Json] = {
        "model": model,
        "state": _state(space, page, goal, recent),
        "questions": {
            OPERATION: _choice(
                "Which operation brings the goal nearer on this page, as it is now?",
                {name: operation.said for name, operation in space.operations.items()},
            ),
            **{each.head: _targets(each) for each in space.operations.values() if each.targets},
            OUTCOME: {
                "type": "noul",
                "instructions": "Is the outcome of the goal visible on this page?",
                "criteria": {"true": "The page shows it", "false": "The page does not show it"},
            },
        },
    }
    return json.dumps(body, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def _state(space: Space, page: Page, goal: str, recent: Sequence[Mapping[str, Json]]) -> dict[str, Json]:
    state: dict[str, Json] = {
        "goal": goal,
        "page": {"url": page.url, "title": page.title, "text": page.text},
        "controls": [dict(control) for control in space.controls],
        "recent": [dict(each) for each in recent[-RECENT:]],
    }
    omitted: dict[str, Json] = {name: each.omitted for name, each in space.operations.items() if each.omitted}
    return {**state, "omitted": omitted} if omitted else state


def _choice(instructions: str, criteria: Mapping[str, Json]) -> dict[str, Json]:
    return {"type": "choice", "instructions": instructions, "criteria": dict(criteria)}


def _targets(operation: Operation) -> dict[str, Json]:
    named = {name: str(action["label"]) for name, action in operation.targets.items()}
    return _choice(f"If the operation is {operation.name}: which target?", {**named, NONE: NO_TARGET})
