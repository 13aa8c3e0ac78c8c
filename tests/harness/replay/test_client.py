"""The client's side of a recording, without a program: what is sent, what is waited for, what is told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from harness.replay.client import SHOWN, Client, Unbound, link, unique
from harness.replay.drift import Drift
from harness.replay.pointers import ABSENT
from harness.replay.profiles import profile_of
from harness.replay.recording import Recording, frame_of
from harness.replay.settings import language_of
from tests.harness.replay.tapes import EOF, Event, err, exited, got, said, tape


def client(tmp_path: Path, *events: Event, bind: dict[str, str] | None = None, **header: Any) -> Client:
    with Recording(tape(tmp_path / "t.jsonl", *events, **header)) as recording:
        items = list(recording)
    profile = profile_of(recording.header.profile, recording.dialect)
    return Client(items, profile, recording.dialect, language_of(recording.header, bind or {}), bind or {})


def come(of: Client, *lines: str) -> None:
    for line in lines:
        of.came(frame_of(line.encode() + b"\n", "jsonrpc", "<<"))


def told(of: Client, status: int | None = 0) -> list[tuple[str, int | None]]:
    of.ended(status)
    return [(drift.kind, drift.event) for drift in of.drifts]


def sends(of: Client) -> list[bytes | None]:
    return [of.frame_to_send(item) for item in of.items if item.kind == "frame" and item.client]


ASK = '{"id":1,"method":"m"}'
ANSWER = '{"id":1,"result":1}'
SESSION = [got(ASK), err("log"), said('{"method":"n"}'), said(ANSWER), EOF, exited(0)]


def test_a_session_as_it_was(tmp_path: Path) -> None:
    of = client(tmp_path, *SESSION)
    assert sends(of) == [ASK.encode() + b"\n"]
    waited = [item for item in of.items if item.kind == "frame" and item.stream == "out"]
    assert not any(map(of.has_come, waited))
    come(of, '{"method":"n"}', ANSWER)
    assert all(map(of.has_come, waited)) and of.compared == 2
    assert told(of) == []


@pytest.mark.parametrize(("lines", "status", "expected"), [
    ([ANSWER, '{"method":"n"}'], 0, []),
    ([ANSWER], 0, [("missing", 3)]),
    ([], 0, [("missing", 3), ("missing", 4)]),
    ([ANSWER, '{"method":"n"}', '{"method":"n"}'], 0, [("extra", None)]),
    ([ANSWER, '{"method":"n"}', "junk"], 0, [("extra", None)]),
    ([ANSWER, '{"method":"n"}'], 1, [("exit status", None)]),
    ([ANSWER, '{"method":"n"}'], None, [("exit status", None)]),
    (['{"id":2,"result":1}', '{"method":"n"}', ANSWER], 0, [("extra", None)]),
])  # fmt: skip
def test_what_is_told(
    tmp_path: Path, lines: Sequence[str], status: int | None, expected: list[tuple[str, Any]]
) -> None:
    of = client(tmp_path, *SESSION)
    come(of, *lines)
    assert told(of, status) == expected


def test_a_recording_that_does_not_say_how_it_ended_says_nothing_of_it(tmp_path: Path) -> None:
    of = client(tmp_path, got(ASK), said(ANSWER))
    come(of, ANSWER)
    assert told(of, 7) == []


def test_an_order_that_the_profile_keeps(tmp_path: Path) -> None:
    of = client(tmp_path, got(ASK), said("one"), said(ANSWER), dialect="jsonrpc", profile="codex")
    come(of, ANSWER, "one")
    of.ended(0)
    (drift,) = of.drifts
    assert (drift.kind, drift.event) == ("order differs", 2)
    assert drift.what == "answer to m (event 3) came before output (event 2)"


def test_of_notices_of_one_method_the_most_alike_has_come(tmp_path: Path) -> None:
    notices = [f'{{"method":"s","params":{{"status":"{status}"}}}}' for status in ("a", "b", "c")]
    of = client(tmp_path, got(ASK), *map(said, notices))
    come(of, notices[2])
    assert [item.n for item in of.items if item.stream == "out" and of.has_come(item)] == [4]
    come(of, '{"method":"s","params":{"status":"d"}}')
    assert [item.n for item in of.items if item.stream == "out" and of.has_come(item)] == [2, 4]


def test_answers_carry_the_id_that_the_program_asks_with_now(tmp_path: Path) -> None:
    of = client(tmp_path, got(ASK), said('{"id":0,"method":"q"}'), got('{"id": 0, "result": 1}'), said(ANSWER))
    assert sends(of)[1] is None, "there is nothing to answer"
    come(of, '{"id":"seven","method":"q"}')
    assert sends(of)[1] == b'{"id": "seven", "result": 1}\n'


def test_placeholders_have_to_be_known_before_they_are_sent(tmp_path: Path) -> None:
    events = [got('{"id":1,"method":"m","params":{"in":"<ROOT>/a"}}'), said('{"id":1,"result":"<ROOT>"}')]
    of = client(tmp_path, *events, bytes="reconstructed")
    with pytest.raises(Unbound, match="<ROOT> in event 1, which nothing has given a value; expected --bind ROOT=VALUE"):
        sends(of)
    of = client(tmp_path, *events, bind={"<ROOT>": "/srv"}, bytes="reconstructed")
    assert sends(of) == [b'{"id":1,"method":"m","params":{"in":"/srv/a"}}\n']
    come(of, '{"id":1,"result":"/srv"}')
    assert told(of) == []


def test_long_extra_frames_are_shown_short(tmp_path: Path) -> None:
    of = client(tmp_path, got(ASK))
    come(of, "x" * 1000)
    of.ended(0)
    assert len(str(of.drifts[0].seen)) < SHOWN + 50


def test_links_are_by_direction_and_type(tmp_path: Path) -> None:
    events = [
        got('{"id":0,"method":"a"}'),
        said('{"id":0,"method":"b"}'),
        got('{"id":0,"result":1}'),
        said('{"id":0,"result":1}'),
        said('{"id":"0","result":1}'),
        said('{"id":0,"result":1}'),
    ]
    with Recording(tape(tmp_path / "t.jsonl", *events)) as recording:
        items = list(recording)
    link(items)
    assert [item.asked and item.asked.n for item in items] == [None, None, 2, 1, None, None]


def test_a_tools_drift_is_told_once() -> None:
    drifts = [Drift(kind, "x", 1, "/p", recorded=ABSENT, seen=1) for kind in ("tool added", "extra") * 2]
    assert [drift.kind for drift in unique(drifts)] == ["tool added", "extra", "extra"]
