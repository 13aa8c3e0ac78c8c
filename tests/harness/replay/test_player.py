"""The tape as a machine: what it does in the recording's place, and where it refuses to go on."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import trio

from harness.problem import UsageProblem
from harness.replay.player import MISSED, Player
from harness.serve.machine import Given
from harness.tape.problem import TapeProblem
from tests.harness.replay.drive import MODES, Client, Play, Seen, virtual
from tests.harness.replay.tapes import (
    EOF,
    ERR_ENDS,
    OUT_ENDS,
    Event,
    err,
    exited,
    gap,
    got,
    said,
    sent,
    signalled,
    started,
    tape,
)

HELLO = '{"id":1,"method":"hello"}'
WELCOME = '{"id":1,"result":{}}'
CLOSE = (EOF, OUT_ENDS, exited())


def ask(id: object, method: str, **params: object) -> str:
    shown = ",".join(f'"{name}":{value}' for name, value in params.items())
    return f'{{"id":{id},"method":"{method}","params":{{{shown}}}}}'


def reply(id: object, result: object) -> str:
    return f'{{"id":{id},"result":{result}}}'


def talk(*steps: str | int) -> Play:
    """A client that sends texts, and waits at numbers for so many lines in all."""

    async def play(client: Client) -> None:
        for step in steps:
            if isinstance(step, int):
                await client.lines(step)
            else:
                await client.send(step)

    return play


def run(tmp_path: Path, events: Sequence[Event], play: Play, **settings: Any) -> Seen:
    header = settings.pop("header", {})
    path = tape(tmp_path / "t.jsonl", *events, **header)
    return virtual({"tape": path, "process": 1, **settings}, play)


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


def native(text: str) -> bytes:
    return struct.pack("=I", len(text.encode())) + text.encode()


def test_a_native_message_gets_its_new_length(tmp_path: Path) -> None:
    events = [got(native('{"cwd":"<ROOT>/a"}')), said(native('{"in":"<ROOT>/a","é":1}')), *CLOSE]

    async def play(client: Client) -> None:
        await client.send(native('{"cwd":"/home/mé\\"e/a"}'))

    header = {"dialect": "native", "bytes": "reconstructed"}
    assert run(tmp_path, events, play, header=header).out == native('{"in":"/home/mé\\"e/a","é":1}')


def test_a_frame_in_pieces_is_one_frame(tmp_path: Path) -> None:
    big = '{"id":1,"method":"m","params":["' + "x" * 100 + '"]}'
    events = [
        got(big[:50].encode(), more=True), err("meanwhile"), got(big[50:].encode() + b"\n"),
        said(b'{"id":1,"res', more=True), said(b'ult":2}\n'), *CLOSE,
    ]  # fmt: skip
    seen = run(tmp_path, events, talk(big, 1))
    assert (seen.out, seen.status) == (b'{"id":1,"result":2}\n', 0)
    events[3:5] = [said(b'{"id":1,"res', more=True, cause=1), said(b'ult":2}\n', cause=1)]
    assert run(tmp_path, events, talk(big.replace('"id":1', '"id":7'), 1)).out == b'{"id":7,"result":2}\n'


def test_a_long_frame_of_the_client_comes_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from harness.wire import DIALECTS

    monkeypatch.setitem(DIALECTS["jsonrpc"].limits, ">>", 40)
    big = ask(1, "m", long='"' + "x" * 100 + '"')
    seen = run(tmp_path, [got(big), OUT_ENDS, exited(6)], talk(big))
    assert (seen.status, seen.err) == (6, b"")


# Values of this session


def test_what_the_client_owns_is_repeated_to_it(tmp_path: Path) -> None:
    start = '{"id":2,"method":"thread/start","params":{"cwd":"%s"}}'
    events = [
        got(start % "/recorded/work"),
        said('{"id":2,"result":{"cwd":"/recorded/work","not":"/recorded/work/a"}}'),
        got(ask(3, "list", at='"/recorded/work"')),
        said(reply(3, '"/recorded/work"')),
        *CLOSE,
    ]
    play = talk(start % "/tmp/now", 1, ask(3, "list", at='"/tmp/now"'), 2)
    seen = run(tmp_path, events, play, header={"profile": "codex"})
    assert seen.lines == [
        b'{"id":2,"result":{"cwd":"/tmp/now","not":"/recorded/work/a"}}',
        b'{"id":3,"result":"/tmp/now"}',
    ]
    stale = talk(start % "/tmp/now", 1, ask(3, "list", at='"/recorded/work"'))
    assert run(tmp_path, events, stale, header={"profile": "codex"}).status == MISSED


def test_progress_tokens_and_cancelled_ids(tmp_path: Path) -> None:
    def call(id: int, token: object) -> str:
        return f'{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"_meta":{{"progressToken":{token}}}}}}}'

    def progress(token: object) -> str:
        return (
            f'{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":1}}}}'
        )

    def cancel(id: int, why: str) -> str:
        return f'{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":"{why}"}}}}'

    events = [got(call(1, 5)), said(progress(5)), got(cancel(1, "bored")), said(progress('"other"')), *CLOSE]
    header = {"dialect": "mcp"}
    seen = run(tmp_path, events, talk(call(31, '"t"'), 1, cancel(31, "late"), 2), header=header)
    assert (seen.status, seen.lines) == (0, [progress('"t"').encode(), progress('"other"').encode()]), seen.err
    other = run(tmp_path, events, talk(call(31, '"t"'), 1, cancel(1, "late")), header=header)
    assert "differs at /params/requestId: 1" in other.err.decode()
    without = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{}}}'
    assert "/params/_meta/progressToken: nothing" in run(tmp_path, events, talk(without), header=header).err.decode()


def test_placeholders_of_a_reconstructed_tape(tmp_path: Path) -> None:
    events = [
        got(ask(1, "open", path='"<ROOT>/a/<UUID-1>.txt"')), said(reply(1, '"<ROOT>/a"')), err("reading <ROOT>/b"),
        got(ask(2, "open", path='"<ROOT>/c"')), said(reply(2, '"<UUID-1>/<UUID-2>"')), *CLOSE,
    ]  # fmt: skip
    header = {"bytes": "reconstructed"}
    play = talk(ask(1, "open", path='"/home/me/a/77.txt"'), 1, ask(2, "open", path='"/home/me/c"'), 2)
    seen = run(tmp_path, events, play, header=header)
    assert (seen.lines, seen.err) == (
        [b'{"id":1,"result":"/home/me/a"}', b'{"id":2,"result":"77/<UUID-2>"}'],
        b"reading /home/me/b\n",
    )
    other = talk(ask(1, "open", path='"/home/me/a/77.txt"'), 1, ask(2, "open", path='"/home/you/c"'))
    assert run(tmp_path, events, other, header=header).status == MISSED
    bound = run(tmp_path, events, other, header=header, bind={"ROOT": "/home/me", "UUID-2": "88"})
    assert bound.status == MISSED
    assert run(tmp_path, events, play, header=header, bind={"UUID-2": "88"}).lines[1] == b'{"id":2,"result":"77/88"}'


def test_angle_brackets_of_a_verbatim_tape_are_themselves(tmp_path: Path) -> None:
    events = [got(ask(1, "open", tag='"<ROOT>"')), said(WELCOME), *CLOSE]
    assert run(tmp_path, events, talk(ask(1, "open", tag='"/home"'))).status == MISSED
    assert run(tmp_path, events, talk(ask(1, "open", tag='"<ROOT>"'), 1)).status == 0


def test_a_pseudonym_stands_for_the_secret_that_the_client_sends(tmp_path: Path) -> None:
    events = [got(ask(1, "login", key='"Bearer rdct4fT9aa"')), said(reply(1, '"hello rdct4fT9aa"')), *CLOSE]
    header = {"redaction": [{"what": "secrets", "how": "pseudonyms"}]}
    seen = run(tmp_path, events, talk(ask(1, "login", key='"Bearer open-sesam"'), 1), header=header)
    assert (seen.status, seen.lines) == (0, [b'{"id":1,"result":"hello open-sesam"}'])
    longer = run(tmp_path, events, talk(ask(1, "login", key='"Bearer open-sesame"'), 1), header=header)
    assert longer.status == MISSED, "a pseudonym is as long as its secret"


# The tape and the settings


@pytest.mark.parametrize(("argv", "setting", "header", "status"), [
    (("serve",), "auto", {}, 0),
    (("serve", "-v"), "auto", {}, MISSED),
    ((), "auto", {}, MISSED),
    (("run",), "check", {}, MISSED),
    (("run",), "free", {}, 0),
    (("run",), "auto", {"bytes": "reconstructed"}, 0),
    (("run",), "check", {"bytes": "reconstructed"}, MISSED),
])  # fmt: skip
@pytest.mark.claim("HAR-PLAY-01")
def test_the_command_line_is_compared(
    tmp_path: Path, argv: tuple[str, ...], setting: str, header: dict[str, Any], status: int
) -> None:
    path = tape(tmp_path / "t.jsonl", got(HELLO), said(WELCOME), *CLOSE, **header)
    seen = virtual({"tape": path, "process": 1, "argv": setting}, talk(HELLO, 1), argv)
    assert seen.status == status
    assert ("saw argument" in seen.err.decode()) == (status == MISSED)


def test_placeholders_in_arguments_are_bound(tmp_path: Path) -> None:
    path = tape(
        tmp_path / "t.jsonl",
        started(argv=["--in", "<ROOT>/x"]),
        got(HELLO),
        said(reply(1, '"<ROOT>"')),
        *CLOSE,
        start=False,
        bytes="reconstructed",
    )
    seen = virtual({"tape": path, "process": 1, "argv": "check"}, talk(HELLO, 1), ["--in", "/srv/x"])
    assert seen.lines == [b'{"id":1,"result":"/srv"}']


BROKEN: list[tuple[str, list[Event], str]] = [
    ("gap", [got(HELLO), said(WELCOME), gap(), got(ask(2, "x"))], "saw a gap: the writer was behind"),
    ("own gap", [got(HELLO), said(WELCOME), gap(p=1), got(ask(2, "x"))], "saw a gap"),
    ("wire", [got(HELLO), said(WELCOME), {**got(ask(2, "x")), "w": "socket"}], "the wire socket"),
    ("end of a wire", [got(HELLO), said(WELCOME), {**EOF, "w": "socket"}], "the wire socket"),
    ("line", [got(HELLO), said(WELCOME), {**got(ask(2, "x")), "n": 7}], "t.jsonl:5: saw n 7"),
]


@pytest.mark.parametrize(("events", "words"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_what_can_not_be_played_breaks_the_replay_where_it_stands(
    tmp_path: Path, events: list[Event], words: str
) -> None:
    seen = run(tmp_path, events, talk(HELLO, 1, ask(2, "x")))
    assert seen.lines == [WELCOME.encode()]
    assert (seen.status, words in seen.err.decode()) == (MISSED, True), seen.err


def test_a_gap_may_be_accepted_as_the_end(tmp_path: Path) -> None:
    for events in ([got(HELLO), said(WELCOME), gap()], [got(HELLO), said(WELCOME), said(b"half", more=True), gap(p=1)]):
        seen = run(tmp_path, events, talk(HELLO, 1), incomplete="accept")
        assert (seen.status, seen.err) == (0, b"")
    assert seen.out == WELCOME.encode() + b"\nhalf"


def test_a_tape_whose_writer_was_killed(tmp_path: Path) -> None:
    path = Path(tape(tmp_path / "t.jsonl", got(HELLO), said(WELCOME), got(ask(2, "x"))))
    path.write_bytes(path.read_bytes()[:-9])
    settings = {"tape": str(path), "process": 1}
    assert "in the middle of a line" in virtual(settings, talk(HELLO, 1)).err.decode()
    assert virtual({**settings, "incomplete": "accept"}, talk(HELLO, 1)).status == 0


@pytest.mark.parametrize(("settings", "problem", "words"), [
    ({"process": 4}, UsageProblem, "no process 4 in .*one of 1 fake"),
    ({"process": "nobody"}, UsageProblem, "no process nobody"),
    ({}, UsageProblem, "no process played"),
    ({"tape": "/nowhere.jsonl"}, TapeProblem, "FileNotFoundError"),
    ({"tape": None}, UsageProblem, "no tape"),
    ({"profile": "x", "process": 1}, UsageProblem, "profile 'x'"),
    ({"pace": "fast", "process": 1}, UsageProblem, "pace 'fast'"),
])  # fmt: skip
def test_what_can_not_be_played_at_all(
    tmp_path: Path, settings: dict[str, Any], problem: type[Exception], words: str
) -> None:
    path = tape(tmp_path / "t.jsonl", got(HELLO), said(WELCOME), *CLOSE)
    with pytest.raises(problem, match=words):
        Player(Given(1, "played", None, {"tape": path, **settings}, ""))


def test_each_start_of_a_program_is_the_next_recorded_one(tmp_path: Path) -> None:
    path = tape(
        tmp_path / "t.jsonl",
        *(
            event
            for p in (1, 2, 3)
            for event in (started("other" if p == 2 else "fake", [str(p)], p), {**OUT_ENDS, "p": p})
        ),
        start=False,
        program="fake",
    )
    found = [Player(Given(9, "fake", None, {"tape": path}, "", nth)) for nth in (1, 2)]
    assert [each._recording.p for each in found] == [1, 3]
    for each in found:
        each.gone()


@pytest.mark.parametrize(("pace", "took_ms"), [("none", 0), ("recorded", 900), (2, 1800), (0.5, 450), (0, 0)])
def test_pace(tmp_path: Path, pace: object, took_ms: int) -> None:
    events = [got(HELLO, t=100), said(WELCOME, t=400), said('{"method":"late"}', t=1000), {**EOF, "t": 2000}, exited(0)]
    took: list[float] = []

    async def play(client: Client) -> None:
        began = trio.current_time()
        await client.send(HELLO)
        await client.lines(2)
        took.append((trio.current_time() - began) * 1000)

    run(tmp_path, events, play, pace=pace)
    assert took == [pytest.approx(took_ms)]


def test_a_request_that_comes_while_an_earlier_reply_is_on_its_way(tmp_path: Path) -> None:
    events = [got(ask(1, "a"), t=0), got(ask(2, "b"), t=1), said(reply(1, 1), t=500), said(reply(2, 2), t=501), *CLOSE]

    async def play(client: Client) -> None:
        await client.send(ask(1, "a"))
        await client.send(ask(2, "b"))
        await trio.sleep(0.3)
        assert not client.out
        await client.lines(2)

    assert run(tmp_path, events, play, pace="recorded").lines == [b'{"id":1,"result":1}', b'{"id":2,"result":2}']


def test_faults_strike_a_tape_as_they_strike_a_fake(tmp_path: Path) -> None:
    path = tape(tmp_path / "t.jsonl", got(HELLO), said(WELCOME), got(ask(2, "x")), said(reply(2, 2)), *CLOSE)
    plan = {"v": 1, "faults": [{"id": "f1", "fault": "drop", "at": {"way": "<<", "kind": "reply", "method": "hello"}}]}
    seen = virtual({"tape": path, "process": 1}, talk(HELLO, ask(2, "x"), 1), plan=plan)
    assert seen.lines == [b'{"id":2,"result":2}']


def test_the_journal_of_a_replay_is_the_recording(tmp_path: Path) -> None:
    path = tape(tmp_path / "t.jsonl", got(HELLO), err("log"), said(WELCOME), *CLOSE)
    seen = virtual({"tape": path, "process": 1}, talk(HELLO, 1))
    kinds = [(event["e"], event.get("s"), event.get("b")) for event in seen.journal]
    assert kinds == [
        ("started", None, None), ("bytes", "in", HELLO + "\n"), ("bytes", "err", "log\n"),
        ("bytes", "out", WELCOME + "\n"), ("closed", "in", None), ("closed", "out", None), ("exited", None, None),
    ]  # fmt: skip


def test_the_modes_are_equal(tmp_path: Path) -> None:
    events = [err("up"), got(HELLO), said(WELCOME), got(ask(2, "x")), err("x!"), said(reply(2, 2)), EOF, exited(3)]
    path = tape(tmp_path / "t.jsonl", *events)
    plays: list[Callable[[], Play]] = [lambda: talk(HELLO, 1, ask(5, "x"), 2), lambda: talk(HELLO, 1, ask(5, "y"))]
    for play in plays:
        seen = [MODES[mode]({"tape": path, "process": 1}, play()) for mode in MODES]
        assert len({(each.out, each.err, each.status) for each in seen}) == 1


def test_stderr_of_a_raw_program(tmp_path: Path) -> None:
    events = [got(b"x"), sent("err", b"no newline"), *CLOSE]

    async def play(client: Client) -> None:
        await client.send(b"x")

    assert run(tmp_path, events, play, header={"dialect": "raw"}).err == b"no newline"
