"""Questions to the client: what a driver must not answer is flagged, and a late answer still acts."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from tests.fakes.conformance.client import Client
from tests.fakes.conformance.play import Player
from tests.fakes.conformance.recordings import VERSIONS, recording
from tests.fakes.drive import Run
from tests.fakes.fronts.talk import session, whys

CALL = "mcpServer/tool/call"
CHESS = "com.apple.Chess"
ASK = "mcpServer/elicitation/request"


async def asked(client: Client) -> Any:
    await client.start(approvalPolicy="on-request", sandbox="read-only")
    await client.list()
    await client.ready()
    call = await client.ask(CALL, client.call_params("get_app_state", {"app": CHESS}))
    await client.notice_of(ASK, 0)
    return call


@pytest.mark.parametrize("profile", ["0.144.2", "0.171.0"])
def test_an_app_is_approved_through_the_client(profile: str) -> None:
    async def body(made: Run, client: Client) -> None:
        call = await asked(client)
        request = await client.notice_of(ASK, 0)
        assert request["params"]["message"] == "Allow Codex to use Chess?"
        await client.send({"id": 0, "result": {"action": "accept", "_meta": {"persist": "session"}}})
        assert (await client.reply(call))["result"]["isError"] is False
        assert (await client.call("click", {"app": CHESS, "element_index": "0"}))["result"]["isError"] is False
        await client.finish()

    made = session(body, codex={"profile": profile})
    assert whys(made) == []
    assert [event["grant"] for event in made.of("effect")] == ["g1"]


def test_under_full_access_the_policy_approves_and_nobody_is_asked() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start()
        await client.ready()
        await client.call("get_app_state", {"app": CHESS})
        await client.finish()
        assert [frame for frame in client.frames if frame.get("method") == ASK] == []

    assert [event["what"]["kind"] for event in session(body).of("changed")] == ["once"]


ANSWERS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("another id", {"id": 5, "result": {"action": "accept"}}, "answer to 5, which nobody asked"),
    ("the id as text", {"id": "0", "result": {"action": "accept"}}, "answer to '0', which nobody asked"),
)


@pytest.mark.parametrize(("what", "frame", "why"), ANSWERS, ids=[row[0] for row in ANSWERS])
def test_a_wrong_answer_is_flagged_and_ignored(what: str, frame: dict[str, Any], why: str) -> None:
    async def body(made: Run, client: Client) -> None:
        call = await asked(client)
        await client.send(frame)
        await trio.sleep(1)
        assert client.replies(call) == []
        await client.finish()

    assert whys(session(body)) == [why]


def test_a_second_answer_is_flagged() -> None:
    async def body(made: Run, client: Client) -> None:
        call = await asked(client)
        for action in ("decline", "accept"):
            await client.send({"id": 0, "result": {"action": action}})
        assert "denied" in (await client.reply(call))["result"]["content"][0]["text"]
        await client.finish()

    assert whys(session(body)) == ["answer to 0, which was answered before"]


def test_accept_without_content_to_a_form_with_fields_is_flagged() -> None:
    async def body(made: Run, client: Client) -> None:
        call = await asked(client)
        await client.send({"id": 0, "result": {"action": "accept"}})
        assert (await client.reply(call))["result"]["isError"] is False
        await client.finish()

    assert whys(session(body, helper={"form": "fields"})) == ["accept without content to a form with fields"]


@pytest.mark.parametrize("version", VERSIONS)
def test_an_answer_after_the_call_was_over_is_flagged(version: str) -> None:
    """The helper of that recording answers its call without waiting for the client."""
    player = Player(recording(version, "s32_nowait"), seed=1)
    player.run()
    flagged = [event["why"] for event in player.stage.events if event["e"] == "violation"]
    assert "answer after the call was given up" in flagged


@pytest.mark.parametrize("form", ["empty", "url", "openai/form", "openai/elicitation"])
def test_each_form_of_the_helper_goes_through(form: str) -> None:
    modes = {"empty": "form", "url": "url", "openai/form": "openai/form", "openai/elicitation": "openaiForm"}

    async def body(made: Run, client: Client) -> None:
        capabilities = {"mcpServerOpenaiFormElicitation": True, "extensions": {"openai/elicitation": {"form": {}}}}
        await client.start(capabilities, approvalPolicy="on-request")
        await client.ready()
        call = await client.ask(CALL, client.call_params("get_app_state", {"app": CHESS}))
        request = await client.notice_of(ASK, 0)
        assert request["params"]["mode"] == modes[form]
        await client.send({"id": 0, "result": {"action": "accept", "content": {"choice": "allow"}}})
        assert (await client.reply(call))["result"]["isError"] is False

    session(body, helper={"form": form})


def test_resolved_comes_before_or_after_the_result() -> None:
    orders = set()
    for seed in range(8):

        async def body(made: Run, client: Client) -> None:
            call = await asked(client)
            await client.send({"id": 0, "result": {"action": "accept"}})
            await client.reply(call)
            await client.notice("serverRequest/resolved", requestId=0)
            resolved = client.place(lambda frame: frame.get("method") == "serverRequest/resolved")
            result = client.place(lambda frame: frame.get("id") == call and "result" in frame)
            orders.add(resolved < result)
            await client.finish()

        assert whys(session(body, seed=seed)) == []
    assert orders == {True, False}
