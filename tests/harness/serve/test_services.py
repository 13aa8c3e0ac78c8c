"""One connection is one process, in virtual time and over sockets alike; and what faults make of it."""
from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import anyio
import pytest
import trio
from anyio.abc import ByteStream

from harness.faults.registry import FAULTS, NAMES
from harness.scenario.compare import comparable, first_difference
from harness.serve.services import _NoChildren, _Receiver
from harness.serve.session import MachineFault
from tests.harness.serve.oracle import ADDRESS, LINES_ADDRESS, ask, fault, play, post, read_all

MODES = ["virtual", "process"]
CALL = {"way": "<<", "kind": "reply", "method": "POST /add"}


async def two_calls(host: Any, noted: list[Any]) -> None:
    for _ in range(2):
        answer = b""
        with trio.move_on_after(1):
            try:
                answer = await ask(host)
            except OSError as error:
                answer = type(error).__name__.encode()
        noted.append(answer.partition(b"\r\n\r\n")[2] or answer)


@pytest.mark.parametrize("mode", MODES)
def test_one_connection_is_one_process(mode: str) -> None:
    ran = play(mode, two_calls)
    assert ran.noted == [b'{"number":3}', b'{"number":5}']
    started = [(event["p"], event["program"], event["argv"], event["env"]) for event in ran.journal
               if event["e"] == "started"]  # fmt: skip
    assert started == [(1, "oracle", [], []), (2, "oracle", [], [])]
    assert [event["status"] for event in ran.journal if event["e"] == "exited"] == [0, 0]
    answers = [event for event in ran.journal if event["e"] == "bytes" and event["s"] == "out"]
    asked = [event for event in ran.journal if event["e"] == "bytes" and event["s"] == "in"]
    assert [event["cause"] for event in answers] == [event["n"] for event in asked]
    assert asked[0]["b"].encode() == post("/add")


@pytest.mark.parametrize("mode", MODES)
def test_the_census_has_the_service(mode: str) -> None:
    found = {(place.get("moment"), place.get("way"), place.get("kind"), place.get("method")): place["count"]
             for place in play(mode, two_calls).census if place["process"] == 1}  # fmt: skip
    assert found == {
        ("connecting", None, None, None): 1, ("started", None, None, None): 1,
        (None, ">>", "request", "POST /add"): 1, (None, "<<", "reply", "POST /add"): 1,
        ("before_effect", None, None, None): 1, ("after_effect", None, None, None): 1,
    }  # fmt: skip


async def several_on_one(host: Any, noted: list[Any]) -> None:
    stream = await host.dial(ADDRESS)
    await stream.send(post("/stay") + post("/stay", '{"amount":5}'))
    said = b""
    while said.count(b"HTTP/1.1 200") < 2 or not said.endswith(b"}"):
        said += await stream.receive()
    noted.append(said)
    await stream.aclose()


@pytest.mark.parametrize("mode", MODES)
def test_replies_belong_to_requests_in_their_order(mode: str) -> None:
    ran = play(mode, several_on_one, fault("drop", way="<<", method="POST /none"))
    events = [event for event in ran.journal if event["e"] == "bytes"]
    asked = [event["n"] for event in events if event["s"] == "in"]
    assert [event["cause"] for event in events if event["s"] == "out"] == asked
    replies = [place for place in ran.census if place.get("way") == "<<"]
    assert [(place["method"], place["count"]) for place in replies] == [("POST /stay", 2)]
    assert ran.journal[-1]["status"] == 0


FITTING = [name for name in NAMES if not FAULTS[name].moments or FAULTS[name].moments & {"connecting", "started"}]
"""Faults of moments that this service does not pass through are refused before a run begins."""


@pytest.mark.parametrize("name", FITTING)
def test_every_fault_is_the_same_in_both_modes_or_finds_nothing_to_do(name: str) -> None:
    plan = fault(name, ARGS.get(name), **PLACES.get(name, CALL))
    runs = {mode: play(mode, two_calls, plan) for mode in MODES}
    books = [comparable([{"e": "noted", "text": str(text)} for text in ran.noted], ran.world, ran.journal)
             for ran in runs.values()]  # fmt: skip
    assert first_difference(*books) is None
    fired = not runs["virtual"].stage.plan.unfired()
    assert fired == (name not in ONLY_FOR_MESSAGES)
    if not fired:
        assert runs["virtual"].noted == [b'{"number":3}', b'{"number":5}']


ARGS: dict[str, Any] = {
    "world": {"number": 7}, "oversize": {"bytes": 70_000}, "deep_nesting": {"depth": 50}, "slow_start": {"ms": 10},
    "slow_drip": {"ms": 100},
}  # fmt: skip
PLACES: dict[str, Any] = {
    "connect_refused": {"moment": "connecting"}, "connect_hangs": {"moment": "connecting"},
    "slow_start": {"moment": "started"}, "duplicate_request": {"way": "<<"},
}  # fmt: skip
ONLY_FOR_MESSAGES = {
    "batch", "both_result_and_error", "crlf", "duplicate_member", "duplicate_request", "early_reply", "error_reply",
    "extra_version", "id_type", "inject_turn", "invalid_utf8", "length_prefix", "line_separator", "missing_version",
    "no_final_newline", "notice_storm", "nul", "null_result", "older_revision", "stderr_flood",
    "unknown_notice", "unsolicited_request", "wrong_id", "wrong_stream",
}  # fmt: skip
"""Faults of JSON-RPC, of lines, of texts (this answer has none) and of stderr: at a service they have nothing to do."""


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("plan", "noted"),
    [
        (fault("connect_refused", moment="connecting"), [b"ConnectionRefusedError", b'{"number":3}']),
        (fault("connect_hangs", moment="connecting"), [b"", b'{"number":3}']),
        (fault("delay", {"ms": 40}, moment="connecting"), [b'{"number":3}', b'{"number":5}']),
        (fault("crash", moment="connecting"), [b"ConnectionRefusedError", b'{"number":3}']),
        (fault("garbage", moment="connecting"), None),
        (fault("close", **CALL), [b"", b'{"number":5}']),
        (fault("crash", moment="after_effect"), [b"", b'{"number":5}']),
        (fault("type_confusion", {"pointer": "/number"}, **CALL), [b'{"number":"1"}', b'{"number":5}']),
    ],
)
def test_what_faults_do(mode: str, plan: Any, noted: list[bytes] | None) -> None:
    ran = play(mode, two_calls, plan)
    assert ran.stage.plan.unfired() == []
    if noted is None:
        assert ran.noted[0].startswith(b'{"number":3}')
        assert "Traceback" in "".join(str(event.get("b", "")) for event in ran.journal if event.get("s") == "out")
    else:
        assert ran.noted == noted


def test_a_body_that_a_fault_changed_has_its_length_put_right() -> None:
    ran = play("virtual", two_calls, fault("unknown_field", **CALL))
    sent = next(event["b"] for event in ran.journal if event["e"] == "bytes" and event["s"] == "out")
    head, _, body = sent.partition("\r\n\r\n")
    assert body == '{"trailcamUnknown":true,"number":3}'
    assert f"Content-Length: {len(body)}" in head


async def given_up(host: Any, noted: list[Any]) -> None:
    with trio.move_on_after(0.05):
        await ask(host, "/slow")
    noted.append("gave up")


@pytest.mark.parametrize("mode", MODES)
def test_a_connection_that_is_given_up_ends_its_process(mode: str) -> None:
    ran = play(mode, given_up)
    assert [event["status"] for event in ran.journal if event["e"] == "exited"] == [0]
    assert not any(event["e"] == "effect" for event in ran.world)


@pytest.mark.parametrize("mode", MODES)
def test_a_dial_that_is_given_up_leaves_no_process(mode: str) -> None:
    ran = play(mode, given_up, fault("connect_hangs", moment="connecting"))
    assert ran.journal == []
    assert ran.stage.sessions[0].status == -9


async def hung_up_on(host: Any, noted: list[Any]) -> None:
    stream = await host.dial(LINES_ADDRESS)
    await stream.send(b"hello\n")
    noted.append(await stream.receive())
    await stream.aclose()


@pytest.mark.parametrize("mode", MODES)
def test_a_process_that_ignores_the_end_of_its_connection_is_ended(mode: str) -> None:
    ran = play(mode, hung_up_on)
    assert ran.noted == [b"heard hello\n"]
    assert [event["e"] for event in ran.journal[-3:]] == ["closed", "signalled", "exited"]
    assert ran.journal[-1]["status"] == -13


async def half_closed(host: Any, noted: list[Any]) -> None:
    stream = await host.dial(LINES_ADDRESS)
    await stream.send(b"a\nb\n")
    await stream.send_eof()
    noted.append(await read_all(stream))
    await stream.aclose()


@pytest.mark.parametrize("mode", MODES)
def test_one_way_can_end_before_the_other(mode: str) -> None:
    ran = play(mode, half_closed)
    assert ran.noted == [b"heard a\nheard b\n"]


def test_a_connection_costs_time_only_where_the_sheet_says_so() -> None:
    times = []
    for start_ms in ({}, {"oracle": 25}):
        ran = play("virtual", two_calls, start_ms=start_ms)
        times.append([event["t"] for event in ran.journal if event["e"] == "started"])
    assert times == [[0, 0], [25, 50]]


async def with_child(host: Any, noted: list[Any]) -> None:
    await ask(host, "/child")


def test_a_service_starts_no_children() -> None:
    with pytest.raises(ExceptionGroup) as caught:
        play("virtual", with_child)
    assert caught.group_contains(MachineFault)


async def loud(host: Any, noted: list[Any]) -> None:
    noted.append(await ask(host, "/loud"))


@pytest.mark.parametrize("mode", MODES)
def test_what_a_service_says_on_stderr_reaches_nobody_and_is_in_the_journal(mode: str) -> None:
    ran = play(mode, loud)
    assert b"loud" not in ran.noted[0]
    assert [event["b"] for event in ran.journal if event.get("s") == "err"] == ["loud\n"]


class Gone(ByteStream):
    """A connection whose other side has gone."""

    def __init__(self) -> None:
        self.closed = False

    async def send(self, item: bytes) -> None:
        raise anyio.BrokenResourceError

    async def receive(self, max_bytes: int = 65536) -> bytes:
        raise anyio.BrokenResourceError

    async def send_eof(self) -> None:
        raise OSError(107, "not connected")

    async def aclose(self) -> None:
        self.closed = True


async def to_one_that_has_gone(host: Any, noted: list[Any]) -> None:
    services = host.network._services
    stream = Gone()
    services.serve(await services.connect(ADDRESS), stream)
    await trio.sleep(2)
    noted.append(stream.closed)


def test_a_client_that_has_gone_ends_the_process_and_nothing_else() -> None:
    ran = play("virtual", to_one_that_has_gone)
    assert ran.noted == [True]
    assert ran.journal[-1]["status"] == 0


def test_a_service_has_no_children_to_signal() -> None:
    async def main() -> None:
        with pytest.raises(MachineFault):
            await _NoChildren().kill(SimpleNamespace(session=SimpleNamespace(program="oracle")), "kid", 9)  # type: ignore[arg-type]
        stream = Gone()
        await _Receiver(stream, SimpleNamespace()).aclose()  # type: ignore[arg-type]
        assert stream.closed

    trio.run(main)
