"""Channels: a program of the stack's own side at the other end of a session, as a coroutine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio
import trio

from harness.faults.steps import Close, Exit, Send, Signal, Start, Until, Wait
from harness.serve.channel import Channel, Errors, Guest, Inside, Mortal, guests
from harness.serve.machine import Given, Silent
from harness.serve.scheduler import run_virtual
from harness.serve.stage import Stage
from harness.serve.virtual import VirtualHost
from tests.fakes.conformance.rig import Bare

CHANNELS = {"port": Channel("ours", "", "", 5)}
WHAT: list[str] = []


class Parent(Silent):
    """Starts one channel, and stays."""

    wires: Mapping[str, str] = {"stdio": "raw"}

    def started(self, argv: list[str], env: Mapping[str, str]) -> Any:
        yield Start("one", "port", ["argument"], {"secret": "the channel's"})
        yield Until("never")


class Port(Silent):
    """Says hello in lines, and notes what it sees."""

    wires: Mapping[str, str] = {"stdio": "lines"}

    def started(self, argv: list[str], env: Mapping[str, str]) -> Any:
        WHAT.append(f"started {argv} {sorted(env)}")
        yield Send(b"hello\n")

    def received(self, wire: str, frame: Any) -> Any:
        WHAT.append(f"{wire} {frame.value}")
        if frame.value == "close":
            yield Close("stdio", "out")
        elif frame.value == "kill":
            yield Signal("host", 9)
        elif frame.value == "exit":
            yield Exit(0)

    def ended(self, wire: str) -> Any:
        WHAT.append(f"{wire} ended")
        yield Wait(1)
        yield Exit(0)

    def reaped(self, wire: str, status: int) -> Any:
        WHAT.append(f"{wire} reaped {status}")
        yield from ()


def played(main: Any, *, kill_parent: bool = False, **inside: Any) -> tuple[list[str], Stage, VirtualHost]:
    WHAT.clear()

    async def play() -> tuple[list[str], Stage, VirtualHost]:
        machines: Any = {"parent": Parent, "port": Port, "ours": Guest}
        stage = Stage({"v": 1}, machines, Bare, clock=trio.current_time)
        async with trio.open_nursery() as nursery:
            host = VirtualHost(stage, nursery)
            host.inside = Inside(stage, nursery, CHANNELS, {"port": main}, lambda parent: host, **inside)
            process = await host.start("parent", [], env={}, cwd="/")
            await anyio.sleep(1)
            if kill_parent:
                process.kill()
                await anyio.sleep(1)
            nursery.cancel_scope.cancel()
        return list(WHAT), stage, host

    return run_virtual(play, 1)


async def line(stdin: Any) -> bytes:
    return bytes(await stdin.receive())


def test_bytes_go_both_ways_and_the_program_is_in_the_journal() -> None:
    async def main(host: Any, argv: Any, stdin: Any, stdout: Any, stderr: Any) -> int:
        assert (argv, await line(stdin)) == (["argument"], b"hello\n")
        await stderr.send(b"a diagnostic\n")
        await stdout.send(b"one\n")
        await stdout.send(b"two\n")
        return 3

    what, stage, _ = played(main)
    assert what[:3] == ["started ['argument'] ['secret']", "stdio one", "stdio two"]
    assert sorted(what[3:]) == ["host reaped 3", "stdio ended"]
    assert [(event["program"], event["argv"], event["env"]) for event in stage.journal if event["e"] == "started"] == [
        ("parent", [], []), ("ours", ["argument"], []), ("port", ["argument"], ["secret"]),
    ]  # fmt: skip
    assert [event["status"] for event in stage.journal if event["e"] == "exited"] == [3, 0]
    assert [event["b"] for event in stage.journal if event.get("s") == "err"] == ["a diagnostic\n"]


def test_the_input_of_the_program_can_be_another() -> None:
    async def main(host: Any, argv: Any, stdin: Any, stdout: Any, stderr: Any) -> int:
        assert stdin[0] == "read"
        await stdout.send(await line(stdin[1]))
        return 0

    assert "stdio hello" in played(main, reads=lambda stream: ("read", stream))[0]


def test_the_end_of_input_reaches_the_program() -> None:
    async def main(host: Any, argv: Any, stdin: Any, stdout: Any, stderr: Any) -> int:
        await line(stdin)
        await stdout.send(b"close\n")
        try:
            await line(stdin)
        except anyio.EndOfStream:
            return 7
        return 0

    assert "host reaped 7" in played(main)[0]


def test_a_killed_program_writes_no_last_words() -> None:
    async def main(host: Any, argv: Any, stdin: Any, stdout: Any, stderr: Any) -> int:
        host.publish("a", b"")
        host.append_private("log", b"begin\n")
        try:
            await stdout.send(b"kill\n")
            await anyio.sleep_forever()
        finally:
            host.publish("b", b"")
            host.withdraw("a")
            host.append_private("log", b"end\n")
        return 0

    what, _, host = played(main)
    assert "host reaped -9" in what
    assert host.published() == {"a": b""}
    assert host.files() == {"log": b"begin\n"}


def test_what_is_written_after_the_channel_is_closed_breaks() -> None:
    async def main(host: Any, argv: Any, stdin: Any, stdout: Any, stderr: Any) -> int:
        await stdout.send(b"exit\n")
        await anyio.sleep(0.1)
        try:
            await stdout.send(b"more\n")
        except anyio.BrokenResourceError:
            return 5
        return 0

    _, stage, _ = played(main)
    assert [event["status"] for event in stage.journal if event["e"] == "exited"] == [0, 5]


def test_signals_of_others_are_not_ours() -> None:
    async def main(host: Any, argv: Any, stdin: Any, stdout: Any, stderr: Any) -> int:
        await anyio.sleep_forever()
        return 0

    _, stage, host = played(main, kill_parent=True)
    assert host.inside is not None
    assert not host.inside.kill(stage.sessions[0], 9)


def test_the_table_of_guests_and_the_port_of_a_mortal_host() -> None:
    assert guests(CHANNELS) == {"ours": "harness.serve.channel:Guest"}
    assert Guest(Given(1, "ours", None, {}, "")).wires == {"stdio": "lines"}
    assert Mortal({"a": 1}).keys() == {"a"}
    assert issubclass(Errors, anyio.abc.ByteSendStream)
