"""What must be equal between two runs of one sheet, in other modes or on other backs, and the first place where it is
not.

Compared are history, world record, and the journal of each process; without times, read boundaries and the order
between processes, which no mode can promise (interfaces: the stage). Where the real clock decides a race within one
process (a notice against a call) its streams are compared one by one; and how it was told to end (the end of its stdin
against a signal, or against its own exit) is left out: that it ended, and what it had said, are not.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from harness.wire.jsontext import dumps

TIMES = ("t", "k", "j", "n")
HISTORY_LEFT_OUT = {
    "answered": ("evidence", "sha256", "bytes", "content", "structured"),
    "wrote": ("text", "mode"),
}
"""Of an answer the outcome and code are compared; what the program said stands in the journals. What the stack wrote
has dates and durations in it."""

RACES = (("closed", "in"), ("signalled", None))
"""(kind, stream) of events by which a process is told to end: which of them it sees first is a race."""
FAKES_OWN = ("violation", "apple_event")
"""Kinds of lines that two backs of one scenario do not share."""
OF_NODES = ("node", "inserted", "removed")
"""Keys of a change of one node in a page."""
EFFECT = "effect:"
"""How `by` begins where a line is what an effect has done."""
TOLD = (0, -15)
"""How a child ends that its parent tells both ways at once: by the end of its stdin, or by SIGTERM."""


def comparable(
    history: Iterable[Mapping[str, Any]],
    world: Iterable[Mapping[str, Any]],
    journal: Sequence[Mapping[str, Any]],
    roots: Mapping[str, str] | None = None,
    *,
    by_stream: bool = False,
) -> dict[str, list[Any]]:
    """Book name to lines: `history`, `world`, and `journal PROGRAM#NTH` for each process.

    roots: name to the path that it stands for, since each run has folders of its own. by_stream: the journal of each
    process as a book for each of its streams, and one for its start and end, without what RACES has; `cause` goes from
    one stream to another, so it is left out.
    """
    names = process_names(journal)
    children = {event["p"] for event in journal if event["e"] == "started" and event.get("parent") is not None}
    books: dict[str, list[Any]] = {
        "history": [_without(line, (*TIMES, *HISTORY_LEFT_OUT.get(line["e"], ()))) for line in history],
        "world": [_renamed(_without(line, TIMES), names) for line in world],
    }
    places: dict[int, int] = {}
    for event in journal:
        if by_stream and (event["e"], event.get("s")) in RACES:
            continue
        book = books.setdefault(_book_of(event, names, by_stream), [])
        places[event["n"]] = len(book)
        line = _renamed(_without(event, (*TIMES, "cuts", *(("cause",) if by_stream else ()))), names)
        if by_stream and event["e"] == "exited" and event["p"] in children and event["status"] in TOLD:
            line["status"] = "told to end"
        if "cause" in line:
            line["cause"] = places[line["cause"]]
        book.append(line)
    return {book: [_rooted(line, roots or {}) for line in lines] for book, lines in books.items()}


def _book_of(event: Mapping[str, Any], names: Mapping[int, str], by_stream: bool) -> str:
    book = f"journal {names[event['p']]}"
    return f"{book} {event['w']} {event['s']}" if by_stream and "s" in event else book


def outcomes(
    history: Iterable[Mapping[str, Any]],
    world: Iterable[Mapping[str, Any]],
    journal: Sequence[Mapping[str, Any]],
    roots: Mapping[str, str],
) -> dict[str, list[Any]]:
    """What must be equal between two backs of one scenario: what was answered and what really happened.

    How a real program gets there is its own (how often it starts its helper, which of two it ends first), so the world
    record is compared process by process, each named by its program alone, and no journal is. What a fake alone can
    see, that its client broke the protocol, is left out, and so is that there was an engine. Of pages, only a model can
    tell each change of a node and what caused it, how often a program asks while a page loads is a matter of time, and
    what one look shows has no order of its own.
    """
    names = {p: name.partition("#")[0] for p, name in process_names(journal).items()}
    told = [
        _without(line, (*TIMES, *HISTORY_LEFT_OUT.get(line["e"], ()))) for line in history if line["e"] != "launched"
    ]
    lines: dict[Any, list[Any]] = {}
    for line in world:
        if line["e"] in FAKES_OWN or (line["e"] in ("held", "freed") and line.get("what") == "engine"):
            continue
        what = line["what"] if line["e"] == "changed" and isinstance(line["what"], dict) else {}
        if "document" in what and not what.keys().isdisjoint(OF_NODES):
            continue
        left_out = (*TIMES, "by") if "document" in what else TIMES
        if str(line.get("by")).startswith(EFFECT):  # its number counts lines, and an engine has fewer of them
            line = {**line, "by": EFFECT}
        lines.setdefault(line.get("p"), []).append(_rooted(_renamed(_without(line, left_out), names), roots))
    of_nobody = lines.pop(None, [])
    of_processes = sorted((_looks(each) for each in lines.values()), key=lambda each: dumps(each, sort=True))
    return {"history": [_rooted(line, roots) for line in told], "world": [*of_nobody, *of_processes]}


def _looks(lines: Sequence[Mapping[str, Any]]) -> list[Any]:
    """The lines of one process, those that one look at nodes of a page has shown in the order of their texts."""
    found: list[Any] = []
    for is_look, lines_of in groupby(lines, lambda line: line["e"] == "shown" and "document" in line["what"]):
        group = list(lines_of)
        found += sorted(group, key=lambda line: dumps(dict(line), sort=True)) if is_look else group
    return found


def _rooted(value: Any, roots: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        for name, path in roots.items():
            value = value.replace(path, name)
        return value
    if isinstance(value, dict):
        return {key: _rooted(member, roots) for key, member in value.items()}
    return [_rooted(member, roots) for member in value] if isinstance(value, list) else value


def process_names(journal: Iterable[Mapping[str, Any]]) -> dict[int, str]:
    """Process number to `PROGRAM#NTH`: numbers depend on the order of starts, which modes don't share."""
    counts: dict[str, int] = {}
    names = {}
    for event in journal:
        if event["e"] == "started":
            nth = counts[event["program"]] = counts.get(event["program"], 0) + 1
            names[event["p"]] = f"{event['program']}#{nth}"
    return names


def first_difference(left: Mapping[str, list[Any]], right: Mapping[str, list[Any]]) -> str | None:
    """`BOOK line N: LEFT | RIGHT` for the first line that differs; None where all is equal."""
    for book in sorted(left.keys() | right.keys()):
        ours, theirs = left.get(book, []), right.get(book, [])
        for n in range(max(len(ours), len(theirs))):
            pair = [lines[n] if n < len(lines) else "nothing" for lines in (ours, theirs)]
            if pair[0] != pair[1]:
                return f"{book} line {n}: {pair[0]} | {pair[1]}"
    return None


def _without(line: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    return {key: value for key, value in line.items() if key not in keys}


def _renamed(line: dict[str, Any], names: Mapping[int, str]) -> dict[str, Any]:
    for key in ("p", "parent"):
        if key in line and line[key] in names:
            line[key] = names[line[key]]
    return line
