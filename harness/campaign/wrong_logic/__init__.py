"""Named wrong logic: mistakes that a developer may well make, as patches of the stack's source, each with the scenario
that catches it.

- `computer_use`, `safari_mcp`, `safari_jxa`, `chrome`: those of each system.

A guard's removal is a mistake too, but a blunt one; these change what is decided and leave every guard in its place.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.problem import UsageProblem


@dataclass(frozen=True, slots=True)
class Mistake:
    """name: what it does wrong, in words; scenario, case: which have to notice, "" for the scenario as it is; file: of
    the stack; old, new: source text, `old` once in the file."""

    name: str
    scenario: str
    case: str
    file: str
    old: str
    new: str
    back: str = "model"


def patched(mistake: Mistake, text: str) -> str:
    """The source with the mistake. Raises UsageProblem where the source is not the one that the patch was made for."""
    count = text.count(mistake.old)
    if count != 1:
        raise UsageProblem(f"{count} places for the mistake {mistake.name!r} in {mistake.file}", "one",
                           "make the patch fit the source")
    return text.replace(mistake.old, mistake.new)


def mistakes_of(system: str) -> Sequence[Mistake]:
    """The mistakes of a system."""
    from harness.campaign.wrong_logic import chrome, computer_use, safari_jxa, safari_mcp

    table: Mapping[str, Sequence[Mistake]] = {
        "computer-use": computer_use.MISTAKES, "safari-mcp": safari_mcp.MISTAKES,
        "safari-jxa": safari_jxa.MISTAKES, "chrome": chrome.MISTAKES,
    }  # fmt: skip
    return table.get(system, ())
