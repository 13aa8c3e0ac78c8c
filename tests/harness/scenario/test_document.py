"""YAML as nodes with lines: what it means, what is refused and where, and that nothing grows or hangs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.scenario import document
from harness.scenario.document import (
    DEPTH_LIMIT,
    DIGIT_LIMIT,
    NODE_LIMIT,
    QUICK,
    SIZE_LIMIT,
    Node,
    read_file,
    read_text,
)
from harness.scenario.problem import ScenarioProblem
from harness.scenario.scenario import ROOT
from harness.wire.jsontext import dumps

VALUES: list[tuple[str, Any]] = [
    ("a: 1", {"a": 1}),
    ("a: -0.5e3", {"a": -500.0}),
    ("a: 007", {"a": "007"}),
    ("a: no", {"a": "no"}),
    ("a: on", {"a": "on"}),
    ("a: 12:30", {"a": "12:30"}),
    ("a: 2026-01-31", {"a": "2026-01-31"}),
    ("a: true", {"a": True}),
    ("a: null", {"a": None}),
    ("a: ~", {"a": None}),
    ("a:", {"a": None}),
    ('a: "true"', {"a": "true"}),
    ("a: '1'", {"a": "1"}),
    ('a: ""', {"a": ""}),
    ("a: |\n  two\n  lines\n", {"a": "two\nlines\n"}),
    ("[1, [2, {b: c}]]", [1, [2, {"b": "c"}]]),
    ("a: {}\nb: []", {"a": {}, "b": []}),
    ("1: a", {"1": "a"}),
    ("a: \u00e9", {"a": "\u00e9"}),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_values_are_those_of_json(text: str, value: Any) -> None:
    assert read_text(text.encode(), "x.yaml").plain() == value


def test_every_node_and_key_knows_its_line() -> None:
    root = read_text(b"a: 1\nb:\n  - x\n  - {c: 2,\n     d: 3}\n", "x.yaml")
    assert root.keys == {"a": 1, "b": 2}
    items: list[Node] = root.value["b"].value
    assert [item.line for item in items] == [3, 4]
    assert items[1].keys == {"c": 4, "d": 5}


REFUSED: list[tuple[bytes, int | None, str]] = [
    (b"", 1, "an empty file"),
    (b"# nothing\n", 1, "an empty file"),
    (b"a: 1\na: 2\n", 2, "the key 'a' twice (first in line 1)"),
    (b"a:\n  b: {c: 1, c: 2}\n", 2, "the key 'c' twice"),
    (b"a: 1\n---\nb: 2\n", 2, "a second document"),
    (b"a: &x 1\n", 1, "the anchor &x"),
    (b"a: 1\nb: *x\n", 2, "the alias *x"),
    (b"a: !!python/object:os.system {}\n", 1, "the tag"),
    (b"a: !x 1\n", 1, "the tag"),
    (b"? [1]\n: a\n", 1, "a key that is no text"),
    (b"? &k a\n: b\n", 1, "a key that is no text"),
    (b"a: [1\n", 2, ""),
    (b"a: b: c\n", 1, ""),
    (b"a: 1\n\tb: 2\n", 2, ""),
    (b"a: \xff\n", 1, "a byte that is not UTF-8 at offset 3"),
    (b"a: 1\nb: \x07\n", 2, ""),
    (b"a: " + b"9" * (DIGIT_LIMIT + 1), 1, "a number of"),
    (b"a: 1e999", 1, "the number 1e999"),
    (b"[" * (DEPTH_LIMIT + 2), 1, "values nested over"),
    (b"- 1\n" * (NODE_LIMIT + 1), NODE_LIMIT, "more than 20000 values"),
    (b" " * (SIZE_LIMIT + 1), None, "more than 262144 bytes"),
]


@pytest.mark.claim("HAR-CLI-01")
@pytest.mark.parametrize(("data", "line", "seen"), REFUSED)
def test_what_is_refused_is_named_with_its_line(data: bytes, line: int | None, seen: str) -> None:
    with pytest.raises(ScenarioProblem) as caught:
        read_text(data, "x.yaml")
    assert caught.value.file == "x.yaml"
    assert caught.value.line == line
    assert seen in caught.value.seen
    assert caught.value.expected
    assert caught.value.advice


def test_a_bomb_is_refused_before_it_is_built() -> None:
    levels = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 12))
    with pytest.raises(ScenarioProblem, match="anchor"):
        read_text(f"l0: &l0 x\n{levels}".encode(), "x.yaml")


def test_a_file_that_can_not_be_read(tmp_path: Path) -> None:
    with pytest.raises(ScenarioProblem, match="FileNotFoundError"):
        read_file(tmp_path / "none.yaml")
    with pytest.raises(ScenarioProblem, match="IsADirectoryError"):
        read_file(tmp_path)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.text(st.characters(codec="ascii", categories=["L"])),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abc", min_size=1, max_size=4), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(json_values)
def test_json_is_read_as_json(value: Any) -> None:
    assert read_text(dumps(value).encode(), "x.yaml").plain() == value


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    found: Node | ScenarioProblem
    try:
        found = read_text(data, "x.yaml")
    except ScenarioProblem as problem:
        found = problem
    assert isinstance(found, Node) or found.file == "x.yaml"


FILES = sorted(path for path in ROOT.glob("*/*.yaml") if path.parent.name != "claims")
PIECES = [
    "\t", "\r", "\u2028", "#", " #", "'", '"', ":", ": ", "- ", "{", "}", "[", "]", ",", "\n", "\n\n", "  ", "? ", "?",
    "?\n", "|", "|-\n", ">", "&a ", "*a", "!x", "!!str ", "%", "@", "---", "...", "\\", "\\u12", "\\ud800", "~", "<<: ",
    "é",
]  # fmt: skip


def by(loader: Any, data: bytes, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What is read where the quick parser is this one, or none."""
    monkeypatch.setattr(document, "QUICK", loader)
    try:
        return read_text(data, "x.yaml")
    except ScenarioProblem as problem:
        return str(problem)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_both_parsers_read_the_same_of_every_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = path.read_bytes()
    assert by(QUICK, data, monkeypatch) == by(None, data, monkeypatch)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(st.data())
def test_both_parsers_read_the_same_of_a_file_that_somebody_spoilt(
    monkeypatch: pytest.MonkeyPatch, data: st.DataObject
) -> None:
    """The words of an error, and its line, are those of the strict one."""
    lines = data.draw(st.sampled_from(FILES)).read_text(encoding="utf-8").splitlines(keepends=True)
    at = data.draw(st.integers(0, len(lines) - 1))
    text = "".join(lines[at : at + 12])
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        text = text[:place] + data.draw(st.sampled_from(PIECES)) + text[place + data.draw(st.integers(0, 3)) :]
    assert by(QUICK, text.encode(), monkeypatch) == by(None, text.encode(), monkeypatch)


@pytest.mark.skipif(QUICK is None, reason="the parser in C is not here")
@pytest.mark.parametrize("text", ["a: [b\tc]", "a: [b? c]", "a: [b?c]", 'a: ["b", c?d]', "a: [don't b?c isn't]"])
def test_what_the_quick_parser_takes_and_the_strict_one_does_not_is_refused(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = by(QUICK, text.encode(), monkeypatch)
    assert isinstance(words, str)
    monkeypatch.setattr(document, "ODD", re.compile("(?!)"))
    monkeypatch.setattr(document, "QUESTION", "\0")
    assert isinstance(by(QUICK, text.encode(), monkeypatch), Node)
