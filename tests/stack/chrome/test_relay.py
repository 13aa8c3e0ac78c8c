"""What goes through a host: checked requests of the claim's holder, deadlines, cancellation, nobody else's answers."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from stack.chrome.process import BROKEN
from stack.chrome.schema import BOUNDS
from tests.stack.chrome.rig import DOCUMENT, INSTANCE, NONCE, Rig, play, snapshot

READ: dict[str, Any] = {"tab_id": 1}
REF = {"instance": INSTANCE, "tab_id": 1, "frame_id": 0, "document_id": DOCUMENT, "nonce": NONCE, "generation": 1,
       "node": "0:1"}  # fmt: skip


def test_a_request_and_its_answer_keep_the_servers_id_and_the_extensions_apart() -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start()
        server = await rig.dial()
        await server.ask("snapshot", READ, "mine")
        request = await started.answer(snapshot("Buy"))
        assert (request["id"], request["verb"], request["params"], request["deadline_ms"]) == (
            "q1",
            "snapshot",
            READ,
            1000,
        )
        answer = await server.hear()
        assert (answer["id"], answer["result"]["nodes"][0]["name"]) == ("mine", "Buy")
        await started.send({"v": 1, "type": "response", "id": "q1", "ok": True, "result": {}})  # nobody waits for it
        await server.ask("status", {}, "next")
        assert (await started.hear())["verb"] == "status"

    play(body)


@pytest.mark.claim("CHR-PRO-02", tooth="parameters and results that are none of their verb")
@pytest.mark.parametrize(
    ("verb", "params"), [("snapshot", {}), ("snapshot", {**READ, "code": "1"}), ("activate", READ)]
)
def test_parameters_that_are_none_of_the_verb_do_not_reach_the_extension(verb: str, params: Any) -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start()
        server = await rig.dial()
        await server.ask(verb, params)
        assert (await server.hear())["error"]["reason"] == "invalid_message"
        await server.ask("status", {}, "r2")
        assert (await started.hear())["id"] == "q1"

    play(body)


def test_a_result_that_is_none_of_its_verb_ends_the_connection() -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start()
        server = await rig.dial()
        await server.ask("snapshot", READ)
        await started.answer({"html": "<p>"})
        assert (await server.hear())["reason"] == "invalid_message"
        await started.over.wait()
        assert started.status == BROKEN

    play(body)


@pytest.mark.claim("CHR-IPC-03", tooth="an extension that does not answer, to a reading and to an action")
def test_the_host_has_a_deadline_of_its_own_and_takes_the_request_back() -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start()
        server = await rig.dial()
        await server.ask("snapshot", READ, "a")
        assert (await started.hear())["verb"] == "snapshot"
        answer = await server.hear()
        assert (answer["error"]["reason"], "detail" in answer["error"]) == ("timed_out", False)
        assert ((await started.hear())["params"], anyio.current_time() < 1.5) == ({"id": "q1"}, True)
        assert (await started.hear())["type"] == "ping"
        await started.send({"v": 1, "type": "pong", "n": 0})
        await server.ask("activate", {"ref": REF}, "b")
        answer = await server.hear()
        assert answer["error"]["detail"] == {"dispatched": True}
        await started.over.wait()  # it says nothing any more
        assert started.status == BROKEN

    play(body)


def test_cancelling_reaches_the_extension_by_its_own_id() -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start()
        server = await rig.dial()
        await server.ask("snapshot", READ, "a")
        await started.hear()
        await server.ask("cancel", {"id": "a"}, "b")
        cancel = await started.answer({"cancelled": True})
        assert (cancel["verb"], cancel["params"]) == ("cancel", {"id": "q1"})
        assert (await server.hear())["result"] == {"cancelled": True}
        await server.ask("cancel", {"id": "nothing"}, "c")
        assert (await server.hear())["result"] == {"cancelled": False}

    play(body)


@pytest.mark.claim("CHR-IPC-02", tooth="a second server beside a living one, its cancellation, and its death")
def test_a_second_server_is_told_that_the_claim_is_held_until_the_first_is_gone() -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start()
        first, second = await rig.dial(), await rig.dial()
        await first.ask("snapshot", READ, "a")
        await started.hear()
        await second.ask("cancel", {"id": "a"}, "b")
        assert (await second.hear())["error"]["reason"] == "claim_held"
        await started.send({"v": 1, "type": "event", "event": "tab_closed", "data": {"tab_id": 1}})
        assert (await first.hear())["event"] == "tab_closed"
        await first.stream.aclose()
        assert (await started.hear())["verb"] == "cancel"  # what the first had asked is taken back
        await second.ask("snapshot", READ, "c")
        assert (await started.hear())["verb"] == "snapshot"

    play(body)


def test_a_server_that_counts_as_dead_is_hung_up_on() -> None:
    async def body(rig: Rig) -> None:
        await rig.start()
        silent = await rig.dial()
        with anyio.fail_after(21):
            assert await silent.hear() is None

    play(body)


def test_events_without_a_holder_go_to_nobody() -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start()
        server = await rig.dial()
        await started.send({"v": 1, "type": "event", "event": "state_changed", "data": {}})
        await anyio.sleep(1)
        await server.ask("cancel", {"id": "x"}, "b")
        assert (await server.hear())["type"] == "response"

    play(body)


def test_ids_in_use_too_many_requests_and_too_long_ones_are_refused() -> None:
    async def body(rig: Rig) -> None:
        started = await rig.start()
        server = await rig.dial()
        await server.ask("snapshot", READ, "a", 60_000)
        await server.ask("snapshot", READ, "a", 60_000)
        assert "in use" in (await server.hear())["error"]["message"]
        value = ["x" * 1000] * 256
        for n in range(6):
            await server.ask("set_value", {"ref": REF, "value": value}, f"s{n}", 60_000)
        for n in range(BOUNDS["in_flight"]):
            await server.ask("snapshot", READ, f"b{n}", 60_000)
        assert "requests at a time" in (await server.hear())["error"]["message"]
        assert started.status is None

    play(body)
