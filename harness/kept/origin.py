"""What stood behind a program of a run, and so how strong evidence from that run is about it.

Nobody says a strength: it is computed from the origin. A tape is as strong as what it was recorded from, and never
stronger than a tape.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from harness.kept.problem import KeptProblem
from harness.tape.header import STRENGTHS as RECORDED
from harness.tape.header import Header
from harness.tape.schema import shown

STRENGTHS = ("documented", "model", "tape", "engine", "live")
"""From weak to strong."""
RANK: Mapping[str, int] = {strength: rank for rank, strength in enumerate(STRENGTHS)}
BACKS: Mapping[str, tuple[str, ...]] = {
    "virtual": ("model", "tape"),
    "process": ("model", "tape", "engine", "live"),
}
"""Mode of a run -> the backs that it can have: real programs are never in a virtual run."""
UNKNOWN = "unknown"

OriginJson: TypeAlias = list[str]


@dataclass(frozen=True, slots=True)
class Origin:
    """One program of one run. back: model, tape, engine or live. version: of the real product that it is, or stands
    for. recorded: of a tape alone, what it was recorded from (`documented`, `model`, `engine` or `live`)."""

    back: str
    version: str
    recorded: str | None = None

    @classmethod
    def of_tape(cls, header: Header, product: str) -> Origin:
        """The origin of a program that plays the tape with this header. Raises KeptProblem where the tape is of
        another product."""
        versions = [str(each["version"]) for each in _products(header) if each["name"] == product]
        if not versions:
            names = ", ".join(str(each["name"]) for each in _products(header)) or "no product"
            raise KeptProblem(f"a tape of {names}", f"a tape of {product}", "play a tape of that program")
        return cls("tape", versions[0], str(header.origin["strength"]))

    @property
    def strength(self) -> str:
        """One of STRENGTHS."""
        if self.back != "tape":
            return self.back
        return min("tape", self.recorded or "documented", key=RANK.__getitem__)

    def as_json(self) -> OriginJson:
        """`[back, version]`, and for a tape what it was recorded from."""
        return [self.back, self.version] if self.recorded is None else [self.back, self.version, self.recorded]


def _products(header: Header) -> list[Mapping[str, Any]]:
    products = header.origin["products"]
    assert isinstance(products, list)
    return products


def origin_from(value: Any) -> Origin:
    """The origin in `[back, version]` or `["tape", version, recorded]`. Raises ValueError with what was seen."""
    if type(value) is not list or len(value) not in (2, 3) or not all(type(part) is str for part in value):
        raise ValueError(f"{shown(value)}, not [back, version]")
    origin = Origin(*value)
    if origin.back not in BACKS["process"]:
        raise ValueError(f"back {shown(origin.back)}, not one of {', '.join(BACKS['process'])}")
    if (origin.back == "tape") != (origin.recorded is not None) or origin.recorded not in (None, *RECORDED):
        raise ValueError(f"{shown(value)}: a tape, and only a tape, names one of {', '.join(RECORDED)}")
    return origin


def weakest(strengths: Iterable[str]) -> str:
    """The weakest of at least one strength: how strong evidence about several programs is."""
    return min(strengths, key=RANK.__getitem__)


def check_origins(origins: Mapping[str, Origin], mode: str, back: str) -> None:
    """Raises KeptProblem where a run says more of its programs than it can have had: a real program in virtual time,
    or one that is stronger than the back that the run sheet asked for."""
    for program, origin in origins.items():
        if origin.back not in BACKS[mode]:
            raise KeptProblem(
                f"{program} on back {origin.back} in a {mode} run", f"one of {', '.join(BACKS[mode])}",
                "run it as processes",
            )
        if RANK[origin.strength] > RANK[back]:
            raise KeptProblem(
                f"{program} on back {origin.back} in a run on back {back}", f"nothing stronger than {back}",
                "say in the run sheet on which back it runs",
            )
