"""The plans that a scenario is run under, chosen by tables from the census of its run without faults.

- `standard`: the plans of `make verify`, at most LIMIT a scenario: one fault each, at the place where it says most.
- `everything`: the campaign: every fault at every class of place that it fits, at the first and at the last.

Both depend on nothing but their arguments. A row of the table whose place the run did not have gives no plan; it is
named in `absent`, and what is over the limit in `cut`, so that nothing is left out in silence.
"""
from __future__ import annotations

from harness.faults.registry import FAULTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence, Set
    from typing import Any, TypeAlias

    from harness.faults.registry import Fault
    from harness.wire.jsontext import Json

    Place: TypeAlias = Mapping[str, Any]

LIMIT = 40
"""Standard plans a scenario may have."""

CALLS = ("mcpServer/tool/call", "tools/call")
LISTS = ("mcpServerStatus/list", "tools/list")
HANDSHAKES = ("initialize",)
"""Methods by what they are for. A method that is in none of these counts as a call where its program has no call."""

PAST_DEADLINE_MS = 160_000
"""As late as a `late_reply` is by default: no run lets a call take that long. It is for the campaign, which does not
ask how long the calls of a run may take, and for runs that do not say it; a standard plan of any other run holds back
for exactly as long as its calls may take."""


def _call(place: Place, way: str, kind: str) -> int | None:
    """How well a frame stands for a call: 0 one of CALLS, 1 any other method, 2 a frame that is no message."""
    if place.get("way") != way:
        return None
    if place.get("kind") == "raw":
        return 2
    method = place.get("method")
    if place.get("kind") != kind or method in LISTS or method in HANDSHAKES:
        return None
    return 0 if method in CALLS else 1


def _with(methods: Sequence[str] = (), **wanted: str) -> Callable[[Place], int | None]:
    def rank(place: Place) -> int | None:
        fits = all(place.get(key) == value for key, value in wanted.items())
        return 0 if fits and (not methods or place.get("method") in methods) else None

    return rank


TARGETS: dict[str, Callable[[Place], int | None]] = {
    "call": lambda place: _call(place, ">>", "request"),
    "answer": lambda place: _call(place, "<<", "reply"),
    "inventory": _with(LISTS, way="<<", kind="reply"),
    "question": _with(way="<<", kind="request"),
    "response": _with(way=">>", kind="reply"),
    "started": _with(moment="started"),
    "connecting": _with(moment="connecting"),
    "before_effect": _with(moment="before_effect"),
    "after_effect": _with(moment="after_effect"),
}
"""Kind of place -> how well a place of the census is one (0 best, None not at all)."""

TARGET_MEANINGS = {
    "call": "request toward the program that does something: a tool call, or else any request but a list or handshake",
    "answer": "reply to such a request; where the program speaks in no messages, any frame from it",
    "inventory": "reply to a request that lists tools",
    "question": "request from the program",
    "response": "reply to a request from the program",
    "started": "the process is up",
    "connecting": "a connection to the program is made",
    "before_effect": "the program is about to change the world",
    "after_effect": "the program has changed the world",
}
"""The same in words, for docs/faults.md."""

ROWS: tuple[tuple[str, str, dict[str, Json]], ...] = (
    ("drop", "answer", {}),
    ("crash", "before_effect", {}),
    ("crash", "after_effect", {}),
    ("delay", "answer", {"ms": PAST_DEADLINE_MS}),
    ("duplicate", "answer", {}),
    ("truncate", "answer", {}),
    ("wrong_id", "answer", {}),
    ("close", "answer", {}),
    ("garbage", "answer", {}),
    ("stall", "answer", {}),
    ("drop", "call", {}),
    ("error_reply", "call", {}),
    ("signal", "call", {}),
    ("schema_drift", "inventory", {}),
    ("inject_turn", "answer", {}),
    ("unsolicited_request", "answer", {}),
    ("corrupt", "answer", {}),
    ("split", "answer", {}),
    ("oversize", "answer", {}),
    ("half_frame_then_exit", "answer", {}),
    ("line_separator", "answer", {}),
    ("null_result", "answer", {}),
    ("type_confusion", "answer", {}),
    ("unknown_field", "answer", {}),
    ("unknown_notice", "answer", {}),
    ("reorder", "answer", {}),
    ("stderr_flood", "answer", {}),
    ("ignore_eof", "started", {}),
    ("slow_start", "started", {}),
    ("duplicate_request", "question", {}),
    ("drop", "response", {}),
)
"""(fault, kind of place, arguments), most telling first: each strikes the first program that has the place."""

ELSEWHERE: tuple[tuple[str, str, dict[str, Json]], ...] = (
    ("crash", "started", {}),
    ("garbage", "started", {}),
    ("ignore_sigterm", "started", {}),
)
"""The same for every other program of the run: helpers and one-shot tools."""

SERVICES: tuple[tuple[str, str, dict[str, Json]], ...] = (
    ("connect_refused", "connecting", {}),
    ("connect_hangs", "connecting", {}),
    ("drop", "answer", {}),
    ("truncate", "answer", {}),
    ("type_confusion", "answer", {}),
    ("delay", "answer", {"ms": PAST_DEADLINE_MS}),
)
"""The same for every program that connections are made to. Such programs come last among those that ROWS strike."""

VARIANTS: dict[str, tuple[dict[str, Json], ...]] = {
    "crash": ({"status": 1}, {"status": 0}),
    "delay": ({"ms": 1000}, {"ms": PAST_DEADLINE_MS}),
    "duplicate_request": ({"fresh": False}, {"fresh": True}),
    "error_reply": ({"code": -32603, "message": "Internal error"}, {"code": -10005, "message": "cgWindowNotFound"}),
    "id_type": ({"to": "other"}, {"to": "null"}),
    "invalid_utf8": ({"sequence": "lone"}, {"sequence": "cut"}),
    "length_prefix": tuple({"length": lie} for lie in ("zero", "too_large", "over_limit", "swapped", "text")),
    "oversize": tuple({"bytes": size} for size in (65_537, 1_048_577, 8_388_609)),
    "schema_drift": tuple({"change": change} for change in ("rename", "remove", "add")),
    "split": ({"offset": 1}, {}),
    "stall": ({}, {"bytes": 1}),
    "truncate": ({}, {"bytes": 1}),
}
"""Fault -> the arguments that the campaign tries; one plan with the defaults for every other."""
NOT_IN_CAMPAIGN = ("no_op",)


class Selection:
    """plans: one fault each. absent: rows whose place the run did not have; cut: rows over the limit; both as
    `fault at kind of place`."""

    __slots__ = ("plans", "absent", "cut")

    def __init__(self) -> None:
        self.plans: list[dict[str, Any]] = []
        self.absent: list[str] = []
        self.cut: list[str] = []


def standard(
    census: Sequence[Place],
    seed: int,
    *,
    first: Sequence[str] = (),
    changes: Sequence[Mapping[str, Json]] = (),
    past_deadline_ms: float = PAST_DEADLINE_MS,
    limit: int = LIMIT,
) -> Selection:
    """The standard plans. census: `Census.places()`. first: programs to strike before others, in that order (those
    that the scenario is about). changes: arguments of `world`, one plan each, at the last `before_effect`.
    past_deadline_ms: how long what comes too late is held; no shorter than the deadline of the run's calls. limit: how
    many plans at most, the most telling ones."""
    selection = Selection()
    services = {str(place["program"]) for place in census if place.get("moment") == "connecting"}
    programs = _ordered(census, first, services)
    late: dict[str, Json] = {"ms": past_deadline_ms}
    rows = [(fault, target, late if fault == "delay" else args, programs) for fault, target, args in ROWS]
    rows += [("world", "before_effect", dict(change), programs) for change in changes]
    for other in programs:
        if other in services:
            rows += [(fault, at, late if fault == "delay" else args, [other]) for fault, at, args in SERVICES]
    others = [other for other in programs[1:] if other not in services]
    rows += [(fault, target, args, [other]) for other in others for fault, target, args in ELSEWHERE]
    for fault, target, args, where in rows:
        place = _best(census, FAULTS[fault], target, where)
        label = f"{fault} at {target}" + (f" of {where[0]}" if where is not programs else "")
        if place is None:
            selection.absent.append(label)
        elif len(selection.plans) == limit:
            selection.cut.append(label)
        else:
            selection.plans.append(_plan(fault, args, place, place["count"], seed))
    return selection


def everything(
    census: Sequence[Place], seed: int, *, changes: Sequence[Mapping[str, Json]] = ()
) -> Iterator[dict[str, Any]]:
    """The plans of the campaign, in one order: fault x arguments x class of place x first and last of the run."""
    classes = _classes(census)
    for name in FAULTS:
        if name in NOT_IN_CAMPAIGN:
            continue
        fault = FAULTS[name]
        variants = [dict(change) for change in changes] if name == "world" else VARIANTS.get(name, ({},))
        for place in classes:
            if _fits(fault, place):
                for args in variants:
                    for nth in sorted({1, place["count"]}):
                        yield _plan(name, args, place, nth, seed)


def plans_for(
    census: Sequence[Place],
    seed: int,
    selection: str = "standard",
    *,
    first: Sequence[str] = (),
    changes: Sequence[Mapping[str, Json]] = (),
) -> list[dict[str, Any]]:
    """The plans of one selection: `standard` or `all`."""
    if selection == "standard":
        return standard(census, seed, first=first, changes=changes).plans
    if selection == "all":
        return list(everything(census, seed, changes=changes))
    raise ValueError(f"saw selection {selection!r}; expected standard or all")


def label(plan: Mapping[str, Any]) -> str:
    """What a plan of one fault does, in one line: `drop << reply tools/call #3 of codex`."""
    fault = plan["faults"][0]
    at = fault["at"]
    words = [fault["fault"], *(str(at[key]) for key in ("way", "kind", "method", "moment") if key in at)]
    return " ".join([*words, f"#{at['nth']}", "of", at["program"]])


def _ordered(census: Sequence[Place], first: Sequence[str], last: Set[str]) -> list[str]:
    there = {place["program"] for place in census}
    others = there - set(first)
    return [name for name in first if name in there] + sorted(others - last) + sorted(others & last)


def _best(census: Sequence[Place], fault: Fault, target: str, programs: Sequence[str]) -> Place | None:
    rank = TARGETS[target]
    fitting = [place for place in _classes(census) if _fits(fault, place)]
    for program in programs:
        ranked = [(rank(place), place) for place in fitting if place["program"] == program]
        found = [(how, place) for how, place in ranked if how is not None]
        if found:
            return min(found, key=lambda pair: pair[0])[1]
    return None


def _classes(census: Sequence[Place]) -> list[dict[str, Any]]:
    """Places without their process, counted over the run as `nth` counts, in the order of the census."""
    classes: dict[str, dict[str, Any]] = {}
    for place in census:
        kept = {key: value for key, value in place.items() if key not in ("process", "count")}
        known = classes.setdefault(repr(sorted(kept.items())), {**kept, "count": 0})
        known["count"] += place["count"]
    return list(classes.values())


def _fits(fault: Fault, place: Place) -> bool:
    if "way" not in place:
        return "moment" in fault.ways and (not fault.moments or place["moment"] in fault.moments)
    return place["way"] in fault.ways and (not fault.kinds or place["kind"] in fault.kinds)


def _plan(fault: str, args: Mapping[str, Json], place: Place, nth: int, seed: int) -> dict[str, Any]:
    at: dict[str, Json] = {key: value for key, value in place.items() if key != "count"}
    entry: dict[str, Json] = {"id": "f1", "fault": fault, "at": {**at, "nth": nth}, "args": dict(args)}
    return {"v": 1, "seed": seed, "faults": [entry]}
