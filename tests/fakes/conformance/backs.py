"""The backs that a check runs on: the model in virtual time, and the real binary with the rig as its MCP server."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import anyio
import trio

from fakes.fronts.codex import AppServer
from harness.engines import locate, select
from harness.serve.launch import make_folder, remove_folder
from harness.serve.scheduler import run_real, run_virtual
from harness.serve.stage import Stage
from harness.serve.virtual import VirtualHost
from harness.wire.jsontext import dumps
from tests.fakes.conformance.client import Client, Connect, Options
from tests.fakes.conformance.recordings import recording, tools_of
from tests.fakes.conformance.rig import Bare, Rig

PLAIN = Options()
Check = Callable[[Connect], Awaitable[None]]
DEAD = (
    "-c",
    'model_providers={dead={name="dead",base_url="http://127.0.0.1:9/v1"}}',
    "-c",
    'model_provider="dead"',
    "-c",
    "features.shell_snapshot=false",
)
"""No model can be reached, and no shell is started."""


def toml(value: Any) -> str:
    """An inline TOML value."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}={toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(toml(each) for each in value) + "]"
    return dumps(value)


def arguments(options: Options, command: str) -> list[str]:
    """The command line of a session whose helper stands at `command`."""
    server = {"command": command, "args": ["mcp"], **options.server}
    configured = ["-c", f"mcp_servers={{computer-use={toml(server)}}}"] if options.wanted else []
    model = ["-c", 'model="dead-model"'] if options.model else []
    return ["app-server", *DEAD, *model, *configured, *options.arguments]


class Model:
    """The fake, in virtual time. Each call of it is one program on a stage of its own."""

    def __init__(self, version: str, seed: int = 1) -> None:
        self.version = version
        self.seed = seed
        self.stages: list[Stage] = []

    @asynccontextmanager
    async def __call__(self, options: Options = PLAIN) -> AsyncIterator[Client]:
        tools = tools_of(recording(self.version, "s01_happy"))
        programs = {
            "codex": {"profile": self.version},
            "helper": {"tools": tools, "initialize_ms": 25, **options.helper},
        }
        sheet = {"v": 1, "seed": self.seed, "world": {}, "programs": programs}
        stage = Stage(sheet, {"codex": AppServer, "helper": Rig}, Bare, clock=trio.current_time)
        self.stages.append(stage)
        async with trio.open_nursery() as nursery:
            host = VirtualHost(stage, nursery, self.seed)
            words = arguments(options, host.path("helper"))
            process = await host.start("codex", words, env={"CODEX_HOME": "/private/home"}, cwd="/")
            yield Client(process, self.version, _Sessions(stage), nursery)
            nursery.cancel_scope.cancel()

    def check(self, check: Check) -> None:
        run_virtual(lambda: check(self), self.seed)


class _Sessions:
    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def started(self) -> int:
        return sum(session.program == "helper" for session in self._stage.sessions)

    def alive(self) -> int:
        return sum(session.program == "helper" for session in self._stage.living())


class Real:
    """The real binary of a version, without a login, in an empty private home; its model provider can't be reached."""

    def __init__(self, version: str) -> None:
        self.version = version
        found = locate(select("codex", version)[0])
        assert found is not None, "the engine marker skips where the binary is missing"
        self.binary = found

    @asynccontextmanager
    async def __call__(self, options: Options = PLAIN) -> AsyncIterator[Client]:
        tools = tools_of(recording(self.version, "s01_happy"))
        sheet = {
            "v": 1,
            "seed": 1,
            "world": {},
            "programs": {"helper": {"tools": tools, **options.helper}},
            "machines": {"helper": "tests.fakes.conformance.rig:Rig"},
            "world_factory": "tests.fakes.conformance.rig:Bare",
        }
        folder = make_folder(["helper"], sheet)
        home = Path(mkdtemp(prefix="tc"))
        words = arguments(options, str(folder / "helper"))
        environment = {"CODEX_HOME": str(home), "HOME": str(home), "PATH": os.environ["PATH"], "NO_COLOR": "1"}
        try:
            started = await anyio.open_process([str(self.binary), *words], env=environment, cwd=home)
            async with started as process, trio.open_nursery() as nursery:
                yield Client(process, self.version, _Stubs(folder), nursery)
                nursery.cancel_scope.cancel()
        finally:
            for pid in _Stubs(folder).pids():
                os.kill(pid, 9)
            remove_folder(folder)
            shutil.rmtree(home)

    def check(self, check: Check) -> None:
        run_real(lambda: check(self))


class _Stubs:
    """The stubs of a run folder: they write one journal, and their command lines name the folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def started(self) -> int:
        journal = self._folder / "journal.jsonl"
        return journal.read_text(encoding="ascii").count('"e":"started"') if journal.exists() else 0

    def alive(self) -> int:
        return len(self.pids())

    def pids(self) -> list[int]:
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    words = (entry / "cmdline").read_bytes()
                    state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
                except OSError:
                    continue
                if str(self._folder / "helper").encode() in words.split(b"\0") and state != "Z":
                    found.append(int(entry.name))
        return found
