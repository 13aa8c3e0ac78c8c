"""The session commands over real sockets: what they print, and their exit codes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest

from stack.contract import Reply
from stack.session import commands, place, server
from stack.session.arguments import parse
from stack.session.machine import Machine
from tests.stack.session.holding import Safari, host_in, opening, refused, run


class Shell:
    """Runs commands one after the other; each server is a task."""

    def __init__(self, folder: Path, safari: Safari, monkeypatch: pytest.MonkeyPatch) -> None:
        self.host = host_in(folder)
        self.safari = safari
        self.remarks: list[str] = []
        self.scopes: dict[str, anyio.CancelScope] = {}
        monkeypatch.setattr(server.safari_jxa, "open", opening(safari))  # type: ignore[attr-defined]

    def run(self, *lines: str) -> list[tuple[int, list[str]]]:
        """(exit code, lines) of each command."""

        async def main() -> list[tuple[int, list[str]]]:
            said = []
            async with anyio.create_task_group() as tasks:

                async def serve(name: str) -> None:
                    with anyio.CancelScope() as self.scopes[name]:
                        await server.serve(self.host, None, name)  # type: ignore[arg-type]

                async def spawn(name: str) -> None:
                    tasks.start_soon(serve, name)

                for line in lines:
                    out: list[str] = []
                    machine = Machine(self.host, spawn, out.append, self.remarks.append)
                    said.append((await commands.run(parse(line.split()), machine), out))
                tasks.cancel_scope.cancel()
            return said

        return run(main)


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, Safari(), monkeypatch)


@pytest.mark.claim("JXA-SES-01", tooth="a session that does not stay")
def test_separate_commands_use_one_window(shell: Shell) -> None:
    said = shell.run("attach 7", "observe", "act 2.e1", "text --match two", "status", "close", "status")
    assert [code for code, _ in said] == [0, 0, 0, 0, 0, 0, 5]
    assert [tool for tool, _ in shell.safari.calls] == [
        "attach",
        "observe",
        "observe",
        "act",
        "observe",
        "text",
        "status",
        "close",
    ]
    assert said[1][1][0] == 'page    "Shop"  <http://shop.test/>'
    assert "2.e1" in said[1][1][2]
    assert said[2][1][:2] == ['acted   "Buy"', "changed text +1"]
    assert said[3][1] == ["two"]
    assert shell.host.published() == {}


@pytest.mark.claim("JXA-SES-04", tooth="a ref of an older observation")
def test_a_ref_of_an_older_observation_is_never_acted_on(shell: Shell) -> None:
    said = shell.run("attach 7", "observe", "act 1.e1 --json", "act 2.e1", "act 2.e1")
    assert [code for code, _ in said] == [0, 0, 3, 0, 3]
    assert json.loads(said[2][1][0])["code"] == "stale_ref"
    assert [tool for tool, _ in shell.safari.calls].count("act") == 1


@pytest.mark.claim("JXA-SES-05", tooth="each kind of error")
@pytest.mark.parametrize(
    ("code", "exit"),
    [
        ("stale_page", 3),
        ("never_ran", 3),
        ("scope_lost", 4),
        ("delivery_unknown", 4),
        ("bridge_failed", 4),
        ("invalid_arguments", 2),
    ],
)
def test_an_exit_code_says_what_to_do(shell: Shell, code: str, exit: int) -> None:
    shell.safari.answers["act"] = refused(code, part="around")
    said = shell.run("attach 7", "act 1.e1 --json")
    assert said[1][0] == exit
    assert json.loads(said[1][1][0])["code"] == code


@pytest.mark.parametrize("line", ["observe", "act 1.e1", "text", "status", "close", "run --goal g"])
def test_without_a_session_every_command_says_5(shell: Shell, line: str) -> None:
    assert shell.run(line)[0][0] == 5


def test_a_window_that_can_not_be_had_leaves_no_session(shell: Shell) -> None:
    shell.safari.answers |= {"attach": refused("no_such_window"), "open": refused("safari_not_running")}
    said = shell.run("attach 4", "status", "open http://shop.test/ --display 1 --side left", "status")
    assert [code for code, _ in said] == [2, 5, 5, 5]
    assert shell.safari.calls[1] == ("open", {"url": "http://shop.test/", "display": 1, "side": "left"})


def test_a_name_that_is_taken_is_wrong_usage_and_other_names_are_free(shell: Shell) -> None:
    assert [code for code, _ in shell.run("attach 7", "attach 7", "attach 7 --session b")] == [0, 2, 0]


@pytest.mark.claim("JXA-SES-05", tooth="a command whose --json prints something else")
@pytest.mark.parametrize(
    "line", ["observe", "act 1.e1", "text", "status", "close", "windows --titles", "displays", "fail"]
)
def test_json_is_one_document_on_every_command(shell: Shell, line: str) -> None:
    if line == "fail":
        line, shell.safari.answers = "text", {"text": refused("bridge_timeout")}
    _, (_, out) = shell.run("attach 7", f"{line} --json")
    assert len(out) == 1
    assert isinstance(json.loads(out[0]), dict)


def test_windows_and_displays_need_no_session(shell: Shell) -> None:
    assert shell.run("windows", "windows --titles", "displays") == [(0, ["id 7  tabs 1"])] * 3
    assert shell.safari.calls == [("windows", {}), ("windows", {"titles": True}), ("displays", {})]


@pytest.mark.claim("JXA-SES-03", tooth="a page that does not rest")
def test_settle_is_said(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stack.session.settle.FLOOR_MS", 1)
    monkeypatch.setattr("stack.session.settle.SHORTEST_MS", 1)
    quiet, restless = shell.run("attach 7 --settle 5 --json", "observe --settle 5")
    assert json.loads(quiet[1][0])["settled"]["settled"] is True
    assert not any("unsettled" in line for line in restless[1])
    shell.safari.answers["observe"] = _restless()
    ((_, out),) = shell.run("attach 7 --session b --settle 0.05")
    assert out[-1].startswith("unsettled: the page went on changing for")


def _restless() -> Any:
    page: Mapping[str, Any] = Reply("done", structured=_loading()).structured  # type: ignore[assignment]
    return Reply("done", structured=dict(page))


def _loading() -> dict[str, Any]:
    from tests.stack.session.holding import seen

    return seen(1, ready="loading")


def test_a_run_without_a_model_says_so(shell: Shell) -> None:
    said = shell.run("attach 7", "run --goal g --json")
    assert said[1][0] == 2
    assert json.loads(said[1][1][0])["code"] == "model_missing"


def test_a_run_prints_its_transcript_and_its_end(shell: Shell) -> None:
    shell.host.publish("model.json", json.dumps({"url": "http://127.0.0.1:9", "key": "k"}).encode())
    said = shell.run("attach 7", "run --plan a --plan b --literal x=y --expect z", "run --goal a --json --model-name m")
    assert (said[1][0], said[1][1][0]) == (1, "== 1. a")
    assert said[1][1][-1].startswith("failed  http_unreachable")
    assert json.loads(said[2][1][0])["error"]["code"] == "http_unreachable"


@pytest.mark.claim("JXA-SES-06", tooth="a server that was killed")
def test_a_dead_server_is_said_cleared_and_then_gone(shell: Shell, tmp_path: Path) -> None:
    async def leave() -> None:
        listener = await shell.host.listen(place.address(shell.host, "default"))
        shell.host.publish(place.file_of("default"), b"{}")
        await listener.aclose()
        (shell.host.meeting / place.socket_of("default")).touch()

    run(leave)
    first, second = shell.run("observe", "observe")
    assert (first[0], second[0]) == (4, 5)
    assert "has ended; its socket was cleared" in first[1][0]
    run(leave)
    ((code, _),) = shell.run("attach 7")
    assert (code, shell.remarks) == (0, ["the server of an older session default had died; its socket was cleared"])
