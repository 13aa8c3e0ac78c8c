"""What must be equal between two runs of one sheet in different modes, and the first place where it is not.

Compared: history, world record, and the journal of each process; without times, read boundaries and the order between
processes, which no mode can promise (interfaces: the stage).
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

TIMES = ("t", "k", "j", "n")
HISTORY_LEFT_OUT = {"answered": ("evidence", "sha256", "bytes", "content")}
"""Of an answer the outcome and code are compared; what the program said stands in the journals."""


def comparable(
    history: Iterable[Mapping[str, Any]],
    world: Iterable[Mapping[str, Any]],
    journal: Sequence[Mapping[str, Any]],
    roots: Mapping[str, str] | None = None,
) -> dict[str, list[Any]]:
    """Book name to lines: `history`, `world`, and `journal PROGRAM#NTH` for each process.

    roots: name to the path that it stands for, since each run has folders of its own.
    """
    names = process_names(journal)
    books: dict[str, list[Any]] = {
        "history": [_without(line, (*TIMES, *HISTORY_LEFT_OUT.get(line["e"], ()))) for line in history],
        "world": [_renamed(_without(line, TIMES), names) for line in world],
    }
    places: dict[int, int] = {}
    for event in journal:
        book = books.setdefault(f"journal {names[event['p']]}", [])
        places[event["n"]] = len(book)
        line = _renamed(_without(event, (*TIMES, "cuts")), names)
        if "cause" in line:
            line["cause"] = places[line["cause"]]
        book.append(line)
    return {book: [_rooted(line, roots or {}) for line in lines] for book, lines in books.items()}


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
