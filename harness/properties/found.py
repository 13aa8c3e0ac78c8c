"""A failure as a scenario file, and ten runs of that file: does it break the same law alone?

The file stands under scenarios/found, is read by the reader of every other scenario, and needs no Hypothesis. It is
named by its law and by the hash of its content, so that one failure found twice is one file. What breaks the law in
some of the runs only is flaky, a verdict of its own: its file would be a check that fails by chance, and is not kept.
"""
from __future__ import annotations

import hashlib
import shlex
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from harness.faults.standard import label
from harness.laws.table import LAWS
from harness.properties.draft import CASE, Draft
from harness.properties.text import block
from harness.properties.trial import NO_RUN, Failure, outcome_of
from harness.scenario.scenario import ROOT, load_scenario
from harness.wire.jsontext import dumps

FOLDER = ROOT / "found"
TRIES = 10
ENDS = 4
"""The law that the file of a run that could not be made asserts: that calls and run come to an end."""


@dataclass(frozen=True, slots=True)
class Found:
    """One failure. text: of its file; reproduced: in how many of TRIES runs of the file; again: the command."""

    law: int
    why: str
    name: str
    text: str
    steps: int
    faults: int
    reproduced: int
    again: str
    hangs: bool = False

    @property
    def verdict(self) -> Literal["broken", "hangs", "flaky"]:
        if self.hangs:
            return "hangs"
        return "broken" if self.reproduced == TRIES else "flaky"

    @property
    def words(self) -> str:
        """One paragraph for people."""
        what = f"law {self.law}, {LAWS[self.law].name}" if self.law else "a run that could not be made"
        return (
            f"{self.verdict}: {what}: {self.why}; {self.steps} steps, {self.faults} faults; "
            f"reproduced {self.reproduced}/{TRIES}: {self.again}"
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict, "law": self.law, "why": self.why, "name": self.name, "steps": self.steps,
            "faults": self.faults, "reproduced": self.reproduced, "of": TRIES, "again": self.again,
        }  # fmt: skip


def found(failure: Failure, broken: Mapping[str, Any] | None = None) -> Found:
    """A failure as a file, tried. broken: the deliberately broken stack that it was found with."""
    body = block(document(failure.draft, failure.faults, failure.law))
    name = f"law-{failure.law or 'none'}-{hashlib.sha256(body.encode()).hexdigest()[:10]}.yaml"
    words = ["trailcam", "run", f"{FOLDER / name}", *(["--case", CASE] if failure.faults else [])]
    words += ["--broken", dumps(dict(broken))] if broken else []
    again = shlex.join(words)
    count = reproduced(body, name, failure.law, CASE if failure.faults else "", broken)
    head = f"# Found by the property machine, broken in {count} of {TRIES} runs: {' '.join(failure.why.split())}"
    text = f"{head}\n# {again}\n{body}"
    return Found(failure.law, failure.why, name, text, len(failure.draft.steps), len(failure.faults), count, again,
                 failure.hangs)


def reproduced(text: str, name: str, law: int, case: str, broken: Mapping[str, Any] | None) -> int:
    """In how many of TRIES runs of a file the law is broken. Each run reads the file anew, and is really made."""
    with tempfile.TemporaryDirectory(prefix="tc") as folder:
        path = Path(folder) / name
        path.write_text(text, encoding="utf-8")
        return sum(law in outcome_of(load_scenario(path), case, broken).broken for _ in range(TRIES))


def save(found: Found, folder: Path) -> Path:
    """Write the file; its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / found.name
    path.write_text(found.text, encoding="utf-8")
    return path


def document(draft: Draft, faults: Sequence[Mapping[str, Any]], law: int) -> dict[str, Any]:
    """The scenario file, as data: the law is asserted of the run that broke it."""
    kept = LAWS[law or ENDS].name
    where = f" under {', '.join(label({'faults': [entry]}) for entry in faults)}" if faults else ""
    says = f"law {law}, {kept}, is kept" if law != NO_RUN else "the run can be made, and comes to its end"
    then = [{"says": says, "law": law or ENDS}]
    sections = {key: value for key, value in draft.sections.items() if value}
    whole: dict[str, Any] = {
        "scenario": f"{says[0].upper()}{says[1:]}{where}",
        "subject": draft.system,
        "about": list(draft.about),
        "profiles": [draft.profile],
        **sections,
        "steps": [dict(step) for step in draft.steps],
    }
    if not faults:
        return {**whole, "then": then}
    entries = [{key: value for key, value in entry.items() if value != {} and key != "id"} for entry in faults]
    return {**whole, "cases": {CASE: {"faults": entries, "then": then}}}
