"""Lines that a run carries out tell which guards it reaches; a table is reached where it is named."""
from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.campaign.covering import Watch, lines_of, uses_of, words_of
from harness.campaign.guards import Guard
from harness.scenario.runner import Records

TEXT = """ROWS = ("first", "second")
ALL = ROWS
def names():
    return ALL
def other(x):
    if x:
        raise ValueError(
            x)
    return 1
"""
RAISE = Guard("guard:a.py#other:raise:1", "raise", "a.py", (7, 8), "raise ValueError(x)")
ROW = Guard("guard:a.py#ROWS:row:1", "row", "a.py", (1, 1), "ROWS: 'first'", "ROWS")


def planted(tmp_path: Path) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(TEXT, str(tmp_path / "a.py"), "exec"), names)
    return names


def test_a_guard_is_reached_where_its_lines_are_carried_out(tmp_path: Path) -> None:
    names, watch = planted(tmp_path), Watch([RAISE, ROW], {"a.py": TEXT}, tmp_path)
    assert watch(lambda: names["other"](0)) == (1, [])
    assert watch(lambda: names["names"]()) == (("first", "second"), [1])

    def refused() -> str:
        try:
            names["other"](3)
        except ValueError as error:
            return str(error)
        return ""

    assert watch(refused) == ("3", [0])


def test_what_came_before_does_not_count(tmp_path: Path) -> None:
    names, watch = planted(tmp_path), Watch([RAISE, ROW], {"a.py": TEXT}, tmp_path)
    names["names"]()
    assert watch(lambda: 2) == (2, [])


def test_a_table_is_used_by_functions_that_name_it_or_what_is_made_of_it() -> None:
    assert uses_of({"a.py": TEXT}, ["ROWS"]) == {"ROWS": {"a.py": {4}}}
    assert lines_of(ROW, {}) == {}
    assert lines_of(RAISE, {}) == {"a.py": range(7, 9)}


def test_words_of_a_row_are_its_texts() -> None:
    assert words_of(RAISE) == []
    assert words_of(ROW) == ["first"]
    assert words_of(Guard("g", "row", "a.py", (1, 1), "ROWS: 'is' \"Other\" 'no'", "ROWS")) == ["other"]


def test_a_run_shows_the_words_of_a_row(tmp_path: Path) -> None:
    watch = Watch([RAISE, ROW], {"a.py": TEXT}, tmp_path)
    records = Records({"steps": ["FIRST"]}, [{"e": "answered", "text": "the First one"}], [], [], None, {})
    assert watch.shown(records) == [(1, "sheet first"), (1, "run first")]
    assert watch.shown(records._replace(history=[])) == [(1, "sheet first")]
    assert watch.shown(Records({"title": "first"}, [], [], [], None, {})) == []
