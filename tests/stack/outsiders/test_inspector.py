"""MCP Inspector's command line, a client in another language by other people, against the served stack."""

from __future__ import annotations

import json
import shlex
import subprocess
from functools import partial
from typing import Any

import pytest
import trio

from harness.engines import locate, select
from stack.computer_use.pinned import PINNED
from stack.safari_mcp.listing import TOOLS
from tests.stack.outsiders.safari_staging import SHOP, staged_safari
from tests.stack.outsiders.staging import Served, play, staged


async def inspect(served: Served, *words: str) -> Any:
    """What the Inspector prints for one method, as JSON. It takes a server's own options for its own, so the server's
    whole command line is a file."""
    server = served.state / "server"
    server.write_text(f"#!/bin/sh\nexec {shlex.join(served.command())}\n", encoding="utf-8")
    server.chmod(0o700)
    command = [str(locate(select("inspector")[0])), "--cli", str(server), *words]
    run = partial(trio.run_process, command, capture_stdout=True, capture_stderr=True, check=False)
    done: subprocess.CompletedProcess[bytes] = await run()
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


@pytest.mark.claim("CUA-MCP-01", "CUA-TOOL-03", "CUA-RES-01", "HAR-FAKE-03")
@pytest.mark.engine("inspector")
@pytest.mark.parametrize("profile", ["0.144.2", "0.171.0"])
def test_it_lists_the_ten_tools_and_calls_one(profile: str) -> None:
    async def main() -> None:
        async with staged(profile) as served:
            tools = (await inspect(served, "--method", "tools/list"))["tools"]
            assert {tool["name"]: tool["inputSchema"] for tool in tools} == {
                name: row.input_schema for name, row in PINNED.items()
            }
            assert {tool["name"]: tool["annotations"] for tool in tools} == {
                name: row.annotations for name, row in PINNED.items()
            }
            call = ("--method", "tools/call", "--tool-name", "get_app_state", "--tool-arg")
            state = await inspect(served, *call, "app=Chess")
            assert [block["type"] for block in state["content"]] == ["text", "image"]
            assert "e2" in state["content"][0]["text"]
            assert state["_meta"]["trailcam/call"]["outcome"] == "done"
            nobody = await inspect(served, *call, "app=Nobody")
            assert (nobody["isError"], nobody["_meta"]["trailcam/call"]["code"]) == (True, "app_not_found")

    play(main)


@pytest.mark.claim("SAF-TGT-01")
@pytest.mark.engine("inspector")
def test_it_lists_the_tools_of_safari_and_calls_two() -> None:
    """Each call is a server of its own, so that a target of one is none of the other."""

    async def main() -> None:
        async with staged_safari() as served:
            tools = (await inspect(served, "--strict", "--method", "tools/list"))["tools"]
            assert {tool["name"]: (tool["inputSchema"], tool["annotations"]) for tool in tools} == {
                name: (dict(tool.input_schema), dict(tool.annotations)) for name, tool in TOOLS.items()
            }
            call = ("--method", "tools/call", "--tool-name")
            opened = await inspect(served, *call, "open", "--tool-arg", f"url={SHOP}")
            target = json.loads(opened["content"][0]["text"])
            assert target["url"] == SHOP
            words = (f"targetId={target['targetId']}", f"epoch={target['epoch']}")
            read = await inspect(served, *call, "read", "--tool-arg", *words)
            assert (read["isError"], read["_meta"]["trailcam/call"]["code"]) == (True, "stale_target")
            assert [effect["verb"] for effect in served.effects()] == ["open"]

    play(main)
