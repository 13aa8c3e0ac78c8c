"""Every fault in whole runs on the stage: it fires where the plan says, once, the same in each run; and the no-op at
every place leaves journal, world record and what the client saw as they were."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import anyio
import pytest
import trio

from harness.faults.census import Census
from harness.faults.registry import FAULTS, NAMES
from harness.faults.steps import At, Exit, Send, Wait
from harness.serve.machine import Silent
from harness.serve.memory import CAPACITY
from harness.serve.scheduler import run_virtual
from harness.serve.stage import Stage
from harness.serve.virtual import VirtualHost
from harness.wire.frame import Frame
from tests.harness.faults.catalogue.struck import TOOLS
from tests.harness.serve.machines import Counter
from tests.harness.serve.machines import frame as line

if TYPE_CHECKING:
    from harness.faults.steps import Handler
    from harness.serve.machine import Factory

RESULTS: dict[str | None, Any] = {
    "initialize": {"protocolVersion": "2025-11-25", "capabilities": {}},
    "tools/call": {"content": [{"type": "text", "text": "café"}], "isError": False, "count": 3},
}


class Server(Silent):
    """An MCP server: a notice, a question and an effect before the answer to a call; EOF ends it."""

    wires: Mapping[str, str] = {"stdio": "jsonrpc"}

    def received(self, wire: str, frame: Frame) -> Handler:
        if frame.kind != "request" or not isinstance(frame.value, dict):
            return
        if frame.method == "tools/list":
            yield Send(TOOLS.replace(b'"id":1', b'"id":2'))
            return
        if frame.method == "tools/call":
            yield Send(line({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}}))
            yield Send(line({"jsonrpc": "2.0", "id": 0, "method": "elicitation/create", "params": {}}))
            yield Wait(3)
            yield At("before_effect", {"verb": "click"})
            self.world.add(self.given.p, 1)
            yield At("after_effect", {"verb": "click"})
        result = RESULTS.get(frame.method, {})
        yield Send(line({"jsonrpc": "2.0", "id": frame.value["id"], "result": result}))

    def ended(self, wire: str) -> Handler:
        yield Wait(5)
        yield Exit(0)


SERVERS: dict[str, Factory] = {"server": Server}


async def client(host: Any, seen: list[Any]) -> None:
    """Sends four requests and reads for a second after each, whatever comes; then leaves, in the end by force."""
    program = await host.start("server", [], env={}, cwd="/")
    for id, method in enumerate(["initialize", "tools/list", "tools/call", "tools/call"], 1):
        request = line({"jsonrpc": "2.0", "id": id, "method": method, "params": {"name": "click"}})
        try:
            await program.stdin.send(request)
            with trio.move_on_after(1):
                while True:
                    seen.append((id, await program.stdout.receive()))
        except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError) as end:
            seen.append((id, type(end).__name__))
    await program.stdin.aclose()
    for force in (None, program.terminate, program.kill):
        if force:
            force()
        with trio.move_on_after(1):
            seen.append(await program.wait())
            break
    await program.aclose()


def run(plan: Any, *, census: Census | None = None) -> tuple[list[Any], list[Any], list[Any], Stage]:
    """What the client saw, the world record, the journal, and the stage."""
    seen: list[Any] = []

    async def main() -> Stage:
        stage = Stage({"v": 1, "seed": 3, "plan": plan}, SERVERS, Counter, clock=trio.current_time)
        stage.plan.census = census
        async with trio.open_nursery() as nursery:
            await client(VirtualHost(stage, nursery, 3), seen)
            while stage.living():
                await trio.sleep(0.01)
            nursery.cancel_scope.cancel()
        return stage

    stage = run_virtual(main, 3)
    return seen, stage.events, stage.journal, stage


def plan_of(fault: str, at: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"v": 1, "seed": 1, "faults": [{"id": "f1", "fault": fault, "at": at, **more}]}


CALL = {"way": "<<", "kind": "reply", "method": "tools/call"}
PLACES: dict[str, dict[str, Any]] = {
    "coalesce": {"way": "<<", "kind": "notice"},
    "duplicate_request": {"way": "<<", "kind": "request"},
    "older_revision": {"method": "initialize"},
    "slow_start": {"moment": "started"},
    "world": {"moment": "before_effect", "verb": "click"},
}
"""Where a fault strikes, where that is not the answer to a call."""
MORE: dict[str, dict[str, Any]] = {
    "world": {"args": {"number": 7}},
    "stderr_flood": {"args": {"bytes": 50_000}},
    "oversize": {"args": {"bytes": 70_000}},
}
NOTHING_TO_CHANGE = {"extra_version", "length_prefix"}
"""Lines of MCP have a version member and no length."""


HERE = [name for name in NAMES if not FAULTS[name].moments or "started" in FAULTS[name].moments]
"""Faults of other moments are run where these are: `connecting` in tests/harness/serve/test_services.py."""


@pytest.mark.parametrize("name", HERE)
@pytest.mark.claim("HAR-FLT-01")
def test_a_fault_fires_once_where_the_plan_says_and_the_same_each_time(name: str) -> None:
    plan = plan_of(name, PLACES.get(name, CALL), **MORE.get(name, {}))
    seen, world, journal, stage = run(plan)
    fired = [(event["id"], event["fault"]) for event in world if event["e"] == "fault"]
    assert fired == ([] if name in NOTHING_TO_CHANGE else [("f1", name)])
    assert stage.plan.unfired() == (["f1"] if name in NOTHING_TO_CHANGE else [])
    assert (seen, world, journal) == run(plan)[:3]
    plain = run(None)
    same = (seen, journal) == (plain[0], plain[2]) and len(world) - len(fired) == len(plain[1])
    assert same == (name in NOTHING_TO_CHANGE | {"no_op"})


@pytest.mark.parametrize("name", [name for name in NAMES if ">>" in FAULTS[name].ways])
def test_toward_the_program_too(name: str) -> None:
    kind = "request" if "request" in FAULTS[name].kinds or not FAULTS[name].kinds else "reply"
    plan = plan_of(name, {"way": ">>", "kind": kind}, **MORE.get(name, {}))
    seen, world, journal, stage = run(plan)
    assert (seen, world, journal) == run(plan)[:3]
    applies = kind == "request" and name not in NOTHING_TO_CHANGE | {"big_integer"}
    assert stage.plan.unfired() == ([] if applies else ["f1"])


@pytest.mark.claim("HAR-FLT-01")
def test_the_no_op_at_every_place_of_a_run_changes_no_byte() -> None:
    plain = run(None)
    census = Census()
    struck = run(plan_of("no_op", {}, times=10_000), census=census)
    places = census.places()
    assert struck[0] == plain[0]
    assert struck[2] == plain[2]
    world = [{**event, "n": 0, "k": 0} for event in struck[1] if event["e"] != "fault"]
    assert world == [{**event, "n": 0, "k": 0} for event in plain[1]]
    assert len(struck[1]) - len(plain[1]) == sum(place["count"] for place in places)  # type: ignore[misc]


def test_the_census_of_a_run() -> None:
    census = Census()
    run(None, census=census)
    found = {
        (place.get("way"), place.get("kind"), place.get("method"), place.get("moment")): place["count"]
        for place in census.places()
    }
    assert found == {
        (">>", "request", "initialize", None): 1,
        (">>", "request", "tools/list", None): 1,
        (">>", "request", "tools/call", None): 2,
        ("<<", "reply", "initialize", None): 1,
        ("<<", "reply", "tools/list", None): 1,
        ("<<", "reply", "tools/call", None): 2,
        ("<<", "notice", "notifications/progress", None): 2,
        ("<<", "request", "elicitation/create", None): 2,
        (None, None, None, "started"): 1,
        (None, None, None, "before_effect"): 2,
        (None, None, None, "after_effect"): 2,
        (None, None, None, "ended"): 1,
    }


def reads(seen: list[Any], id: int) -> list[bytes]:
    """What the client read after request `id`, read by read."""
    return [part[1] for part in seen if isinstance(part, tuple) and part[0] == id]


def lines(seen: list[Any], id: int) -> list[bytes]:
    return b"".join(reads(seen, id)).split(b"\n")[:-1]


def test_what_steps_aside_is_overtaken() -> None:
    plan = plan_of("reorder", {"kind": "notice"})
    before, after = (lines(run(data)[0], 3) for data in (None, plan))
    assert after == [*before[1:], before[0]]


def test_what_is_gathered_is_read_at_once() -> None:
    plan = plan_of("coalesce", {"kind": "notice"}, args={"ms": 10})
    plain = run(None)[0]
    assert len(reads(plain, 3)) > 1
    assert reads(run(plan)[0], 3) == [b"".join(reads(plain, 3))]


def test_a_stall_lets_nothing_more_through() -> None:
    seen = run(plan_of("stall", {"kind": "notice"}, args={"bytes": 4}))[0]
    assert (reads(seen, 3), reads(seen, 4)) == ([b'{"js'], [])


def test_half_a_request_is_joined_with_the_next_one() -> None:
    seen, _, _, stage = run(plan_of("truncate", {"way": ">>", "method": "tools/list"}, args={"bytes": 9}))
    assert stage.plan.unfired() == []
    assert lines(seen, 2) == []
    assert lines(seen, 3) == []
    assert len(lines(seen, 4)) == 3


def test_a_slow_program_answers_nothing_before_it_is_up() -> None:
    _, _, journal, _ = run(plan_of("slow_start", {"moment": "started"}, args={"ms": 2500}))
    assert min(event["t"] for event in journal if event.get("s") == "out") >= 2500


def test_who_reads_nothing_more_answers_nothing_and_holds_up_whoever_writes() -> None:
    plan = plan_of("stdin_unread", {"kind": "reply", "nth": 2})
    seen, _, journal, _ = run(plan)
    assert (bool(lines(seen, 2)), lines(seen, 3), lines(seen, 4)) == (True, [], [])
    assert [event["e"] for event in journal if event.get("s") == "in"] == ["bytes", "bytes"]  # nor its end
    assert seen[-1] == -15
    assert written(plan_of("stdin_unread", {"moment": "started"}), 3 * CAPACITY) == CAPACITY
    assert written(None, 3 * CAPACITY) == 3 * CAPACITY


def written(plan: Any, size: int) -> int:
    """How many bytes the server takes in ten seconds, of so many in one write."""

    async def main() -> int:
        stage = Stage({"v": 1, "plan": plan}, SERVERS, Counter, clock=trio.current_time)
        async with trio.open_nursery() as nursery:
            program = await VirtualHost(stage, nursery, 1).start("server", [], env={}, cwd="/")
            await trio.sleep(1)
            with trio.move_on_after(10) as scope:
                await program.stdin.send(b"x" * (size - 1) + b"\n")
            left = program._pipes[0]
            nursery.cancel_scope.cancel()
            return size if not scope.cancelled_caught else len(left._buffer)

    return run_virtual(main, 1)


@pytest.mark.parametrize(("name", "status"), [("stdin_unread", -15), ("ignore_eof", -15), ("ignore_sigterm", -9)])
def test_who_ignores_the_end_must_be_ended(name: str, status: int) -> None:
    seen = run(plan_of(name, {"moment": "started"}))[0]
    assert seen[-1] == status
