"""The command: what it takes, what it prints, and its exit codes. Served processes: tests/stack/outsiders."""

from __future__ import annotations

import inspect
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import anyio
import pytest

from stack import cli, computer_use
from stack.cli import SYSTEMS, main, parser
from stack.contract import Host, Json, Stack
from stack.host import RealHost
from stack.serving import stdio
from tests.stack.scripted_stack import HELLO, Pipe, ScriptedStack

STATUS: dict[str, Json] = {
    "permissionMode": "no-permissions",
    "methods": ["a", "b"],
    "binaries": {"codex": "verified"},
    "binariesVerified": True,
    "nestedModel": False,
    "seen": None,
    "cleanup": {"verified": 1, "problems": []},
}


def run(stack: ScriptedStack, *arguments: str) -> tuple[int, list[bool]]:
    """Exit code, and with which listing the system was opened."""
    opened: list[bool] = []

    @asynccontextmanager
    async def opener(host: Host, progressive: bool) -> AsyncIterator[Stack]:
        opened.append(progressive)
        yield stack

    status = main(
        [*arguments[:1], "--system", "scripted", *arguments[1:]],
        host=lambda: cast(Host, None),
        systems={"scripted": opener},
    )
    return status, opened


@pytest.mark.claim("CUA-STA-01")
@pytest.mark.parametrize("verified", [True, False])
def test_status_says_all_and_whether_the_programs_verify(verified: bool, capsys: pytest.CaptureFixture[str]) -> None:
    stack = ScriptedStack()
    stack.state = {**STATUS, "binariesVerified": verified}
    assert run(stack, "status", "--json")[0] == (0 if verified else 1)
    printed = capsys.readouterr()
    assert json.loads(printed.out) == stack.state
    assert printed.err == ""
    run(stack, "status")
    assert capsys.readouterr().out.split("\n") == [
        "permissionMode: no-permissions",
        "methods: a, b",
        "binaries:",
        "  codex: verified",
        f"binariesVerified: {'yes' if verified else 'no'}",
        "nestedModel: no",
        "seen: unknown",
        "cleanup:",
        "  verified: 1",
        "  problems: none",
        "",
    ]
    assert stack.calls == []


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["serve"],
        ["serve", "--system", "safari"],
        ["serve", "--system", "computer-use", "--prog"],
        ["status", "--system", "computer-use", "--progressive"],
        ["serve", "--system", "computer-use", "--codex", "/bin/true"],
        ["serve", "--system", "computer-use", "/bin/true"],
    ],
)
def test_anything_else_is_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments, host=lambda: cast(Host, None))
    assert ended.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "usage: trailcam-stack" in printed.err


@pytest.mark.claim("CUA-POL-01", "CUA-SIG-02")
def test_the_options_are_these_and_the_host_is_the_constant_one(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = next(action for action in parser(SYSTEMS)._actions if action.dest == "command").choices
    assert isinstance(commands, dict)
    options = {
        name: {word for action in command._actions for word in action.option_strings}
        for name, command in commands.items()
    }
    assert options == {
        "serve": {"-h", "--help", "--system", "--progressive"},
        "status": {"-h", "--help", "--system", "--json"},
    }
    assert inspect.signature(main).parameters["host"].default is RealHost
    seen: list[Any] = []
    monkeypatch.setattr(computer_use, "open", lambda host, settings: seen.append(settings))
    for progressive in (False, True):
        SYSTEMS["computer-use"](cast(Host, None), progressive)
    assert seen == [computer_use.Settings(progressive=progressive) for progressive in (False, True)]


def test_a_state_folder_that_is_not_ours_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    assert main(["status", "--system", "computer-use"], host=lambda: RealHost(folder=tmp_path)) == 3
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "closed to others" in printed.err


class Wire:
    """A client in the place of the standard streams, that has said its words and left."""

    def __init__(self, said: bytes) -> None:
        self.said = said
        self.heard = Pipe()

    @asynccontextmanager
    async def streams(self) -> AsyncIterator[tuple[Pipe, Pipe]]:
        incoming = Pipe()
        await incoming.send(self.said)
        await incoming.aclose()
        yield incoming, self.heard


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
    made = Wire(json.dumps(hello).encode() + b"\n")
    monkeypatch.setattr(stdio, "standard_streams", made.streams)
    return made


@pytest.mark.claim("CUA-CLN-01", "CUA-CLN-02")
@pytest.mark.parametrize(
    ("state", "code"),
    [
        ({"cleanup": {"problems": []}}, 0),
        ({"cleanup": {"problems": ["a process is left"]}}, 1),
        ({"cleanup": None}, 1),
    ],
)
def test_the_end_of_the_client_ends_everything_and_is_checked(
    state: Mapping[str, Json], code: int, wire: Wire, capsys: pytest.CaptureFixture[str]
) -> None:
    stack = ScriptedStack()
    stack.state = dict(state)
    assert run(stack, "serve", "--progressive") == (code, [True])
    assert stack.told == ["task_end"]
    printed = capsys.readouterr()
    assert printed.out == ""
    assert ("could be shown to have ended" in printed.err) == bool(code)


def test_a_last_look_that_hangs_is_not_taken_for_good(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Hanging(ScriptedStack):
        async def status(self) -> Mapping[str, Json]:
            await anyio.sleep_forever()
            raise AssertionError

    monkeypatch.setattr(cli, "LAST_LOOK_S", 0)
    assert run(Hanging(), "serve") == (1, [False])
    assert "null" in capsys.readouterr().err


def test_a_client_that_is_cut_off_is_said(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("stack.serving.messages.LINE_BYTES", 10)
    stack = ScriptedStack()
    assert run(stack, "serve")[0] == 3
    assert stack.told == ["task_end"]
    assert "a line of more than 10 bytes" in capsys.readouterr().err
