"""The claims' form and number, and who names them.

The claims are a promise: an id is never reused, dropped or renamed, so their set is fixed here by number and by hash.
"""
from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.tidy.tree import Source

KINDS = frozenset({"refusal", "behaviour", "bound", "consent", "hygiene"})
ORIGINS = frozenset({"pi-safari", "wrangle", "computer-use", "nova", "harness", "ours"})
PROGRAMS = frozenset({
    "codex", "helper", "codesign", "lsappinfo", "safaridriver", "page", "osascript", "model", "judge", "browser",
    "extension", "host", "harness", "os",
})
FIELDS = ("id", "kind", "from", "about", "claim")

NUMBER = 260
IDS_SHA256 = "5f8808242d502be3d0e2ea9762a49fed528c7a73dfc84b87990077d674d039f4"
"""Of the sorted ids, a newline between two."""

DUE = ("HAR-WIRE", "HAR-REC", "HAR-TAPE", "HAR-PLAY", "HAR-LAW", "HAR-DET", "HAR-COV", "HAR-NET", "HAR-RPT", "HAR-CLI")
"""Families of which every claim has to be named by a scenario's `then` or by a test that fails when it is broken."""

BITTEN = frozenset({"HAR-FAKE-01", "HAR-FAKE-02", "HAR-FAKE-03", "HAR-FAKE-04", "HAR-FAKE-05", "HAR-FLT-01",
                    "HAR-LIVE-01", "HAR-LIVE-02", "HAR-LIVE-03", "HAR-MUT-01", "HAR-PROP-01", "HAR-PYT-01",
                    "HAR-HYG-01"})
"""Other claims about the harness itself that a test with teeth is due for."""


def form(path: str, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Rows with other fields, kinds, origins or programs than the claims have."""
    findings = []
    for number, row in enumerate(rows, 1):
        place = f"{path}: row {number} ({row.get('id')})"
        if tuple(row) != FIELDS:
            findings.append(f"{place} has the fields {', '.join(row)}; expected {', '.join(FIELDS)}")
            continue
        if row["kind"] not in KINDS:
            findings.append(f"{place} has kind {row['kind']!r}")
        if row["from"] not in ORIGINS:
            findings.append(f"{place} is from {row['from']!r}")
        about = row["about"]
        if not about or about != sorted(set(about)) or not set(about) <= PROGRAMS:
            findings.append(f"{place} is about {about!r}; expected programs, sorted, each once")
    return findings


def id_set(ids: Sequence[str]) -> list[str]:
    """A set of ids that is not the promised one."""
    findings = [f"{claim} stands twice" for claim in sorted(set(ids)) if ids.count(claim) > 1]
    seen = hashlib.sha256("\n".join(sorted(ids)).encode()).hexdigest()
    if len(ids) != NUMBER or seen != IDS_SHA256:
        findings.append(f"{len(ids)} claims with hash {seen}; expected {NUMBER} with hash {IDS_SHA256}")
    return findings


def marked(source: Source) -> list[tuple[int, str]]:
    """Line and id of every `claim(...)` marker of a test file."""
    found = []
    for node in source.nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("pytest.mark.claim", "mark.claim"):
            for argument in node.args:
                value = argument.value if isinstance(argument, ast.Constant) else ast.unparse(argument)
                found.append((node.lineno, str(value)))
    return found


def with_teeth(source: Source) -> list[str]:
    """The ids in every `claim(…, tooth=…)` marker of a test file."""
    return [
        argument.value
        for node in source.nodes
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("pytest.mark.claim", "mark.claim")
        and any(keyword.arg == "tooth" for keyword in node.keywords)
        for argument in node.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


def toothless(toothed: Iterable[str], ids: Iterable[str]) -> list[str]:
    """Claims of the due families, and BITTEN, of which no test breaks something and sees it caught."""
    due = {claim for claim in ids if claim.startswith(DUE) or claim in BITTEN}
    return [f"{claim} has no test that breaks something and sees it caught" for claim in sorted(due - set(toothed))]


def named_in(scenario: Any) -> list[str]:
    """The ids in the `claims` of a scenario, wherever in it."""
    if isinstance(scenario, dict):
        own = scenario.get("claims", [])
        inner = [claim for key, value in scenario.items() if key != "claims" for claim in named_in(value)]
        return [*(str(claim) for claim in ([own] if isinstance(own, str) else own)), *inner]
    if isinstance(scenario, list):
        return [claim for value in scenario for claim in named_in(value)]
    return []


def mentioned(text: str) -> list[str]:
    """What looks like an id of a claim in a text."""
    return re.findall(r"\b(?:HAR|CUA|SAF|JXA|CHR)-[A-Z]+-\d\d\b", text)


def unknown(named: Iterable[tuple[str, str]], ids: Iterable[str]) -> list[str]:
    """named: pairs of place and id. Ids that no claim has."""
    known = set(ids)
    return [f"{place} names {claim}, which is no claim" for place, claim in named if claim not in known]


def unnamed(named: Iterable[str], ids: Iterable[str]) -> list[str]:
    """Claims of the due families that nothing names."""
    due = {claim for claim in ids if claim.startswith(DUE)}
    return [f"{claim} is named by no scenario and no test" for claim in sorted(due - set(named))]
