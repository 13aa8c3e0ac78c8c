"""The rules of the house on the whole tree; each rule is tested on bad text beside its definition, in tests/tidy."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from tests import documents
from tests.tidy import claims, files, homes, imports, shape, words
from tests.tidy.tree import ROOT, Source, sources, texts

ALL = sources()
LIGHT_ENTRIES = (
    "harness.record.__main__",
    "harness.replay.__main__",
    "harness.serve.stub",
)
"""What starts as `<real interpreter> -SE`: the tap, the player, and the stub under a program's name."""

FILE_RULES: tuple[Callable[[Source], list[str]], ...] = (
    imports.directions,
    imports.outsiders,
    shape.sizes,
    shape.names,
    shape.docstrings,
    shape.silent_tests,
    shape.swallows,
    homes.strays,
    homes.clocked,
    files.opened,
)


@pytest.mark.claim("HAR-FAKE-05")
@pytest.mark.parametrize("rule", FILE_RULES, ids=lambda rule: rule.__name__)
def test_every_file_keeps(rule: Callable[[Source], list[str]]) -> None:
    findings = [finding for source in ALL for finding in rule(source)]
    assert not findings, "\n".join(findings)


def test_every_source_file_has_its_test_file() -> None:
    findings = shape.mirrors(ALL)
    assert not findings, "\n".join(findings)


def test_every_home_needs_its_exception() -> None:
    findings = homes.empty_homes(ALL)
    assert not findings, "\n".join(findings)


def test_light_entry_points_import_nothing_heavy() -> None:
    known = {source.module: source for source in ALL}
    missing = [entry for entry in LIGHT_ENTRIES if entry not in known]
    findings = imports.heavy(known, LIGHT_ENTRIES)
    assert not missing + findings, "\n".join(missing + findings)


@pytest.mark.parametrize("entry", LIGHT_ENTRIES)
def test_light_entry_points_load_nothing_heavy_in_a_bare_interpreter(entry: str) -> None:
    """Shown by the interpreter itself, so that what the standard library pulls in counts too."""
    code = f"import sys; sys.path.append({str(ROOT)!r}); import {entry}; print(*sys.modules)"
    python = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    done = subprocess.run([python, "-SEc", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not imports.HEAVY & set(done.stdout.split())


def test_no_file_says_what_none_may_say() -> None:
    findings = [finding for path, text in texts() for finding in words.words(path, text)]
    assert not findings, "\n".join(findings)


def test_the_readme_names_both_commands() -> None:
    assert not words.readme((ROOT / "README.md").read_text())


def test_links_of_documents_lead_somewhere() -> None:
    pages = [(path, text) for path, text in texts() if path.endswith(".md")]
    findings = [found for path, text in pages for found in words.links(path, text, lambda goal: (ROOT / goal).exists())]
    assert not findings, "\n".join(findings)


def test_decisions_are_recorded_in_one_form() -> None:
    findings = [
        finding
        for path in sorted((ROOT / "docs" / "decisions").iterdir())
        for finding in words.decision(path.relative_to(ROOT).as_posix(), path.read_text())
    ]
    assert not findings, "\n".join(findings)


def test_generated_documents_are_in_sync() -> None:
    wrong = documents.stale(ROOT)
    assert not wrong, "\n".join(wrong)


def claim_rows() -> dict[str, list[dict[str, Any]]]:
    files = sorted((ROOT / "scenarios" / "claims").glob("*.yaml"))
    return {path.relative_to(ROOT).as_posix(): yaml.safe_load(path.read_text()) for path in files}


def all_ids() -> list[str]:
    return [row["id"] for rows in claim_rows().values() for row in rows]


def scenarios_naming() -> list[tuple[str, str]]:
    """Place and id of every claim that a scenario names."""
    named = []
    for path in sorted((ROOT / "scenarios").rglob("*.yaml")):
        place = path.relative_to(ROOT)
        if place.parts[1] != "claims":
            named += [(place.as_posix(), claim) for claim in claims.named_in(yaml.safe_load(path.read_text()))]
    return named


def markers_naming() -> list[tuple[str, str]]:
    """Place and id of every claim that a test is marked with."""
    marked = ((source, mark) for source in ALL if source.package == "tests" for mark in claims.marked(source))
    return [(f"{source.path}:{line}", claim) for source, (line, claim) in marked]


def test_claims_are_well_formed() -> None:
    findings = [finding for path, rows in claim_rows().items() for finding in claims.form(path, rows)]
    assert not findings, "\n".join(findings)


def test_claims_are_those_that_were_promised() -> None:
    findings = claims.id_set(all_ids())
    assert not findings, "\n".join(findings)


def test_every_named_claim_exists() -> None:
    in_words = [
        (path, claim) for path, text in texts() if path.endswith(".md") for claim in claims.mentioned(text)
    ]
    findings = claims.unknown([*scenarios_naming(), *markers_naming(), *in_words], all_ids())
    assert not findings, "\n".join(findings)


def test_every_due_claim_is_named() -> None:
    named = [claim for _, claim in [*scenarios_naming(), *markers_naming()]]
    findings = claims.unnamed(named, all_ids())
    assert not findings, "\n".join(findings)


def test_every_due_claim_has_teeth() -> None:
    toothed = [claim for source in ALL if source.package == "tests" for claim in claims.with_teeth(source)]
    findings = claims.toothless(toothed, all_ids())
    assert not findings, "\n".join(findings)


def test_the_version_control_keeps_what_is_built_out_of_the_tree() -> None:
    ignored = (ROOT / ".gitignore").read_text().split()
    assert {"/.venv/", "/build/"} <= set(ignored)
    assert json.dumps(sorted(path for path, _ in texts() if path.startswith(("build/", ".venv/")))) == "[]"
