"""Replies from a tape: in its order, with pseudonyms for secrets, and refusals for everything else."""
from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.http_leg.messages import Request, Response
from harness.http_leg.player import REFUSED, Player, Recorded, differs, open_player, pseudonyms, same, without
from harness.http_leg.recorder import Leg, open_recorder
from harness.problem import Problem
from harness.tape.problem import TapeProblem
from harness.wire.jsontext import loads

JSON = (("Content-Type", "application/json"),)


def post(path: str = "/a?b=c", body: bytes = b'{"n":1}', headers: tuple[tuple[str, str], ...] = JSON) -> Request:
    return Request("POST", f"http://recorded{path}", headers, body)


def player(*paths: str) -> Player:
    return Player([Recorded(n, post(path), Response(200, (), path.encode())) for n, path in enumerate(paths, 1)])


def refusal(response: Response | None) -> str:
    assert response is not None
    assert response.status == REFUSED
    value = loads(response.body.decode())
    assert isinstance(value, dict)
    assert isinstance(value["error"], dict)
    return str(value["error"]["expected"])


def test_the_recorded_session_is_answered() -> None:
    made = player("/a", "/b")
    assert [made.answer(post(path)) for path in ("/a", "/b")] == [Response(200, (), b"/a"), Response(200, (), b"/b")]
    assert (made.missed, list(made.left), made.problems) == ([], [], [])


def test_after_the_last_reply_everything_is_refused() -> None:
    made = player("/a")
    made.answer(post("/a"))
    assert "all 1 recorded requests were answered" in refusal(made.answer(post("/a")))
    assert "nothing more after a miss" in refusal(made.answer(post("/a")))
    assert len(made.problems) == 2
    assert "saw POST /a" in made.problems[0]


def test_another_order_is_a_miss_and_nothing_is_answered_after_it() -> None:
    made = player("/a", "/b")
    assert "event 1: POST /a" in refusal(made.answer(post("/b")))
    refusal(made.answer(post("/a")))
    assert len(made.left) == 2


def test_what_was_not_asked_is_a_problem() -> None:
    made = player("/a", "/b", "/c")
    made.answer(post("/a"))
    assert made.problems == ["saw the end; expected event 2: POST /b, and 1 more"]


@pytest.mark.parametrize(
    ("request_", "difference"),
    [
        (post(), ""),
        (Request("POST", "https://other:1/a?b=c", (*JSON, ("Authorization", "x")), b'{"n":1}'), ""),
        (Request("PUT", "http://recorded/a?b=c", JSON, b'{"n":1}'), "another method"),
        (post("/a?b=d"), "another path or query"),
        (post("/a"), "another path or query"),
        (post(headers=()), "another Content-Type"),
        (post(body=b'{"n":2}'), "another body (7 bytes in place of 7)"),
        (post(body=b""), "another body (0 bytes in place of 7)"),
    ],
)
def test_what_counts_as_the_same_request(request_: Request, difference: str) -> None:
    assert differs(post(), request_) == difference


RECORDED = b'{"key":"rdctAbC123xyz","text":"as it was"}'


@pytest.mark.parametrize(
    ("got", "equal"),
    [
        (b'{"key":"any-secret-13","text":"as it was"}', True),
        (b'{"key":"any-secret-13","text":"as it WAS"}', False),
        (b'{"kex":"any-secret-13","text":"as it was"}', False),
        (b'{"key":"any-secret-014","text":"as it was"}', False),
        (RECORDED, True),
    ],
)
def test_a_pseudonym_stands_for_any_secret_of_its_length(got: bytes, equal: bool) -> None:
    assert same(RECORDED, got) == equal


@given(st.binary(max_size=30), st.binary(max_size=30))
def test_without_pseudonyms_only_equal_texts_are_the_same(one: bytes, other: bytes) -> None:
    if b"rdct" not in one:
        assert same(one, other) == (one == other)
    assert same(one, one)


def test_pseudonyms_are_found() -> None:
    assert list(pseudonyms(b"a rdctX1, rdct")) == [(2, 8), (10, 14)]


def test_values_can_be_left_out_of_the_comparison() -> None:
    one, other = b'{"id":"a","deep":{"at":[1,22]},"n":1}', b'{"id":"bcd","deep":{"at":[1,3]},"n":1}'
    assert differs(post(body=one), post(body=other)) != ""
    assert differs(post(body=one), post(body=other), ["/id", "/deep/at/1", "/gone"]) == ""
    assert without(b"no json", ["/id"]) == b"no json"
    assert without(b"\xff", ["/id"]) == b"\xff"
    assert without(one, []) == one


def test_a_refusal_shows_no_query_and_no_body() -> None:
    made = player("/a")
    made.answer(post("/b?key=sesame", b"sesame"))
    assert "sesame" not in str(made.problems)


def test_no_reply_is_no_reply() -> None:
    made = Player([Recorded(1, post(), None)])
    assert made.answer(post()) is None
    assert made.problems == []


def test_a_tape_is_opened(tmp_path: Path) -> None:
    tape = tmp_path / "leg.jsonl"
    recorder = open_recorder(str(tape), Leg(leg="judge"), {})
    recorder.begin()
    recorder.answered(recorder.asked(post("/a")), Response(200, (), b"\xff"))
    recorder.answered(recorder.asked(post("/b")), None)
    recorder.end()
    made = open_player(str(tape), ignore=["/n"])
    assert made.answer(post("/a", b'{"n":5}')) == Response(200, (), b"\xff")
    assert made.answer(post("/b")) is None
    assert len(open_player(str(tape), "judge").flows) == 2
    with pytest.raises(Problem, match="no flow of other"):
        open_player(str(tape), "other")


def test_a_tape_with_a_gap_is_refused(tmp_path: Path) -> None:
    tape = tmp_path / "leg.jsonl"
    recorder = open_recorder(str(tape), Leg(redact=["pointer:/a"]), {})
    recorder.begin()
    recorder.answered(recorder.asked(post("/a", b'{"a":"one-secret","a":"two-secret"}')), Response(200))
    recorder.end()
    with pytest.raises(Problem, match="a gap"):
        open_player(str(tape))


def test_what_is_no_tape_is_refused(tmp_path: Path) -> None:
    tape = tmp_path / "leg.jsonl"
    tape.write_text("{}\n", encoding="ascii")
    with pytest.raises(TapeProblem):
        open_player(str(tape))
