"""One sheet three ways: history, world record and each process's journal are equal in every mode (HAR-FAKE-02)."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trio

from harness.scenario.compare import comparable, first_difference
from tests.harness.serve.drive import MODES, ask, leave, lines_until

ENV = {"LANG": "C", "HOME": "/nowhere"}


def fault(name: str, args: dict[str, Any] | None = None, **at: Any) -> dict[str, Any]:
    return {"v": 1, "seed": 1, "faults": [{"id": "f1", "fault": name, "args": args or {}, "at": at}]}


PLANS: dict[str, Any] = {
    "no fault": None,
    "no-op": fault("no_op", way="<<", kind="reply"),
    "reply dropped": fault("drop", program="echo", way="<<", kind="reply", method="add", nth=2),
    "reply late": fault("delay", {"ms": 40}, program="echo", way="<<", kind="reply", method="add", nth=1),
    "reply twice": fault("duplicate", program="echo", way="<<", kind="reply", method="two", nth=1),
    "dies before the effect": fault("crash", program="echo", moment="before_effect", nth=2),
    "dies after the effect": fault("crash", program="echo", moment="after_effect", nth=1),
    "world changes before": fault("world", {"number": 100}, program="echo", moment="before_effect"),
    "request late": fault("delay", {"ms": 40}, program="echo", way=">>", method="add", nth=1),
    "in pieces": fault("split", program="echo", way="<<", kind="reply", method="two", nth=1),
}


async def client(host: Any, history: list[dict[str, Any]]) -> None:
    program = await host.start("echo", ["-x", "é"], env=ENV, cwd="/")
    for id, (method, params) in enumerate([("add", {"amount": 2}), ("two", {}), ("shout", {}), ("add", {"amount": 3})]):
        lines: list[bytes] | None = None
        with trio.move_on_after(0.5):
            lines = await ask(program, id, method, **params)
        history.append({"n": id, "t": 0, "k": 0, "e": "got", "lines": lines})
        if not lines:
            break
    history.append({"e": "status", "status": await leave(program)})


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.claim("HAR-FAKE-02", "HAR-FLT-01")
def test_three_modes_are_equal(plan: str, tmp_path: Path) -> None:
    sheet = {"v": 1, "seed": 3, "plan": PLANS[plan], "world": {"number": 1}}
    runs = {name: comparable(*mode(sheet, client, tmp_path)) for name, mode in MODES.items()}
    for name in ("process", "alone"):
        assert first_difference(runs["virtual"], runs[name]) is None, name


async def family(host: Any, history: list[dict[str, Any]]) -> None:
    """A parent with a child: through it, then its end by a signal of the parent's."""
    program = await host.start("parent", [], env=ENV, cwd="/")
    for id, (method, params) in enumerate([("add", {"amount": 2}), ("two", {})]):
        history.append({"e": "got", "lines": await ask(program, id, method, **params)})
    await program.stdin.send(b'{"method":"murder"}\n')
    history.append({"e": "got", "lines": await lines_until(program, lambda value: "method" in value)})
    history.append({"e": "status", "status": await leave(program)})


async def orphaned(host: Any, history: list[dict[str, Any]]) -> None:
    """The parent ends while the child works: the child sees the end of its stdin, finishes, and ends by itself."""
    program = await host.start("parent", [], env=ENV, cwd="/")
    history.append({"e": "got", "lines": await ask(program, 1, "add", amount=1)})
    history.append({"e": "status", "status": await leave(program)})


@pytest.mark.parametrize("play", [family, orphaned])
def test_a_child_is_the_same_in_every_mode(play: Any, tmp_path: Path) -> None:
    sheet = {"v": 1, "seed": 3, "world": {"number": 1}}
    runs = {name: comparable(*mode(sheet, play, tmp_path)) for name, mode in MODES.items()}
    assert "journal echo#1" in runs["virtual"]
    if play is orphaned:  # a stub that is its own stage ends with its main program
        del runs["alone"]
    for name, run in runs.items():
        assert first_difference(runs["virtual"], run) is None, name


async def listened(host: Any, history: list[dict[str, Any]]) -> None:
    """Two programs over one world: what one does, the other says."""
    waiter = await host.start("waiter", [], env=ENV, cwd="/")
    with trio.fail_after(20):
        while not history:  # until the waiter is up, which takes a while where it is a real process
            echo = await host.start("echo", [], env=ENV, cwd="/")
            await ask(echo, 1, "add", amount=2)
            with trio.move_on_after(0.3):
                history.append({"e": "heard", "text": await waiter.stdout.receive()})
            await leave(echo)
    waiter.terminate()
    history.append({"e": "status", "status": await waiter.wait()})
    await waiter.aclose()


@pytest.mark.parametrize("mode", ["virtual", "process"])
def test_programs_share_one_world(mode: str, tmp_path: Path) -> None:
    history, _, _ = MODES[mode]({"v": 1, "seed": 3, "world": {"number": 1}}, listened, tmp_path)
    assert history[0]["text"].startswith(b"number ")
    assert history[-1] == {"e": "status", "status": -15}


async def signalled(host: Any, history: list[dict[str, Any]]) -> None:
    for number in (15, 2, 9):
        program = await host.start("echo", [], env=ENV, cwd="/")
        await ask(program, 1, "add", amount=1)
        program.send_signal(number)
        history.append({"e": "status", "status": await program.wait()})
        await program.aclose()


@pytest.mark.parametrize("mode", ["virtual", "process"])
def test_signals_reach_the_machine(mode: str, tmp_path: Path) -> None:
    history, _, journal = MODES[mode]({"v": 1, "seed": 3}, signalled, tmp_path)
    assert [line["status"] for line in history] == [3, -2, -9]
    assert [event["status"] for event in journal if event["e"] == "exited"] == [3, -2, -9]


async def unread(host: Any, history: list[dict[str, Any]]) -> None:
    """A client that does not read holds the program, and can still kill it."""
    program = await host.start("echo", [], env=ENV, cwd="/")
    sent = 0
    with trio.move_on_after(2):
        while True:
            await program.stdin.send(b'{"id":1,"method":"two"}\n' * 500)
            sent += 500
    history.append({"e": "sent", "sent": sent})
    program.kill()
    history.append({"e": "status", "status": await program.wait()})
    await program.aclose()


@pytest.mark.parametrize("mode", ["virtual", "process"])
def test_an_unread_stream_blocks_its_writer(mode: str, tmp_path: Path) -> None:
    history, _, journal = MODES[mode]({"v": 1, "seed": 3}, unread, tmp_path)
    written = sum(len(event.get("b", "")) for event in journal if event.get("s") == "out")
    assert history[-1]["status"] == -9
    assert 0 < history[0]["sent"] < 20_000
    assert written < 4 * 65536 + 16 * 24 * 500
