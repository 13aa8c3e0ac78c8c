"""docs/public-reports.md, written from `scenarios/public-reports`: `python -m harness.public_reports.describe`.

With `--check` nothing is written, and the exit code is 1 where the document is not what its sources say.
"""
from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from harness.kept.sources import ROOT
from harness.public_reports.rows import Report, all_reports
from harness.written import keep, markdown_table

DOCUMENT = ROOT / "docs/public-reports.md"

HEAD = """\
# Public reports

Written by `python -m harness.public_reports.describe` from scenarios/public-reports; do not edit.

What clients of the programs that are driven here have run into, as public bug reports have it, in words of our own.
Where one can harm a client a scenario shows what comes of it here; each names its source.
"""


def document(reports: Mapping[str, Sequence[Report]] | None = None) -> str:
    """The whole text."""
    return "".join(_parts(all_reports(ROOT / "scenarios") if reports is None else reports))


def _parts(reports: Mapping[str, Sequence[Report]]) -> Iterator[str]:
    yield HEAD
    for system, rows in reports.items():
        yield f"\n## {system}\n\n"
        yield markdown_table(("what", "source", "shown by"), [
            (row.what, row.source, ", ".join(f"`{name}`" for name in row.scenarios) or f"harmless: {row.harmless}")
            for row in rows
        ])  # fmt: skip


def main(arguments: Sequence[str], path: Path = DOCUMENT) -> int:
    """As harness.written.keep."""
    return keep(arguments, path, document, "harness.public_reports.describe")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
