"""A server's connection to a host: greetings, deadlines, taking back, heartbeats, and what the host may say."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from anyio.abc import ByteStream

from stack.chrome import ipc
from stack.chrome.bridge import Bridge, BridgeError, connect
from stack.chrome.endpoint import Endpoint, make_endpoint
from tests.stack.chrome.rig import HELLO, SERVER, Line, Rig, one_at_a_time, play, snapshot

WELCOME: dict[str, Any] = {
    "v": 1,
    "type": "hello",
    "role": "host",
    "protocol": 1,
    "version": "0.1.0",
    "extension": HELLO,
}


async def served(rig: Rig, script: Callable[[Line], Awaitable[None]]) -> Endpoint:
    """A host that is played by a script."""
    host = rig.host()
    endpoint = make_endpoint(host, "o", "0.1.0")

    async def serve(stream: ByteStream) -> None:
        async with stream:
            await script(Line(stream))

    rig.nursery.start_soon((await host.listen(endpoint.address)).serve, serve)
    return endpoint


def nothing(event: str, data: Any) -> None:
    """Nobody listens."""


async def opened(rig: Rig, script: Callable[[Line], Awaitable[None]]) -> Bridge:
    async def whole(line: Line) -> None:
        assert (await line.hear())["role"] == "server"
        await line.say(WELCOME)
        await script(line)

    bridge = await connect(rig.host(), await served(rig, whole), SERVER, nothing)
    rig.nursery.start_soon(bridge.run)
    return bridge


@pytest.mark.claim("CHR-IPC-03", tooth="hosts that greet in another version or form, or not at all")
@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({**WELCOME, "protocol": 2}, "protocol_mismatch"),
        ({**WELCOME, "more": 1}, "protocol_mismatch"),
        ({"v": 1, "type": "ping", "n": 1}, "protocol_mismatch"),
        (b"HTTP/1.1 400\n", "protocol_mismatch"),
        (ipc.refusal("claim_held", "no"), "claim_held"),
        (ipc.refusal("unauthorised", "no"), "unauthorised"),
        (None, "bridge_disconnected"),
        ("silence", "protocol_mismatch"),
    ],
)
def test_the_hosts_first_message_decides(said: Any, reason: str) -> None:
    async def body(rig: Rig) -> None:
        heard: list[Any] = []

        async def script(line: Line) -> None:
            await line.hear()
            if said is None:
                return
            if said != "silence":
                await line.say(said)
            heard.append(await line.hear())

        with pytest.raises(BridgeError) as caught:
            await connect(rig.host(), await served(rig, script), SERVER, nothing)
        assert caught.value.reason == reason
        await anyio.sleep(1)
        assert heard == ([] if said is None else [None]), "the connection is closed"

    play(body)


@pytest.mark.claim("CHR-IPC-03", tooth="a host that is silent for three heartbeats")
def test_a_silent_host_counts_as_dead_after_three_heartbeats() -> None:
    async def body(rig: Rig) -> None:
        heard: list[Any] = []

        async def script(line: Line) -> None:
            heard.append(await line.hear())

        bridge = await opened(rig, script)
        await anyio.sleep(14.9)
        assert bridge.closed is None
        await anyio.sleep(0.2)
        with pytest.raises(BridgeError, match="three heartbeats"):
            await bridge.request("status", {}, 1000)
        await anyio.sleep(1)
        assert heard == [None], "the connection is closed"

    play(body)


@pytest.mark.parametrize(
    "said",
    [b"{]\n", {"v": 1, "type": "request", "id": "a", "verb": "status", "deadline_ms": 1, "params": {}}, WELCOME,
     {"v": 1, "type": "response", "id": "r1", "ok": True, "result": {"html": ""}}],
)  # fmt: skip
def test_a_host_that_breaks_the_protocol_ends_what_was_asked(said: Any) -> None:
    async def body(rig: Rig) -> None:
        heard: list[Any] = []

        async def script(line: Line) -> None:
            await line.hear()
            await line.say(said)
            heard.append(await line.hear())

        bridge = await opened(rig, script)
        with pytest.raises(BridgeError) as caught:
            await bridge.request("snapshot", {"tab_id": 1}, 1000)
        assert (caught.value.reason, caught.value.dispatched) == ("protocol_mismatch", False)
        await anyio.sleep(1)
        assert heard == [None], "the connection is closed"

    play(body)


def test_two_requests_at_once_are_written_one_after_the_other() -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start()
        bridge = await connect(one_at_a_time(rig.host()), rig.endpoint(), SERVER, nothing)
        rig.nursery.start_soon(bridge.run)
        async with anyio.create_task_group() as tasks:
            for _ in range(2):
                tasks.start_soon(bridge.request, "snapshot", {"tab_id": 1}, 1000)
            assert {(await started.answer(snapshot("Buy")))["id"] for _ in range(2)} == {"q1", "q2"}

    play(body)


def test_a_connection_that_ends_leaves_an_action_unknown_and_a_reading_not_done() -> None:
    async def body(rig: Rig) -> None:
        async def script(line: Line) -> None:
            await line.hear()
            await line.hear()
            await line.say(ipc.refusal("invalid_message", "a message of the extension"))

        bridge = await opened(rig, script)
        found: dict[str, BridgeError] = {}

        async def ask(verb: str) -> None:
            try:
                await bridge.request(verb, {}, 1000)
            except BridgeError as error:
                found[verb] = error

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask, "activate")
            tasks.start_soon(ask, "snapshot")
        assert {verb: (each.reason, each.dispatched) for verb, each in found.items()} == {
            "activate": ("bridge_disconnected", True), "snapshot": ("bridge_disconnected", False),
        }  # fmt: skip

    play(body)


def test_the_server_has_a_deadline_of_its_own() -> None:
    async def body(rig: Rig) -> None:
        async def script(line: Line) -> None:
            await anyio.sleep(4)

        bridge = await opened(rig, script)
        with pytest.raises(BridgeError, match="timed_out") as caught:
            await bridge.request("activate", {}, 1000)
        assert caught.value.dispatched
        assert anyio.current_time() == pytest.approx(1.5)

    play(body)


@pytest.mark.parametrize("answers", [True, False])
def test_a_request_whose_caller_gives_it_up_is_taken_back(answers: bool) -> None:
    async def body(rig: Rig) -> None:
        heard: list[Any] = []

        async def script(line: Line) -> None:
            first = await line.hear()
            heard.append((await line.hear())["params"])
            if answers:
                await line.say({"v": 1, "type": "response", "id": first["id"], "ok": True, "result": snapshot("Buy")})
            await anyio.sleep(10)

        bridge = await opened(rig, script)
        result: Any = None
        error: BridgeError | None = None
        with anyio.move_on_after(1):
            try:
                result = await bridge.request("snapshot", {"tab_id": 1}, 9000)
            except BridgeError as problem:
                error = problem
        assert heard == [{"id": "r1"}]
        if answers:
            assert result["nodes"][0]["name"] == "Buy"
        else:
            assert error is not None
            assert (error.reason, error.dispatched) == ("cancelled", False)

    play(body)


def test_events_are_told_and_numbered_and_an_error_keeps_its_detail() -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start()
        told: list[Any] = []
        bridge = await connect(rig.host(), rig.endpoint(), SERVER, lambda event, data: told.append((event, data)))
        rig.nursery.start_soon(bridge.run)

        async def answer() -> None:
            request = await started.hear()
            await started.send({"v": 1, "type": "event", "event": "tab_closed", "data": {"tab_id": 3}})
            error = {
                "reason": "ambiguous_target",
                "message": "",
                "detail": {"candidates": [{"window_id": 1, "tab_id": 2}]},
            }
            await started.send({"v": 1, "type": "response", "id": request["id"], "ok": False, "error": error})

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(answer)
            with pytest.raises(BridgeError) as caught:
                await bridge.request("select_target", {"title": "A"}, 1000)
        assert caught.value.detail["candidates"] == [{"window_id": 1, "tab_id": 2}]
        assert (bridge.extension["instance"], bridge.events) == (HELLO["instance"], 1)
        assert told == [("tab_closed", {"tab_id": 3})]
        await bridge.aclose()
        with pytest.raises(BridgeError, match="this server has closed"):
            await bridge.request("status", {}, 1000)

    play(body)
