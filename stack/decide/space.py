"""What can be chosen on a page: operations, and the targets of each.

Separate from the request that asks and the answer that chooses, which both have to mean the same by a word. A control
is one target, numbered once, whatever kinds of action it offers; a select is one target an option. What has no control
(scrolling, waiting) is an operation of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from stack.contract import Json
from stack.decide.port import Action, Page

DONE: Final = "DONE"
BLOCKED: Final = "BLOCKED"
NONE: Final = "NONE"
"""The target that is none: every list has it, so that the model need not choose a wrong one."""
TARGETS: Final = 250
"""Targets that one operation may have; a choice of the API has at most 255 options."""
AIMED: Final[Mapping[str, str]] = {"click": "CLICK", "fill": "FILL", "select": "SELECT"}
"""Kind of action that has a control -> its operation."""
SAID: Final[Mapping[str, str]] = {
    "CLICK": "Click one of the controls",
    "FILL": "Write the value that the caller has for it into one of the controls",
    "SELECT": "Choose one option of a list",
    DONE: "The goal has been reached: the page shows its outcome",
    BLOCKED: "No operation that is offered can bring the goal nearer",
}


@dataclass(slots=True)
class Operation:
    """action: what it does, where it has no target; targets: name -> action; omitted: targets beyond the bound."""

    name: str
    said: str
    action: Action | None = None
    targets: dict[str, Action] = field(default_factory=dict)
    omitted: int = 0

    @property
    def head(self) -> str:
        """The question that asks for its target."""
        return f"{self.name.lower()}_target"


@dataclass(frozen=True, slots=True)
class Space:
    """operations: by name, DONE and BLOCKED last; controls: as the model is shown them, each once."""

    operations: Mapping[str, Operation]
    controls: tuple[Mapping[str, Json], ...]


def space_of(page: Page) -> Space:
    """What can be chosen on this page."""
    operations: dict[str, Operation] = {}
    controls: dict[Json, dict[str, Json]] = {}
    for action in page.actions:
        name = AIMED.get(str(action["kind"]))
        if name is None:
            name = str(action["id"]).upper().replace("-", "_")
            operations[name] = Operation(name, str(action["label"]), action)
            continue
        shown = controls.setdefault(action["node"], _control(len(controls) + 1, action))
        target = f"{shown['control']}:{action['option']}" if name == "SELECT" else str(shown["control"])
        operation = operations.setdefault(name, Operation(name, SAID[name]))
        if len(operation.targets) < TARGETS:
            operation.targets[target] = action
        else:
            operation.omitted += 1
    aimed = {name: operations[name] for name in AIMED.values() if name in operations}
    ends = {name: Operation(name, SAID[name]) for name in (DONE, BLOCKED)}
    others = {name: operation for name, operation in operations.items() if name not in aimed}
    return Space({**aimed, **others, **ends}, tuple(controls.values()))


def _control(number: int, action: Action) -> dict[str, Json]:
    shown: dict[str, Json] = {"control": number, "role": action.get("role")}
    if action["kind"] == "select":
        return {**shown, "label": str(action["label"]).partition(": ")[0]}
    return {**shown, "label": action["label"], "value": action.get("value")}
