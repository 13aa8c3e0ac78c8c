"""Which guards a run reaches: the lines of the stack that it carries out, seen by a tracer.

Taking a guard out changes nothing in a run that does not come by it. So each run is made once with the stack as it is,
under a tracer of the stack's own files, and a guard is tried against the runs that reach it alone. A row of a table is
reached where a function that names the table is, be it by another table made from it. That is many runs, so those are
told apart that show one of the row's own words, in their sheet or in their records: where few do, they are near.
"""
from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from harness.campaign.guards import Guard
from harness.scenario.runner import Records
from harness.wire.jsontext import dumps

TEXTS = re.compile(r"'([^'\\\\]+)'|\"([^\"\\\\]+)\"")
SHORTEST = 3
"""A word of a row has more letters."""
SAYS = ("programs", "world", "steps", "plan", "then")
"""The parts of a sheet that say what is special about it."""
Lines = Mapping[str, Collection[int]]
"""File -> lines."""


class Watch:
    """Called with a function, gives its value and the numbers of the guards that it reached."""

    def __init__(self, guards: Sequence[Guard], texts: Mapping[str, str], root: Path) -> None:
        self._numbers: dict[str, dict[int, list[int]]] = {str(root / file): {} for file in texts}
        self._words = {number: found for number, guard in enumerate(guards) if (found := words_of(guard))}
        uses = uses_of(texts, {guard.table for guard in guards if guard.table})
        for number, guard in enumerate(guards):
            for file, lines in lines_of(guard, uses).items():
                for line in lines:
                    self._numbers[str(root / file)].setdefault(line, []).append(number)

    def __call__(self, function: Callable[[], Any]) -> tuple[Any, list[int]]:
        reached: set[int] = set()
        numbers = self._numbers

        def called(frame: FrameType, event: str, arg: Any) -> Any:
            lines = numbers.get(frame.f_code.co_filename)
            if not lines:
                return None

            def stepped(inner: FrameType, event: str, arg: Any) -> Any:
                if event == "line":
                    reached.update(lines.get(inner.f_lineno, ()))
                return stepped

            return stepped

        before = sys.gettrace()
        sys.settrace(called)
        try:
            value = function()
        finally:
            sys.settrace(before)
        return value, sorted(reached)


    def shown(self, records: Records) -> list[tuple[int, str]]:
        """(number of a row, `sheet` or `run` with a word of the row that stands there)."""
        texts = {
            "sheet": dumps([records.sheet[key] for key in SAYS if key in records.sheet]).casefold(),
            "run": dumps([records.history, records.world, records.journal]).casefold(),
        }
        return [
            (number, f"{place} {word}")
            for number, words in self._words.items()
            for word in words
            for place, text in texts.items()
            if word in text
        ]


def words_of(guard: Guard) -> list[str]:
    """The texts in the source of a row, as they stand in JSON."""
    if not guard.table:
        return []
    words = [found[1] or found[2] for found in TEXTS.finditer(guard.text)]
    return [dumps(word)[1:-1].casefold() for word in words if len(word) > SHORTEST]


def lines_of(guard: Guard, uses: Mapping[str, Lines]) -> Lines:
    """The lines at which a run comes by a guard."""
    if guard.table:
        return uses.get(guard.table, {})
    return {guard.file: range(guard.lines[0], guard.lines[1] + 1)}


def uses_of(texts: Mapping[str, str], tables: Iterable[str]) -> dict[str, dict[str, set[int]]]:
    """Table -> the lines of all functions that name it, or name another constant that is made from it."""
    found: dict[str, dict[str, set[int]]] = {}
    functions: list[tuple[str, set[str], set[int]]] = []
    made: list[tuple[str, set[str]]] = []
    for file, text in texts.items():
        for statement in ast.parse(text).body:
            for node in ast.walk(statement):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    lines = set(range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1))
                    functions.append((file, _names(node), lines))
            if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
                target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
                if isinstance(target, ast.Name):
                    made.append((target.id, _names(statement.value)))
            elif isinstance(statement, ast.ClassDef):
                made.append((statement.name, _names(statement)))
    for table in tables:
        names, size = {table}, 0
        while len(names) > size:
            size = len(names)
            names |= {name for name, of in made if of & names}
        found[table] = {}
        for file, used, lines in functions:
            if used & names:
                found[table].setdefault(file, set()).update(lines)
    return found


def _names(node: ast.AST) -> set[str]:
    return {
        inner.id if isinstance(inner, ast.Name) else inner.attr
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name | ast.Attribute)
    }
