"""What guard trials say about claims, kept where the evidence can take it: `guard:…` that turns a claim, per run.

One line a run: `{"run": hash, "teeth": {claim: [guard, …]}}`, sorted. A run's hash covers its sheet and the content of
stack, harness, fakes and tapes, so a line says nothing of any other build, and needs no date.
"""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from harness.problem import Problem
from harness.tape.schema import is_sha256
from harness.wire.jsontext import JsonTextError, dumps, loads

PATH = Path("build/evidence/teeth.jsonl")
Teeth = Mapping[str, Mapping[str, list[str]]]
"""Hash of a run -> claim -> guards whose removal turns it."""


def gather(turned: Iterable[tuple[str, Mapping[str, Iterable[str]]]]) -> dict[str, dict[str, list[str]]]:
    """turned: (guard, run -> claims that its removal broke) of every trial."""
    found: dict[str, dict[str, set[str]]] = {}
    for guard, runs in turned:
        for run, claims in runs.items():
            for claim in claims:
                found.setdefault(run, {}).setdefault(claim, set()).add(guard)
    return {
        run: {claim: sorted(guards) for claim, guards in sorted(claims.items())}
        for run, claims in sorted(found.items())
    }


def write_teeth(teeth: Teeth, path: Path = PATH) -> None:
    """Write the file anew: what an earlier campaign found is of another build, or is found again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.partial")
    lines = [dumps({"run": run, "teeth": {claim: list(names) for claim, names in claims.items()}}, sort=True)
             for run, claims in sorted(teeth.items())]  # fmt: skip
    partial.write_text("".join(f"{line}\n" for line in lines), encoding="ascii", newline="\n")
    os.replace(partial, path)


def guard_teeth(path: Path = PATH) -> dict[str, dict[str, list[str]]]:
    """The teeth in the file, nothing where no campaign was run. Raises Problem for a file that `write_teeth` did not
    write. Look a run up by its hash: teeth of another build are not found."""
    if not path.is_file():
        return {}
    found: dict[str, dict[str, list[str]]] = {}
    for number, line in enumerate(path.read_text(encoding="ascii").split("\n")[:-1], 1):
        try:
            fields = loads(line)
        except JsonTextError as error:
            raise _refused(str(error), path, number) from None
        if not isinstance(fields, dict) or fields.keys() != {"run", "teeth"} or not is_sha256(fields["run"]):
            raise _refused("a line of another form", path, number)
        teeth = fields["teeth"]
        if not isinstance(teeth, dict) or not all(_are_guards(names) for names in teeth.values()):
            raise _refused("teeth that are no guards", path, number)
        found[str(fields["run"])] = {claim: [str(name) for name in names] for claim, names in teeth.items()}
    return found


def _are_guards(names: object) -> bool:
    return isinstance(names, list) and all(isinstance(name, str) and name.startswith("guard:") for name in names)


def _refused(seen: str, path: Path, line: int) -> Problem:
    return Problem(seen, "what `trailcam guards` writes", "run it again", file=str(path), line=line)
