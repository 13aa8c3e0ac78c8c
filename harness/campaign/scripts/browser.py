"""What became of guards that no scenario carries out, as the tests in a real browser have found it, kept in a file.

The tests are none of the harness's, so they leave what they found here, and `trailcam guards` takes it from here: for
exactly the sources and tests that it was found with. One line a guard, in canonical JSON; of another build it is
nothing.
"""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness.kept.sources import source_hash
from harness.problem import Problem
from harness.wire.jsontext import JsonTextError, dumps, loads

PATH = Path("build/evidence/extension-guards.jsonl")
STATES = ("killed", "equivalent", "survived", "unreached", "untried")
FIELDS = {"guard": str, "state": str, "how": str, "by": str, "runs": int, "reach": int}


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of one guard. how: what was noticed, or why nothing was; by: the test that noticed it; runs: tests
    that were run; reach: tests that come by it."""

    guard: str
    state: str
    how: str
    by: str
    runs: int
    reach: int


def build() -> dict[str, str]:
    """What a trial's outcome depends on: the extension, the tests, and what finds, takes out and starts for them."""
    return {package: source_hash(package) for package in ("stack.chrome", "tests.stack.chrome", "harness")}


def write(rows: Iterable[Kept], path: Path = PATH, made_with: Mapping[str, str] | None = None) -> None:
    """Put rows down, over those of the same guards; rows of another build go."""
    made_with = build() if made_with is None else made_with
    found = {**read(path, made_with), **{row.guard: row for row in rows}}
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.partial")
    lines = [dumps({"build": dict(made_with), **asdict(row)}, sort=True) for _, row in sorted(found.items())]
    partial.write_text("".join(f"{line}\n" for line in lines), encoding="ascii", newline="\n")
    os.replace(partial, path)


def read(path: Path = PATH, made_with: Mapping[str, str] | None = None) -> dict[str, Kept]:
    """Guard -> its row, of this build alone; nothing where nobody tried. Raises Problem for a file of another form."""
    if not path.is_file():
        return {}
    made_with = build() if made_with is None else made_with
    found: dict[str, Kept] = {}
    for number, line in enumerate(path.read_text(encoding="ascii").split("\n")[:-1], 1):
        row, made = _row(line, path, number)
        if made == made_with:
            found[row.guard] = row
    return found


def _row(line: str, path: Path, number: int) -> tuple[Kept, Any]:
    try:
        fields: Any = loads(line)
    except JsonTextError as error:
        raise _refused(str(error), path, number) from None
    if not isinstance(fields, dict) or fields.keys() != {*FIELDS, "build"}:
        raise _refused("a line of another form", path, number)
    made = fields.pop("build")
    if any(type(fields[name]) is not kind for name, kind in FIELDS.items()) or fields["state"] not in STATES:
        raise _refused("a line with other values", path, number)
    return Kept(**fields), made


def _refused(seen: str, path: Path, line: int) -> Problem:
    return Problem(seen, "what the trials of the extension's guards write", "run them again", file=str(path), line=line)


def counts(rows: Iterable[Kept]) -> dict[str, int]:
    """State -> how many."""
    found = dict.fromkeys(STATES, 0)
    for row in rows:
        found[row.state] += 1
    return found
