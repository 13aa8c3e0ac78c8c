"""What a program says now and did not say on the committed tapes of it, or the other way round: drift.

Compared is the form of its messages, by kind and method: which members there are and of which JSON types, and the
schemas of tools by their values. Which values an answer had is the scenario's business. What is gone or has another
type can break a client; what is new can't, and is told apart.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

from harness.tape.header import Header
from harness.tape.read import load
from harness.tape.views import exchanges, frames
from harness.wire.jsontext import dumps

BREAKS = ("removed", "changed")
"""Kinds of drift that a client may notice; the others are `added` and `new`."""
SCHEMAS = ("/inputSchema/", "/annotations/")
"""Below a tool: what is compared by value, descriptions apart, which are prose and pass through."""
TYPES: Mapping[type, str] = {
    bool: "true or false", int: "number", float: "number", str: "text", list: "list", dict: "object",
    type(None): "null",
}  # fmt: skip
Key: TypeAlias = tuple[str, str]
"""Kind and method of a message; a reply has its request's method."""


@dataclass(frozen=True, slots=True)
class Drift:
    """One difference. message: as `reply initialize`; kind: removed, changed, added, or new (a message that no tape
    has); pointer: where, `*` for any item of a list; was, now: types or values."""

    message: str
    kind: str
    pointer: str
    was: str
    now: str

    @property
    def breaks(self) -> bool:
        """Whether a client may notice."""
        return self.kind in BREAKS

    @property
    def words(self) -> str:
        """One line."""
        change = {"removed": f"{self.was} is gone", "changed": f"{self.was} became {self.now}"}
        return f"{self.message} {self.pointer or '/'}: {change.get(self.kind, f'new: {self.now}')}"

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(slots=True)
class Form:
    """The form of all messages of one kind and method. count: how many; seen: pointer -> types or values there;
    holds: pointer -> how many messages have it."""

    count: int = 0
    seen: dict[str, set[str]] = field(default_factory=dict)
    holds: Counter[str] = field(default_factory=Counter)

    def note(self, value: Any) -> None:
        self.count += 1
        found = set(parts(value, ""))
        for pointer, word in found:
            self.seen.setdefault(pointer, set()).add(word)
        self.holds.update({pointer for pointer, _ in found})

    def add(self, other: Form) -> None:
        self.count += other.count
        self.holds.update(other.holds)
        for pointer, words in other.seen.items():
            self.seen.setdefault(pointer, set()).update(words)

    def always(self, pointer: str) -> bool:
        """Whether every message has this member."""
        return self.holds[pointer] == self.count


def parts(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    """(pointer, type or value) of everything in a message; its id is the exchange's own."""
    if any(mark in f"{pointer}/" for mark in SCHEMAS) and not isinstance(value, dict):
        if not pointer.endswith("/description"):
            yield pointer, dumps(value)
        return
    yield pointer, TYPES[type(value)]
    if isinstance(value, dict):
        for key, member in value.items():
            if pointer or key != "id":
                yield from parts(member, f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for item in value:
            yield from parts(item, f"{pointer}/*")


def forms(header: Header, events: Iterable[Mapping[str, Any]], program: str) -> dict[Key, Form]:
    """The messages that a program sent on a tape. Bytes that are no message, and half ones, are left out."""
    journal: list[Any] = list(events)
    of_program = {event["p"] for event in journal if event["e"] == "started" and event["program"] == program}
    seen = list(frames(header, journal))
    for _ in exchanges(seen):
        pass  # gives each reply the method of its request
    found: dict[Key, Form] = {}
    for each in seen:
        frame = each.frame
        if each.p in of_program and each.s == "out" and frame.kind != "raw" and isinstance(frame.value, dict):
            found.setdefault((frame.kind, frame.method or "?"), Form()).note(frame.value)
    return found


def drift(before: Mapping[Key, Form], now: Mapping[Key, Form]) -> list[Drift]:
    """What differs, in the order of messages and pointers. A message that was not seen this time is no drift, nor is a
    member that was not always there."""
    found = []
    for key in sorted(now):
        message = " ".join(key)
        if key not in before:
            found.append(Drift(message, "new", "", "", "a message that no committed tape has"))
            continue
        old, new = before[key], now[key]
        for pointer in sorted({*old.seen, *new.seen}):
            was, has = sorted(old.seen.get(pointer, ())), sorted(new.seen.get(pointer, ()))
            if not has and old.always(pointer) and not gone_with_parent(pointer, old, new):
                found.append(Drift(message, "removed", pointer, " or ".join(was), ""))
            elif not was and not new_with_parent(pointer, old):
                found.append(Drift(message, "added", pointer, "", " or ".join(has)))
            elif was and has and not set(has) <= set(was):
                found.append(Drift(message, "changed", pointer, " or ".join(was), " or ".join(has)))
    return found


def gone_with_parent(pointer: str, old: Form, new: Form) -> bool:
    """Whether a member is gone because what it was in is gone, or is an empty list now: that is said once."""
    parent = pointer.rpartition("/")[0]
    return parent not in new.seen or (pointer.endswith("/*") and "list" in new.seen[parent])


def new_with_parent(pointer: str, old: Form) -> bool:
    """Whether a member is new because what it is in is new, or because a list was empty before."""
    parent = pointer.rpartition("/")[0]
    return parent not in old.seen or pointer.endswith("/*")


def committed(paths: Iterable[str], program: str) -> dict[Key, Form]:
    """The forms on committed tapes. Raises TapeProblem."""
    found: dict[Key, Form] = {}
    for path in paths:
        header, events = load(path, killed="accept")
        for key, form in forms(header, events, program).items():
            found.setdefault(key, Form()).add(form)
    return found
