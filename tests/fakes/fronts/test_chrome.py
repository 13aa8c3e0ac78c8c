"""The fake browser: it starts hosts, starts them again after whatever ended them, and ends with or without them."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from fakes.worlds.chrome import ORIGIN
from tests.fakes.browser_rig import HostEnd, Run, run, stay


def hosts_after(change: dict[str, Any] | None, seconds: float, **world: Any) -> Run:
    async def body(made: Run) -> None:
        await anyio.sleep(1)
        if change:
            made.world.change("user", **change)
        await anyio.sleep(seconds)
        assert change or made.world.settled

    return run(stay, body, world)


def test_a_host_is_started_with_the_origin_alone_and_greeted() -> None:
    made = hosts_after(None, 1)
    assert [end.argv for end in made.hosts] == [[ORIGIN]]
    assert [event["id"] for event in made.of("held")] == ["host 0.1"]


def test_a_stopped_worker_and_a_killed_host_connect_anew() -> None:
    for order in ("kill_worker", "kill_host", "disconnect"):
        made = hosts_after({order: {"browser": 0}}, 2)
        assert len(made.hosts) == 2
        assert len({made.world.browsers[0].profiles[0].instance}) == 1
        assert made.world.browsers[0].profiles[0].starts == 2
    assert [end.argv for end in hosts_after({"kill_host": {"browser": 0}}, 2).hosts] == [[ORIGIN]] * 2


def test_a_host_that_always_ends_is_started_ever_more_rarely() -> None:
    async def quits(end: HostEnd) -> int:
        return 1

    made = run(quits, seconds=20)
    assert 5 <= len(made.hosts) <= 7


def test_a_closed_browser_ends_its_hosts_by_their_input() -> None:
    made = hosts_after({"close_browser": {"browser": 0}}, 2)
    assert [status for status, _ in made.statuses] == [0]
    assert not made.world.browsers[0].running


def test_a_killed_browser_leaves_its_hosts_the_end_of_their_input() -> None:
    async def body(made: Run) -> None:
        await anyio.sleep(1)
        made.host.signal(1, 9)
        await anyio.sleep(1)
        assert [status for status, _ in made.statuses] == [0]
        assert made.of("freed")

    run(stay, body)


def test_two_browsers_and_two_profiles_have_a_host_each() -> None:
    made = hosts_after(None, 1, browsers=[{"profiles": 2}, {"name": "edge"}])
    assert len(made.hosts) == 3
    assert [browser.p is not None for browser in made.world.browsers] == [True, True]


def test_without_the_extension_or_a_registration_nothing_is_started() -> None:
    made = hosts_after(None, 1, browsers=[{"extension": False}])
    assert made.hosts == []
    made = hosts_after(None, 1, browsers=[{"registered": "no_manifest"}])
    assert made.hosts == []


@pytest.mark.parametrize("protocol", [9, "1", None, True, [1], 1.0])
def test_a_host_that_says_no_hello_or_another_is_left(protocol: Any) -> None:
    async def silent(end: HostEnd) -> int:
        while await end.hear() is not None:
            pass
        return 0

    made = run(silent, seconds=30)
    assert made.world.browsers[0].profiles[0].errors == ["protocol_mismatch"] * 3
    assert [status for status, _ in made.statuses] == [0] * 3

    async def other(end: HostEnd) -> int:
        await end.say({"v": 1, "type": "hello", "role": "host", "protocol": protocol, "version": "1"})
        return await silent(end)

    assert run(other, seconds=30).world.browsers[0].profiles[0].errors == ["protocol_mismatch"] * 3


def test_an_idle_worker_is_stopped_after_thirty_seconds() -> None:
    assert len(run(stay, seconds=25, world={"browsers": [{"worker": "idle"}]}).hosts) == 1
    assert len(run(stay, seconds=40, world={"browsers": [{"worker": "idle"}]}).hosts) == 2
    assert len(run(stay, seconds=560).hosts) == 1


def test_a_hundred_worker_restarts_leave_one_host() -> None:
    async def body(made: Run) -> None:
        for _ in range(100):
            await anyio.sleep(2)
            made.world.change("user", kill_worker={"browser": 0})
        await anyio.sleep(2)
        assert len(made.hosts) == 101
        assert len(made.statuses) == 100

    run(stay, body, seconds=1000)
