"""Written reasons why a guard may be taken out unnoticed: another guard does its work. Each reason is checked.

`scenarios/equivalent.yaml` has a list of `{guard, other, why}`: with both taken out something must notice. A reason for
a guard that is noticed alone, or that is gone, is stale, and a finding: no list of excuses can grow old here.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.scenario.document import read_file
from harness.scenario.problem import ScenarioProblem
from harness.scenario.scenario import ROOT

PATH = ROOT / "equivalent.yaml"
MEMBERS = frozenset({"guard", "other", "why"})
LEAST = 20
"""Characters of a reason."""


@dataclass(frozen=True, slots=True)
class Reason:
    """guard may go because of `others`; line: where it stands."""

    guard: str
    others: tuple[str, ...]
    why: str
    line: int


def read_reasons(path: Path = PATH) -> list[Reason]:
    """The reasons in a file; none where there is no file. Raises ScenarioProblem."""
    if not path.is_file():
        return []
    file = str(path)
    root = read_file(path)
    if not isinstance(root.value, list):
        raise ScenarioProblem("no list", "a list of {guard, other, why}", "correct it", file=file, line=root.line)
    found: list[Reason] = []
    for node in root.value:
        given = node.plain()
        if not isinstance(given, dict) or given.keys() != MEMBERS:
            seen = f"an entry with {', '.join(given) if isinstance(given, dict) else 'no members'}"
            raise ScenarioProblem(seen, "guard, other and why", "correct it", file=file, line=node.line)
        others = given["other"] if isinstance(given["other"], list) else [given["other"]]
        names = [given["guard"], *others]
        if not all(isinstance(name, str) and name.startswith("guard:") for name in names) or len(set(names)) < 2:
            raise ScenarioProblem(f"guards {names!r}", "the names of two guards or more",
                                  "see `trailcam guards --list`", file=file, line=node.line)
        if not isinstance(given["why"], str) or len(given["why"]) < LEAST:
            raise ScenarioProblem(f"why {given['why']!r}", "a reason in a sentence", "say what makes the other one do",
                                  file=file, line=node.line)
        if any(reason.guard == given["guard"] for reason in found):
            seen = f"a second reason for {given['guard']}"
            raise ScenarioProblem(seen, "one", "join them", file=file, line=node.line)
        found.append(Reason(given["guard"], tuple(others), given["why"], node.line))
    return found


def stale(reasons: Iterable[Reason], known: Collection[str], killed: Mapping[str, bool]) -> list[str]:
    """What is wrong with reasons, in words. known: every guard there is; killed: guard -> noticed alone."""
    findings = []
    for reason in reasons:
        gone = [name for name in (reason.guard, *reason.others) if name not in known]
        if gone:
            findings.append(f"line {reason.line}: {', '.join(gone)} is no guard (any more)")
        elif killed.get(reason.guard):
            findings.append(f"line {reason.line}: {reason.guard} needs no reason: its removal is noticed")
    return findings


def reason_for(reasons: Sequence[Reason], guard: str) -> Reason | None:
    """The reason for one guard."""
    return next((reason for reason in reasons if reason.guard == guard), None)
