"""What the client may send now: how far the window reaches, and that finding a frame does not grow with the tape."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from harness.replay.bindings import Bindings
from harness.replay.compare import Comparison
from harness.replay.profiles import profile_of
from harness.replay.recording import Recording, frame_of
from harness.replay.settings import language_of
from harness.replay.window import Window
from tests.harness.replay.tapes import EOF, OUT_ENDS, Event, err, exited, got, said, signalled, tape


def window(path: str) -> Window:
    recording = Recording(path)
    profile = profile_of(recording.header.profile, recording.dialect)
    language = language_of(recording.header, {})
    return Window(recording, Comparison(profile, Bindings(profile, recording.dialect, language, {})))


def opened(tmp_path: Path, *events: Event, dialect: str = "jsonrpc") -> Window:
    made = window(tape(tmp_path / "t.jsonl", *events, dialect=dialect))
    made.load()
    return made


def ask(id: int, method: str = "m") -> str:
    return f'{{"id":{id},"method":"{method}"}}'


def answer(id: int) -> str:
    return f'{{"id":{id},"result":{id}}}'


def texts(window: Window) -> list[str]:
    return [item.raw.decode().strip() or item.kind for item in window.open.values()]


def come(window: Window, *frames: str) -> list[int | None]:
    """The n of the items that these frames are."""
    found = [window.match(frame_of(text.encode() + b"\n", "jsonrpc", ">>")) for text in frames]
    return [None if item is None else item.n for item in found]


REACH: list[tuple[str, Iterable[Event], list[str]]] = [
    ("one request", [got(ask(1)), said(answer(1)), got(ask(2))], [ask(1)]),
    ("two that overlapped", [got(ask(1)), got(ask(2)), said(answer(1)), got(ask(3))], [ask(1), ask(2)]),
    ("a later one overlapped", [got(ask(1)), got(ask(2)), said(answer(2)), said(answer(1))], [ask(1), ask(2)]),
    ("stderr in between", [got(ask(1)), err("x"), got(ask(2)), said(answer(1))], [ask(1), ask(2)]),
    ("a notice in between", [got(ask(1)), said('{"method":"n"}'), got(ask(2)), said(answer(1))], [ask(1), ask(2)]),
    ("a notice of the client", [got('{"method":"n"}'), got(ask(1))], ['{"method":"n"}']),
    ("before a notice", [got(ask(1)), got('{"method":"n"}'), got(ask(2))], [ask(1), '{"method":"n"}']),
    ("an answer", [said(ask(0)), got(answer(0)), got(ask(1)), said(answer(1))], [answer(0), ask(1)]),
    ("output after an answer", [said(ask(0)), got(answer(0)), said('{"method":"n"}'), got(ask(1))], [answer(0)]),
    ("no message", [got("hello"), got(ask(1))], ["hello"]),
    ("the end", [EOF, signalled(15)], ["closed"]),
    ("a signal", [signalled(15), EOF], ["signalled", "closed"]),
    ("a signal and its effect", [signalled(15), OUT_ENDS, EOF], ["signalled"]),
    ("silence", [got(ask(1)), got(ask(2)), said(answer(2)), EOF], [ask(1), ask(2)]),
    ("nothing", [said("x"), exited()], []),
    ("a cause is enough", [got(ask(1)), said(answer(9), cause=1), got(ask(2))], [ask(1)]),
]


@pytest.mark.parametrize(("events", "expected"), [row[1:] for row in REACH], ids=[row[0] for row in REACH])
def test_how_far_it_reaches(tmp_path: Path, events: list[Event], expected: list[str]) -> None:
    assert texts(opened(tmp_path, *events)) == expected


def test_it_moves_on_as_frames_come(tmp_path: Path) -> None:
    one, two, three = (ask(n, f"m{n}") for n in (1, 2, 3))
    made = opened(tmp_path, got(one), got(two), said(answer(1)), got(three), said(answer(2)), said(answer(3)))
    assert not made.free()
    assert come(made, two, three) == [2, None]
    assert come(made, one, three) == [1, 4]
    assert made.free() and [item.n for item in made.ahead] == [3, 4, 5, 6]
    assert [item.asked.n for item in made.ahead if item.asked] == [1, 2, 4]


def test_equal_requests_are_the_earliest_each(tmp_path: Path) -> None:
    made = opened(tmp_path, got(ask(1)), got(ask(2)), got(ask(3)), said(answer(1)), said(answer(2)), said(answer(3)))
    assert come(made, ask(3), ask(3), ask(9), ask(1)) == [1, 2, 3, None]


def test_two_requests_with_one_id_are_answered_in_order(tmp_path: Path) -> None:
    made = opened(tmp_path, got(ask(1)), got(ask(1)), said(answer(1)), said(answer(1)), said(answer(1)))
    assert come(made, ask(5), ask(6)) == [1, 2]
    made.load()
    assert [item.asked and item.asked.id for item in made.ahead if item.stream == "out"] == [5, 6, None]


@pytest.mark.claim("HAR-PLAY-04")
def test_requests_that_are_asked_of_the_client_may_be_answered_behind_the_window(tmp_path: Path) -> None:
    made = opened(
        tmp_path, said(ask(0)), said(ask(1)), got(answer(0)), said('{"method":"n"}'), got(answer(1)), EOF
    )  # fmt: skip
    assert come(made, answer(1)) == [None], "it has not been asked yet"
    for item in list(made.ahead)[:2]:
        made.played(item)
    assert come(made, '{"id":1,"result":2}', answer(1), answer(1), answer(0)) == [None, 5, None, 3]
    assert made.match_end("closed")


def test_ends_come_after_what_was_recorded_before_them(tmp_path: Path) -> None:
    made = opened(tmp_path, got(ask(1)), signalled(15), EOF, exited())
    assert not made.match_end("closed") and not made.match_end("signalled", 15)
    assert made.signal_is_near("closed") and made.signal_is_near("signalled", 15)
    assert not made.signal_is_near("signalled", 2)
    assert come(made, ask(1)) == [1]
    assert not made.match_end("signalled", 2) and made.match_end("signalled", 15) and made.match_end("closed")
    assert not made.match_end("closed") and not made.signal_is_near("closed")


def test_the_tape_is_read_no_further_than_that(tmp_path: Path) -> None:
    events = [event for n in range(1000) for event in (got(ask(n)), said(answer(n), cause=1 + 2 * n))]
    made = opened(tmp_path, *events)
    for n in range(1000):
        assert len(made.ahead) <= 3
        assert come(made, ask(n)) == [1 + 2 * n]
        while made.free():
            made.played(made.ahead.popleft())
        made.load()
    assert made.over and not made.open
    assert len(made._unsorted) < 200 and not made._by_key and not made._asked


def test_finding_one_of_many_does_not_look_at_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 2000
    events = [got(ask(n, f"m{n}")) for n in range(count)] + [said(answer(n)) for n in range(count)]
    made = opened(tmp_path, *events)
    keys = [0]
    key = Comparison.key

    def counted(self: Comparison, *args: object, **how: object) -> object:
        keys[0] += 1
        return key(self, *args, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(Comparison, "key", counted)
    monkeypatch.setattr(Comparison, "differences", None)
    assert come(made, *(ask(n + 5000, f"m{n}") for n in reversed(range(count)))) == list(range(count, 0, -1))
    assert keys[0] == 2 * count, "one key for each recorded frame, and one for each that came"
    made.load()
    assert sum(1 for item in made.ahead if item.asked) == count


def test_raw_bytes(tmp_path: Path) -> None:
    made = opened(tmp_path, got(b"abc"), said(b"x"), got(b"de"), EOF, dialect="raw")
    for piece, matches in ((b"a", True), (b"bcd", True), (b"ef", False)):
        assert made.match_bytes(bytearray(piece)) is matches
    made = opened(tmp_path, got(b"abc"), EOF, dialect="raw")
    assert not made.match_bytes(bytearray(b"abcd"))


def test_a_client_that_leaves_early(tmp_path: Path) -> None:
    made = opened(tmp_path, got(ask(1)), said("never"), EOF, err("late"), OUT_ENDS, signalled(15), exited(3))
    assert made.skip_to("closed", 0)
    assert [item.kind for item in made.ahead] == ["closed", "signalled", "exited"]
    assert made.match_end("signalled", 15) and not made.open
    made = opened(tmp_path, got(ask(1)), exited(-9))
    assert not made.skip_to("closed", 0) and not made.ahead


def test_a_binding_changes_what_the_waiting_frames_are_found_by(tmp_path: Path) -> None:
    start = '{"id":%d,"method":"thread/start","params":{"cwd":"%s"}}'
    use = '{"id":%d,"method":"use","params":{"in":"%s"}}'
    path = tape(
        tmp_path / "t.jsonl",
        got(start % (1, "/recorded")),
        got(use % (2, "/recorded")),
        said(answer(1)),
        profile="codex",
    )
    made = window(path)
    made.load()
    assert come(made, use % (2, "/now1"), start % (1, "/now1"), use % (2, "/recorded"), use % (2, "/now1")) == [
        None,
        1,
        None,
        2,
    ]
