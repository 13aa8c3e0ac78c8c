"""docs/laws.md, written from the laws and the tables that they read: `python -m harness.laws.describe`.

With `--check` nothing is written, and the exit code is 1 where the document is not what its sources say.
"""
from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.kept.lines import HISTORY, WORLD, Table
from harness.kept.sheet import CANARY, OPTIONAL, REQUIRED
from harness.laws.bounded import BOUNDS
from harness.laws.honest_outcome import EXCUSES, HONEST, TOLD
from harness.laws.nothing_leaks import PLACES
from harness.laws.nothing_left import REMAINS
from harness.laws.table import LAWS
from harness.laws.verdict import EXIT_CODES, PRECEDENCE
from harness.written import keep

DOCUMENT = Path(__file__).resolve().parent.parent.parent / "docs" / "laws.md"

HEAD = """\
# The eight laws

Written by `python -m harness.laws.describe` from `harness/laws` and `harness/kept`; do not edit.

A run leaves two books: the *history* (what the stack was asked, and what it answered) and the *world record* (what
really happened, which the stack can't see), beside the *journal* (what passed on the wires). A law is a function of
what a run left. The same laws judge scripted scenarios, runs under faults, engines, live runs and other people's
stacks.

| # | law | broken when | judged by |
|---|---|---|---|
"""

VERDICTS = """
## Verdicts

A verdict is {words}. Within a law the first of {precedence} that a part of it has is the whole. Exit codes: {codes};
2 is usage, and 3 also what could not run.

- A law with nothing to judge in a run is unknown, marked `moot`: it takes no part in the run's exit code where another
  law was judged, and is never counted as holding. A run of which nothing could be judged is unknown.
- A part that can't be judged in a run is named in the verdict (`not judged: …`): deadlines outside virtual time,
  processes in it. It neither holds nor is unknown; where no other part was judged the law is moot.
- A verdict names the calls, the lines of the world record and the frames that show it, the hash of the run, and the
  command that makes the run again.

## The laws
"""


def document() -> str:
    """The whole document."""
    parts = [HEAD]
    parts += [f"| {law.number} | {law.name} | {law.broken_when} | {law.judged_by} |\n" for law in LAWS.values()]
    parts.append(VERDICTS.format(
        words=", ".join(EXIT_CODES),
        precedence=", ".join(PRECEDENCE),
        codes=", ".join(f"{code} {word}" for word, code in EXIT_CODES.items()),
    ))
    for law in LAWS.values():
        parts.append(f"\n**{law.number}** {' '.join(law.meaning.partition(', ')[2].split())}\n")
        parts += _DETAILS.get(law.number, lambda: iter(()))()
    parts += _books()
    return "".join(parts)


def _honest() -> Iterator[str]:
    yield "\n| outcome | excuse |\n|---|---|\n"
    yield from (f"| {outcome} | {why} |\n" for outcome, (_, why) in EXCUSES.items())
    yield "\n| outcome | an effect falls to the call | excuse | verdict |\n|---|---|---|---|\n"
    words = {True: "yes", False: "no", None: "nobody can say", TOLD: TOLD}
    for (outcome, had, excuse), verdict in HONEST.items():
        yield f"| {outcome} | {words[had]} | {words[excuse]} | {verdict} |\n"


def _bounded() -> Iterator[str]:
    yield "\n| bound | meaning |\n|---|---|\n"
    yield from (f"| `{name}` | {meaning} |\n" for name, (_, _, meaning) in BOUNDS.items())


def _leaks() -> Iterator[str]:
    yield "\n| place | what is searched there |\n|---|---|\n"
    yield from (f"| `{name}` | {meaning} |\n" for name, meaning in PLACES.items())


def _left() -> Iterator[str]:
    yield "\n| what | judged in |\n|---|---|\n"
    yield from (f"| {name} | {', '.join(modes)} runs |\n" for name, modes in REMAINS.items())


_DETAILS = {3: _honest, 4: _bounded, 6: _leaks, 7: _left}


def _books() -> Iterator[str]:
    yield "\n## What the laws read\n\n"
    yield (
        "Both books are JSON lines in ASCII. Every line has `n` (place in its book, from 0), `t` (virtual "
        "milliseconds), `k` (place in the one order of both books), `j` (how many events of the journal were before "
        "it) and `e` (its kind). A line may have more fields; a kind that is not here is refused.\n"
    )
    for name, table in (("history", HISTORY), ("world record", WORLD)):
        yield f"\n### The {name}\n\n| kind | fields |\n|---|---|\n"
        yield from _rows(table)
    yield "\n### Of the run sheet\n\n| key | meaning |\n|---|---|\n"
    yield from (f"| `{key}` | {meaning} |\n" for key, (_, meaning) in {**REQUIRED, **OPTIONAL}.items())
    yield "\nA canary:\n\n| key | meaning |\n|---|---|\n"
    yield from (f"| `{key}` | {meaning} |\n" for key, (_, meaning) in CANARY.items())


def _rows(table: Table) -> Iterator[str]:
    for kind, fields in table.items():
        yield f"| {kind} | {'; '.join(_field(name, row) for name, row in fields.items())} |\n"


def _field(name: str, row: tuple[str, bool, str]) -> str:
    _, required, meaning = row
    return f"`{name}`{'' if required else '?'} {meaning}"


def main(arguments: Sequence[str], path: Path = DOCUMENT) -> int:
    """As harness.written.keep."""
    return keep(arguments, path, document, "harness.laws.describe")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
