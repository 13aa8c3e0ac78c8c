"""What the suite shows of the claims that its tests are marked with, as a ledger beside that of the runs.

`--evidence FILE` writes it. A test function is one piece of evidence, whatever its parameters: it holds where all of
them passed. `@pytest.mark.claim(id, …, tooth="…")` names what the test itself breaks and sees caught; a claim that no
test and no scenario turns is shown as one without teeth.

`@pytest.mark.engine("chromium", stands_for=("browser", "extension", "page"))` says which programs of a claim the real
one stands for in this test, so that the evidence is about them, with the engine's own version.
`@pytest.mark.fakes(helper="1.0.799")` names fakes that took part, and the version that they stand for: a model each.
"""
from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest

from harness.claims import load_claims
from harness.engines import ask_version, locate, select
from harness.evidence.collect import evidence_of_test
from harness.evidence.ledger import add
from harness.evidence.record import Record
from harness.kept.origin import Origin
from harness.kept.sources import source_hashes

PACKAGES = ("stack", "harness", "fakes")
PROPERTY = "claims"
FAKE = "fake of "
"""Begins the name of a fake, and of no engine."""
WORST = ("failed", "skipped", "passed")
"""Of several outcomes of one function, the first that occurs."""


def marks(item: pytest.Item) -> tuple[list[str], list[str]]:
    """(claims, teeth) of a test's markers."""
    claims: list[str] = []
    teeth: list[str] = []
    for marker in item.iter_markers("claim"):
        claims += marker.args
        if "tooth" in marker.kwargs:
            teeth.append(f"broken:{marker.kwargs['tooth']}")
    return sorted(set(claims)), sorted(set(teeth))


def parts(item: pytest.Item) -> list[list[str]]:
    """[program of claims, name of the engine or fake that stands for it], sorted, by a test's markers."""
    found = [[program, f"{FAKE}{marker.kwargs[program]}"] for marker in item.iter_markers("fakes")
             for program in marker.kwargs]  # fmt: skip
    for marker in item.iter_markers("engine"):
        (name,) = {row.program for row in select(*marker.args)}
        found += [[program, name] for program in marker.kwargs.get("stands_for", ())]
    return sorted(found)


@cache
def origin(name: str) -> Origin:
    """What the engine of that name is, by its own word; what a fake is."""
    if name.startswith(FAKE):
        return Origin("model", name.removeprefix(FAKE))
    row = select(name)[0]
    path = locate(row)
    assert path is not None, f"{name} took part in a test, and is not here"
    return Origin("engine", ask_version(row, path) or name)


class Collector:
    """Outcomes of marked tests by function; reports may come from other processes."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[set[str], set[str], list[str], dict[str, str]]] = {}

    def note(
        self, nodeid: str, outcome: str, claims: Iterable[str], teeth: Iterable[str], parts: Iterable[list[str]] = ()
    ) -> None:
        function = nodeid.partition("[")[0]
        held = self._found.setdefault(function, (set(), set(), [], {}))
        held[3].update((program, name) for program, name in parts)
        held[0].update(claims)
        held[1].update(teeth)
        held[2].append(outcome)

    def records(self, root: Path) -> list[Record]:
        claims = load_claims(root / "scenarios/claims")
        build = source_hashes(PACKAGES)
        found: list[Record] = []
        for function, (ids, teeth, outcomes, parts) in sorted(self._found.items()):
            file = function.partition("::")[0]
            outcome = next(word for word in WORST if word in outcomes)
            sources = {**build, file: hashlib.sha256((root / file).read_bytes()).hexdigest()}
            took_part = {} if outcome == "skipped" else {program: origin(name) for program, name in parts.items()}
            records, _ = evidence_of_test(
                claims, sorted(ids), function, outcome, platform=sys.platform, sources=sources, teeth=teeth,
                origins=took_part,
            )  # fmt: skip
            found += records
        return found


class Plugin:
    """The pytest side: marks travel with the reports, and the process that the user started writes the ledger."""

    def __init__(self, path: Path, root: Path) -> None:
        self._path = path
        self._root = root
        self._collector = Collector()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
        report = yield
        claims, teeth = marks(item)
        if claims and (report.when == "call" or report.outcome != "passed"):
            report.user_properties.append((PROPERTY, [claims, teeth, parts(item)]))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == PROPERTY and (report.when == "call" or report.outcome != "passed"):
                claims, teeth, parts = cast(tuple[list[str], list[str], list[list[str]]], value)
                self._collector.note(report.nodeid, report.outcome, claims, teeth, parts)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not hasattr(session.config, "workerinput"):
            self._path.unlink(missing_ok=True)
            add(self._collector.records(self._root), self._path)
