"""A fault plan as JSON, checked whole before anything runs. Separate from `plan`, which is its state during a run.

Every key of `at` but `nth` narrows. Keys that the table `AT` does not have narrow by a member of the place or of its
`where`, so that a front's own words can be used; one that is nearly a key of the table is refused as a slip.
"""
from __future__ import annotations

from harness.faults.problem import PlanProblem, nearest
from harness.faults.registry import KINDS, WAYS, find
from harness.wire.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from harness.faults.registry import Fault
    from harness.wire.jsontext import Json

VERSION = 1
TOP = ("v", "seed", "faults")
ENTRY = ("id", "fault", "at", "args", "times")
AT: dict[str, tuple[type, tuple[str, ...], str]] = {
    "program": (str, (), "name of the program"),
    "process": (int, (), "which process of that program in the run, from 1"),
    "wire": (str, (), "wire: stdio, or the name of a socket, leg or child"),
    "way": (str, (">>", "<<"), ">> toward the program, << from it"),
    "stream": (str, ("in", "out", "err"), "stream of the wire"),
    "kind": (str, KINDS, "kind of the frame"),
    "method": (str, (), "method of the frame; a reply has its request's"),
    "moment": (str, (), "name of a moment that the program passes through"),
    "where": (dict, (), "members that the moment must have; it may have more"),
    "nth": (int, (), "which of the matching places of the run, from 1 (the default)"),
}
"""Key of `at` -> (type, allowed values where they are few, meaning)."""
SLIP = 0.75
"""A key this near to one of the table (1 is equal) is taken for a slip."""


class Entry:
    """One fault of a plan: args complete, at without nth."""

    __slots__ = ("id", "fault", "args", "at", "nth", "times")

    def __init__(
        self, id: str, fault: Fault, args: Mapping[str, Json], at: Mapping[str, Json], nth: int, times: int
    ) -> None:
        self.id = id
        self.fault = fault
        self.args = args
        self.at = at
        self.nth = nth
        self.times = times


def read(data: Any, seed: int, file: str | None) -> tuple[int, list[Entry]]:
    """(seed, entries) of a plan; `seed` is used where the plan has none. Raises PlanProblem."""
    if not isinstance(data, dict):
        raise _problem("plan", data, "an object with v, seed and faults", file)
    version = data.get("v")
    if version != VERSION or isinstance(version, bool):
        raise PlanProblem(
            f"v = {_short(version)}",
            f"v = {VERSION}",
            "write the plan in this version; a higher one needs a newer trailcam",
            file=file,
        )
    _known(data, TOP, "", file)
    own = data.get("seed", seed)
    if not isinstance(own, int) or isinstance(own, bool) or own < 0:
        raise _problem("seed", own, "a whole number from 0", file)
    faults = data.get("faults")
    if not isinstance(faults, list):
        raise _problem("faults", faults, "a list of faults, [] for none", file)
    entries = [_entry(entry, f"faults[{index}]", file) for index, entry in enumerate(faults)]
    seen: set[str] = set()
    for index, entry in enumerate(entries):
        if entry.id in seen:
            raise _problem(f"faults[{index}].id", entry.id, "an id that no other fault of the plan has", file)
        seen.add(entry.id)
    return own, entries


def _entry(entry: Any, where: str, file: str | None) -> Entry:
    if not isinstance(entry, dict):
        raise _problem(where, entry, "an object with id, fault, at and args", file)
    _known(entry, ENTRY, f"{where}.", file)
    id, name = entry.get("id"), entry.get("fault")
    if not isinstance(id, str) or not id:
        raise _problem(f"{where}.id", id, "a name, such as f1", file)
    if not isinstance(name, str):
        raise _problem(f"{where}.fault", name, "the name of a fault", file)
    fault = find(name, f"{where}.fault", file)
    args = entry.get("args", {})
    if not isinstance(args, dict):
        raise _problem(f"{where}.args", args, "an object", file)
    times = entry.get("times", 1)
    if not isinstance(times, int) or isinstance(times, bool) or times < 1:
        raise _problem(f"{where}.times", times, "a whole number from 1", file)
    at = _at(entry.get("at"), f"{where}.at", file)
    _fits(at, fault, f"{where}.at", file)
    nth = at.pop("nth", 1)
    return Entry(id, fault, fault.complete(args, f"{where}.args", file), at, nth, times)


def _at(at: Any, where: str, file: str | None) -> dict[str, Any]:
    if not isinstance(at, dict):
        raise _problem(where, at, 'an object that says where, such as {"way": "<<", "nth": 1}', file)
    for key, value in at.items():
        if key not in AT:
            near = nearest(key, [*AT, "times"], SLIP)
            if near:
                raise PlanProblem(
                    f"{where}.{key}{near}",
                    f"one of {', '.join(AT)} (times stands beside at)",
                    "correct the key; one of your own must be less like these",
                    file=file,
                )
            continue
        type, allowed, meaning = AT[key]
        if not isinstance(value, type) or isinstance(value, bool):
            raise _problem(f"{where}.{key}", value, f"the {meaning}", file)
        if allowed and value not in allowed:
            raise _problem(f"{where}.{key}", value, f"one of {', '.join(allowed)}", file)
        if isinstance(value, int) and value < 1:
            raise _problem(f"{where}.{key}", value, "a whole number from 1", file)
    return dict(at)


def _fits(at: Mapping[str, Any], fault: Fault, where: str, file: str | None) -> None:
    """Refuse what could never fire: such a plan would only be counted as inapplicable."""
    frame = [key for key in ("way", "stream", "kind") if key in at]
    moment = [key for key in ("moment", "where") if key in at]
    if frame and moment:
        raise PlanProblem(
            f"{where} with {frame[0]} and {moment[0]}",
            "the place of a frame or a moment, not both",
            "remove one of the two",
            file=file,
        )
    ways = {at["way"]} if "way" in at else {">>", "<<"} if frame else {"moment"} if moment else set(WAYS)
    if not ways & fault.ways:
        raise PlanProblem(
            f"{where} ties {fault.name} to {' or '.join(sorted(ways))}",
            f"a place of {' or '.join(sorted(fault.ways))}",
            f"see `trailcam faults {fault.name}`",
            file=file,
        )
    if "kind" in at and fault.kinds and at["kind"] not in fault.kinds:
        raise PlanProblem(
            f"{where}.kind = {_short(at['kind'])}",
            f"{' or '.join(sorted(fault.kinds))}, which {fault.name} can change",
            f"see `trailcam faults {fault.name}`",
            file=file,
        )
    if "moment" in at and fault.moments and at["moment"] not in fault.moments:
        raise PlanProblem(
            f"{where}.moment = {_short(at['moment'])}",
            f"{' or '.join(sorted(fault.moments))}, which is when {fault.name} makes sense",
            f"see `trailcam faults {fault.name}`",
            file=file,
        )


def _known(given: Mapping[str, Any], known: tuple[str, ...], where: str, file: str | None) -> None:
    for key in given:
        if key not in known:
            raise PlanProblem(
                f"{where}{key}{nearest(key, known)}",
                f"one of {', '.join(known)}",
                "remove it or correct the name",
                file=file,
            )


def _problem(where: str, value: Any, expected: str, file: str | None) -> PlanProblem:
    return PlanProblem(f"{where} = {_short(value)}", expected, "see docs/faults.md for the form of a plan", file=file)


def _short(value: Any) -> str:
    try:
        return dumps(value)[:80]
    except (TypeError, ValueError, RecursionError):
        return repr(value)[:80]
