"""The four books of a kept run as an assertion sees them: history, world, frames, processes.

Separate from the assertions, so that one decoding of the journal serves all of them. Frames are what the codec of
their wire reads out of the journal; a line has the names that a scenario writes, never numbers of processes.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from harness.kept.problem import KeptProblem
from harness.kept.run import KeptRun, header_of
from harness.tape.views import WAYS, exchanges, frames

OF_PROCESS = ("started", "exited", "signalled", "closed")
"""Events of the journal that the book `processes` has."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a book. place: where it stands in the one order of a run. frame: (process, number of the event)."""

    place: tuple[float, int]
    line: Mapping[str, Any]
    call: int | None = None
    world: int | None = None
    frame: tuple[int, int] | None = None


class Books:
    """See the module. Each book is made when it is first asked for."""

    def __init__(self, run: KeptRun) -> None:
        self._run = run

    def book(self, name: str) -> list[Entry]:
        """The entries of a book in the order of the run. Raises KeyError for a name that BOOKS does not have."""
        return BOOKS[name][0](self)

    @cached_property
    def history(self) -> list[Entry]:
        return [Entry(_place(line), line, call=line.get("call")) for line in self._run.history]

    @cached_property
    def world(self) -> list[Entry]:
        named = self._processes
        return [
            Entry(_place(line), {**line, **named.get(line.get("p"), {})}, world=line["n"]) for line in self._run.world
        ]

    @cached_property
    def frames(self) -> list[Entry]:
        named = self._processes
        header = self._run.header or header_of(self._run, self._run.sheet.get("wires") or {})
        events: Any = self._run.journal
        seen = list(frames(header, events))
        for _ in exchanges(seen):
            pass  # gives each reply the method of its request
        found = []
        for each in seen:
            frame = each.frame
            line: dict[str, Any] = {
                **named.get(each.p, {}), "wire": each.w, "stream": each.s, "way": WAYS[each.s], "kind": frame.kind,
            }  # fmt: skip
            if frame.method is not None:
                line["method"] = frame.method
            if frame.has_id:
                line["id"] = frame.id
            if frame.kind == "raw":
                line["text"] = frame.value if isinstance(frame.value, str) else frame.raw.decode("utf-8", "replace")
            else:
                line["value"] = frame.value
            found.append(Entry((each.n, 0), line, frame=(each.p, each.n)))
        return found

    @cached_property
    def processes(self) -> list[Entry]:
        named = self._processes
        return [
            Entry((event["n"], 0), {**event, **named[event["p"]]}, frame=(event["p"], event["n"]))
            for event in self._run.journal
            if event["e"] in OF_PROCESS and event["p"] in named
        ]

    @cached_property
    def _processes(self) -> dict[Any, dict[str, Any]]:
        """Number of a process -> its program, which of that program's it is (from 1), and its parent's program."""
        counts: dict[str, int] = {}
        found: dict[Any, dict[str, Any]] = {}
        for event in self._run.journal:
            if event["e"] == "started":
                program = event["program"]
                counts[program] = counts.get(program, 0) + 1
                parent = found.get(event.get("parent"), {}).get("program")
                found[event["p"]] = {"program": program, "process": counts[program], "parent": parent}
        return found


def _place(line: Mapping[str, Any]) -> tuple[float, int]:
    """Between the events of the journal that were before it and those after; `k` orders what stands at one place."""
    if "j" not in line:
        raise KeptProblem("a line that does not say how many events of the journal were before it", "`j` in each line",
                          "make the run again")  # fmt: skip
    return (line["j"] - 0.5, line["k"])


BOOKS: Mapping[str, tuple[Callable[[Books], list[Entry]], str]] = {
    "history": (lambda books: books.history, "what the stack was asked and told, and what it answered (docs/laws.md)"),
    "world": (lambda books: books.world, "what really happened (docs/laws.md), with program, process and parent"),
    "frames": (
        lambda books: books.frames,
        (
            "frames of the journal: program, process (which of that program, from 1), parent, wire, stream, way, kind, "
            "method (a reply has its request's), id, value; text where it is no message"
        ),
    ),
    "processes": (
        lambda books: books.processes,
        "starts and ends: e (started, exited, signalled, closed), program, process, parent, argv, status, number",
    ),
}
"""Name of a book -> (its entries, what its lines have)."""
