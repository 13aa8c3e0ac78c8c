"""What one run leaves behind, from which it is judged: run sheet, history, world record, journal, and where it is from.

- `lines`: the tables of history and world record: kinds, fields, their meaning; one checked line.
- `sheet`: what judging needs of a run sheet, checked.
- `origin`: what stood behind a program of a run, and how strong evidence from it is.
- `sources`: content hashes of packages and tapes; the hash that names a run.
- `run`: a run in memory, and its folder: saved, and loaded strictly.

A virtual run is judged without a file: `KeptRun` takes the lists as the runner made them.
"""
from harness.kept.origin import STRENGTHS, Origin, weakest
from harness.kept.problem import KeptProblem
from harness.kept.run import KeptRun, Provenance, load, save
from harness.kept.sources import run_hash, source_hash, source_hashes

__all__ = [
    "STRENGTHS",
    "KeptProblem",
    "KeptRun",
    "Origin",
    "Provenance",
    "load",
    "run_hash",
    "save",
    "source_hash",
    "source_hashes",
    "weakest",
]
