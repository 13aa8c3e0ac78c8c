"""What a scenario asserts of a run: its `then` items, judged over a kept run and nothing else.

A run sheet carries the items, so that a report can judge a kept run again. Each item is holds, broken or unknown: where
there is nothing in the run that it could judge it is unknown, never holds. Pure.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from harness.judged.books import Books, Entry
from harness.judged.match import ABSENT, equal, fits, value_at
from harness.kept.run import KeptRun
from harness.laws.verdict import Verdict, Word

SHOWN = 3
"""Lines that a verdict names at most."""

LAW = "law"
"""The form whose verdict is that of a law: a law with nothing to judge is unknown here too."""

Selection: TypeAlias = Mapping[str, Any]
"""`{BOOK: PATTERN}`; `at` beside it is the JSON pointer of a value."""


@dataclass(frozen=True, slots=True)
class Said:
    """What an item came to. claims: that stand on it; says: the item in words; item: its number in `then`, from 0.

    calls, world, frames: what shows it, as in a law's verdict.
    """

    item: int
    claims: tuple[str, ...]
    says: str
    verdict: Word
    why: str
    calls: tuple[int, ...] = ()
    world: tuple[int, ...] = ()
    frames: tuple[tuple[int, int], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The fields in their order."""
        return {
            "item": self.item, "claims": list(self.claims), "says": self.says, "verdict": self.verdict,
            "why": self.why, "calls": list(self.calls), "world": list(self.world),
            "frames": [list(frame) for frame in self.frames],
        }  # fmt: skip


Outcome: TypeAlias = tuple[Word, str, Sequence[Entry]]


def judge_then(run: KeptRun, laws: Sequence[Verdict]) -> list[Said]:
    """Every item of the run's sheet, in order. laws: what the laws say of the run."""
    books = Books(run)
    return [_said(number, item, books, laws) for number, item in enumerate(run.sheet.get("then") or ())]


def _said(number: int, item: Mapping[str, Any], books: Books, laws: Sequence[Verdict]) -> Said:
    form = form_of(item)
    if form == LAW:
        law = next(law for law in laws if law.law == item[LAW])
        return Said(number, tuple(item.get("claims") or ()), item["says"], law.verdict, law.why, law.calls, law.world,
                    law.frames)
    verdict, why, entries = FORMS[form][0](item, books)
    shown = entries[:SHOWN]
    return Said(
        number, tuple(item.get("claims") or ()), item["says"], verdict, why,
        tuple(dict.fromkeys(entry.call for entry in shown if entry.call is not None)),
        tuple(dict.fromkeys(entry.world for entry in shown if entry.world is not None)),
        tuple(dict.fromkeys(entry.frame for entry in shown if entry.frame is not None)),
    )  # fmt: skip


def form_of(item: Mapping[str, Any]) -> str:
    """The one form that an item has. Raises KeyError where it has none."""
    for form in (*FORMS, LAW):
        if form in item:
            return form
    raise KeyError("an item of no form")


def select(selection: Selection, books: Books) -> list[Entry]:
    """The entries that a selection fits."""
    for name, wanted in selection.items():
        if name != "at":
            return [entry for entry in books.book(name) if fits(wanted, entry.line)]
    raise KeyError("a selection without a book")


def in_words(selection: Selection) -> str:
    """A selection as a verdict names it."""
    name, wanted = next((name, wanted) for name, wanted in selection.items() if name != "at")
    parts = ", ".join(f"{key}={each!r}" for key, each in wanted.items())
    return f"{name} with {parts}" if parts else name


def _among(item: Mapping[str, Any], books: Books) -> Outcome | None:
    """Unknown where an item says that it judges only where something is there, and it is not."""
    if "among" in item and not select(item["among"], books):
        return "unknown", f"nothing to judge: no {in_words(item['among'])}", ()
    return None


def _some(item: Mapping[str, Any], books: Books) -> Outcome:
    found = select(item["some"], books)
    words = in_words(item["some"])
    if found:
        return "holds", f"{len(found)} of {words}", found
    return _among(item, books) or ("broken", f"no {words}", ())


def _none(item: Mapping[str, Any], books: Books) -> Outcome:
    found = select(item["none"], books)
    words = in_words(item["none"])
    if found:
        return "broken", f"{len(found)} of {words}", found
    return _among(item, books) or ("holds", f"no {words}", ())


def _count(item: Mapping[str, Any], books: Books) -> Outcome:
    found = select(item["count"], books)
    words = f"{len(found)} of {in_words(item['count'])}"
    missing = None if found else _among(item, books)
    if missing:
        return missing
    if "is" in item:
        good, bound = len(found) == item["is"], f"{item['is']}"
    elif "at_least" in item:
        good, bound = len(found) >= item["at_least"], f"at least {item['at_least']}"
    else:
        good, bound = len(found) <= item["at_most"], f"at most {item['at_most']}"
    return ("holds", words, found) if good else ("broken", f"{words}; expected {bound}", found)


def _every(item: Mapping[str, Any], books: Books) -> Outcome:
    found = select(item["every"], books)
    words = in_words(item["every"])
    if not found:
        return "unknown", f"nothing to judge: no {words}", ()
    bad = [entry for entry in found if not fits(item["has"], entry.line)]
    if bad:
        return "broken", f"{len(bad)} of {len(found)} of {words} without {_first_miss(item['has'], bad[0].line)}", bad
    return "holds", f"each of {len(found)} of {words}", found


def _first_miss(wanted: Any, line: Mapping[str, Any], pointer: str = "") -> str:
    """Where a line does not fit, with what is there instead."""
    for key, each in wanted.items():
        seen = line.get(key, ABSENT)
        if not fits(each, seen):
            plain = isinstance(each, dict) and isinstance(seen, Mapping) and not any(k.startswith("$") for k in each)
            if plain:
                return _first_miss(each, seen, f"{pointer}/{key}")
            shown = "nothing" if seen is ABSENT else f"{seen!r:.120}"
            return f"{pointer}/{key} {each!r:.120} (it is {shown})"
    return pointer or "what it was to have"


def _order(item: Mapping[str, Any], books: Books) -> Outcome:
    shown: list[Entry] = []
    if not any(select(stage, books) for stage in item["order"]):
        return "unknown", f"nothing to judge: no {in_words(item['order'][0])}", ()
    place: tuple[float, int] = (-1.0, -1)
    for stage in item["order"]:
        found = next((entry for entry in select(stage, books) if entry.place > place), None)
        if found is None:
            after = f" after {in_words(item['order'][len(shown) - 1])}" if shown else ""
            return "broken", f"no {in_words(stage)}{after}", shown
        place = found.place
        shown.append(found)
    return "holds", f"{len(shown)} in this order", shown


def _equal(item: Mapping[str, Any], books: Books) -> Outcome:
    sides = []
    for place in item["equal"]:
        entries = select(place, books)
        values = [(entry, value_at(entry.line, place["at"])) for entry in entries]
        sides.append([(entry, value) for entry, value in values if value is not ABSENT])
    entries = [entry for side in sides for entry, _ in side]
    words = " and ".join(f"{in_words(place)} at {place['at']}" for place in item["equal"])
    if not entries:
        return "unknown", f"nothing to judge: no {words}", ()
    first = [value for _, value in sides[0]]
    for side in sides[1:]:
        values = [value for _, value in side]
        if len(values) != len(first):
            return "broken", f"{len(first)} values and {len(values)} of {words}", entries
        for number, (one, other) in enumerate(zip(first, values, strict=True)):
            if not equal(one, other):
                seen = f"{one!r:.100} and {other!r:.100}"
                return "broken", f"{words}: {seen}", [sides[0][number][0], side[number][0]]
    return "holds", f"{len(first)} values, equal at {words}", entries


FORMS: Mapping[str, tuple[Callable[[Mapping[str, Any], Books], Outcome], tuple[str, ...], str]] = {
    "some": (_some, ("among",), "at least one line fits"),
    "none": (_none, ("among",), "no line fits; `among` has to find something, or it is unknown"),
    "count": (_count, ("among", "is", "at_least", "at_most"), "so many lines fit"),
    "every": (_every, ("has",), "each line that fits also fits `has`; none at all is unknown"),
    "order": (_order, (), "lines that fit these selections stand in this order; none at all is unknown"),
    "equal": (_equal, (), "the values `at` these places are equal, one by one; none at all is unknown"),
}
"""Form -> (its judge, the keys that it may have beside it, meaning)."""
