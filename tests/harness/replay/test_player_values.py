"""The player as a machine, second part: values that are bound, command lines, gaps, pace, faults and modes."""
from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio

from harness.problem import UsageProblem
from harness.replay.player import MISSED, Player
from harness.serve.machine import Given
from harness.tape.problem import TapeProblem
from tests.harness.replay.drive import MODES, Client, Play, virtual
from tests.harness.replay.talking import CLOSE, HELLO, WELCOME, ask, reply, run, talk
from tests.harness.replay.tapes import (
    EOF,
    OUT_ENDS,
    Event,
    err,
    exited,
    gap,
    got,
    said,
    sent,
    started,
    tape,
)


def native(text: str) -> bytes:
    return struct.pack("=I", len(text.encode())) + text.encode()


def test_a_native_message_gets_its_new_length(tmp_path: Path) -> None:
    events = [got(native('{"cwd":"<ROOT>/a"}')), said(native('{"in":"<ROOT>/a","é":1}')), *CLOSE]

    async def play(client: Client) -> None:
        await client.send(native('{"cwd":"/srv/mé\\"e/a"}'))

    header = {"dialect": "native", "bytes": "reconstructed"}
    assert run(tmp_path, events, play, header=header).out == native('{"in":"/srv/mé\\"e/a","é":1}')


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
        got(start % "/recorded/place"),
        said('{"id":2,"result":{"cwd":"/recorded/place","not":"/recorded/place/a"}}'),
        got(ask(3, "list", at='"/recorded/place"')),
        said(reply(3, '"/recorded/place"')),
        *CLOSE,
    ]
    play = talk(start % "/tmp/now", 1, ask(3, "list", at='"/tmp/now"'), 2)
    seen = run(tmp_path, events, play, header={"profile": "codex"})
    assert seen.lines == [
        b'{"id":2,"result":{"cwd":"/tmp/now","not":"/recorded/place/a"}}',
        b'{"id":3,"result":"/tmp/now"}',
    ]
    stale = talk(start % "/tmp/now", 1, ask(3, "list", at='"/recorded/place"'))
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
    play = talk(ask(1, "open", path='"/srv/me/a/77.txt"'), 1, ask(2, "open", path='"/srv/me/c"'), 2)
    seen = run(tmp_path, events, play, header=header)
    assert (seen.lines, seen.err) == (
        [b'{"id":1,"result":"/srv/me/a"}', b'{"id":2,"result":"77/<UUID-2>"}'],
        b"reading /srv/me/b\n",
    )
    other = talk(ask(1, "open", path='"/srv/me/a/77.txt"'), 1, ask(2, "open", path='"/home/you/c"'))
    assert run(tmp_path, events, other, header=header).status == MISSED
    bound = run(tmp_path, events, other, header=header, bind={"ROOT": "/srv/me", "UUID-2": "88"})
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


def test_a_frame_that_comes_while_something_is_on_its_way_waits_for_nothing(tmp_path: Path) -> None:
    events = [
        got(ask(1, "a"), t=0), got(ask(2, "b"), t=1), said(reply(1, 1), t=300), got(ask(3, "c"), t=301),
        said(reply(3, 3), t=302), said(reply(2, 2), t=600), *CLOSE,
    ]  # fmt: skip

    async def play(client: Client) -> None:
        await client.send(ask(1, "a"), ask(2, "b"))
        await trio.sleep(0.1)
        await client.send(ask(3, "c"))
        await client.lines(3)

    seen = run(tmp_path, events, play, pace="recorded")
    assert (seen.lines, seen.status) == ([f'{{"id":{n},"result":{n}}}'.encode() for n in (1, 3, 2)], 0)


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
