"""The rows of public reports: what somebody ran into, where that stands, and what shows that it harms nobody here.

A file of `scenarios/public-reports` is a list of `{number, source, what}` and one of `scenarios` (paths below the
folder of scenarios) and `harmless` (why no client can be harmed). A scenario that is named has to name every source.
"""
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.scenario.document import read_file
from harness.scenario.problem import ScenarioProblem
from harness.scenario.scenario import ROOT

FOLDER = "public-reports"
BETWEEN = re.compile(r", | and ")
NAME = re.compile(r"[\w.-]+/[\w.-]+ [\w.]+")
"""`owner/name 7`: who is meant, and which of theirs."""
MEMBERS = frozenset({"number", "source", "what"})
ONE_OF = ("scenarios", "harmless")
LEAST = 10
"""Characters of what was seen, and of why it is harmless."""


@dataclass(frozen=True, slots=True)
class Report:
    """One report, or several of the same thing. number: in its file; scenarios: empty where `harmless` says why."""

    number: int
    source: str
    what: str
    scenarios: tuple[str, ...]
    harmless: str
    file: str
    line: int

    @property
    def names(self) -> list[str]:
        """Each source by itself: `owner/a 7 and 8, owner/b 9` is `owner/a 7`, `owner/a 8` and `owner/b 9`."""
        return names_in(self.source)


def names_in(source: str) -> list[str]:
    """Each of several sources by itself; one that names nobody is of the one before it."""
    found: list[str] = []
    for part in BETWEEN.split(source):
        place, _, number = part.rpartition(" ")
        found.append(f"{place or (found[-1] if found else '').rpartition(' ')[0]} {number}")
    return found


def named(name: str, text: str) -> bool:
    """Whether a text names a source: by itself, or in a row of several of one place."""
    place, _, number = name.rpartition(" ")
    between = rf"(?:[\w.]+(?:{BETWEEN.pattern}))*"
    return re.search(rf"(?<![\w./-]){re.escape(place)} {between}{re.escape(number)}(?!\.?\w)", text) is not None


def read_reports(path: Path) -> list[Report]:
    """The rows of one file. Raises ScenarioProblem."""
    root = read_file(path)
    if not isinstance(root.value, list):
        raise _refused("no list", path, root.line)
    found: list[Report] = []
    for node in root.value:
        row = _row(node.plain(), path, node.line)
        if row.number in {each.number for each in found}:
            raise _refused(f"a second row of number {row.number}", path, node.line)
        found.append(row)
    return found


def _row(given: Any, path: Path, line: int) -> Report:
    ends = [name for name in ONE_OF if isinstance(given, dict) and name in given]
    if not isinstance(given, dict) or len(ends) != 1 or given.keys() != MEMBERS | {*ends}:
        raise _refused(f"a row with {', '.join(given) if isinstance(given, dict) else 'no members'}", path, line)
    scenarios, why = given.get("scenarios", []), given.get("harmless", "")
    source = given["source"]
    whole = isinstance(source, str) and all(NAME.fullmatch(name) for name in names_in(source))
    if type(given["number"]) is not int or not whole:
        raise _refused(f"number {given['number']!r} of source {source!r}", path, line)
    texts = [given["what"], *([why] if "harmless" in given else [])]
    if not all(isinstance(text, str) and len(text) >= LEAST for text in texts):
        raise _refused(f"{texts!r}", path, line)
    if not isinstance(scenarios, list) or not all(isinstance(each, str) for each in scenarios):
        raise _refused(f"scenarios {scenarios!r}", path, line)
    if "scenarios" in given and not scenarios:
        raise _refused("no scenario", path, line)
    return Report(given["number"], source, given["what"], tuple(scenarios), why, str(path), line)


def _refused(seen: str, path: Path, line: int) -> ScenarioProblem:
    expected = "a list of {number, source, what} with scenarios or harmless, in words"
    return ScenarioProblem(seen, expected, "see harness/public_reports/rows.py", file=str(path), line=line)


def all_reports(root: Path = ROOT) -> dict[str, list[Report]]:
    """System -> its rows, of every file that is there."""
    return {path.stem: read_reports(path) for path in sorted((root / FOLDER).glob("*.yaml"))}


def wrong(reports: Sequence[Report], root: Path = ROOT) -> list[str]:
    """What is wrong with rows, in words: scenarios that are not there, or that do not say what they are of."""
    findings = []
    for report in reports:
        for name in report.scenarios:
            path = root / name
            if not path.is_file():
                findings.append(f"{report.file}:{report.line}: no scenario {name}")
                continue
            text = path.read_text(encoding="utf-8")
            absent = [each for each in report.names if not named(each, text)]
            findings += [f"{report.file}:{report.line}: {name} does not name {each}" for each in absent]
    return findings
