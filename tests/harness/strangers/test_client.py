"""The MCP client: a request has one answer or none, and no wait is without end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import trio
import trio.testing

from harness.serve.memory import Pipe, Reader, Writer
from harness.serve.scheduler import run_virtual
from harness.strangers.client import Client
from harness.strangers.problem import StrangerError
from harness.wire.jsontext import dumps, loads


class Server:
    """The other end of the pipes, by hand."""

    def __init__(self, stdin: Any, stdout: Any) -> None:
        self._stdin = stdin
        self._stdout = stdout
        self._lines: list[bytes] = []

    async def next(self) -> dict[str, Any]:
        """The next message of the client."""
        if not self._lines:
            self._lines = (await self._stdin.receive()).splitlines()
        value: Any = loads(self._lines.pop(0).decode())
        return dict(value)

    async def say(self, *messages: Any) -> None:
        for message in messages:
            text = message if isinstance(message, str) else dumps({"jsonrpc": "2.0", **message})
            await self._stdout.send(f"{text}\n".encode())

    async def close(self) -> None:
        await self._stdout.aclose()


def play(body: Callable[[Client, Server, trio.Nursery], Awaitable[None]]) -> None:
    async def main() -> None:
        toward, back = Pipe(), Pipe()
        client = Client(Writer(toward), Reader(back))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(client.listen)
            await body(client, Server(Reader(toward), Writer(back)), nursery)
            nursery.cancel_scope.cancel()

    run_virtual(main, 1)


def test_an_answer_is_that_of_its_request() -> None:
    async def body(client: Client, server: Server, nursery: trio.Nursery) -> None:
        answers: dict[str, Any] = {}

        async def ask(method: str) -> None:
            answers[method] = await client.ask(method, {}, 1000)

        nursery.start_soon(ask, "a")
        first = await server.next()
        nursery.start_soon(ask, "b")
        second = await server.next()
        assert [first["method"], second["method"], first["id"] == second["id"]] == ["a", "b", False]
        await server.say({"id": second["id"], "result": {"of": "b"}}, {"id": 99, "result": {}})
        await server.say({"id": first["id"], "error": {"code": 1, "message": "a"}})
        await trio.testing.wait_all_tasks_blocked()
        assert answers["b"]["result"] == {"of": "b"}
        assert answers["a"]["error"]["message"] == "a"

    play(body)


def test_the_handshake() -> None:
    async def body(client: Client, server: Server, nursery: trio.Nursery) -> None:
        about: list[Any] = []

        async def greet() -> None:
            about.append(await client.greet(1000))

        nursery.start_soon(greet)
        asked = await server.next()
        assert (asked["method"], asked["params"]["capabilities"]) == ("initialize", {})
        await server.say("a banner", {"id": asked["id"], "result": {"serverInfo": {"name": "it"}}})
        assert (await server.next())["method"] == "notifications/initialized"
        assert (about[0]["serverInfo"], client.junk) == ({"name": "it"}, 1)

    play(body)


def test_a_refused_handshake_has_its_reason() -> None:
    async def body(client: Client, server: Server, nursery: trio.Nursery) -> None:
        async def greet() -> None:
            with pytest.raises(StrangerError, match=r"refused the handshake.*too old"):
                await client.greet(1000)

        nursery.start_soon(greet)
        asked = await server.next()
        await server.say({"id": asked["id"], "error": {"code": -32602, "message": "too old"}})
        await trio.testing.wait_all_tasks_blocked()

    play(body)


def test_the_server_may_ask_for_a_ping_and_for_nothing_else() -> None:
    async def body(client: Client, server: Server, nursery: trio.Nursery) -> None:
        await server.say({"id": "p", "method": "ping"}, {"id": 7, "method": "roots/list"})
        await server.say({"method": "notifications/message", "params": {}})
        answers = [await server.next(), await server.next()]
        assert answers[0] == {"jsonrpc": "2.0", "id": "p", "result": {}}
        assert (answers[1]["id"], answers[1]["error"]["code"]) == (7, -32601)
        assert client.junk == 0

    play(body)


def test_a_request_without_an_answer_is_given_up_and_taken_back() -> None:
    async def body(client: Client, server: Server, nursery: trio.Nursery) -> None:
        with pytest.raises(StrangerError, match="did not answer within 500 ms"):
            await client.ask("tools/call", {}, 500)
        assert trio.current_time() == pytest.approx(0.5)
        asked, taken_back = await server.next(), await server.next()
        assert taken_back["method"] == "notifications/cancelled"
        assert taken_back["params"]["requestId"] == asked["id"]

    play(body)


def test_a_server_that_is_gone_is_waited_for_no_longer() -> None:
    async def body(client: Client, server: Server, nursery: trio.Nursery) -> None:
        async def ask() -> None:
            with pytest.raises(StrangerError, match="closed its stdout"):
                await client.ask("tools/call", {}, 60_000)

        nursery.start_soon(ask)
        await server.next()
        await server.close()
        await trio.testing.wait_all_tasks_blocked()
        with pytest.raises(StrangerError, match="closed its stdout"):
            await client.ask("tools/list", {}, 60_000)
        assert trio.current_time() < 1

    play(body)
