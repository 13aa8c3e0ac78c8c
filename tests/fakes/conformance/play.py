"""Plays the client's half of a recording against the model, in virtual time, and gives what came back.

The client waits before each of its acts for as many frames as it had got in the recording (or for five seconds, where
fewer come), and for as long as it had waited then: so that deadlines run out where they did.
"""

from __future__ import annotations

from signal import Signals
from typing import Any

import anyio
import trio

from fakes.fronts.codex import AppServer
from harness.serve.scheduler import run_virtual
from harness.serve.stage import Stage
from harness.serve.virtual import VirtualHost
from harness.tape.event import get_bytes
from harness.wire.jsontext import dumps, loads
from tests.fakes.conformance.client import lines_of
from tests.fakes.conformance.recordings import Recording, Sent, tools_of
from tests.fakes.conformance.rig import Bare, Rig
from tests.fakes.conformance.settings_of import HELPER, REQUIREMENTS, SERVER

SIGKILL = 9
PATIENCE_S = 5.0
ROOT = "/rig"
"""What stands in the place of the recordings' `<ROOT>`: a path has to begin with a slash."""


class Player:
    """One session. `played`: what the model did; `stage`: with its world record and journal."""

    def __init__(self, found: Recording, seed: int) -> None:
        self.found = found
        self.seed = seed
        self.played = Recording(found.version, found.name)
        self.stage: Stage
        self._came = trio.Event()
        self._threads: dict[str, str] = {}

    def run(self) -> Recording:
        run_virtual(self._main, self.seed)
        return self.played

    def helper_frames(self) -> dict[int, list[Any]]:
        """Process number to what the app-server sent to that helper: frames, signals and the end of stdin, in order."""
        found: dict[int, list[Any]] = {}
        for event in self.stage.journal:
            p: Any = event["p"]
            if self.stage.sessions[p - 1].program != "helper":
                continue
            seen = found.setdefault(p, [])
            if event["e"] == "bytes" and event["s"] == "in":
                seen.append(loads(get_bytes(event).decode()))
            elif event["e"] == "signalled" and event["number"] != SIGKILL:  # which no helper lives to write down
                seen.append(f"signal {event['number']}")
            elif event["e"] == "closed" and event["s"] == "in":
                seen.append("end of stdin")
        return found

    async def _main(self) -> None:
        self.stage = Stage(self._sheet(), {"codex": AppServer, "helper": Rig}, Bare, clock=trio.current_time)
        async with trio.open_nursery() as nursery:
            host = VirtualHost(self.stage, nursery, self.seed)
            arguments = ["app-server", "-c", f"mcp_servers={{computer-use={_toml(self._server())}}}"]
            arguments += ["-c", 'model_providers={direct_disabled={name="d",base_url="http://127.0.0.1:9/v1"}}']
            arguments += ["-c", 'model_provider="direct_disabled"', "-c", 'model="direct-disabled"']
            env = {"CODEX_HOME": f"{ROOT}/codex-home"}
            process = await host.start("codex", arguments, env=env, cwd="/")
            async with trio.open_nursery() as readers:
                readers.start_soon(self._read, process)
                readers.start_soon(self._read_errors, process)
                await self._act(process)
                self.played.status = await process.wait()
            await trio.sleep(1)
            nursery.cancel_scope.cancel()

    def _sheet(self) -> dict[str, Any]:
        codex = {
            "profile": self.found.version,
            "cwd": f"{ROOT}/work",
            "host": "<HOST>",
            "platform": "linux",
            "system": "<OS>; <ARCH>",
            "requirements": REQUIREMENTS.get(self.found.name),
        }
        helper = {"tools": tools_of(self.found), "initialize_ms": 25, **HELPER.get(self.found.name, {})}
        programs = {"codex": codex, "helper": helper}
        return {"v": 1, "seed": self.seed, "world": {}, "programs": programs}

    def _server(self) -> dict[str, Any]:
        return {"command": "/trailcam/bin/helper", "args": ["mcp"], **SERVER.get(self.found.name, {})}

    async def _act(self, process: anyio.abc.Process) -> None:
        before: Sent | None = None
        assert process.stdin is not None
        for sent in self.found.sent:
            if before is not None:
                await trio.sleep((sent.t_ms - before.t_ms) / 1000)
            with trio.move_on_after(PATIENCE_S):
                while len(self.played.frames) < sent.after:
                    self._came = trio.Event()
                    await self._came.wait()
            before = sent
            if sent.signal:
                process.send_signal(Signals(sent.signal))
            elif sent.data is None:
                await process.stdin.aclose()
            else:
                try:
                    await process.stdin.send(self._with_threads(sent.data))
                except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                    continue

    def _with_threads(self, data: bytes) -> bytes:
        """The recorded thread ids and folder are placeholders: those of this session in their place."""
        data = data.replace(b"<ROOT>", ROOT.encode())
        for recorded, drawn in self._threads.items():
            data = data.replace(recorded.encode(), drawn.encode())
        return data.replace("\ufffd".encode(), b"\xff")

    async def _read(self, process: anyio.abc.Process) -> None:
        assert process.stdout is not None
        async for line in lines_of(process.stdout):
            value: Any = loads(line.decode().replace(ROOT, "<ROOT>"))
            self.played.frames.append(value)
            self._bind(value)
            self._came.set()

    def _bind(self, value: Any) -> None:
        """The n-th thread of this session stands for the n-th of the recording."""
        recorded, drawn = _thread_ids(self.found.frames), _thread_ids(self.played.frames)
        self._threads = dict(zip(recorded, drawn, strict=False))

    async def _read_errors(self, process: anyio.abc.Process) -> None:
        text = b""
        assert process.stderr is not None
        async for data in process.stderr:
            text += data
        self.played.errors = text.decode().replace(ROOT, "<ROOT>").split("\n")


def _thread_ids(frames: list[Any]) -> list[str]:
    found = []
    for frame in frames:
        result = frame.get("result")
        if isinstance(result, dict) and isinstance(result.get("thread"), dict):
            found.append(result["thread"]["id"])
    return found


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}={_toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(_toml(each) for each in value) + "]"
    return dumps(value)
