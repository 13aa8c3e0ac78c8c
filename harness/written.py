"""What generated documents have in common: a table of Markdown, and how one is written anew or compared on the disk."""
from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown, one line a row; a bar within a cell is escaped."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def keep(arguments: Sequence[str], path: Path, document: Callable[[], str], module: str) -> int:
    """What `python -m MODULE` does. No argument: write; `--check`: compare, and write nothing. Exit code 0, 1 where
    the document differs, 2 usage."""
    if list(arguments) not in ([], ["--check"]):
        print(f"usage: python -m {module} [--check]", file=sys.stderr)
        return 2
    if not arguments:
        path.write_text(document(), encoding="utf-8")
        return 0
    if path.exists() and path.read_text(encoding="utf-8") == document():
        return 0
    print(f"{path.name} is not what its sources say; write it with `python -m {module}`", file=sys.stderr)
    return 1
