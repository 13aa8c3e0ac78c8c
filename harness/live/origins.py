"""What stood behind each program of a live run. The one place where the strength `live` is given.

Nobody says it: it takes a Mac, the program's official place, and the signature of who made it. Whatever is less is
`model`, because then it is at best a stand-in: so a rehearsal, or somebody else's program, can never read as live.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from harness.kept.origin import UNKNOWN, Origin
from harness.live.machine import MAC


class Proof(NamedTuple):
    """What was seen of one program. system: `sys.platform`; path: what was started; official: its one official place;
    signed: whether the system's codesign confirmed who made it."""

    system: str
    path: str
    official: str
    signed: bool


def back_of(proof: Proof) -> str:
    """`live` where all of it is as it must be, else `model`."""
    real = proof.system == MAC and proof.path == proof.official and proof.signed
    return "live" if real else "model"


def back_of_all(proofs: Iterable[Proof]) -> str:
    """Of a whole run: live where every program is, and there is one."""
    return "live" if {back_of(proof) for proof in proofs} == {"live"} else "model"


def versions_said(history: Iterable[Mapping[str, Any]], said: Mapping[str, str]) -> dict[str, str]:
    """Program -> the version that it named in this run, read from the evidence that answers carry."""
    found: dict[str, str] = {}
    for line in history:
        if line["e"] == "answered":
            evidence = line.get("evidence") or {}
            for program, member in said.items():
                if isinstance(evidence.get(member), str) and evidence[member] != UNKNOWN:
                    found.setdefault(program, evidence[member])
    return found


def origins(proofs: Mapping[str, Proof], versions: Mapping[str, str], release: str) -> dict[str, Origin]:
    """Program -> Origin. versions: what programs said of themselves; release: of the system, for its own programs."""
    return {
        program: Origin(back_of(proof), versions.get(program, release)) for program, proof in proofs.items()
    }
