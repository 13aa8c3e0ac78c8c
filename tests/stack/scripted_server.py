"""The app-server of the scripted host: rows of steps by method, each of which a test can replace."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias

import anyio

from stack.computer_use.pinned import PINNED
from stack.contract import Json
from tests.stack.scripted_host import ScriptedProcess, stay

ID = "$id"
THREAD = "01999999-0000-7000-8000-000000000001"
Step: TypeAlias = "dict[str, Any] | bytes | float | Callable[[ScriptedProcess], Awaitable[object]]"


def reply(result: Any) -> dict[str, Any]:
    return {"id": ID, "result": result}


def refusal(code: int, message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, **more}, "id": ID}


def notice(method: str, **params: Any) -> dict[str, Any]:
    return {"method": method, "params": params}


def status(word: str) -> dict[str, Any]:
    return notice("mcpServer/startupStatus/updated", threadId=THREAD, name="computer-use", status=word, error=None)


def text(words: str) -> list[Json]:
    return [{"type": "text", "text": words}]


def thread_result(folder: str, **changes: Any) -> dict[str, Any]:
    """What thread/start answers; `thread_` before a name changes it inside the thread."""
    thread = {"id": THREAD, "ephemeral": True, "status": {"type": "idle"}, "path": None, "turns": []}
    result: dict[str, Any] = {
        "thread": thread,
        "approvalPolicy": "never",
        "sandbox": {"type": "dangerFullAccess"},
        "modelProvider": "direct_disabled",
        "cwd": folder,
        "instructionSources": [],
    }
    for name, value in changes.items():
        if name.startswith("thread_"):
            thread[name.removeprefix("thread_")] = value
        else:
            result[name] = value
    return result


def listed_tools() -> dict[str, Any]:
    return {
        name: {
            "name": name,
            "description": f"official {name}",
            "inputSchema": json.loads(json.dumps(row.input_schema)),
            "annotations": dict(row.annotations),
        }
        for name, row in PINNED.items()
    }


def inventory(**changes: Any) -> dict[str, Any]:
    """What mcpServerStatus/list answers; changes are members of the one server."""
    server = {
        "name": "computer-use",
        "serverInfo": {"name": "x", "version": "26.1"},
        "tools": listed_tools(),
        **changes,
    }
    return {"data": [server], "nextCursor": None}


def asks(identifier: Any, mode: str = "form", **more: Any) -> dict[str, Any]:
    params = {"threadId": THREAD, "serverName": "computer-use", "turnId": None, "mode": mode, "message": "Allow it?"}
    schema = {"requestedSchema": {"type": "object", "properties": {}}}
    return {"method": "mcpServer/elicitation/request", "id": identifier, "params": {**params, **schema, **more}}


WAITING = notice(
    "thread/status/changed", threadId=THREAD, status={"type": "active", "activeFlags": ["waitingOnApproval"]}
)
IDLE = notice("thread/status/changed", threadId=THREAD, status={"type": "idle"})
DONE = reply({"content": text("done"), "isError": False})


def resolved(identifier: Any) -> dict[str, Any]:
    return notice("serverRequest/resolved", threadId=THREAD, requestId=identifier)


async def hear(process: ScriptedProcess) -> None:
    """A step that waits for one frame of the client, and keeps it in `heard`."""
    line = await process.line()
    if line is None:
        await anyio.sleep_forever()  # the client ended instead: the script's reader sees it
    else:
        process.host.heard.append(json.loads(line))


def exits(code: int) -> Callable[[ScriptedProcess], Awaitable[object]]:
    async def step(process: ScriptedProcess) -> None:
        process.exit(code)
        await anyio.sleep_forever()

    return step


class AppServer:
    """The script of `codex`. rows: steps by method, or by `(method, n)` for the nth of it from 1.

    A dict is sent as a frame with its request's id, bytes are sent as they are, a number waits so many milliseconds,
    and a function is awaited. helper: whether a child stands for the helper; it ends with the app-server unless
    `orphans`.
    """

    def __init__(self, rows: Mapping[Any, Sequence[Step]] | None = None, *, version: str = "0.171.0") -> None:
        self.rows = dict(rows or {})
        self.version = version
        self.heard: list[dict[str, Any]] = []
        self.at_end: Sequence[Step] = ()
        self.at_start: Sequence[Step] = ()
        self.orphans = False
        self.helper: ScriptedProcess | None = None
        self._counts: Counter[str] = Counter()

    async def __call__(self, process: ScriptedProcess) -> int:
        self._counts.clear()
        process.host.heard = self.heard
        helper = process.host.spawn("helper", ["mcp"], stay, parent=process.pid)
        helper.ignores = {15, 9} if self.orphans else set()
        self.helper = helper
        try:
            await self._steps(process, self.at_start, None)
            while (line := await process.line()) is not None:
                message = json.loads(line)
                self.heard.append(message)
                await self._answer(process, message)
            await self._steps(process, self.at_end, None)
        finally:
            if not self.orphans and helper.returncode is None:
                helper.exit(0)
        return 0

    async def _answer(self, process: ScriptedProcess, message: dict[str, Any]) -> None:
        method = message.get("method")
        if method is None:
            return
        self._counts[method] += 1
        steps = self.rows.get((method, self._counts[method]), self.rows.get(method))
        if steps is None:
            steps = self.usual(method, process.cwd)
        await self._steps(process, steps, message.get("id"))

    def usual(self, method: str, cwd: str) -> Sequence[Step]:
        """The steps of a healthy app-server."""
        agent = f"trailcam_stack/{self.version} (Debian 12.0.0; x86_64) unknown (trailcam_stack; 0.1.0)"
        started = notice("thread/started", thread={"id": THREAD})
        usual: dict[str, Sequence[Step]] = {
            "initialize": [reply({"userAgent": agent}), notice("remoteControl/status/changed", status="disabled")],
            "initialized": [],
            "thread/start": [reply(thread_result(cwd)), started, status("starting"), status("ready")],
            "mcpServerStatus/list": [reply(inventory())],
            "mcpServer/tool/call": [DONE],
        }
        return usual[method]

    async def _steps(self, process: ScriptedProcess, steps: Sequence[Step], identifier: Any) -> None:
        for step in steps:
            if isinstance(step, dict):
                frame = {key: identifier if value == ID else value for key, value in step.items()}
                await process.say(json.dumps(frame).encode() + b"\n")
            elif isinstance(step, bytes):
                await process.say(step)
            elif isinstance(step, int | float):
                await anyio.sleep(step / 1000 if step < math.inf else math.inf)
            else:
                await step(process)

    def calls(self) -> list[dict[str, Any]]:
        """The tool calls that reached it."""
        return [message["params"] for message in self.heard if message.get("method") == "mcpServer/tool/call"]

    def answers(self) -> list[dict[str, Any]]:
        """What reached it that is no request or notice of the client."""
        return [message for message in self.heard if "method" not in message]
