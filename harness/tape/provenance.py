"""PROVENANCE.md of a folder of tapes: what each was made from, generated from the tapes themselves.

`python -m harness.tape.provenance FOLDER` writes FOLDER/PROVENANCE.md. A tape that can't be read stops it.
"""
from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.problem import UsageProblem
from harness.tape.header import STRENGTHS, Header
from harness.tape.read import read
from harness.written import markdown_table

NAME = "PROVENANCE.md"
COLUMNS = ("tape", "products", "strength", "bytes", "processes", "events", "SHA-256 of the source")


@dataclass(frozen=True, slots=True)
class Row:
    """One tape of the list."""

    path: str
    header: Header
    processes: int
    events: int

    @property
    def products(self) -> str:
        named: Any = self.header.origin["products"]
        return ", ".join(f"{product['name']} {product['version']}" for product in named)

    def cells(self) -> tuple[str, ...]:
        source = self.header.hashes.get("source", "")
        return (self.path, self.products, str(self.header.origin["strength"]), self.header.bytes,
                str(self.processes), str(self.events), source)


def rows(folder: Path) -> list[Row]:
    """Every `*.jsonl` under a folder, by path. Raises TapeProblem for the first that is no tape."""
    found = []
    for path in sorted(folder.rglob("*.jsonl"), key=lambda each: each.as_posix()):
        header, events = read(str(path))
        processes = count = 0
        with events:
            for event in events:
                count += 1
                processes += event["e"] == "started"
        found.append(Row(path.relative_to(folder).as_posix(), header, processes, count))
    if not found:
        raise UsageProblem(f"no *.jsonl under {folder}", "a folder of tapes", "name one")
    return found


def page(folder: Path) -> str:
    """The text of PROVENANCE.md."""
    found = rows(folder)
    parts = [
        "# Provenance of these tapes",
        "Generated from the tapes by `python -m harness.tape.provenance FOLDER`; a test fails when the two differ.",
        *_origins(found),
        "## Tapes",
        markdown_table(COLUMNS, [row.cells() for row in found]).rstrip(),
    ]
    return "\n\n".join(parts) + "\n"


def _origins(found: Sequence[Row]) -> list[str]:
    """One paragraph for each origin that tapes share: what, where, by what, with which executables."""
    shared: dict[str, list[Row]] = {}
    for row in found:
        shared.setdefault(_origin(row.header), []).append(row)
    lines = []
    for origin, tapes in shared.items():
        events = sum(row.events for row in tapes)
        processes = sum(row.processes for row in tapes)
        lines.append(f"{origin} {len(tapes)} tapes, {processes} processes, {events} events.")
    return lines


def _origin(header: Header) -> str:
    origin: Any = header.origin
    text = f"**{', '.join(_product(product) for product in origin['products'])}** on {origin['platform']}"
    text += f", {origin['strength']} ({STRENGTHS[origin['strength']]}), written by {origin['recorder']}."
    return f"{text} {origin['source']}" if "source" in origin else text


def _product(product: dict[str, str]) -> str:
    name = f"{product['name']} {product['version']}"
    return f"{name} (SHA-256 {product['sha256']})" if "sha256" in product else name


def main(words: Sequence[str]) -> int:
    """Write the page of each folder named."""
    if not words:
        raise UsageProblem("no folder", "a folder of tapes", "name one")
    for word in words:
        (Path(word) / NAME).write_text(page(Path(word)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
