"""The tape as a machine: what it does in the recording's place, and where it refuses to go on."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from harness.replay.player import MISSED
from tests.harness.replay.drive import MODES, Client
from tests.harness.replay.talking import CLOSE, HELLO, WELCOME, ask, reply, run, talk
from tests.harness.replay.tapes import (
    EOF,
    ERR_ENDS,
    OUT_ENDS,
    Event,
    err,
    exited,
    got,
    said,
    signalled,
    tape,
)


@pytest.mark.claim("HAR-PLAY-04")
def test_a_request_of_the_program_waits_for_the_answer_to_the_one_before(tmp_path: Path) -> None:
    events = [
        got(ask(1, "go")), said(ask(0, "first?")), got(reply(0, 1)), said(ask(1, "second?")), got(reply(1, 2)),
        said(reply(1, '"both"')), *CLOSE,
    ]  # fmt: skip
    held: list[int] = []

    async def play(client: Client) -> None:
        await client.send(ask(1, "go"))
        await client.lines(1)
        await trio.sleep(100)
        held.append(client.out.count(b"\n"))
        await client.send(reply(0, 1))
        await client.lines(2)
        await client.send(reply(1, 2))
        await client.lines(3)

    seen = run(tmp_path, events, play)
    assert held == [1]
    assert (seen.lines[-1], seen.status) == (reply(1, '"both"').encode(), 0)


@pytest.mark.claim("HAR-PLAY-02", "HAR-PLAY-04")
@pytest.mark.parametrize(("answer", "words"), [
    ('{"id":0,"error":{"code":-1,"message":"no"}}', "differs at /result: nothing"),
    ('{"id":0,"result":{"action":"decline"}}', 'differs at /result/action: "decline"; expected event 3'),
    ('{"id":"0","result":{"action":"accept"}}', 'differs at /id: "0"'),
    ('{"id":7,"result":{"action":"accept"}}', "differs at /id: 7"),
])  # fmt: skip
def test_an_answer_is_compared_with_the_recorded_one(tmp_path: Path, answer: str, words: str) -> None:
    events = [got(HELLO), said(ask(0, "may I?")), got('{"id":0,"result":{"action":"accept"}}'), said(WELCOME), *CLOSE]
    seen = run(tmp_path, events, talk(HELLO, 1, answer))
    assert seen.status == MISSED
    assert words in seen.err.decode()
    assert len(seen.lines) == 1, "the recorded success is not sent"


def test_an_answer_may_come_any_time_after_its_request(tmp_path: Path) -> None:
    events = [
        got(ask(1, "go")), said(ask(0, "a?")), said(ask(1, "b?")), got(reply(0, '"a"')), said('{"method":"got a"}'),
        got(reply(1, '"b"')), said('{"method":"got b"}'), said(reply(1, "[]")), *CLOSE,
    ]  # fmt: skip
    seen = run(tmp_path, events, talk(ask(1, "go"), 2, reply(1, '"b"'), reply(0, '"a"'), 5))
    assert seen.status == 0
    assert seen.lines[2:] == [b'{"method":"got a"}', b'{"method":"got b"}', b'{"id":1,"result":[]}']
    early = run(tmp_path, events, talk(ask(1, "go"), 2, reply(1, '"c"')))
    assert early.status == MISSED
    assert 'differs at /result: "c"; expected event 6' in early.err.decode()


def test_silence_is_silence(tmp_path: Path) -> None:
    events = [got(ask(1, "slow")), got('{"method":"cancel"}'), got(ask(2, "next")), said(reply(2, 2)), *CLOSE]
    seen = run(tmp_path, events, talk(ask(1, "slow"), '{"method":"cancel"}', ask(2, "next"), 1))
    assert (seen.lines, seen.status) == ([b'{"id":2,"result":2}'], 0)


def test_a_crash_in_the_middle_of_a_frame(tmp_path: Path) -> None:
    events = [got(HELLO), said(b'{"id":1,"res'), err("panic!"), OUT_ENDS, ERR_ENDS, exited(3)]
    seen = run(tmp_path, events, talk(HELLO))
    assert (seen.out, seen.err, seen.status) == (b'{"id":1,"res', b"panic!\n", 3)


@pytest.mark.parametrize("status", [-9, -15, 7])
def test_it_ends_as_it_ended(tmp_path: Path, status: int) -> None:
    events = [got(HELLO), said(WELCOME), exited(status)]
    for mode in MODES:
        path = tape(tmp_path / "t.jsonl", *events)
        assert MODES[mode]({"tape": path, "process": 1}, talk(HELLO, 1)).status == status, mode


def test_output_before_any_input_and_stdout_that_closes_before_the_end(tmp_path: Path) -> None:
    events = [said("ready"), err("listening"), got(HELLO), OUT_ENDS, got('{"method":"still there?"}'), *CLOSE[::2]]
    saw: list[bytes] = []

    async def play(client: Client) -> None:
        await client.until(lambda: client.out == b"ready\n" and client.err == b"listening\n")
        await client.send(HELLO)
        await client.out_ended.wait()
        saw.append(bytes(client.out))
        await client.send('{"method":"still there?"}')

    assert run(tmp_path, events, play).status == 0
    assert saw == [b"ready\n"]


@pytest.mark.claim("HAR-PLAY-04")
def test_it_hangs_on_the_end_of_stdin_where_the_recorded_program_did(tmp_path: Path) -> None:
    events = [got(HELLO), said(WELCOME), EOF, err("still busy"), signalled(15), exited(-15)]
    living: list[bool] = []

    async def play(client: Client) -> None:
        await client.send(HELLO)
        await client.close()
        await client.until(lambda: client.err == b"still busy\n")
        await trio.sleep(1000)
        living.append(client.process.returncode is None)
        client.process.terminate()

    assert run(tmp_path, events, play).status == -15
    assert living == [True]


def test_a_signal_is_taken_as_the_recorded_program_took_it(tmp_path: Path) -> None:
    events = [got(HELLO), said(WELCOME), signalled(2), err("interrupted once"), signalled(2), exited(0)]

    async def play(client: Client) -> None:
        await client.send(HELLO)
        await client.lines(1)
        client.signal(2)
        await client.until(lambda: b"once" in client.err)
        client.signal(2)

    seen = run(tmp_path, events, play)
    assert (seen.err, seen.status) == (b"interrupted once\n", 0)


@pytest.mark.claim("HAR-PLAY-02")
@pytest.mark.parametrize(
    ("mode", "status", "words"),
    [
        ("strict", MISSED, "saw signal 15; expected event 3: the end of stdin"),
        ("prefix", -15, ""),
    ],
)
def test_a_signal_that_was_not_recorded(tmp_path: Path, mode: str, status: int, words: str) -> None:
    async def play(client: Client) -> None:
        await client.send(HELLO)
        await client.lines(1)
        client.process.terminate()
        assert await client.process.wait() == status

    seen = run(tmp_path, [got(HELLO), said(WELCOME), *CLOSE], play, mode=mode)
    assert words in seen.err.decode()


@pytest.mark.parametrize(("late_s", "status"), [(0.05, -15), (0.2, MISSED)])
def test_a_signal_and_what_was_sent_before_it_may_be_seen_in_the_wrong_order(
    tmp_path: Path, late_s: float, status: int
) -> None:
    events = [got(HELLO), said(WELCOME), got('{"method":"bye"}'), signalled(15), exited(-15)]

    async def play(client: Client) -> None:
        await client.send(HELLO)
        await client.lines(1)
        client.process.terminate()
        await trio.sleep(late_s)
        await client.send('{"method":"bye"}')
        assert await client.process.wait() == status

    assert run(tmp_path, events, play).status == status


def test_an_early_signal_ends_as_the_recorded_one_did(tmp_path: Path) -> None:
    events = [got(HELLO), said(WELCOME), got(ask(2, "more")), signalled(15), err("terminated"), exited(0)]

    async def play(client: Client) -> None:
        await client.send(HELLO)
        await client.lines(1)
        client.process.terminate()
        assert await client.process.wait() == 0

    assert run(tmp_path, events, play, mode="prefix").status == 0
    seen = run(tmp_path, [got(HELLO), said(WELCOME), *CLOSE[:2]], talk(HELLO, 1), mode="prefix")
    assert seen.status == 0


@pytest.mark.parametrize(("events", "status"), [
    ([got(HELLO), said(WELCOME), got(ask(2, "x")), said(reply(2, 2)), EOF, err("bye"), exited(4)], 4),
    ([got(HELLO), said(WELCOME), got(ask(2, "x")), exited(5)], 5),
    ([got(HELLO), said(WELCOME), got(ask(2, "x")), exited(-9)], 0),
    ([got(HELLO), said(WELCOME), got(ask(2, "x"))], 0),
])  # fmt: skip
def test_a_client_that_ends_early(tmp_path: Path, events: list[Event], status: int) -> None:
    strict = run(tmp_path, events, talk(HELLO, 1))
    assert strict.status == MISSED
    assert "saw the end of stdin; expected event 3: the request x with id 2" in strict.err.decode()
    prefix = run(tmp_path, events, talk(HELLO, 1), mode="prefix")
    assert (prefix.status, prefix.err, len(prefix.lines)) == (status, b"", 1)


def test_a_recording_without_an_end_ends_with_the_client(tmp_path: Path) -> None:
    assert run(tmp_path, [got(HELLO), said(WELCOME)], talk(HELLO, 1)).status == 0
    assert run(tmp_path, [got(HELLO), said(WELCOME), EOF], talk(HELLO, 1)).status == 0

    async def kill(client: Client) -> None:
        await client.send(HELLO)
        await client.lines(1)
        client.process.terminate()
        assert await client.process.wait() == -15

    assert run(tmp_path, [got(HELLO), said(WELCOME)], kill).err == b""


# Matching


def test_ids_are_the_clients_own(tmp_path: Path) -> None:
    events = [
        got(ask(1, "a")),
        said('{ "id" : 1, "result":[1, 1.50,"\\u0031"] }'),
        got(ask(2, "b")),
        said(reply(2, 2)),
        *CLOSE,
    ]
    seen = run(tmp_path, events, talk(ask('"x"', "a"), 1, ask(9007199254740993, "b"), 2))
    assert seen.lines == [b'{ "id" : "x", "result":[1, 1.50,"\\u0031"] }', b'{"id":9007199254740993,"result":2}']


def test_spacing_and_the_order_of_members_are_free_and_types_are_not(tmp_path: Path) -> None:
    events = [got('{"id":1,"method":"m","params":{"a":1,"b":[true,null]}}'), said(WELCOME), *CLOSE]
    assert run(tmp_path, events, talk('{"method": "m", "params": {"b": [true, null], "a": 1}, "id": 1}', 1)).status == 0
    for other, pointer in (("1.0", "/params/a"), ("true", "/params/a"), ('"1"', "/params/a")):
        seen = run(tmp_path, events, talk(f'{{"id":1,"method":"m","params":{{"a":{other},"b":[true,null]}}}}'))
        assert seen.status == MISSED
        assert f"differs at {pointer}: {other}" in seen.err.decode()


@pytest.mark.claim("HAR-PLAY-01")
def test_the_same_call_answered_differently_is_played_in_order(tmp_path: Path) -> None:
    answers = [said(reply(n, n * 10)) for n in (1, 2, 3)]
    events = [event for n in (1, 2, 3) for event in (got(ask(n, "now")), answers[n - 1])]
    seen = run(tmp_path, [*events, *CLOSE], talk(ask(7, "now"), 1, ask(8, "now"), 2, ask(9, "now"), 3))
    assert seen.lines == [b'{"id":7,"result":10}', b'{"id":8,"result":20}', b'{"id":9,"result":30}']


def test_requests_that_overlapped_match_in_any_order(tmp_path: Path) -> None:
    asks = [ask(n, "m", n=n) for n in range(100)]
    events = [*map(got, asks), *(said(reply(n, n)) for n in range(100)), *CLOSE]
    seen = run(tmp_path, events, talk(*reversed(asks), 100))
    assert (seen.status, seen.lines[0], seen.lines[99]) == (0, b'{"id":0,"result":0}', b'{"id":99,"result":99}')


def test_equal_requests_that_overlapped_are_the_earliest_each(tmp_path: Path) -> None:
    events = [got(ask(1, "m")), got(ask(2, "m")), said(reply(2, '"two"')), said(reply(1, '"one"')), *CLOSE]
    seen = run(tmp_path, events, talk(ask(2, "m"), ask(1, "m"), 2))
    assert seen.lines == [b'{"id":1,"result":"two"}', b'{"id":2,"result":"one"}']


@pytest.mark.parametrize(("sent_now", "words"), [
    ([ask(2, "b")], "event 3 is equal to it and was recorded later"),
    ([ask(1, "a"), 1, ask(1, "a")], "event 1 is equal to it and has been used"),
    ([ask(1, "a"), 1, ask(2, "b"), 2, ask(3, "b")], "expected event 5: the end of stdin"),
    ([ask(1, "a"), 1, ask(2, "c")], 'differs at /method: "c"'),
    (['{"method":"a"}'], 'saw the notice a, which differs at /method: "a"'),
    (["hello"], "saw the line 'hello"),
    (["[1]"], "saw the JSON '[1]"),
])  # fmt: skip
@pytest.mark.claim("HAR-PLAY-02")
def test_what_the_tape_does_not_expect_ends_the_run(tmp_path: Path, sent_now: list[str | int], words: str) -> None:
    events = [got(ask(1, "a")), said(reply(1, 1)), got(ask(2, "b")), said(reply(2, 2)), *CLOSE]
    seen = run(tmp_path, events, talk(*sent_now))
    assert (seen.status, words in seen.err.decode()) == (MISSED, True), seen.err
    assert seen.err.startswith(f"trailcam replay: {tmp_path}/t.jsonl:".encode())


@pytest.mark.parametrize("wrong", [[ask(2, "list")], ['{"method":"ready"}', '{"method":"ready"}']])
def test_a_notice_is_neither_forgotten_nor_overtaken_nor_repeated(tmp_path: Path, wrong: list[str | int]) -> None:
    events = [got(HELLO), said(WELCOME), got('{"method":"ready"}'), got(ask(2, "list")), said(reply(2, 2)), *CLOSE]
    assert run(tmp_path, events, talk(HELLO, 1, '{"method":"ready"}', ask(2, "list"), 2)).status == 0
    assert run(tmp_path, events, talk(HELLO, 1, *wrong)).status == MISSED


def test_nothing_is_expected_after_the_end_of_the_recording(tmp_path: Path) -> None:
    seen = run(tmp_path, [got(HELLO), said(WELCOME)], talk(HELLO, 1, ask(2, "more")))
    assert "expected nothing more: the recording ends here" in seen.err.decode()
    assert seen.status == MISSED


@pytest.mark.parametrize(("dialect", "events", "data"), [
    ("lines", [got("one"), said("1"), got("two\r")], b"one\ntwo\r\n"),
    ("ndjson", [got('{"a": 1}'), said('{"b": 2}'), got("3")], b'{"a":1}\n3\n'),
    ("raw", [got(b"abc"), said("1"), got(b"def")], b"abcdef"),
    ("lines", [got("one"), said("1"), got(b"half")], b"one\nhalf"),
])  # fmt: skip
def test_other_dialects(tmp_path: Path, dialect: str, events: list[Event], data: bytes) -> None:
    async def play(client: Client) -> None:
        await client.send(data)

    header = {"dialect": dialect}
    seen = run(tmp_path, [*events, *CLOSE], play, header=header)
    assert (seen.status, seen.out.count(b"\n")) == (0, 1), seen.err

    async def wrong(client: Client) -> None:
        await client.send(data[:-2] + b"?" + data[-1:])

    missed = run(tmp_path, [*events, *CLOSE], wrong, header=header)
    assert missed.status == MISSED


def test_raw_bytes_may_come_in_any_pieces(tmp_path: Path) -> None:
    events = [got(b"\x00\x01\x02\x03"), said(b"ok"), got(b"\xff\xfe"), said(b"bye"), *CLOSE]

    async def play(client: Client) -> None:
        for byte in (b"\x00", b"\x01\x02", b"\x03\xff", b"\xfe"):
            await client.send(byte)
            await trio.testing.wait_all_tasks_blocked()

    assert run(tmp_path, events, play, header={"dialect": "raw"}).out == b"okbye"

    async def more(client: Client) -> None:
        await client.send(b"\x00\x01\x02\x03\xff\xfe\x00")

    seen = run(tmp_path, events, more, header={"dialect": "raw"})
    assert "saw 1 bytes that begin" in seen.err.decode() or "the bytes" in seen.err.decode()
    assert seen.status == MISSED
