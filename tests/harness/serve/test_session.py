"""One session without a pump: order of steps, faults on their way in and out, and what a process may still do."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from harness.faults.steps import Aside, Ask, At, Close, Cork, Exit, Feed, Ignore, Raw, Send, Start, Step, Unread, Wait
from harness.serve.machine import Given, Silent
from harness.serve.session import MachineFault, Session
from harness.serve.stage import Stage
from tests.harness.serve.machines import MACHINES, Counter, frame


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def scripted(received: Callable[[Any], list[Step]], started: list[Step] | None = None) -> type[Silent]:
    class Scripted(Silent):
        wires: Mapping[str, str] = {"stdio": "jsonrpc", "kid": "raw"}

        def started(self, argv: list[str], env: Mapping[str, str]) -> Any:
            yield from started or []

        def received(self, wire: str, frame: Any) -> Any:
            yield from received(frame)

    return Scripted


def opened(machine: Callable[[Given], Any] | None = None, plan: Any = None, **more: Any) -> tuple[Session, Clock]:
    clock = Clock()
    machines = {**MACHINES, "it": machine} if machine else MACHINES
    stage = Stage({"v": 1, "plan": plan}, machines, Counter, clock=clock, **more)
    session = stage.open("it" if machine else "echo")
    session.begin([], {}, 0.0)
    return session, clock


def advance(session: Session, clock: Clock, seconds: float) -> None:
    """Go on until the clock says `seconds`, running each step when it is due."""
    while (due := session.due()) is not None and due <= seconds:
        clock.now = max(clock.now, due)
        session.tick(clock.now)
    clock.now = seconds


def written(session: Session, stream: str = "out") -> bytes:
    return b"".join(out[3] for out in session.take() if out[0] == "write" and out[2] == stream)


def at(name: str, args: Any = None, **place: Any) -> dict[str, Any]:
    return {"v": 1, "seed": 1, "faults": [{"id": "f1", "fault": name, "args": args or {}, "at": place}]}


def request(id: int, method: str = "m", **params: Any) -> bytes:
    return frame({"id": id, "method": method, "params": params})


def test_handlers_interleave_in_the_order_of_their_due_times() -> None:
    session, clock = opened()
    session.feed("stdio", request(1, "slow", ms=20) + request(2, "slow", ms=10), 0.0)
    advance(session, clock, 1.0)
    assert [line[:7] for line in written(session).split(b"\n")[:-1]] == [b'{"id":2', b'{"id":1']


def test_one_frame_a_step_so_that_the_pump_can_write_in_between() -> None:
    session, _ = opened()
    session.feed("stdio", request(1) + request(2), 0.0)
    assert written(session).count(b"\n") == 1
    session.tick(0.0)
    assert written(session).count(b"\n") == 1


def test_a_reply_gets_the_method_and_the_cause_of_its_request() -> None:
    session, clock = opened(plan=at("drop", way="<<", kind="reply", method="b"))
    session.feed("stdio", request(1, "a") + request("1", "b") + request(2, "c"), 0.0)  # type: ignore[arg-type]
    advance(session, clock, 0.0)
    assert [line[:7] for line in written(session).split(b"\n")[:-1]] == [b'{"id":1', b'{"id":2']
    journal: list[Any] = session.stage.journal
    causes = [(event["b"], journal[event["cause"]]["b"]) for event in journal if "cause" in event]
    assert [(reply[:7], question[:7]) for reply, question in causes] == [('{"id":1', '{"id":1'), ('{"id":2', '{"id":2')]


def test_a_delayed_request_holds_what_comes_after_it_even_the_end() -> None:
    session, clock = opened(plan=at("delay", {"ms": 50}, way=">>", method="add"))
    session.feed("stdio", request(1, "add", amount=1) + request(2), 0.0)
    session.end("stdio", 0.0)
    advance(session, clock, 0.049)
    assert not session.take()
    advance(session, clock, 1.0)
    assert [event["e"] for event in session.stage.events] == ["fault", "effect", "freed"]
    assert session.status == 0


def test_other_bytes_never_fall_between_the_pieces_of_a_frame() -> None:
    session, clock = opened(plan=at("split", {"ms": 10}, way="<<", kind="reply", method="a"))
    session.feed("stdio", request(1, "a") + request(2, "b"), 0.0)
    advance(session, clock, 1.0)
    first, second, rest = written(session).split(b"\n")
    assert (first[:7], second[:7], rest) == (b'{"id":1', b'{"id":2', b"")


def test_after_its_end_a_process_takes_no_step() -> None:
    session, clock = opened(scripted(lambda _: [Wait(5), Send(b"late\n")]))
    session.feed("stdio", request(1), 0.0)
    session.signal(9, 0.0)
    advance(session, clock, 1.0)
    assert [out[0] for out in session.take()] == ["exit"]
    session.feed("stdio", request(2), 1.0)
    session.end("stdio", 1.0)
    session.signal(15, 1.0)
    assert not session.take()
    assert [event["e"] for event in session.stage.journal] == ["started", "bytes", "signalled", "exited"]


def test_a_half_frame_at_the_end_is_journalled() -> None:
    session, _ = opened(scripted(lambda _: [Raw(b'{"id":1,"res'), Exit(3)]))
    session.feed("stdio", request(1), 0.0)
    assert written(session) == b'{"id":1,"res'
    assert [event.get("b") for event in session.stage.journal][-2:] == ['{"id":1,"res', None]


def test_signals_and_the_end_of_stdin_can_be_ignored_but_sigkill_cannot() -> None:
    session, clock = opened(scripted(lambda _: [Ignore(15), Ignore(0)]))
    session.feed("stdio", request(1), 0.0)
    session.signal(15, 0.0)
    session.end("stdio", 0.0)
    advance(session, clock, 1.0)
    assert session.status is None
    session.signal(9, 1.0)
    assert session.status == -9


@pytest.mark.parametrize("place", [{"way": ">>"}, {"moment": "ended"}])
@pytest.mark.parametrize(("ms", "seen"), [(100, ["unheard", "signalled"]), (10, ["ended"]), (0, ["ended"])])
def test_an_end_of_stdin_that_is_held_is_unheard_when_a_signal_comes(
    place: dict[str, str], ms: int, seen: list[str]
) -> None:
    told: list[str] = []

    class Listening(Silent):
        wires: Mapping[str, str] = {"stdio": "jsonrpc"}

        def unheard(self) -> None:
            told.append("unheard")

        def signalled(self, number: int) -> None:
            told.append("signalled")

        def ended(self, wire: str) -> Any:
            told.append("ended")
            yield Exit(0)

    session, clock = opened(Listening, at("delay", {"ms": ms}, **place))
    session.feed("stdio", request(1), 0.0)
    session.end("stdio", 0.0)
    advance(session, clock, 0.05)
    session.signal(15, 0.05)
    assert told == seen


def test_what_comes_unread_is_not_there_and_its_end_is_unheard() -> None:
    told: list[str] = []

    class Hanging(Silent):
        wires: Mapping[str, str] = {"stdio": "jsonrpc"}

        def received(self, wire: str, frame: Any) -> Any:
            told.append("received")
            yield Unread()

        def unheard(self) -> None:
            told.append("unheard")

    session, clock = opened(Hanging)
    for number in (1, 2):
        session.feed("stdio", request(number), 0.0)
        advance(session, clock, 0.0)
    session.end("stdio", 0.0)
    advance(session, clock, 1.0)
    assert told == ["received"]
    session.signal(15, 1.0)
    assert (told, session.status) == (["received", "unheard"], -15)


def test_bytes_fed_in_a_frames_place_are_read_anew_and_joined_with_what_comes_next() -> None:
    seen: list[Any] = []

    def received(got: Any) -> list[Step]:
        seen.append(got.raw)
        return [Feed(b'{"id":9,')] if len(seen) == 1 else []

    session, clock = opened(scripted(received))
    session.feed("stdio", request(1) + b'"method":"x"}\n', 0.0)
    advance(session, clock, 0.0)
    assert seen[1] == b'{"id":9,"method":"x"}\n'


def test_what_is_fed_and_left_open_comes_at_the_end() -> None:
    seen: list[Any] = []

    def received(got: Any) -> list[Step]:
        seen.append(got.raw)
        return [Feed(b"half")] if len(seen) == 1 else []

    session, _ = opened(scripted(received))
    session.feed("stdio", request(1), 0.0)
    session.end("stdio", 0.0)
    assert seen[1:] == [b"half"]


@pytest.mark.parametrize(("ms", "seen"), [(20, b"1\n2\n"), (5000, b"1\n")])
def test_a_process_ends_after_what_was_overtaken_a_moment_ago(ms: float, seen: bytes) -> None:
    session, clock = opened(scripted(lambda _: [Aside(ms, [Send(b"2\n")]), Send(b"1\n"), Exit(0)]))
    session.feed("stdio", request(1), 0.0)
    advance(session, clock, 10.0)
    assert (written(session), session.status) == (seen, 0)


def test_steps_aside_go_on_beside_the_handler() -> None:
    session, clock = opened(scripted(lambda _: [Aside(10, [Send(b"2\n")]), Send(b"1\n")]))
    session.feed("stdio", request(1), 0.0)
    advance(session, clock, 1.0)
    assert written(session) == b"1\n2\n"


def test_corked_writes_go_out_at_once_and_the_journal_keeps_its_frames() -> None:
    session, clock = opened(scripted(lambda _: [Cork(10), Send(b"1\n"), Send(b"2\n")]))
    session.feed("stdio", request(1), 0.0)
    assert not session.take()
    advance(session, clock, 1.0)
    assert session.take() == [("write", "stdio", "out", b"1\n2\n")]
    assert [event["b"] for event in session.stage.journal if event.get("s") == "out"] == ["1\n", "2\n"]


@pytest.mark.parametrize("last", [Close(), Exit(0)])
def test_a_cork_is_pulled_before_the_stream_ends(last: Step) -> None:
    session, _ = opened(scripted(lambda _: [Cork(1000), Send(b"1\n"), last]))
    session.feed("stdio", request(1), 0.0)
    assert session.take()[0] == ("write", "stdio", "out", b"1\n")


def test_nothing_is_written_to_a_closed_stream() -> None:
    session, _ = opened(scripted(lambda _: [Close(), Send(b"1\n"), Close(), Send(b"e\n", stream="err")]))
    session.feed("stdio", request(1), 0.0)
    assert session.take() == [("close", "stdio", "out"), ("write", "stdio", "err", b"e\n")]


def test_a_moment_strikes_once_and_stands_in_the_world_record_with_its_place() -> None:
    plan = at("exit_code", {"code": 4}, moment="m", where={"verb": "click"})
    session, _ = opened(scripted(lambda _: [At("m", {"verb": "type"}), At("m", {"verb": "click", "n": 1})]), plan)
    session.feed("stdio", request(1), 0.0)
    assert session.status == 4
    assert session.stage.events[0]["place"] == {
        "program": "it", "process": 1, "moment": "m", "where": {"verb": "click", "n": 1},
    }  # fmt: skip


def test_ask_is_refused_where_nothing_may_block() -> None:
    session, _ = opened(scripted(lambda _: [Ask(lambda: 1)]))
    with pytest.raises(MachineFault, match="may block"):
        session.feed("stdio", request(1), 0.0)


def test_ask_resumes_with_the_answer() -> None:
    got: list[Any] = []

    class Asking(Silent):
        wires = {"stdio": "jsonrpc"}

        def received(self, wire: str, frame: Any) -> Any:
            got.append((yield Ask(lambda: 41)))

    session, _ = opened(Asking, may_block=True)
    session.feed("stdio", request(1), 0.0)
    assert got == [41]


def test_a_wire_is_used_once_and_programs_must_be_known() -> None:
    session, _ = opened(scripted(lambda _: [Start("kid", "echo", []), Start("kid", "echo", [])]))
    with pytest.raises(MachineFault, match="in use"):
        session.feed("stdio", request(1), 0.0)
    with pytest.raises(MachineFault, match="expected one of"):
        session.stage.open("nope")


def test_cuts_are_where_reads_ended_inside_a_frame() -> None:
    session, _ = opened()
    data = request(1)
    for piece in (data[:3], data[3:9], data[9:] + data[:5], data[5:]):
        session.feed("stdio", piece, 0.0)
    inward = [event for event in session.stage.journal if event.get("s") == "in"]
    assert [event.get("cuts") for event in inward] == [[3, 9], [5]]
