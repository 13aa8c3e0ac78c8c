"""Law 4, bounded: no call outlives its deadline, and no message, output or count its bound.

The clock is judged in virtual runs alone: on a real clock a slow machine would break the law. A call that never came
back at all is seen in every run. Bounds are those of the run sheet; what the stack sends counts, not what it is sent.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from harness.kept.lines import Line
from harness.laws.attribution import Attribution
from harness.laws.facts import Call, Facts, Frame, paused_ms
from harness.laws.verdict import Finding, moot
from harness.tape.schema import is_instant

NUMBER = 4
NAME = "bounded"
BROKEN_WHEN = "a call outlives its deadline, or a message, buffer, output or count its bound"
JUDGED_BY = "answers against deadlines (virtual runs), and the run against the `bounds` of its sheet"
CLOCK = "not judged: clock part, which is judged in virtual runs alone"


Measured: TypeAlias = tuple[float, tuple[int, ...], tuple[Frame, ...]]
"""An amount, in the unit that the bound's name ends in, with the calls and frames that have it."""


def _replies(facts: Facts) -> Iterator[Measured]:
    for call in facts.calls.values():
        if call.answered is not None:
            yield call.answered["bytes"], (call.number,), ()


def _frames(facts: Facts) -> Iterator[Measured]:
    """The frames that the stack sent; a frame may stand in several events."""
    parts: dict[tuple[int, str], tuple[int, int]] = {}
    for event in facts.run.journal:
        if event["e"] == "bytes" and event["s"] == "in":
            size = size_of(event)
            if "more" in event or parts:
                stream = (event["p"], event["w"])
                n, before = parts.pop(stream, (event["n"], 0))
                if event.get("more"):
                    parts[stream] = (n, before + size)
                else:
                    yield before + size, (), ((event["p"], n),)
            else:
                yield size, (), ((event["p"], event["n"]),)
    for (p, _), (n, size) in parts.items():
        yield size, (), ((p, n),)


def size_of(event: Line) -> int:
    """Bytes in an event of the journal."""
    text = event.get("b")
    if isinstance(text, str):
        return len(text) if text.isascii() else len(text.encode())
    coded: str = event["b64"]
    return len(coded) * 3 // 4 - coded[-2:].count("=")


def _count_frames(facts: Facts) -> Iterator[Measured]:
    yield sum(1 for _ in _frames(facts)), (), ()


def _count_questions(facts: Facts) -> Iterator[Measured]:
    questions = [(call.number, len(call.questions)) for call in facts.calls.values() if call.questions]
    yield sum(count for _, count in questions), tuple(number for number, _ in questions), ()


def _count_processes(facts: Facts) -> Iterator[Measured]:
    yield sum(event["e"] == "started" and event.get("parent") is None for event in facts.run.journal), (), ()


BOUNDS: Mapping[str, tuple[Callable[[Facts], Iterator[Measured]] | None, bool, str]] = {
    # name -> (what is measured, whether the journal must be whole, meaning)
    "call_ms": (None, False, "how long a call may take that names no deadline; questions stop its clock"),
    "reply_bytes": (_replies, False, "size of the content of one reply"),
    "frame_bytes": (_frames, True, "size of one frame that the stack sends"),
    "frames": (_count_frames, True, "frames that the stack sends in the run"),
    "questions": (_count_questions, False, "questions that the stack asks in the run"),
    "processes": (_count_processes, True, "programs that the stack starts in the run"),
}
"""`call_ms` has no measure of its own: it is the deadline of calls that have none."""


@dataclass(slots=True)
class _Parts:
    """What was found of the parts of the law: broken at once, the rest collected."""

    broken: Finding | None = None
    unknown: list[str] = field(default_factory=list)
    judged: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def judge(facts: Facts, attribution: Attribution) -> Finding:
    """Broken at the first thing over its bound; unknown where a bound of the sheet can't be judged."""
    parts = _Parts()
    for part in (_ends, _clock, _bounds):
        part(facts, parts)
        if parts.broken is not None:
            return parts.broken
    notes = "".join(f"; {note}" for note in parts.notes)
    if parts.unknown:
        return Finding("unknown", "; ".join(parts.unknown) + notes)
    if not parts.judged:
        return moot("no deadline and no bound that this run shows" + notes)
    return Finding("holds", ", ".join(parts.judged) + notes)


def _ends(facts: Facts, parts: _Parts) -> None:
    for line in facts.told:
        if line["event"] == "run_limit":
            parts.broken = Finding("broken", "the run did not come to its end within its limit")
            return
    for call in facts.calls.values():
        if call.answered is None and call.cancelled is None:
            parts.broken = Finding("broken", f"call {call.number} was never answered", (call.number,))
            return


def _clock(facts: Facts, parts: _Parts) -> None:
    timed = [(call, deadline) for call in facts.calls.values() if (deadline := facts.deadline_ms(call)) is not None]
    if not timed:
        return
    if facts.mode != "virtual":
        parts.notes.append(CLOCK)
        return
    judged = 0
    for call, deadline in timed:
        took = took_us(call)
        if took is None:
            continue
        judged += 1
        if took > round(deadline * 1000):
            why = f"call {call.number} took {took / 1000:g} ms; its deadline is {deadline:g} ms"
            parts.broken = Finding("broken", why, (call.number,))
            return
    if judged:
        parts.judged.append(f"{judged} calls within their deadlines")


def took_us(call: Call) -> int | None:
    """Whole microseconds from asking to the answer, without the time in which a question was open. None: no answer.

    Whole, because differences of virtual instants carry the rounding of their floating-point form.
    """
    if call.answered is None:
        return None
    took_ms: float = call.answered["t"] - call.asked["t"] - paused_ms(call)
    return round(took_ms * 1000)


def _bounds(facts: Facts, parts: _Parts) -> None:
    bounds: Mapping[str, Any] = facts.sheet.get("bounds") or {}
    gap = next(facts.gaps(), None)
    for name, bound in bounds.items():
        if name not in BOUNDS or not is_instant(bound):
            parts.unknown.append(f"bound {name} = {bound!r} is none of {', '.join(BOUNDS)} with a number from 0")
            continue
        measure, whole, meaning = BOUNDS[name]
        if measure is None:
            continue
        most: float = 0
        for amount, calls, frames in measure(facts):
            if amount > bound:
                parts.broken = Finding("broken", f"{meaning}: {amount}; {name} is {bound}", calls, (), frames)
                return
            most = max(most, amount)
        if whole and gap is not None:
            parts.unknown.append(f"{name}: the journal has a gap at {gap['n']}")
        else:
            parts.judged.append(f"{name} at most {most} of {bound}")
