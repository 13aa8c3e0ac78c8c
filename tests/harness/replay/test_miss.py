"""The message of a replay that missed: the nearest recorded frame, where it differs, and where else it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.replay.miss import COUNTED, Miss, miss, miss_of_argv, miss_of_bytes, miss_of_frame, value_text
from harness.replay.pointers import ABSENT
from harness.replay.recording import Recording, frame_of
from harness.replay.window import Window
from tests.harness.replay.tapes import EOF, Event, gap, got, said, signalled, tape
from tests.harness.replay.test_window import window


def at(tmp_path: Path, *events: Event, dialect: str = "jsonrpc") -> tuple[Window, Recording]:
    path = tape(tmp_path / "t.jsonl", *events, dialect=dialect)
    made = window(path)
    made.load()
    return made, Recording(path)


def of_frame(tmp_path: Path, text: str, *events: Event, dialect: str = "jsonrpc") -> Miss:
    made, recording = at(tmp_path, *events, dialect=dialect)
    with recording:
        return miss_of_frame(made, recording, frame_of(text.encode() + b"\n", dialect, ">>"))


def ask(method: str, id: int = 1, **params: object) -> str:
    shown = ",".join(f'"{name}":{value}' for name, value in params.items())
    return f'{{"id":{id},"method":"{method}","params":{{{shown}}}}}'


def test_of_several_the_nearest_is_named(tmp_path: Path) -> None:
    events = [
        got(ask("a", 1, x=1, y=1)),
        got(ask("b", 2, x=1, y=1)),
        got(ask("b", 3, x=2, y=2)),
        got(ask("b", 4, x=1, y=3)),
    ]
    found = of_frame(tmp_path, ask("b", 9, x=2, y=3), *events)
    assert (found.pointer, found.line, found.exit_code) == ("/params/y", 5, 70)
    assert str(found) == (
        f"{tmp_path}/t.jsonl:5: saw the request b with id 9, which differs at /params/y: 3; expected event 3, the "
        "nearest that is recorded here: the request b with id 3, with 2 at /params/y; "
        "correct the client, or record the session again"
    )


@pytest.mark.parametrize(("text", "pointer", "words"), [
    (ask("m", 1, x='{"deep":[1,2,4]}'), "/params/x/deep/2", "differs at /params/x/deep/2: 4"),
    (ask("m", 1, x='{"deep":[1,2]}'), "/params/x/deep/2", "differs at /params/x/deep/2: nothing"),
    (ask("m", 1, x='{"deep":[1,2,3],"a/b":1}'), "/params/x/a~1b", "with nothing at /params/x/a~1b"),
    (ask("n", 1), "/method", 'the request n with id 1, which differs at /method: "n"'),
    ('{"id":1,"result":1}', "/method", "saw the answer to request 1"),
    ("[]", "/method", "saw the JSON '[]"),
])  # fmt: skip
def test_the_pointer_that_differs(tmp_path: Path, text: str, pointer: str, words: str) -> None:
    found = of_frame(tmp_path, text, got(ask("m", 1, x='{"deep":[1,2,3]}')))
    assert found.pointer == pointer
    assert words in str(found)


def test_frames_that_are_no_values(tmp_path: Path) -> None:
    found = of_frame(tmp_path, "hullo", got("hello"), dialect="lines")
    assert "the line 'hullo\\n', which differs: \"hullo\\n\"" in str(found) and found.pointer == ""


def test_an_answer_behind_the_window_is_near(tmp_path: Path) -> None:
    made, recording = at(
        tmp_path, said(ask("q", 0)), got(ask("x", 5)), said('{"id":5,"result":1}'), got('{"id":0,"result":1}')
    )
    made.played(made.ahead[0])
    with recording:
        found = miss_of_frame(made, recording, frame_of(b'{"id":0,"result":2}\n', "jsonrpc", ">>"))
    assert (found.pointer, found.line) == ("/result", 6)


def test_where_else_it_stands(tmp_path: Path) -> None:
    events = [got(ask("a", 1)), said('{"id":1,"result":1}'), got(ask("b", 2)), said('{"id":2,"result":1}'), gap()]
    made, recording = at(tmp_path, *events)
    with recording:
        later = miss_of_frame(made, recording, frame_of(ask("b", 7).encode() + b"\n", "jsonrpc", ">>"))
        assert "event 3 is equal to it and was recorded later" in str(later)
        assert made.match(frame_of(ask("a", 7).encode() + b"\n", "jsonrpc", ">>"))
        made.load()
        used = miss_of_frame(made, recording, frame_of(ask("a", 8).encode() + b"\n", "jsonrpc", ">>"))
    assert "event 1 is equal to it and has been used" in str(used)


@pytest.mark.parametrize(("events", "expected"), [
    ([EOF], "event 1: the end of stdin"), ([signalled(2)], "event 1: signal 2"), ([], "nothing more"),
    ([got('{"method":"n"}')], "event 1: the notice n"), ([got(ask("m", 3))], "event 1: the request m with id 3"),
])  # fmt: skip
def test_what_is_expected_instead(tmp_path: Path, events: list[Event], expected: str) -> None:
    made, recording = at(tmp_path, *events)
    with recording:
        assert expected in str(miss(made, recording, "signal 15"))
        if not any(event["e"] == "bytes" for event in events):
            assert expected in str(miss_of_frame(made, recording, frame_of(b"x\n", "jsonrpc", ">>")))
            assert expected in str(miss_of_bytes(made, recording, b"x"))


def test_raw_bytes_and_where_they_differ(tmp_path: Path) -> None:
    made, recording = at(tmp_path, got(b"abcdef"), dialect="raw")
    with recording:
        assert "saw the bytes 'Xef'" in str(miss_of_bytes(made, recording, b"abcXef"))
        assert "expected event 1: 'abcdef' (6 bytes)" in str(miss_of_bytes(made, recording, b"abcXef"))


@pytest.mark.parametrize(("argv", "place", "words"), [
    (["x"], 0, "saw argument 1: 'x'; expected 'serve', as in ['serve']"),
    (["serve", "y"], 1, "saw argument 2: 'y'; expected no more"),
    ([], 0, "saw argument 1: no more; expected 'serve'"),
])  # fmt: skip
def test_arguments(tmp_path: Path, argv: list[str], place: int, words: str) -> None:
    _, recording = at(tmp_path)
    with recording:
        assert words in str(miss_of_argv(recording, place, argv))


def test_values_are_shown_short(tmp_path: Path) -> None:
    assert value_text("x" * 200) == '"' + "x" * 79 + "… (202 characters)"
    assert value_text(ABSENT) == "nothing" and value_text({"é": None}) == '{"\\u00e9":null}'
    many = {f"k{n}": n for n in range(2 * COUNTED)}
    found = of_frame(tmp_path, ask("m", 1), got(ask("m", 1, **many)))
    assert found.pointer == "/params/k0"


def test_a_tape_that_is_gone_by_now_costs_the_hint_alone(tmp_path: Path) -> None:
    made, recording = at(tmp_path, got(ask("a", 1)))
    with recording:
        (tmp_path / "t.jsonl").unlink()
        found = miss_of_frame(made, recording, frame_of(ask("b", 7).encode() + b"\n", "jsonrpc", ">>"))
    assert "correct the client, or record the session again" in str(found) and "equal" not in str(found)
