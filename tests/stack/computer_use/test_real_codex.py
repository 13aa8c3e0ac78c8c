"""The stack on the real app-servers, both versions, with a stub in the helper's place: no network, no account."""

from __future__ import annotations

import json
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from harness.engines import locate, select
from stack.computer_use import ComputerUse, launch
from stack.computer_use import open as open_stack
from stack.computer_use.settings import LINUX, Deadlines, Settings
from stack.contract import Answer, Json, Reply
from stack.host import RealHost
from tests.stack.real_programs import helper_tools, real_host
from tests.stack.scripted_host import ScriptedCaller

APP: dict[str, Any] = {"app": "Chess"}
SETTINGS = Settings(platform=LINUX)

pytestmark = pytest.mark.parametrize(
    "version", [pytest.param(v, marks=pytest.mark.engine("codex", v)) for v in ("0.144.2", "0.171.0")]
)


def on_real(
    tmp_path: Path,
    version: str,
    main: Callable[[RealHost, ComputerUse], Awaitable[None]],
    *,
    settings: Settings = SETTINGS,
    **more: Any,
) -> RealHost:
    """Run on a stack over the real app-server; afterwards nothing of it is left."""
    codex = locate(select("codex", version)[0])
    assert codex is not None
    host = real_host(tmp_path, Path(codex), **more)

    async def run() -> None:
        async with open_stack(host, settings) as stack:
            await main(host, stack)

    anyio.run(run, backend="trio")
    assert [path.name for path in host.folder.iterdir()] in ([], ["computer-use-audit.jsonl"])
    assert running(tmp_path) == {}
    return host


def running(folder: Path) -> dict[int, str]:
    """Command lines of the processes that name a folder."""
    lines = {}
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_text(encoding="utf-8", errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended between the two looks
        if str(folder) in line:
            lines[int(path.parent.name)] = line
    return lines


async def typed(stack: ComputerUse, text: str, caller: ScriptedCaller | None = None) -> Reply:
    return await stack.call("type_text", {**APP, "text": text}, caller or ScriptedCaller())


@pytest.mark.claim("CUA-RUN-01", "CUA-RUN-02", "CUA-RES-01", "CUA-RES-02", "CUA-TOOL-01", "CUA-CLN-01")
def test_a_sequence_runs_and_leaves_nothing(tmp_path: Path, version: str) -> None:
    async def main(host: RealHost, stack: ComputerUse) -> None:
        assert [tool.description for tool in await stack.tools()][:2] == ["stub list_apps", "stub get_app_state"]
        listed = await stack.call("list_apps", {}, ScriptedCaller())
        assert (listed.outcome, listed.evidence["cleanupVerified"]) == ("done", True)
        state = await stack.call("get_app_state", APP, ScriptedCaller())
        assert [content.text for content in state.content] == ['get_app_state {"app": "com.apple.Chess"}']
        image = await typed(stack, "image")
        assert [content.block["type"] for content in image.content] == ["image"]
        assert image.structured == {"a": [1, None]}
        key = await stack.call("press_key", {**APP, "key": "CMD+A"}, ScriptedCaller())
        assert '"key": "Meta_L+a"' in (key.content[0].text or "")
        for reply in (state, image, key):
            assert (reply.outcome, reply.code, reply.is_error) == ("done", None, False)
            assert reply.evidence["brokerVersion"] == version
            assert reply.evidence["clientBuild"] == "1.2.3"
            assert (reply.evidence["modelTurnsStarted"], reply.evidence["ephemeralThread"]) == (0, True)
        await stack.tell("task_end", None)
        status = await stack.status()
        assert status["cleanup"] == {"verified": 3, "problems": []}

    host = on_real(tmp_path, version, main)
    records = [json.loads(line) for line in (host.folder / "computer-use-audit.jsonl").read_bytes().split(b"\n")[:-1]]
    assert [record["directCalls"] for record in records] == [1, 1, 1, 1, 3]


@pytest.mark.claim("CUA-ERR-01")
def test_official_errors_are_typed(tmp_path: Path, version: str) -> None:
    async def main(host: RealHost, stack: ComputerUse) -> None:
        locked = await typed(stack, "error")
        assert (locked.outcome, locked.code) == ("refused", "screen_locked")
        official = locked.evidence["official"]
        assert isinstance(official, dict)
        assert official["code"] == -10005
        failed = await typed(stack, "failed")
        assert (failed.outcome, failed.code, failed.is_error) == ("refused", "window_not_found", True)
        dead = await typed(stack, "die")
        assert (dead.outcome, dead.code) == ("unknown", "helper_dead")
        for reply in (locked, failed, dead):
            assert (reply.evidence["cleanupVerified"], reply.evidence["leaseReleased"]) == (True, True)
        assert (await typed(stack, "again")).outcome == "done"

    on_real(tmp_path, version, main)


@pytest.mark.claim("CUA-TOOL-05")
def test_a_helper_that_died_between_two_calls_is_refused_as_dead(tmp_path: Path, version: str) -> None:
    async def main(host: RealHost, stack: ComputerUse) -> None:
        assert (await stack.call("get_app_state", APP, ScriptedCaller())).outcome == "done"
        (helper,) = helpers(tmp_path)
        host.signal(helper, signal.SIGKILL)
        while host.tree(helper):
            await anyio.sleep(0.01)
        refused = await typed(stack, "x")
        assert (refused.outcome, refused.code) == ("refused", "helper_dead")
        assert refused.evidence["directCalls"] == 0

    on_real(tmp_path, version, main)


def helpers(folder: Path) -> list[int]:
    """Process numbers of the stub helpers of this test."""
    return [pid for pid, line in running(folder).items() if "/programs/helper" in line and "app-server" not in line]


@pytest.mark.claim("CUA-CLN-01")
def test_a_stubborn_helper_is_ended_too(tmp_path: Path, version: str) -> None:
    async def main(host: RealHost, stack: ComputerUse) -> None:
        listed = await stack.call("list_apps", {}, ScriptedCaller())
        assert (listed.outcome, listed.code, listed.evidence["cleanupVerified"]) == ("done", None, True)

    on_real(tmp_path, version, main, stubborn=True)


@pytest.mark.claim("CUA-TOOL-02")
def test_drift_is_refused_before_dispatch(tmp_path: Path, version: str) -> None:
    tools = helper_tools()
    changed = tools[2]
    assert isinstance(changed, dict)
    changed["annotations"] = {"destructiveHint": True}

    async def main(host: RealHost, stack: ComputerUse) -> None:
        refused = await typed(stack, "x")
        assert (refused.outcome, refused.code) == ("refused", "inventory_drift")
        assert "click at /annotations/destructiveHint" in (refused.content[0].text or "")
        assert refused.evidence["directCalls"] == 0

    on_real(tmp_path, version, main, tools=tools)


@pytest.mark.claim("CUA-TOOL-05")
def test_an_eleventh_tool_is_not_even_listed(tmp_path: Path, version: str) -> None:
    extra: dict[str, Json] = {"name": "launch_app", "inputSchema": {"type": "object"}}
    tools = [*helper_tools(), extra]

    async def main(host: RealHost, stack: ComputerUse) -> None:
        assert (await typed(stack, "x")).outcome == "done"

    on_real(tmp_path, version, main, tools=tools)


@pytest.mark.claim("CUA-RUN-08")
def test_nothing_of_the_callers_reaches_it(tmp_path: Path, version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary")
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    (tmp_path / ".git").mkdir()
    (tmp_path / "AGENTS.md").write_text("canary")
    for home in (tmp_path / ".codex", tmp_path / "codex"):
        home.mkdir()
        (home / "config.toml").write_text('[mcp_servers.canary]\ncommand = "/bin/false"\n')
        (home / "AGENTS.md").write_text("canary")

    async def main(host: RealHost, stack: ComputerUse) -> None:
        reply = await typed(stack, "environment")
        assert (reply.outcome, reply.code) == ("done", None)
        seen = set(json.loads(reply.content[0].text or ""))
        assert seen <= {"HOME", "LANG", "PATH", "TMPDIR", "LC_CTYPE"}

    on_real(tmp_path, version, main)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of the test but the stack's own: its state (home, audit) and its locks."""
    own = (folder / "state", folder / "locks")
    files = (path for path in folder.rglob("*") if path.is_file() and not any(path.is_relative_to(o) for o in own))
    return {str(path): path.read_bytes() for path in files if path.name != "codex"}


@pytest.mark.claim("CUA-ELI-05")
def test_nothing_outside_its_own_folders_changes(tmp_path: Path, version: str) -> None:
    approvals = tmp_path / "Library/Application Support/approvals.json"
    approvals.parent.mkdir(parents=True)
    approvals.write_text('{"com.apple.Chess": "session"}')
    before: dict[str, bytes] = {}

    async def main(host: RealHost, stack: ComputerUse) -> None:
        before.update(contents(tmp_path))
        caller = ScriptedCaller(frozenset({"form"}), [Answer("accept", {"a": "x"})])
        for text in ("x", "question", "failed"):
            await typed(stack, text, caller)

    on_real(tmp_path, version, main)
    assert contents(tmp_path) == before
    assert len(before) >= 5


@pytest.mark.claim("CUA-RUN-07")
def test_instructions_that_reach_the_thread_are_refused(
    tmp_path: Path, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = [row for row in launch.OVERRIDES if not row[0].startswith("project_")]
    monkeypatch.setattr(launch, "OVERRIDES", kept)
    (tmp_path / ".git").mkdir()
    (tmp_path / "AGENTS.md").write_text("canary")

    async def main(host: RealHost, stack: ComputerUse) -> None:
        reply = await typed(stack, "x")
        assert (reply.outcome, reply.code) == ("refused", "thread_not_attested")
        assert "/instructionSources" in (reply.content[0].text or "")

    on_real(tmp_path, version, main)


@pytest.mark.claim("CUA-RUN-01")
def test_a_key_that_this_version_does_not_know_stops_the_start(
    tmp_path: Path, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "OVERRIDES", [*launch.OVERRIDES, ("no_such_key", "1")])

    async def main(host: RealHost, stack: ComputerUse) -> None:
        reply = await typed(stack, "x")
        assert (reply.outcome, reply.code) == ("refused", "start_failed")
        assert "no_such_key" in (reply.content[0].text or "")

    on_real(tmp_path, version, main)


@pytest.mark.claim("CUA-RUN-09")
def test_a_call_taken_back_cleans_up(tmp_path: Path, version: str) -> None:
    async def main(host: RealHost, stack: ComputerUse) -> None:
        replies: list[Reply] = []

        async def calling() -> None:
            replies.append(await typed(stack, "silence"))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(calling)
            while not list(host.folder.glob("home-*/reached")):
                await anyio.sleep(0.01)
            await stack.tell("cancel", None)
        (reply,) = replies
        assert (reply.outcome, reply.code, reply.evidence["cleanupVerified"]) == ("unknown", "cancelled", True)

    on_real(tmp_path, version, main)


@pytest.mark.claim("CUA-RUN-05")
def test_the_app_servers_own_timeout_comes_first(tmp_path: Path, version: str) -> None:
    async def main(host: RealHost, stack: ComputerUse) -> None:
        reply = await typed(stack, "silence")
        assert (reply.outcome, reply.code) == ("unknown", "official_timeout")

    settings = Settings(platform=LINUX, deadlines=Deadlines(tool_timeout=1_000, call=60_000))
    on_real(tmp_path, version, main, settings=settings)


@pytest.mark.claim("CUA-ELI-01")
def test_under_this_policy_the_app_server_declines_forms_itself(tmp_path: Path, version: str) -> None:
    async def main(host: RealHost, stack: ComputerUse) -> None:
        caller = ScriptedCaller(frozenset({"form"}), [Answer("accept", {"a": "x"})])
        reply = await typed(stack, "question", caller)
        assert json.loads(reply.content[0].text or "")["action"] == "decline"
        assert caller.asked == []

    on_real(tmp_path, version, main)


@pytest.mark.claim("CUA-SIG-01")
def test_a_binary_that_does_not_verify_is_not_started(tmp_path: Path, version: str) -> None:
    async def main(host: RealHost, stack: ComputerUse) -> None:
        reply = await typed(stack, "x")
        assert (reply.outcome, reply.code) == ("refused", "signature_invalid")
        status = await stack.status()
        assert status["binariesVerified"] is False

    on_real(tmp_path, version, main, codesign="import sys\nsys.exit(1)\n")
