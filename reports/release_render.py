"""The release report as HTML, Markdown and JSON, written from the committed evidence of the release alone."""
from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness.evidence.material import gather
from reports import document, markdown
from reports.markdown import escaped
from reports.people import CHECKS
from reports.release import BACKS, Release, release
from reports.release_evidence import CLAIMS, EVIDENCE, LEDGER, RUNS, Sources, about_of, collect, teeth_of, unpack
from reports.render import fill

TEMPLATE = "release.html.j2"


def html(view: Release) -> str:
    """One self-contained document, as an ordinary report is."""
    return fill(TEMPLATE, release=view, page=view.page, people=CHECKS, backs=BACKS)


def text(view: Release) -> str:
    """The document as Markdown: the matrix and the kills, and then what an ordinary report says."""
    lines = [
        f"# trailcam {escaped(view.version)}: {view.page.word}", "",
        "Written from the evidence beside it, which was judged again. Nothing here was typed in.", "",
        "## Our build against real products", "",
        f"| product | {' | '.join(BACKS)} |", f"|---|{'---|' * len(BACKS)}",
        *(f"| {escaped(row.product)} | {' | '.join(escaped(cell.words) for cell in row.cells)} |"
          for row in view.matrix), "",
        "## What breaks the claims", "",
    ]  # fmt: skip
    if not view.guards:
        lines += ["No guard of the stack was taken out for this evidence: `trailcam guards` does that.", ""]
    lines += ["| claims | judged | turned by a guard | by a fault | by a broken stack | by nothing |",
              "|---|---:|---:|---:|---:|---:|"]  # fmt: skip
    for kill in view.kills:
        counts = " | ".join(str(count) for _, count in kill.counts)
        lines.append(f"| {kill.part} | {kill.judged} | {counts} | {len(kill.toothless)} |")
    lines += ["", "## Left out of the committed evidence", ""]
    lines += [f"- {count} {escaped(what)}" for what, count in view.left_out] or ["- nothing"]
    body = markdown.text(view.page).split("\n")
    return "\n".join([*lines, "", *(f"#{line}" if line.startswith("#") else line for line in body)])


def data(view: Release) -> str:
    """The document for other programs: an ordinary report's without its single runs, and `release` beside it."""
    value: dict[str, Any] = json.loads(document.text(view.page))
    del value["scenarios"]
    own = {name: each for name, each in asdict(view).items() if name != "page"}
    return json.dumps({**value, "release": own}, indent=1, sort_keys=True, ensure_ascii=True) + "\n"


FORMS: Mapping[str, Callable[[Release], str]] = {"index.html": html, "report.md": text, "report.json": data}
"""File name -> how a release is written."""


def view_of(folder: Path) -> Release:
    """What the evidence of the release in `folder` says now. Raises Problem where it was changed."""
    evidence = folder / EVIDENCE
    about = about_of(evidence)
    with tempfile.TemporaryDirectory(prefix="tc") as place:
        runs = Path(place)
        unpack(evidence / RUNS, runs)
        material = gather(runs, evidence / LEDGER, evidence / CLAIMS, about.build)
    return release(material, about, teeth_of(evidence))


def write(folder: Path, out: Path | None = None) -> tuple[Release, list[Path]]:
    """Write every form of the release in `folder`, into it or into `out`; each file whole or not at all."""
    view = view_of(folder)
    goal = out or folder
    goal.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, form in FORMS.items():
        partial = goal / f"{name}.partial"
        partial.write_text(form(view), encoding="utf-8", newline="\n")
        os.replace(partial, goal / name)
        paths.append(goal / name)
    return view, paths


def make(version: str, sources: Sources, folder: Path) -> tuple[Release, list[Path]]:
    """Collect the evidence of a release into its folder, and write its report."""
    collect(version, sources, folder / EVIDENCE)
    return write(folder)
