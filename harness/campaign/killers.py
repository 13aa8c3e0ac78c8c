"""Which run noticed each guard the last time: there it is tried first, so that most trials end with their first run.

An order and nothing more: a guard that its run does not notice is tried as any other, and a row whose guard or run is
gone says nothing. `trailcam guards --learn` writes the file.
"""
from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from harness.problem import UsageProblem
from harness.scenario.scenario import ROOT

PATH = ROOT / "killers.json"
AND = " + "
"""Between the names of guards that are taken out together."""


def key_of(ids: Iterable[str]) -> str:
    """The row of guards that are taken out together."""
    return AND.join(ids)


def read_killers(path: Path = PATH) -> dict[str, str]:
    """Guards -> `SCENARIO: WHAT`; none where there is no file. Raises UsageProblem."""
    if not path.is_file():
        return {}
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UsageProblem(f"{path}: {error}", "JSON", "write it anew: `trailcam guards --learn`") from None
    if not isinstance(rows, dict) or not all(isinstance(by, str) for by in rows.values()):
        raise UsageProblem(f"{path}: other than texts", "names of guards -> what notices them",
                           "write it anew: `trailcam guards --learn`")
    return rows


def write_killers(path: Path, before: Mapping[str, str], tried: Iterable[str], noticed: Mapping[str, str]) -> None:
    """Put down what noticed the guards that were tried; rows of others stay. noticed: what `Bench.noticed` gathers."""
    done = set(tried)
    rows = {key: by for key, by in before.items() if not done & set(key.split(AND))}
    path.write_text(json.dumps({**rows, **noticed}, indent=0, sort_keys=True) + "\n", encoding="utf-8")
