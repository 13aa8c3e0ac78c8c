"""YAML as nodes that know their line: a strict and bounded reader, without aliases, tags or surprises.

Separate from the schema, because this is about text and that about meaning. Scalars are those of JSON (`no`, `on` and
`12:30` are text), a key stands once in its mapping, and size, depth and number of nodes have bounds before anything is
built: a file of a few bytes can't become gigabytes. Raises ScenarioProblem with file and line.
"""
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from harness.scenario.problem import ScenarioProblem

SIZE_LIMIT = 256 * 1024
"""Bytes of one file."""
DEPTH_LIMIT = 32
NODE_LIMIT = 20_000
DIGIT_LIMIT = 400
"""Digits of one number."""

STRICT: Any = yaml.SafeLoader
QUICK: Any = getattr(yaml, "CSafeLoader", None)
"""The parser in C takes a tenth of the time. It is not there everywhere, and takes some texts that the other refuses:
it never sees those (ODD, QUESTION), and where anything is wrong with a text, the other one reads it again and says
what."""
ODD = re.compile(r"[\t\r\x85\u2028\u2029\ufeff]")
QUOTED = re.compile(r"(?<=[\s\[{,:(])(\"[^\"\\\n]*\"|'[^'\n]*')")
QUESTION = "?"
"""Outside of quotes, that is: as a key's mark, or inside a plain word of a flow."""
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?\Z")
WORDS: dict[str, Any] = {"null": None, "~": None, "": None, "true": True, "false": False}
"""Plain scalars that are no text; so are numbers as JSON writes them."""

Plain: TypeAlias = "dict[str, Plain] | list[Plain] | str | int | float | bool | None"


@dataclass(frozen=True, slots=True)
class Node:
    """One value. value: a dict or list of nodes, or a scalar; line: where it begins, from 1; keys: line of each key."""

    value: Any
    line: int
    keys: dict[str, int] = field(default_factory=dict)

    def plain(self) -> Any:
        """The value without lines."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value


def read_file(path: Path) -> Node:
    """The one document in a file."""
    try:
        with path.open("rb") as file:
            data = file.read(SIZE_LIMIT + 1)
    except OSError as error:
        raise ScenarioProblem(
            f"{type(error).__name__}: {error.strerror}", "a scenario file", "name one that can be read", file=str(path)
        ) from None
    return read_text(data, str(path))


def read_text(data: bytes, file: str) -> Node:
    """The one document in `data`. file: its name in errors."""
    if len(data) > SIZE_LIMIT:
        raise ScenarioProblem(f"more than {SIZE_LIMIT} bytes", f"at most {SIZE_LIMIT}", "split the scenario", file=file)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        seen = f"a byte that is not UTF-8 at offset {error.start}"
        raise ScenarioProblem(seen, "UTF-8", "save the file as UTF-8", file=file, line=line) from None
    if QUICK is not None and ODD.search(text) is None and QUESTION not in QUOTED.sub("", text):
        try:
            return _Reader(file, QUICK).document(text)
        except ScenarioProblem:
            pass
    return _Reader(file, STRICT).document(text)


class _Reader:
    """Builds nodes from the parser's events, which come one by one, so that every bound is kept while reading."""

    def __init__(self, file: str, loader: Any) -> None:
        self._file = file
        self._loader = loader
        self._nodes = 0

    def _problem(self, seen: str, expected: str, advice: str, line: int | None) -> ScenarioProblem:
        return ScenarioProblem(seen, expected, advice, file=self._file, line=line)

    def document(self, text: str) -> Node:
        events = self._events(text)
        for event in events:
            if isinstance(event, yaml.StreamStartEvent | yaml.DocumentStartEvent):
                continue
            if isinstance(event, yaml.StreamEndEvent):
                raise self._problem("an empty file", "a scenario", "write one; see docs/scenarios.md", 1)
            root = self._node(event, events, 0)
            break
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                raise self._problem("a second document", "one scenario a file", "put it into a file of its own",
                                    _line(event))
        return root

    def _events(self, text: str) -> Iterator[Any]:
        try:
            yield from yaml.parse(text, self._loader)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            line = mark.line + 1 if mark is not None else _line_of(error, text)
            seen = getattr(error, "problem", None) or getattr(error, "reason", None) or type(error).__name__
            raise self._problem(str(seen), "YAML", "correct the file", line) from None

    def _node(self, event: Any, events: Iterator[Any], depth: int) -> Node:
        line = _line(event)
        self._nodes += 1
        if self._nodes > NODE_LIMIT:
            raise self._problem(f"more than {NODE_LIMIT} values", f"at most {NODE_LIMIT}", "split the scenario", line)
        if depth > DEPTH_LIMIT:
            raise self._problem(f"values nested over {DEPTH_LIMIT} deep", "fewer levels", "flatten it", line)
        if isinstance(event, yaml.AliasEvent):
            raise self._problem(f"the alias *{event.anchor}", "every value written out", "write it in full", line)
        if getattr(event, "anchor", None) is not None:
            raise self._problem(f"the anchor &{event.anchor}", "every value written out", "remove it", line)
        if getattr(event, "tag", None) is not None:
            raise self._problem(f"the tag {event.tag}", "plain YAML", "remove it", line)
        if isinstance(event, yaml.ScalarEvent):
            return Node(self._scalar(event, line), line)
        if isinstance(event, yaml.SequenceStartEvent):
            return Node(self._sequence(events, depth), line)
        return self._mapping(events, depth, line)

    def _sequence(self, events: Iterator[Any], depth: int) -> list[Node]:
        items = []
        for event in events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            items.append(self._node(event, events, depth + 1))
        return items

    def _mapping(self, events: Iterator[Any], depth: int, line: int) -> Node:
        members: dict[str, Node] = {}
        keys: dict[str, int] = {}
        for event in events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            if not isinstance(event, yaml.ScalarEvent) or event.anchor is not None or event.tag is not None:
                raise self._problem("a key that is no text", "a name", "write a plain name", _line(event))
            key = event.value
            if key in members:
                raise self._problem(f"the key {key!r} twice (first in line {keys[key]})", "each key once",
                                    "remove or rename one", _line(event))
            keys[key] = _line(event)
            members[key] = self._node(next(events), events, depth + 1)
        return Node(members, line, keys)

    def _scalar(self, event: Any, line: int) -> str | int | float | bool | None:
        text: str = event.value
        if event.style not in (None, ""):
            return text
        if text in WORDS:
            found: bool | None = WORDS[text]
            return found
        number = NUMBER.match(text)
        if number is None:
            return text
        if len(text) > DIGIT_LIMIT:
            raise self._problem(f"a number of {len(text)} characters", f"at most {DIGIT_LIMIT}", "shorten it", line)
        if number[2] is None and number[3] is None:
            return int(text)
        value = float(text)
        if value in (float("inf"), float("-inf")):
            raise self._problem(f"the number {text}", "a number that a computer can hold", "correct it", line)
        return value


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _line_of(error: Any, text: str) -> int | None:
    """The line of a character that the reader refuses, which has a position and no mark."""
    position = getattr(error, "position", None)
    return text.count("\n", 0, position) + 1 if isinstance(position, int) else None
