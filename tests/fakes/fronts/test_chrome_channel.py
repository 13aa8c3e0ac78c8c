"""One port of the fake browser: what it says first, what it takes from a host, and what it closes for."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from tests.fakes.browser_rig import HostEnd, Run, run


def played(*said: Any, answers: int = 1) -> tuple[list[Any], Run]:
    """What a host hears after these messages, and the run."""
    heard: list[Any] = []

    async def play(end: HostEnd) -> int:
        await end.greet()
        for each in said:
            await end.say(each)
        for _ in range(answers):
            heard.append(await end.hear())
        while await end.hear() is not None:
            pass
        return 0

    made = run(play, seconds=5)
    return heard, made


def request(verb: Any, **more: Any) -> dict[str, Any]:
    return {"v": 1, "type": "request", "id": "a", "verb": verb, "deadline_ms": 1000, "params": {}, **more}


def test_requests_and_pings_are_answered() -> None:
    heard, _ = played(request("status"), {"v": 1, "type": "ping", "n": 4}, answers=2)
    assert sorted(message["type"] for message in heard) == ["pong", "response"]
    heard, _ = played({"v": 1, "type": "pong", "n": 1}, request("snapshot", params={"tab_id": 9}))
    assert heard[0]["error"]["reason"] == "tab_not_found"


@pytest.mark.parametrize(
    "said", [request("eval"), request("status", id=1), request("status", params=1), request("status", deadline_ms="1"),
             {"v": 1, "type": "event"}],
)  # fmt: skip
def test_a_host_that_breaks_the_protocol_is_a_violation(said: Any) -> None:
    heard, made = played(said)
    assert heard[0] is None
    assert made.of("violation")


def test_a_request_that_is_taken_back_is_known() -> None:
    async def body(made: Run) -> None:
        await anyio.sleep(2)

    answers: list[Any] = []

    async def play(end: HostEnd) -> int:
        await end.greet()
        await end.say(request("snapshot", params={"tab_id": 101}))
        answers.append(await end.ask("cancel", id="a"))
        answers.append(await end.ask("cancel", id="nothing"))
        while await end.hear() is not None:
            pass
        return 0

    run(play, body, {"pages": {"stuck": {"url": "https://shop.test/", "hang": True}},
                     "browsers": [{"tabs": [{"id": 101, "page": "stuck"}]}]})  # fmt: skip
    assert [answer["result"]["cancelled"] for answer in answers] == [True, False]


def test_events_go_out_and_the_user_can_disconnect() -> None:
    heard: list[Any] = []

    async def play(end: HostEnd) -> int:
        await end.greet()
        while (message := await end.hear()) is not None:
            heard.append(message)
        return 0

    async def body(made: Run) -> None:
        await anyio.sleep(1)
        made.world.change(
            "user", navigate={"tab": 101, "page": "cart"}, push_state={"tab": 101, "url": "https://shop.test/#a"}
        )
        made.world.change(
            "user", close_tab={"tab": 102}, allow={"site": "https://a.test"}, revoke={"site": "https://a.test"}
        )
        made.world.change("user", disconnect={"browser": 0})
        await anyio.sleep(0.3)

    run(play, body)
    assert [message["event"] for message in heard] == [
        "tab_navigated", "same_document", "tab_closed", "permission_granted", "permission_revoked", "disconnecting",
    ]  # fmt: skip
    assert all(set(message["data"]) <= {"tab_id", "frame_id", "document_id"} for message in heard)
