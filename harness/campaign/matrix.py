"""What the runs of a fault campaign came to: fault by law, and each distinct thing that is broken, once.

Two runs are broken in the same way where the same law says the same, numbers aside: the first of them stands for all,
with the command that repeats it.
"""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.judged.run import Judged
from harness.laws.table import LAWS

DIGITS = re.compile(r"[0-9]+(\.[0-9]+)?")
COLUMNS = ("runs", "inapplicable", "could not run")


@dataclass(slots=True)
class Finding:
    """verdict: broken or unknown; law: its number, 0 for what could not be run; runs: how many say so; faults: which
    were in the plans; scenario, again: of the first."""

    verdict: str
    law: int
    why: str
    scenario: str
    again: str
    runs: int = 0
    faults: Counter[str] = field(default_factory=Counter)

    def as_json(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict, "law": self.law, "why": self.why, "scenario": self.scenario, "again": self.again,
            "runs": self.runs, "faults": dict(sorted(self.faults.items())),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One run, in short. laws: number -> verdict, "moot" where the law had nothing to judge; said: law, verdict and
    why of each that does not hold. fired: false where the plan did not fire, so that the run says nothing."""

    scenario: str
    fault: str
    fired: bool
    laws: Mapping[str, str]
    said: list[list[Any]]
    again: str

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


def row_of(scenario: str, fault: str, judged: Judged) -> Row:
    """A judged run, in short."""
    laws = {str(each.law): "moot" if each.moot else each.verdict for each in judged.laws}
    said = [[each.law, each.verdict, each.why] for each in judged.laws if not each.moot and each.verdict != "holds"]
    return Row(scenario, fault, judged.applicable, laws, said, judged.again if said else "")


class Matrix:
    """Filled with rows, in one order, so that the same campaign gives the same matrix."""

    def __init__(self) -> None:
        self.cells: dict[str, Counter[str]] = {}
        self.findings: dict[tuple[int, str, str], Finding] = {}

    def add(self, row: Row) -> None:
        """One run."""
        cell = self.cells.setdefault(row.fault, Counter())
        cell["runs"] += 1
        if not row.fired:
            cell["inapplicable"] += 1
            return
        for law, verdict in row.laws.items():
            cell[f"{law} {verdict}"] += 1
        for law, verdict, why in row.said:
            self._found(verdict, law, why, row)

    def lost(self, scenario: str, fault: str, why: str, again: str) -> None:
        """A run that could not be made."""
        cell = self.cells.setdefault(fault, Counter())
        cell["runs"] += 1
        cell["could not run"] += 1
        self._found("unknown", 0, f"could not run: {why}", Row(scenario, fault, True, {}, [], again))

    def _found(self, verdict: str, law: int, why: str, row: Row) -> None:
        key = (law, verdict, DIGITS.sub("N", why))
        found = self.findings.setdefault(key, Finding(verdict, law, why, row.scenario, row.again))
        found.runs += 1
        found.faults[row.fault] += 1

    def total(self, column: str) -> int:
        """Over all faults."""
        return sum(cell[column] for cell in self.cells.values())

    @property
    def in_order(self) -> list[Finding]:
        """Broken first, then by law, then what many runs say."""
        return sorted(
            self.findings.values(), key=lambda each: (each.verdict != "broken", each.law, -each.runs, each.why)
        )

    @property
    def word(self) -> str:
        """broken, unknown or holds; unknown too where no run says anything."""
        verdicts = {finding.verdict for finding in self.findings.values()}
        if "broken" in verdicts:
            return "broken"
        silent = self.total("runs") == self.total("inapplicable")
        return "unknown" if verdicts or silent else "holds"

    def as_json(self) -> dict[str, Any]:
        return {fault: dict(sorted(cell.items())) for fault, cell in sorted(self.cells.items())}

    def as_text(self) -> list[str]:
        """A line a fault: runs, inapplicable, could not run, and for each law `broken/unknown/holds`, `.` where it had
        nothing to judge in any run."""
        width = max([len(fault) for fault in self.cells] + [5])
        laws = " ".join(f"{f'law {law}':>11}" for law in LAWS)
        lines = [f"{'fault':<{width}} {'runs':>6} {'n/a':>5} {'lost':>5} {laws}"]
        for fault, cell in sorted(self.cells.items()):
            said = [[cell[f"{law} {word}"] for word in ("broken", "unknown", "holds")] for law in LAWS]
            laws = " ".join(f"{'/'.join(map(str, each)) if any(each) else '.':>11}" for each in said)
            numbers = f"{cell['runs']:>6} {cell['inapplicable']:>5} {cell['could not run']:>5}"
            lines.append(f"{fault:<{width}} {numbers} {laws}")
        return lines
