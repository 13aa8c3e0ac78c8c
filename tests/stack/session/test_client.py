"""Asking a server: one that never comes, and one that dies with a request."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from anyio.abc import ByteStream

from stack.errors import StackError
from stack.session import client, place
from tests.stack.session.holding import host_in, run


async def nothing(name: str) -> None:
    """Starts no server."""


def test_a_server_that_never_listens_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(client, "START_MS", 60)
    host = host_in(tmp_path)

    async def main() -> None:
        host.publish(place.file_of("b"), b"{}")
        await client.begin(host, "a", nothing, print)

    with pytest.raises(StackError, match="session_unreachable"):
        run(main)


@pytest.mark.claim("JXA-SES-06", tooth="a server that dies with a request in its hands")
@pytest.mark.parametrize(("call", "outcome"), [("act", "unknown"), ("observe", "refused")])
def test_a_server_that_dies_is_the_end_of_the_session(tmp_path: Path, call: str, outcome: str) -> None:
    host = host_in(tmp_path)

    async def dies(stream: ByteStream) -> None:
        await stream.receive(5)
        await stream.aclose()

    async def main() -> str:
        listener = await host.listen(place.address(host, "a"))
        async with listener, anyio.create_task_group() as tasks:
            tasks.start_soon(listener.serve, dies, tasks)
            asked = await client.connect(host, "a")
            with pytest.raises(client.SessionOver) as caught:
                await asked.ask(call, {"text": "x" * 3_000_000})
            await asked.aclose()
            tasks.cancel_scope.cancel()
        return caught.value.outcome

    host.publish(place.file_of("a"), b"{}")
    assert run(main) == outcome
    assert list(host.published()) == [place.file_of("a")]  # it may be that of a new server; the next command looks


def test_what_a_dead_server_left_is_cleared_and_said(tmp_path: Path) -> None:
    host = host_in(tmp_path)

    async def main() -> str:
        host.publish(place.file_of("a"), b"{}")
        with pytest.raises(client.SessionOver) as caught:
            await client.connect(host, "a")
        return caught.value.code

    assert run(main) == "session_dead"
    assert host.published() == {}


def test_a_session_of_a_dead_ones_name_begins_without_what_that_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(client, "START_MS", 60)
    host = host_in(tmp_path)
    host.publish(place.file_of("a"), b"{}")
    left: list[object] = []
    said: list[str] = []

    async def spawn(name: str) -> None:
        left.append(dict(host.published()))

    with pytest.raises(StackError, match="session_unreachable"):
        run(lambda: client.begin(host, "a", spawn, said.append))
    assert left == [{}]
    assert said == ["the server of an older session a had died; its socket was cleared"]
