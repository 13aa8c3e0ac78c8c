"""The served stack as a process: what its streams carry, and how it ends."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
import trio

from tests.stack.outsiders.staging import Served, play, staged
from tests.stack.scripted_stack import HELLO

CHESS: dict[str, Any] = {"app": "Chess"}


class Wire:
    """One served process, and a client that writes lines."""

    def __init__(self, process: trio.Process) -> None:
        self.process = process
        self.out = b""
        self.messages: list[Any] = []
        self._id = 0

    async def request(self, method: str, params: dict[str, Any]) -> int:
        self._id += 1
        message = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}
        assert self.process.stdin is not None
        await self.process.stdin.send_all(json.dumps(message).encode() + b"\n")
        return self._id

    async def reply(self, number: int) -> Any:
        """The reply of that id; what comes before it is kept."""
        while True:
            for message in self.messages:
                if message.get("id") == number and "method" not in message:
                    return message
            if not await self.read():
                raise EOFError("the server ended without the reply")

    async def read(self) -> bool:
        assert self.process.stdout is not None
        data = await self.process.stdout.receive_some()
        *lines, self.out = (self.out + data).split(b"\n")
        self.messages += [json.loads(line) for line in lines]  # nothing but messages may stand there
        return bool(data)

    async def call(self, tool: str, **arguments: Any) -> int:
        return await self.request("tools/call", {"name": tool, "arguments": arguments})

    async def end(self) -> int:
        """Its exit code, after all that it still had to say."""
        while await self.read():
            pass
        assert self.out == b""
        return await self.process.wait()


@asynccontextmanager
async def process_of(served: Served, *options: str) -> AsyncIterator[Wire]:
    start = partial(
        trio.lowlevel.open_process,
        served.command(*options),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process = await start()
    try:
        wire = Wire(process)
        number = await wire.request("initialize", HELLO)
        await wire.reply(number)
        yield wire
    finally:
        if process.poll() is None:
            process.kill()
        await process.wait()


@pytest.mark.claim("CUA-CLN-01", "CUA-MCP-01")
@pytest.mark.parametrize("end", ["end of input", "SIGTERM", "SIGINT", "two signals"])
def test_it_ends_clean_and_with_zero_however_it_is_told(end: str) -> None:
    async def main() -> None:
        async with staged("0.171.0") as served, process_of(served) as wire:
            state = await wire.reply(await wire.call("get_app_state", **CHESS))
            assert not state["result"]["isError"]
            assert {session.program for session in served.stage.living()} >= {"codex", "helper"}
            if end == "end of input":
                assert wire.process.stdin is not None
                await wire.process.stdin.aclose()
            else:
                wire.process.send_signal(signal.SIGINT if end == "SIGINT" else signal.SIGTERM)
            if end == "two signals":
                wire.process.send_signal(signal.SIGTERM)
            assert await wire.end() == 0
            assert served.running() == []
            assert wire.process.stderr is not None
            assert await wire.process.stderr.receive_some() == b""

    play(main)


@pytest.mark.claim("CUA-RUN-09", "CUA-CLN-01")
def test_a_signal_during_a_call_takes_it_back_and_says_what_is_known() -> None:
    async def main() -> None:
        slow = {"codex": {"profile": "0.171.0"}, "helper": {"call_ms": 60_000}}
        async with staged("0.171.0", programs=slow) as served, process_of(served) as wire:
            number = await wire.call("click", **CHESS, x=45, y=65)
            await served.until(lambda: [f for f in served.frames("helper", ">>") if f.get("method") == "tools/call"])
            wire.process.send_signal(signal.SIGTERM)
            result = (await wire.reply(number))["result"]
            how = result["_meta"]["trailcam/call"]
            assert (result["isError"], how["outcome"], how["code"]) == (True, "unknown", "cancelled")
            assert how["evidence"]["cleanupVerified"] is True
            assert await wire.end() == 0
            assert served.running() == []
            assert served.effects() == []

    play(main)


@pytest.mark.claim("CUA-STA-01", "CUA-SIG-01")
def test_status_is_one_document_and_starts_no_app_server() -> None:
    async def main() -> None:
        async with staged("0.171.0") as served:
            run = partial(trio.run_process, served.command("--json", verb="status"), capture_stdout=True, check=False)
            done: subprocess.CompletedProcess[bytes] = await run()
            status = json.loads(done.stdout)
            assert done.returncode == 0
            assert status["binaries"] == {"codex": "verified", "helper": "verified"}
            assert {session.program for session in served.stage.sessions} == {"codesign"}

    play(main)
