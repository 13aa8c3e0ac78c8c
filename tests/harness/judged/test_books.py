"""The books of a run: what its lines have, and in which order they stand."""

from __future__ import annotations

from typing import Any

import pytest

from harness.judged.books import BOOKS, Books
from harness.kept import KeptProblem, KeptRun
from tests.harness.judged.panels import panel_run


def lines(books: Books, name: str) -> list[Any]:
    return [entry.line for entry in books.book(name)]


def test_frames_have_program_process_way_kind_and_the_method_of_their_request(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = lines(Books(panel_run(monkeypatch)), "frames")
    first, second = frames[:2]
    assert {key: first[key] for key in ("program", "process", "parent", "wire", "stream", "way", "kind", "method")} == {
        "program": "panel", "process": 1, "parent": None, "wire": "stdio", "stream": "in", "way": ">>",
        "kind": "request", "method": "look",
    }  # fmt: skip
    assert first["value"]["method"] == "look"
    assert (second["way"], second["kind"], second["method"], second["id"]) == ("<<", "reply", "look", first["id"])


def test_what_is_no_message_has_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    run = panel_run(monkeypatch, wires={})
    assert lines(Books(run), "frames")[0]["kind"] == "raw"
    assert '"method":"look"' in lines(Books(run), "frames")[0]["text"]
    as_lines = panel_run(monkeypatch, wires={"panel": {"stdio": "lines"}})
    assert not lines(Books(as_lines), "frames")[0]["text"].endswith("\n")


def test_processes_start_and_end(monkeypatch: pytest.MonkeyPatch) -> None:
    events = lines(Books(panel_run(monkeypatch)), "processes")
    assert [event["e"] for event in events] == ["started", "closed", "exited"]
    assert {(event["program"], event["process"]) for event in events} == {("panel", 1)}


def test_the_world_names_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    effects = [line for line in lines(Books(panel_run(monkeypatch)), "world") if line["e"] == "effect"]
    assert {line["program"] for line in effects} == {"panel"}


def test_all_books_stand_in_one_order(monkeypatch: pytest.MonkeyPatch) -> None:
    books = Books(panel_run(monkeypatch))
    asked = next(entry for entry in books.history if entry.line.get("tool") == "press")
    effect = next(entry for entry in books.world if entry.line["e"] == "effect")
    sent = next(entry for entry in books.frames if entry.line.get("method") == "press")
    answered = next(entry for entry in books.history if entry.line["e"] == "answered" and entry.call == asked.call)
    assert asked.place < sent.place < effect.place < answered.place
    assert (asked.call, effect.world is not None, sent.frame is not None) == (1, True, True)


def test_lines_without_their_place_can_not_be_ordered(monkeypatch: pytest.MonkeyPatch) -> None:
    run = panel_run(monkeypatch)
    world = [{key: value for key, value in line.items() if key != "j"} for line in run.world]
    with pytest.raises(KeptProblem, match="how many events of the journal"):
        Books(KeptRun(run.sheet, run.history, world, run.journal)).book("world")


def test_each_book_says_what_its_lines_have() -> None:
    assert all(len(meaning) > 20 for _, meaning in BOOKS.values())
    with pytest.raises(KeyError):
        BOOKS["tape"]
