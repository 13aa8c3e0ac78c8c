"""The hosts that a server is connected to: found with each request, left alone after a failure, cleared when dead."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from stack.chrome.bridges import Bridges
from stack.chrome.endpoint import Notice, post
from tests.stack.chrome.rig import HELLO, Rig, play


def bridges_of(rig: Rig, host: Any = None) -> Bridges:
    return Bridges(host or rig.host(), rig.nursery, lambda bridge, event, data: None)  # type: ignore[arg-type]


def test_each_host_is_connected_once_and_is_gone_with_its_browser() -> None:
    async def body(rig: Rig) -> None:
        bridges = bridges_of(rig)
        assert await bridges.now() == []
        first = await rig.start(parent=7)
        await rig.start({**HELLO, "browser": {"name": "edge", "version": "1"}}, parent=8)
        found = await bridges.now()
        assert [bridge.endpoint.browser for bridge in found] in ([7, 8], [8, 7])
        assert await bridges.now() == found
        assert bridges.seen == {7, 8}
        await first.into.aclose()
        await anyio.sleep(1)
        assert [bridge.endpoint.browser for bridge in await bridges.now()] == [8]
        await bridges.aclose()
        await anyio.sleep(1)
        assert bridges.open == {}

    play(body)


@pytest.mark.claim("CHR-IPC-01", tooth="the socket and the file that a killed host has left")
def test_what_a_killed_host_left_is_taken_away() -> None:
    async def body(rig: Rig) -> None:
        await rig.start()
        endpoint = rig.endpoint()
        name = f"chrome-{endpoint.id}.json"
        rig.meeting["chrome-dead.json"] = rig.meeting.pop(name).replace(endpoint.id.encode(), b"dead")
        assert await bridges_of(rig).now() == []
        assert rig.meeting == {}

    play(body)


@pytest.mark.claim("CHR-IPC-03", tooth="a host that refuses, asked again at once")
def test_one_that_failed_is_left_alone_for_half_a_second_then_twice_as_long() -> None:
    async def body(rig: Rig) -> None:
        dialled: list[float] = []
        await rig.start()
        endpoint = rig.endpoint()
        host = rig.host()

        async def dial(address: str) -> Any:
            dialled.append(anyio.current_time())
            raise PermissionError(13, "no")

        host.dial = dial
        bridges = bridges_of(rig, host)
        began = anyio.current_time()
        for _ in range(40):
            assert await bridges.now() == []
            await anyio.sleep(0.1)
        assert [round(each - began, 1) for each in dialled] == [0.0, 0.5, 1.5, 3.5]
        failure = bridges.failure(endpoint.browser)
        assert failure is not None
        assert failure.reason == "bridge_disconnected"
        assert bridges.failure(99) is None
        del rig.meeting[f"chrome-{endpoint.id}.json"]
        assert await bridges.now() == []
        assert bridges.failure() is None

    play(body)


def test_a_host_that_refuses_is_a_failure_with_its_reason() -> None:
    async def body(rig: Rig) -> None:
        host = rig.host()
        host.is_mine = lambda stream: False
        await rig.start(host=host)
        bridges = bridges_of(rig)
        assert await bridges.now() == []
        failure = bridges.failure()
        assert failure is not None
        assert failure.reason == "unauthorised"

    play(body)


@pytest.mark.claim("CHR-IPC-03", tooth="an extension of another protocol, whose host has ended")
def test_a_host_that_refused_its_extension_says_so_to_servers_until_one_of_its_browser_greets() -> None:
    async def body(rig: Rig) -> None:
        host = rig.host()
        bridges = bridges_of(rig, host)
        refused = await rig.start(None, parent=7)
        await refused.send({**HELLO, "protocol": {"min": 2, "max": 3}})
        await refused.over.wait()
        assert await bridges.now() == []
        assert bridges.failure(7) is None  # its browser has ended
        refused = await rig.start(None, parent=7)
        await refused.send({**HELLO, "protocol": {"min": 2, "max": 3}})
        await refused.over.wait()
        host.tree = lambda pid: (pid,)
        for browser in (7, None):
            failure = bridges.failure(browser)
            assert failure is not None
            assert (failure.reason, failure.message) == ("protocol_mismatch", "protocols 2 to 3; this host speaks 1")
        assert bridges.failure(8) is None
        await rig.start(parent=7)
        assert bridges.failure(7) is None

    play(body)


def test_a_notice_goes_with_the_server_that_read_it() -> None:
    async def body(rig: Rig) -> None:
        host = rig.host()
        host.tree = lambda pid: (pid,)
        first, second = bridges_of(rig, host), bridges_of(rig, host)
        post(host, Notice(7, "no"))
        await first.aclose()
        assert second.failure() is not None
        await second.aclose()
        assert rig.meeting == {}

    play(body)


def test_where_processes_can_not_be_listed_no_notice_counts() -> None:
    async def body(rig: Rig) -> None:
        def tree(pid: int) -> tuple[int, ...]:
            raise PermissionError(13, "no")

        host = rig.host()
        host.tree = tree
        post(host, Notice(7, "no"))
        assert bridges_of(rig, host).failure() is None

    play(body)
