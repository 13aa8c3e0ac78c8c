"""A fault aimed at a place of a run that is not known yet, and the same fault where the census says what places are.

The rules of a machine draw the steps first, so a place can only be a number then; the run of the same steps without
faults says what it stands for. Any number stands for a place that the fault fits, so no draw is thrown away, and
smaller numbers are earlier places, so a failure shrinks toward the first of them.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.faults.registry import FAULTS, Fault
from harness.faults.standard import CALLS
from harness.wire.jsontext import dumps

UNTOLD = ("count", "process")
"""Keys of a place that an entry does not name: `nth` counts over all processes of a program."""
EVIDENT = ("wire", "stream")
"""Keys that are left out where the others say it already, so that the file is short."""


@dataclass(frozen=True, slots=True)
class Aim:
    """fault: its name; args: its arguments. program, place, nth: numbers from 0, each taken modulo what there is."""

    fault: str
    args: Mapping[str, Any] = field(default_factory=dict)
    program: int = 0
    place: int = 0
    nth: int = 0


def entries(aims: Sequence[Aim], census: Sequence[Mapping[str, Any]], programs: Sequence[str]) -> list[dict[str, Any]]:
    """Entries of a plan, with ids f1, f2, … as a scenario file numbers them. programs: which to count first. An aim
    that fits no place of the census gives none."""
    classes = _classes(census)
    found = [entry for aim in aims if (entry := _entry(aim, classes, programs)) is not None]
    return [{"id": f"f{number}", **entry} for number, entry in enumerate(found, 1)]


def fits(fault: Fault, place: Mapping[str, Any]) -> bool:
    """Whether a fault may be tied to a place, as it declares."""
    if "way" not in place:
        return "moment" in fault.ways and (not fault.moments or place["moment"] in fault.moments)
    return place["way"] in fault.ways and (not fault.kinds or place["kind"] in fault.kinds)


def _entry(aim: Aim, classes: Sequence[Mapping[str, Any]], programs: Sequence[str]) -> dict[str, Any] | None:
    fitting = [place for place in classes if fits(FAULTS[aim.fault], place)]
    there = {place["program"] for place in fitting}
    ordered = [name for name in programs if name in there] + sorted(there - set(programs))
    if not ordered:
        return None
    own = [place for place in fitting if place["program"] == ordered[aim.program % len(ordered)]]
    place = own[aim.place % len(own)]
    at = {**_told(place, classes), "nth": 1 + aim.nth % place["count"]}
    return {"fault": aim.fault, "at": at, "args": dict(aim.args)}


def _told(place: Mapping[str, Any], classes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The keys that tell a class of places from the others."""
    at = {key: value for key, value in place.items() if key not in UNTOLD}
    for key in EVIDENT:
        rest = {name: value for name, value in at.items() if name != key}
        alike = [other for other in classes if all(other.get(name) == value for name, value in rest.items())]
        if len(alike) == 1:
            at = rest
    return at


def _classes(census: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Places without their process, counted over the run. First where calls act: moments, then frames of calls."""
    classes: dict[str, dict[str, Any]] = {}
    for place in census:
        kept = {key: value for key, value in place.items() if key not in UNTOLD}
        known = classes.setdefault(dumps(kept, sort=True), {**kept, "count": 0})
        known["count"] += place["count"]
    return sorted(classes.values(), key=_remoteness)


def _remoteness(place: Mapping[str, Any]) -> int:
    if "way" not in place:
        return 0 if "where" in place else 2
    return 1 if place.get("method") in CALLS else 3
