"""How the fake app-server speaks: order of members, stamps, silence after the end."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fakes.conformance.client import Client
from tests.fakes.drive import Run
from tests.fakes.fronts.talk import session, whys


@pytest.mark.parametrize("profile", ["0.144.2", "0.171.0"])
def test_stamps_count_up_on_the_version_that_has_them(profile: str) -> None:
    stamps: list[Any] = []

    async def body(made: Run, client: Client) -> None:
        await client.start()
        await client.ready()
        stamps.extend(frame.get("emittedAtMs") for frame in client.frames if "method" in frame)

    session(body, codex={"profile": profile})
    assert len(stamps) == 4
    assert stamps == ([None] * 4 if profile == "0.144.2" else sorted(stamps))
    assert profile == "0.144.2" or len(set(stamps)) == 4


def test_nothing_is_said_after_the_client_closed_its_end() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start(approvalPolicy="on-request")
        await client.ready()
        await client.ask("mcpServer/tool/call", client.call_params("list_apps", {}))
        before = len(client.frames)
        assert await client.finish() == 0
        assert client.frames[before:] == []

    session(body)


def test_violations_are_flagged_with_method_and_id_or_not_at_all() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.initialize()
        await client.request("thread/loaded/list", {"colour": 1}, id="x")
        await client.finish()

    strict, lenient = session(body), session(body, codex={"strict": False})
    assert strict.of("violation") == [
        {"p": 1, "why": "unknown member colour", "frame": {"method": "thread/loaded/list", "id": "x"}},
        {"p": 1, "why": "other request in state ready", "frame": {"method": "thread/loaded/list", "id": "x"}},
    ]
    assert whys(lenient) == []
