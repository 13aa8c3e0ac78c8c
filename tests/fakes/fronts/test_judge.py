"""The fake judge's endpoint: its two styles, its scripts, and what it tells the world."""

from __future__ import annotations

import json
from typing import Any

import pytest
import trio

from fakes.fronts.judge import ANSWER, PATHS, Judge
from fakes.settings import SettingsProblem
from fakes.worlds.safari import Safari
from harness.serve.machine import Given
from harness.serve.scheduler import run_virtual
from harness.serve.stage import Stage
from harness.serve.virtual import VirtualHost, new_network
from stack.http import Response, request

URL = "http://127.0.0.1:8791"


def proposal(scope: str = "type", **arguments: Any) -> str:
    content = json.dumps({"request": "r", "proposal": {"scope": scope, "arguments": arguments}})
    return json.dumps({"messages": [{"role": "user", "content": content}]})


def asked(
    path: str = "/v1/messages", bodies: tuple[str, ...] = (proposal(),), headers: Any = (), **settings: Any
) -> tuple[list[Response], Safari]:
    """The replies to these requests, one after the other."""

    async def body() -> tuple[list[Response], Safari]:
        sheet = {"programs": {"judge": settings}, "services": {"judge": "tcp:127.0.0.1:8791"}}
        stage = Stage(sheet, {"judge": Judge}, Safari, clock=trio.current_time)
        async with trio.open_nursery() as nursery:
            host = VirtualHost(stage, nursery, network=new_network(stage, nursery))
            replies = [
                await request(host, "POST", URL + path, body=each.encode(), headers=headers, timeout_ms=60_000)  # type: ignore[arg-type]
                for each in bodies
            ]
            nursery.cancel_scope.cancel()
        assert isinstance(stage.world, Safari)
        return replies, stage.world

    return run_virtual(body, 7)


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/chat/completions"])
def test_it_approves_in_the_style_that_was_asked(path: str) -> None:
    (reply,), world = asked(path, (proposal(action={"type": "type", "value": "Ada"}),))
    assert reply.status == 200
    assert '{\\"decision\\":\\"approve\\"}' in reply.body.decode()
    assert [(each.name, each.verb, each.value) for each in world.approvals] == [("judge:1", "type", "Ada")]


@pytest.mark.parametrize(
    ("scope", "action", "value"),
    [
        ("fill", {"kind": "fill", "value": "old", "text": "new"}, "new"),
        ("select", {"kind": "select", "value": "g", "option": 1}, "g"),
        ("click", {"kind": "click", "value": "on"}, None),
    ],
)
def test_an_action_of_a_page_program_is_allowed_by_what_it_writes(scope: str, action: Any, value: Any) -> None:
    _, world = asked(bodies=(proposal(scope, action=action),))
    assert [(each.verb, each.value) for each in world.approvals] == [(scope, value)]


def test_a_navigation_is_allowed_by_its_address() -> None:
    _, world = asked(bodies=(proposal("navigate", url="http://x.test/"),))
    assert [(each.verb, each.value) for each in world.approvals] == [("navigate", "http://x.test/")]


def test_answers_are_taken_in_order_and_the_last_one_stays() -> None:
    script = [{"decision": "deny"}, {"text": "no"}, {"status": 503, "body": "later"}]
    replies, world = asked(bodies=(proposal(),) * 4, answers=script)
    assert [reply.status for reply in replies] == [200, 200, 503, 503]
    assert b"deny" in replies[0].body
    assert b'"no"' in replies[1].body
    assert replies[2].body == b"later"
    assert world.approvals == []


def test_the_key_and_the_path_are_wanted() -> None:
    assert asked(key="k")[0][0].status == 401
    assert asked(key="k", headers=(("x-api-key", "k"),))[0][0].status == 200
    assert asked("/v1/other")[0][0].status == 404
    assert [header for _, header in PATHS.values()] == ["authorization", "x-api-key"]


def test_parts_and_stop_are_as_scripted() -> None:
    for path in ("/v1/messages", "/v1/chat/completions"):
        (reply,), _ = asked(path, answers=[{"parts": [{"type": "tool_use"}], "stop": "length"}])
        assert b"tool_use" in reply.body
        assert b'"length"' in reply.body


BODIES = (
    "{}", "no json", "\ufeff" + proposal(), '{"messages":[]}', '{"messages":[{"content":"x"}]}', '{"messages":[3]}',
)  # fmt: skip


@pytest.mark.parametrize("body", BODIES)
def test_what_it_can_not_read_it_does_not_approve(body: str) -> None:
    replies, world = asked(bodies=(body,))
    assert replies[0].status == 400
    assert world.approvals == []


def test_an_answer_that_it_does_not_know_is_refused() -> None:
    with pytest.raises(SettingsProblem):
        Judge(Given(1, "judge", None, {"answers": [{"speed": 3}]}, "s"))
    assert "decision" in ANSWER
