"""Computer Use in every mode: what is answered, what happens, and what passes on the wires is the same.

Four programs with the whole stack in virtual time and as processes; codex (with its helper) and lsappinfo over one
desktop, asked by a small client, also alone, where each program is its own stage. In processes the end of stdin races
with a signal, so streams are compared one by one (harness/scenario/compare.py).
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest
import trio

from fakes.programs import PROGRAMS
from harness.scenario.compare import comparable, first_difference
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.runner import run
from harness.scenario.scenario import load_scenario
from harness.serve.dotted import Resolved, resolve
from harness.serve.hosted import Hosted
from harness.serve.launch import make_folder, remove_folder
from harness.serve.scheduler import run_real, run_virtual
from harness.serve.stage import Stage
from harness.serve.virtual import VirtualHost
from tests.harness.serve.drive import FolderHost, leave

ROOT = Path(__file__).resolve().parents[3]
WORLD = "fakes.worlds.desktop:Desktop"
PLANS: dict[str, Any] = {
    "no fault": None,
    "dies before the effect": {"fault": "crash", "at": {"program": "helper", "moment": "before_effect"}},
    "a turn begins": {"fault": "inject_turn", "at": {"program": "codex", "way": "<<", "kind": "reply",
                                                     "method": "mcpServer/tool/call", "nth": 2}},
}  # fmt: skip


@pytest.mark.claim("HAR-FAKE-01", "HAR-FAKE-02", tooth="another world")
@pytest.mark.parametrize("plan", PLANS)
def test_four_programs_are_the_same_in_virtual_time_and_as_processes(plan: str) -> None:
    scenario = load_scenario(ROOT / "scenarios/computer-use/click-an-element-once.yaml")
    faults = [] if PLANS[plan] is None else [{"id": "f1", **PLANS[plan]}]
    sheets = [
        compile_sheet(scenario, Choice(mode=mode, plan={"v": 1, "faults": faults})) for mode in ("virtual", "process")
    ]
    books = [
        comparable(each.history, each.world, each.journal, each.roots, by_stream=True)
        for each in (
            run({**sheet, "programs": {"codex": {"profile": "0.171.0", "shuffle": False}}}) for sheet in sheets
        )
    ]
    assert first_difference(*books) is None
    programs = {name.split()[1].partition("#")[0] for name in books[0] if name.startswith("journal")}
    assert programs == {"codex", "helper", "codesign", "lsappinfo"}
    other = {**sheets[0], "world": {"approvals": {"com.apple.Chess": "session"}, "locked": True}}
    changed = run(other)
    assert first_difference(comparable(changed.history, changed.world, changed.journal, changed.roots), books[0])


SHEET: dict[str, Any] = {
    "v": 1, "seed": 3, "world": {"approvals": {"com.apple.Chess": "always"}},
    "programs": {"codex": {"profile": "0.171.0", "shuffle": False}},
}  # fmt: skip
SERVER = '{ "computer-use" = { command = "/Applications/SkyComputerUseClient", args = ["mcp"] } }'
ENV = {"HOME": "/nowhere", "CODEX_HOME": "/nowhere", "LANG": "C"}
Client = Callable[[Any, list[dict[str, Any]]], Awaitable[None]]


class Codex:
    """The smallest client of the app-server: one request at a time, each read up to its answer."""

    def __init__(self, process: Any, history: list[dict[str, Any]]) -> None:
        self._process = process
        self._history = history
        self._rest = b""
        self._id = 0

    async def ask(self, method: str, **params: Any) -> Any:
        self._id += 1
        await self._process.stdin.send(
            json.dumps({"id": str(self._id), "method": method, "params": params}).encode() + b"\n"
        )
        answer = await self.until(lambda value: value.get("id") == str(self._id))
        self._history.append({"e": "got", "answer": answer})
        return answer.get("result")

    async def until(self, found: Callable[[Any], bool]) -> Any:
        while True:
            line, newline, rest = self._rest.partition(b"\n")
            if newline:
                self._rest = rest
                value = json.loads(line)
                if found(value):
                    return value
            else:
                self._rest += await self._process.stdout.receive()


async def client(host: Any, history: list[dict[str, Any]]) -> None:
    """A session of one app-server, with a click; then what is in front."""
    process = await host.start("codex", ["-c", f"mcp_servers={SERVER}", "app-server"], env=ENV, cwd="/")
    codex = Codex(process, history)
    await codex.ask("initialize", clientInfo={"name": "client", "version": "1"}, capabilities={})
    await process.stdin.send(b'{"method":"initialized"}\n')
    started = await codex.ask(
        "thread/start", cwd="/", approvalPolicy="never", sandbox="danger-full-access", ephemeral=True
    )
    await codex.until(lambda value: value.get("params", {}).get("status") == "ready")
    for tool, arguments in (("get_app_state", {"app": "Chess"}), ("click", {"app": "Chess", "element_index": "3"})):
        call = {"threadId": started["thread"]["id"], "server": "computer-use", "tool": tool, "arguments": arguments}
        await codex.ask("mcpServer/tool/call", **call)
    history.append({"e": "status", "status": await leave(process)})
    front = await host.start("lsappinfo", ["front"], env=ENV, cwd="/")
    said = b""
    try:
        while True:
            said += await front.stdout.receive()
    except (anyio.EndOfStream, anyio.ClosedResourceError):
        history.append({"e": "front", "said": said, "status": await leave(front)})


Books = tuple[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]]]


def in_virtual_time() -> Books:
    history: list[dict[str, Any]] = []

    async def main() -> Stage:
        stage = Stage(SHEET, Resolved(PROGRAMS), resolve(WORLD), clock=trio.current_time)  # type: ignore[arg-type]
        async with trio.open_nursery() as nursery:
            await client(VirtualHost(stage, nursery), history)
            nursery.cancel_scope.cancel()
        return stage

    stage = run_virtual(main, 3)
    return history, stage.events, stage.journal


def as_processes() -> Books:
    history: list[dict[str, Any]] = []
    folder = make_folder(PROGRAMS)

    async def main() -> Stage:
        stage = Stage(SHEET, Resolved(PROGRAMS), resolve(WORLD), clock=trio.current_time)  # type: ignore[arg-type]
        async with trio.open_nursery() as nursery:
            await nursery.start(Hosted(stage, folder).serve)
            await client(FolderHost(folder), history)
            nursery.cancel_scope.cancel()
        return stage

    try:
        stage = run_real(main)
    finally:
        remove_folder(folder)
    return history, stage.events, stage.journal


class AloneHost:
    """Each program in a run folder of its own, where it is its own stage."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._folders = folders

    async def start(self, program: str, args: list[str], *, env: Mapping[str, str], cwd: str) -> Any:
        return await FolderHost(self._folders[program]).start(program, args, env=env, cwd=cwd)


def alone() -> Books:
    history: list[dict[str, Any]] = []
    sheet = {**SHEET, "machines": PROGRAMS, "world_factory": WORLD}
    folders = {program: make_folder([program], sheet) for program in ("codex", "lsappinfo")}
    world: list[dict[str, Any]] = []
    journal: list[dict[str, Any]] = []

    async def main() -> None:
        await client(AloneHost(folders), history)

    try:
        run_real(main)
        for folder in folders.values():
            world += lines_of(folder / "world.jsonl", len(journal))
            journal += lines_of(folder / "journal.jsonl", len(journal))
    finally:
        for folder in folders.values():
            remove_folder(folder)
    return history, world, journal


def lines_of(path: Path, offset: int) -> list[dict[str, Any]]:
    """The lines of one stage, with numbers that no other stage has."""
    found = [json.loads(text) for text in path.read_bytes().split(b"\n")[:-1]]
    for line in found:
        line["p"] += offset
        for key in ("n", "cause"):
            if key in line:
                line[key] += offset
        if line.get("parent") is not None:
            line["parent"] += offset
    return found


MODES: Mapping[str, Callable[[], Books]] = {"virtual": in_virtual_time, "process": as_processes, "alone": alone}


@pytest.mark.claim("HAR-FAKE-02", tooth="another answer")
def test_codex_and_lsappinfo_over_one_desktop_are_the_same_in_all_three_modes() -> None:
    runs = {name: comparable(*mode(), by_stream=True) for name, mode in MODES.items()}
    for name in ("process", "alone"):
        assert first_difference(runs["virtual"], runs[name]) is None, name
    assert [line["e"] for line in runs["virtual"]["world"]].count("effect") == 1
    assert {name for name in runs["alone"] if "#" in name and name.endswith(" out")} == {
        "journal codex#1 stdio out", "journal helper#1 stdio out", "journal lsappinfo#1 stdio out",
    }  # fmt: skip
    spoiled = {**runs["virtual"], "history": runs["virtual"]["history"][:-1]}
    assert first_difference(spoiled, runs["alone"]) is not None
