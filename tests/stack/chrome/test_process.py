"""The native host: who starts it, how it greets, what ends it, and what servers it lets in."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
import trio

from stack.chrome import ipc
from stack.chrome.endpoint import endpoints
from stack.chrome.framing import FROM_BROWSER
from stack.chrome.process import BROKEN, OK, ORIGIN, REFUSED, Refusal, check_origin, same
from tests.stack.chrome.rig import HELLO, SERVER, Line, Rig, one_at_a_time, play, snapshot

READ: dict[str, Any] = {"tab_id": 1}


@pytest.mark.parametrize(
    ("argv", "allowed"),
    [
        ((ORIGIN,), True),
        ((ORIGIN, "--parent-window=0"), True),
        ((), False),
        ((ORIGIN[:-1],), False),
        (("chrome-extension://*/",), False),
        ((ORIGIN, "--parent-window="), False),
        ((ORIGIN, "--verbose"), False),
        (("--parent-window=0", ORIGIN), False),
    ],
)
def test_one_origin_is_served(argv: tuple[str, ...], allowed: bool) -> None:
    if allowed:
        assert check_origin(argv) == ORIGIN
    else:
        with pytest.raises(Refusal, match="unauthorised"):
            check_origin(argv)


def test_another_extension_is_told_why_and_nothing_is_listened_on() -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start(None, ("chrome-extension://" + "a" * 32 + "/",))
        assert (await started.hear())["reason"] == "unauthorised"
        await started.over.wait()
        assert (started.status, rig.meeting) == (REFUSED, {})
        assert b"unauthorised" in started.said

    play(body)


@pytest.mark.claim("CHR-IPC-03", tooth="a hello of another protocol, of another form, or none")
@pytest.mark.parametrize(
    ("first", "reason"),
    [
        ({**HELLO, "protocol": {"min": 2, "max": 3}}, "protocol_mismatch"),
        ({**HELLO, "extra": 1}, "protocol_mismatch"),
        ({"v": 1, "type": "ping", "n": 1}, "protocol_mismatch"),
        ({**HELLO, "id": "a" * 32}, "unauthorised"),
        (None, "protocol_mismatch"),
    ],
)
def test_the_first_message_is_a_hello_of_our_protocol(first: Any, reason: str) -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start(None)
        if first is not None:
            await started.send(first)
        heard = await started.hear()
        assert heard["reason"] == reason
        assert (heard["message"] == "no hello within 5000 ms") is (first is None)
        await started.over.wait()
        assert started.status == REFUSED
        assert list(rig.meeting) == (["chrome-refused-7.json"] if reason == "protocol_mismatch" else [])

    play(body)


def test_a_refusal_that_servers_can_not_be_told_of_is_one_all_the_same() -> None:
    async def body(rig: Rig) -> None:
        def publish(name: str, data: bytes) -> None:
            raise PermissionError(13, "no")

        host = rig.host()
        host.publish = publish
        started = await rig.start(None, host=host)
        await started.send({**HELLO, "protocol": {"min": 2, "max": 3}})
        assert (await started.hear())["reason"] == "protocol_mismatch"
        await started.over.wait()
        assert (started.status, b"can't be told (PermissionError)" in started.said) == (REFUSED, True)

    play(body)


@pytest.mark.claim("CHR-HOST-04", tooth="messages that are too long, empty, no UTF-8, no JSON, or cut")
@pytest.mark.parametrize(
    ("data", "code"),
    [
        ((FROM_BROWSER + 1).to_bytes(4, "little"), "too_long"),
        (b"\0\0\0\0", "empty"),
        (b"\2\0\0\0\xff\xfe", "not_utf8"),
        (b"\2\0\0\0{]", "not_json"),
        (b"\4\0\0\0null", "not_json"),
        (b"\4\0\0\0true", "is no object"),
    ],
)
def test_what_is_no_message_ends_the_connection_with_a_typed_error(data: bytes, code: str) -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start()
        server = await rig.dial()
        await started.into.send(data)
        assert (await server.hear())["reason"] == "invalid_message"
        await started.over.wait()
        assert started.status == BROKEN
        assert "invalid_message: " in started.said.decode()
        assert code in started.said.decode()
        assert rig.meeting == {}

    play(body)


@pytest.mark.parametrize("message", [
    HELLO,
    {"v": 1, "type": "event", "event": "tab_closed", "data": {"url": "https://a.test/"}},
    {"v": 1, "type": "request", "id": "a", "verb": "snapshot", "deadline_ms": 1, "params": {}},
    {"v": 2, "type": "ping", "n": 1},
])  # fmt: skip
def test_messages_outside_of_the_protocol_end_the_connection(message: Any) -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start()
        await started.send(message)
        await started.over.wait()
        assert started.status == BROKEN

    play(body)


def test_it_ends_within_a_second_of_the_end_of_its_input_whatever_goes_on() -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start()
        server, deaf = await rig.dial(), await rig.dial()
        await server.ask("snapshot", READ, deadline_ms=60_000)
        await started.hear()
        with anyio.move_on_after(1):  # until no more of the answers fit, which nobody reads, nor of the pings
            await deaf.say(ipc.line({"v": 1, "type": "ping", "n": 1}) * 9000)
        began = trio.current_time()
        await started.into.aclose()
        await started.over.wait()
        assert started.ended_s - began < 1
        assert (started.status, rig.meeting) == (OK, {})
        assert (await server.hear())["reason"] == "bridge_disconnected"

    play(body)


def test_an_end_before_the_hello_is_no_failure_and_one_within_a_message_is() -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start(None)
        await started.into.aclose()
        await started.over.wait()
        assert started.status == OK
        started = await rig.start()
        await started.into.send(b"\x09\0\0\0{")
        await started.into.aclose()
        await started.over.wait()
        assert started.status == BROKEN

    play(body)


def test_silence_within_a_message_ends_the_connection() -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start()
        await started.into.send(b"\x09\0\0\0{")
        await started.over.wait()
        assert started.status == BROKEN
        assert b"silence of 5000 ms" in started.said

    play(body)


def test_a_host_that_can_not_listen_says_so_and_ends() -> None:
    async def body(rig: Rig) -> None:
        host = rig.host()

        async def no(address: str) -> Any:
            raise OSError(24, "Too many open files")

        host.listen = no
        started = await rig.start(None, host=host)
        await started.send(HELLO)
        await started.over.wait()
        assert started.status == BROKEN
        assert b"no local socket" in started.said

    play(body)


def test_what_is_written_to_one_side_at_once_is_written_one_after_the_other() -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start(host=one_at_a_time(rig.host()), room=50)
        server = await rig.dial()
        await server.ask("snapshot", READ)
        await started.send({"v": 1, "type": "ping", "n": 4})
        assert {(await started.hear())["type"] for _ in range(2)} == {"request", "pong"}
        await server.say({"v": 1, "type": "ping", "n": 5})
        await started.send({"v": 1, "type": "response", "id": "q1", "ok": True, "result": snapshot("Buy")})
        assert {(await server.hear())["type"] for _ in range(2)} == {"response", "pong"}

    play(body)


def test_pings_of_the_extension_are_answered() -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start()
        await started.send({"v": 1, "type": "ping", "n": 4}, {"v": 1, "type": "pong", "n": 4})
        assert await started.hear() == {"v": 1, "type": "pong", "n": 4}

    play(body)


@pytest.mark.claim("CHR-IPC-01", tooth="a wrong token, none, another user, and a user that nobody can tell")
@pytest.mark.parametrize("who", ["wrong token", "no token", "another user", "unknown user"])
def test_a_server_that_may_not_come_in_is_refused_with_its_reason(who: str) -> None:
    async def body(rig: Rig) -> None:
        host = rig.host()

        def is_mine(stream: Any) -> bool:
            if who == "unknown user":
                raise OSError(95, "not supported")
            return who != "another user"

        host.is_mine = is_mine
        started = await rig.start(host=host)
        token = {"wrong token": "f" * 64, "no token": ""}.get(who)
        server = await rig.dial(token=token, greet=False)
        refused = await server.hear()
        assert (refused["type"], refused["reason"]) == ("refused", "unauthorised")
        assert await server.hear() is None
        await started.into.aclose()
        await started.over.wait()
        assert b"unauthorised" in started.said

    play(body)


@pytest.mark.claim("CHR-IPC-03", tooth="greetings of another version, of another form, too late, or twice")
@pytest.mark.parametrize(
    "greeting",
    [
        {"v": 1, "type": "hello", "role": "server", "protocol": {"min": 2, "max": 9}, "server": SERVER},
        {"v": 1, "type": "ping", "n": 1},
        b"GET / HTTP/1.1\n",
        None,
    ],
)
def test_a_server_of_another_version_is_told_so(greeting: Any) -> None:
    async def body(rig: Rig) -> None:
        await rig.start()
        endpoint = rig.endpoint()
        server = Line(await rig.host().dial(endpoint.address))
        if isinstance(greeting, dict) and greeting["type"] == "hello":
            await server.say({**greeting, "token": endpoint.token})
        elif greeting is not None:
            await server.say(greeting)
        assert (await server.hear())["reason"] == "protocol_mismatch"

    play(body)


def test_what_follows_a_greeting_before_its_answer_is_refused_and_an_end_is_one() -> None:
    async def body(rig: Rig) -> None:
        await rig.start()
        endpoint = rig.endpoint()
        greeting = ipc.line(ipc.hello(endpoint.token, SERVER))
        server = Line(await rig.host().dial(endpoint.address))
        await server.say(greeting + greeting)
        assert (await server.hear())["reason"] == "protocol_mismatch"
        server = Line(await rig.host().dial(endpoint.address))
        await server.stream.aclose()
        server = await rig.dial()
        await server.say(greeting)
        assert (await server.hear())["reason"] == "protocol_mismatch"
        server = await rig.dial()
        await server.say({"v": 1, "type": "request", "id": "a", "verb": "eval", "deadline_ms": 1, "params": {}})
        assert (await server.hear())["reason"] == "invalid_message"
        server = await rig.dial()
        await server.say({"v": 1, "type": "ping", "n": 3})
        assert await server.hear() == {"v": 1, "type": "pong", "n": 3}

    play(body)


@pytest.mark.claim("CHR-IPC-03", "CHR-IPC-02", tooth="a holder that is silent for three heartbeats")
def test_a_silent_server_counts_as_dead_after_three_heartbeats() -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start()
        silent = await rig.dial()
        await silent.ask("snapshot", READ)
        await started.answer(snapshot("Buy"))
        assert (await silent.hear())["ok"] is True
        await anyio.sleep(14.9)
        later = await rig.dial()
        await later.ask("snapshot", READ)
        assert (await later.hear())["error"]["reason"] == "claim_held"
        await anyio.sleep(0.2)
        await later.ask("snapshot", READ, "r2")
        await started.answer(snapshot("Buy"))
        assert (await later.hear())["ok"] is True
        assert await silent.hear() is None

    play(body)


def test_what_a_killed_host_left_is_taken_away_by_the_next() -> None:
    async def body(rig: Rig) -> None:
        await rig.start()
        old = endpoints(rig.host())[0]
        rig.meeting["chrome-dead.json"] = rig.meeting[f"chrome-{old.id}.json"].replace(old.id.encode(), b"dead")
        await rig.start()
        assert "chrome-dead.json" not in rig.meeting
        assert len(endpoints(rig.host())) == 2

    play(body)


def test_tokens_are_compared_whole() -> None:
    assert same("abc", "abc")
    assert not same("abc", "abd")
    assert not same("ab", "abc")
