"""A served stack and the stage of its programs: the processes are real, and the machines run in the test's process."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import trio

from fakes.programs import PROGRAMS
from fakes.worlds.desktop import Desktop
from harness.engines import locate, select
from harness.serve.dotted import Resolved
from harness.serve.hosted import Hosted
from harness.serve.launch import make_folder, remove_folder
from harness.serve.left import processes_of
from harness.serve.scheduler import run_real
from harness.serve.stage import Stage
from harness.tape.event import get_bytes
from tests.stack.real_programs import write_application

USES = ("codex", "helper", "codesign", "lsappinfo")
ENTRY = Path(__file__).with_name("served.py")
LIMIT_S = 100
APPROVED: Mapping[str, str] = {"com.apple.Chess": "always"}


class Served:
    """One stage, and how its stack is started. command: the whole command line of `trailcam-stack serve`."""

    def __init__(self, stage: Stage, folder: Path, state: Path) -> None:
        self.stage = stage
        self.folder = folder
        self.state = state

    def command(self, *options: str, verb: str = "serve") -> list[str]:
        places = (str(self.folder), str(self.state), str(self.state / "applications"))
        return [sys.executable, str(ENTRY), *places, verb, "--system", "computer-use", *options]

    def effects(self) -> list[dict[str, Any]]:
        """What was really done in the world."""
        return [dict(event) for event in self.stage.events if event["e"] == "effect"]

    def frames(self, program: str, way: str) -> list[dict[str, Any]]:
        """The frames to (">>") or from ("<<") a program, in order."""
        processes = {
            event["p"] for event in self.stage.journal if event["e"] == "started" and event["program"] == program
        }
        streams = ("in",) if way == ">>" else ("out",)
        return [
            json.loads(get_bytes(event))
            for event in self.stage.journal
            if event["e"] == "bytes" and event["p"] in processes and event["w"] == "stdio" and event["s"] in streams
        ]

    def answers(self) -> list[dict[str, Any]]:
        """The results with which the stack answered the app-server's questions."""
        asked = {frame["id"] for frame in self.frames("codex", "<<") if frame.get("method", "").endswith("/request")}
        return [
            frame["result"] for frame in self.frames("codex", ">>") if "result" in frame and frame.get("id") in asked
        ]

    def running(self) -> list[str]:
        """The processes that name the folders of this run."""
        return [process.name for process in processes_of([str(self.folder), str(self.state)])]

    async def until(self, happened: Callable[[], Any]) -> None:
        """Wait for something in the stage's process or on the disk that nothing announces."""
        with anyio.fail_after(LIMIT_S):
            while not happened():
                await anyio.sleep(0.02)


@asynccontextmanager
async def staged(
    profile: str,
    *,
    programs: Mapping[str, Any] | None = None,
    approvals: Mapping[str, str] = APPROVED,
    engine: bool = False,
) -> AsyncIterator[Served]:
    """Fakes of one codex profile, or that version's real program behind the proxy. At the end nothing may be left:
    no process, no folder but the locks, and no file but the audit."""
    settings: dict[str, Any] = {"codex": {"profile": profile}, **(programs or {})}
    if engine:
        settings["codex"] = {"path": str(locate(select("codex", profile)[0])), "dialect": "jsonrpc"}
    sheet = {"v": 1, "seed": 1, "programs": settings, "world": {"approvals": dict(approvals)}}
    folder, state = make_folder(USES), Path(tempfile.mkdtemp(prefix="tc"))
    write_application(state / "applications", "Chess", "com.apple.Chess")
    try:
        names = {**PROGRAMS, "codex": "harness.serve.proxy:Proxy"} if engine else PROGRAMS
        stage = Stage(sheet, Resolved(names), Desktop, clock=trio.current_time, may_block=True)  # type: ignore[arg-type]
        async with trio.open_nursery() as nursery:
            await nursery.start(Hosted(stage, folder).serve)
            served = Served(stage, folder, state)
            yield served
            await served.until(lambda: not stage.living())
            nursery.cancel_scope.cancel()
        assert served.running() == []
        kept = {path.name for path in (state / "state").iterdir()} if (state / "state").exists() else set()
        assert kept <= {"computer-use-audit.jsonl"}
    finally:
        remove_folder(folder)
        remove_folder(state)


def play(main: Callable[[], Awaitable[None]]) -> None:
    """Run on the real clock, in bounded time: the programs are processes."""

    async def bounded() -> None:
        with trio.fail_after(LIMIT_S):
            await main()

    run_real(bounded)
