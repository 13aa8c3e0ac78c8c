"""The MCP servers of the fake app-server: their commands, their environment, their ends."""

from __future__ import annotations

from fakes.fronts.codex import AppServer
from fakes.fronts.codex_server import Spec
from harness.faults.steps import Start
from harness.serve.machine import Given
from tests.fakes.conformance.client import Client
from tests.fakes.drive import Run
from tests.fakes.fronts.talk import session


def test_a_command_is_a_program_by_its_last_part() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start()
        assert (await client.ready())["params"]["error"] == (
            "MCP client for `computer-use` failed to start: MCP startup failed: No such file or directory (os error 2)"
        )

    session(body, codex={"commands": {"other": "helper"}})
    assert [each.program for each in session(body, codex={"commands": {}}).stage.sessions] == ["codex"]


def test_a_server_gets_little_of_the_environment() -> None:
    server = AppServer(Given(1, "codex", None, {}, "seed"))
    server.env = {"HOME": "/h", "PATH": "/p", "CODEX_HOME": "/secret", "TOKEN": "other"}
    spec = Spec("s", {"command": "/x/helper", "args": ["mcp"], "env": {"TOKEN": "t"}})
    [step] = server.servers.start(server.servers.new(spec, None))
    assert step == Start("helper:1", "helper", ["mcp"], {"HOME": "/h", "PATH": "/p", "TOKEN": "t"})


def test_what_rejects_experimental_capabilities_is_listed_and_can_not_be_called() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start()
        entry = (await client.list())["result"]["data"][0]
        assert len(entry["tools"]) == 10
        reply = await client.call("list_apps", {})
        assert "data couldn’t be read" in reply["error"]["message"]
        assert (await client.ready())["params"]["status"] == "failed"
        assert (await client.list())["result"]["data"][0]["runtimeStatus"] == "failed"

    session(body, helper={"reject_experimental": True})


def test_an_end_of_stdin_ends_every_server_of_every_thread() -> None:
    async def body(made: Run, client: Client) -> None:
        await client.start()
        await client.ready()
        await client.thread()
        await client.ready()
        assert len(made.stage.living()) == 3
        assert await client.finish() == 0

    made = session(body)
    assert made.stage.living() == []
    assert {each.status for each in made.stage.sessions if each.program == "helper"} == {-15}
