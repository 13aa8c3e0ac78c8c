"""The page as HTML, and all forms of a report written to a folder. The only module that knows jinja2."""
from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from harness.evidence.material import Material, gather
from reports import document, junit, markdown
from reports.buttons import buttons, table
from reports.page import TITLES, Page, page
from reports.people import CHECKS

TEMPLATES = Path(__file__).parent / "templates"


def html(view: Page) -> str:
    """One self-contained document: no script, no request, its style allowed by hash; text is always text."""
    return fill("index.html.j2", page=view, people=CHECKS, pictures={TITLES["CHR"]: buttons(table())})


def fill(template: str, **values: Any) -> str:
    """A template with its values, and with the style, whose hash the page allows."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=False,
        keep_trailing_newline=True,
    )
    style = "\n" + (TEMPLATES / "style.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return environment.get_template(template).render(style=Markup(style), style_hash=Markup(digest), **values)


FORMS = {
    "index.html": html,
    "report.md": markdown.text,
    "report.json": document.text,
    "junit.xml": junit.text,
}
"""File name -> how a page is written."""


def write_page(view: Page, folder: Path) -> list[Path]:
    """Write every form into `folder`, each file whole or not at all; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, form in FORMS.items():
        path = folder / name
        partial = folder / f"{name}.partial"
        partial.write_text(form(view), encoding="utf-8", newline="\n")
        os.replace(partial, path)
        paths.append(path)
    return paths


def write(
    runs: Path,
    ledger: Path,
    claims: Path,
    folder: Path,
    *,
    build: Mapping[str, str] | None = None,
    lacking: Mapping[str, Sequence[str]] | None = None,
    notes: Sequence[str] = (),
) -> tuple[Page, list[Path]]:
    """Gather, judge again, and write a report. Raises LedgerProblem, KeptProblem or TapeProblem where evidence was
    changed: then nothing is written."""
    return write_material(gather(runs, ledger, claims, build), folder, lacking=lacking, notes=notes)


def write_material(
    material: Material, folder: Path, *, lacking: Mapping[str, Sequence[str]] | None = None, notes: Sequence[str] = ()
) -> tuple[Page, list[Path]]:
    """The same of material that is at hand."""
    view = page(material, lacking, notes)
    return view, write_page(view, folder)
