"""A ledger: a sorted set of records in a file. Read strictly; records are added, never changed or taken away.

The same records give the same bytes, in whatever order they came. One process writes a ledger at a time: the runner
that made the runs, after they have ended.
"""
from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from harness.evidence.record import EDITED, LedgerProblem, Record, record_from

PATH = Path("build/evidence/ledger.jsonl")
TESTS = "tests.jsonl"
"""Beside a ledger of runs: what the tests show of the claims that they are marked with."""
Ledger = tuple[Record, ...]
"""Records in the order of their lines."""


def read(path: Path = PATH) -> Ledger:
    """The records in a file. Raises LedgerProblem for a file that `add` did not write as it is."""
    try:
        data = path.read_bytes()
    except OSError as error:
        seen = f"{type(error).__name__}: {error.strerror}"
        raise LedgerProblem(seen, "a ledger", "name one", file=str(path)) from None
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError as error:
        raise LedgerProblem(f"a byte that is not ASCII at {error.start}", "ASCII", EDITED, file=str(path)) from None
    lines = text.split("\n")
    if lines.pop():
        raise LedgerProblem("a last line without its end", "a newline", EDITED, file=str(path), line=len(lines) + 1)
    records = []
    for number, line in enumerate(lines, 1):
        records.append(record_from(line, str(path), number))
        if number > 1 and line <= lines[number - 2]:
            raise LedgerProblem("a line out of order", "lines sorted, each once", EDITED, file=str(path), line=number)
    return tuple(records)


def read_all(path: Path = PATH) -> Ledger:
    """The records of a ledger, and of the tests' own beside it (`make test` writes that), in the order of lines."""
    tests = path.with_name(TESTS)
    files = [path, *([tests] if tests.exists() else [])]
    records = {record.line(): record for file in files for record in read(file)}
    return tuple(records[line] for line in sorted(records))


def add(records: Iterable[Record], path: Path = PATH) -> Ledger:
    """Add records to the ledger at `path`, which is made where there is none. What stands there is checked first.

    Gives the whole ledger. A record that is there already is not there twice.
    """
    kept = {record.line(): record for record in (read(path) if path.exists() else ())}
    kept.update({record.line(): record for record in records})
    lines = sorted(kept)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.partial")
    partial.write_text("".join(f"{line}\n" for line in lines), encoding="ascii", newline="\n")
    os.replace(partial, path)
    return tuple(kept[line] for line in lines)
