"""The handshake and the thread: what a driver must attest can all be made to lie."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fakes.conformance.client import Client
from tests.fakes.drive import Run
from tests.fakes.fronts.talk import session

LIES: tuple[tuple[dict[str, Any], str, Any], ...] = (
    ({"thread": {"ephemeral": False}}, "thread.ephemeral", False),
    ({"thread": {"path": "/x"}}, "thread.path", "/x"),
    ({"thread": {"turns": [{}]}}, "thread.turns", [{}]),
    ({"approvalPolicy": "on-request"}, "approvalPolicy", "on-request"),
    ({"sandbox": {"type": "readOnly"}}, "sandbox.type", "readOnly"),
    ({"modelProvider": "openai"}, "modelProvider", "openai"),
    ({"cwd": "/elsewhere"}, "cwd", "/elsewhere"),
    ({"instructionSources": ["/AGENTS.md"]}, "instructionSources", ["/AGENTS.md"]),
)


@pytest.mark.parametrize(("echo", "path", "value"), LIES, ids=[row[1] for row in LIES])
def test_the_echo_can_lie_about(echo: dict[str, Any], path: str, value: Any) -> None:
    async def body(made: Run, client: Client) -> None:
        found: Any = await client.start()
        for name in path.split("."):
            found = found[name]
        assert found == value

    session(body, codex={"echo": echo})


@pytest.mark.parametrize("profile", ["0.144.2", "0.171.0"])
def test_requirements_downgrade_a_thread_that_starts_all_the_same(profile: str) -> None:
    async def body(made: Run, client: Client) -> None:
        result = await client.start()
        assert (result["approvalPolicy"], result["sandbox"]["type"]) == ("on-request", "readOnly")
        await client.request("thread/loaded/list", {})
        methods = [frame["method"] for frame in client.frames if "arning" in frame.get("method", "")]
        assert methods == ["configWarning"] * 2 * (profile == "0.171.0") + ["warning"] * 2

    session(body, codex={"profile": profile, "requirements": {"approval": ["on-request"], "sandbox": ["read-only"]}})


def test_requirements_may_refuse_a_thread() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.initialize()
        reply = await client.request("thread/start", {"approvalPolicy": "never", "sandbox": "danger-full-access"})
        assert reply["error"]["message"].startswith("failed to load configuration: ")

    session(body, codex={"requirements": {"sandbox": ["read-only"]}})


def test_a_required_server_that_starts_is_told_ready_with_the_thread() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start()
        assert (await client.ready())["params"]["status"] == "ready"
        assert (await client.call("list_apps", {}))["result"]["isError"] is False

    session(body, server=",required=true")


def test_unknown_keys_in_the_call_are_warned_of() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start(config={"a": 1, "b": 2})
        warning = await client.notice("configWarning")
        assert warning["params"]["summary"].startswith("Codex is ignoring 2 unrecognized configuration settings.")

    session(body)


def test_thread_started_and_starting_come_in_either_order() -> None:
    orders = set()
    for seed in range(8):

        async def body(made: Run, client: Client) -> None:
            await client.start()
            await client.ready()
            started = client.place(lambda frame: frame.get("method") == "thread/started")
            starting = client.place(lambda frame: frame.get("params", {}).get("status") == "starting")
            orders.add(started < starting)

        session(body, seed=seed)
    assert orders == {True, False}
