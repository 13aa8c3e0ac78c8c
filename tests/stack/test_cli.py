"""The command: what it takes, what it prints, and its exit codes. Served processes: tests/stack/outsiders."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

import anyio
import pytest

from stack import cli, computer_use
from stack.chrome.process import VERSION
from stack.cli import main, parser
from stack.consent.settings import Judge
from stack.contract import Host, Json, Stack
from stack.host import RealHost
from stack.serving import stdio
from stack.session import arguments as session_arguments
from stack.systems import SYSTEMS, Options
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
JUDGE = ("--judge-style", "--judge-url", "--judge-model", "--judge-key-file")


def run(stack: ScriptedStack, *arguments: str) -> tuple[int, list[bool]]:
    """Exit code, and with which listing the system was opened."""
    opened: list[bool] = []

    @asynccontextmanager
    async def opener(host: Host, options: Options) -> AsyncIterator[Stack]:
        opened.append(options.progressive)
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


SESSION = {"-h", "--help", "--json", "--session"}
LOOKS = {*SESSION, "--settle", "--match", "--all"}


@pytest.mark.claim("JXA-SES-08", tooth="a word that says another version, or needs a session")
@pytest.mark.parametrize("word", ["--version", "version"])
def test_the_version_is_said_without_a_session(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = main([word], host=lambda: cast(Host, None))
    except SystemExit as ended:
        status = int(str(ended.code))
    assert (status, capsys.readouterr().out) == (0, f"{VERSION}\n")


@pytest.mark.claim("JXA-WIN-07", tooth="a command beside `open` that takes an address")
def test_no_session_command_but_open_takes_an_address() -> None:
    commands = next(action for action in parser(SYSTEMS)._actions if action.dest == "command").choices
    assert isinstance(commands, dict)
    words = {name: [a.dest for a in command._actions if not a.option_strings] for name, command in commands.items()}
    taken = {name: words[name] for name in session_arguments.COMMANDS}
    assert {name for name, given in taken.items() if given} == {"open", "attach", "act"}
    assert (taken["open"], taken["attach"], taken["act"]) == (["url"], ["window"], ["ref"])


@pytest.mark.claim("JXA-RUN-11", tooth="a host that may leave this machine without being told to")
@pytest.mark.parametrize(("words", "lives"), [([], False), (["--live"], True)])
def test_only_a_live_run_may_leave_this_machine(words: list[str], lives: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bool] = []
    monkeypatch.setattr("stack.session.process.run", lambda given, host, remark: 0)

    def host(live: bool) -> Host:
        made.append(live)
        return cast(Host, None)

    here, there = partial(host, False), partial(host, True)
    assert main(["run", "--goal", "g", *words], host=here, elsewhere=there) == 0
    assert made == [lives]


RUNS = ["run", "--goal", "g", "--backend", "mcp", "--url", "http://shop.test/"]


@pytest.mark.parametrize(
    ("words", "lives"),
    [
        ([*RUNS], False),
        ([*RUNS, "--judge-style", "openai", "--judge-model", "m", "--judge-url", "http://127.0.0.1:1/"], False),
        ([*RUNS, "--judge-style", "openai", "--judge-model", "m", "--judge-url", "https://judge.test/"], True),
    ],
)
def test_a_judge_of_a_run_may_be_elsewhere(words: list[str], lives: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bool] = []
    monkeypatch.setattr("stack.session.process.run", lambda given, host, remark: 0)

    def host(live: bool) -> Host:
        made.append(live)
        return cast(Host, None)

    assert main(words, host=partial(host, False), elsewhere=partial(host, True)) == 0
    assert made == [lives]


@pytest.mark.parametrize(
    "words", [["--judge-model", "m"], ["--judge-style", "openai", "--judge-model", "m", "--judge-url", "http://x.test/"]]
)
def test_a_judge_of_a_run_over_apple_events_is_wrong_usage(words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["run", "--goal", "g", *words], host=lambda: cast(Host, None))
    assert ended.value.code == 2


@pytest.mark.claim("CUA-POL-01", "CUA-SIG-02")
def test_the_options_are_these_and_the_host_is_the_constant_one(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = next(action for action in parser(SYSTEMS)._actions if action.dest == "command").choices
    assert isinstance(commands, dict)
    options = {
        name: {word for action in command._actions for word in action.option_strings}
        for name, command in commands.items()
    }
    ours = ("serve", "browser-extension", "browser-host")
    assert {name: options[name] - {"-h", "--help"} for name in ours} == {
        "serve": {"--system", "--progressive", *JUDGE},
        "browser-extension": set(),
        "browser-host": set(),
    }
    assert inspect.signature(main).parameters["host"].default is RealHost
    seen: list[Any] = []
    monkeypatch.setattr(computer_use, "open", lambda host, settings: seen.append(settings))
    for progressive in (False, True):
        SYSTEMS["computer-use"](cast(Host, None), Options(progressive))
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


def test_the_host_of_browsers_takes_their_arguments_and_speaks_on_its_own_streams(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; from stack.cli import main; from stack.host import RealHost; "
        "raise SystemExit(main(['browser-host', 'https://a.test/', '--x'], "
        f"host=lambda: RealHost(folder=Path({str(tmp_path / 'state')!r}), meeting=Path({str(tmp_path / 'meet')!r}))))"
    )
    done = subprocess.run([sys.executable, "-c", code], input=b"", capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stdout[4:].startswith(b'{"v":1,"type":"refused","reason":"unauthorised"')
    assert b"unauthorised" in done.stderr


def test_the_registration_of_the_host_is_shown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    def host() -> RealHost:
        return RealHost(folder=tmp_path / "state", meeting=tmp_path / "meet")

    assert main(["browser-extension", "status", "--browser", "vivaldi"], host=host) in (0, 1)
    assert "vivaldi: " in capsys.readouterr().out


def test_chrome_is_a_system() -> None:
    assert set(SYSTEMS) >= {"chrome", "computer-use"}
    assert SYSTEMS["chrome"](cast(Host, None), Options()) is not None


JUDGED = [
    "--judge-style", "openai", "--judge-url", "http://127.0.0.1:8791/v1/chat/completions", "--judge-model", "guard",
]  # fmt: skip


def test_a_judge_is_one_of_a_system_that_has_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("open-to-all-41")
    key.chmod(0o644)
    for words, why in (
        (["--system", "computer-use", *JUDGED], "a judge for computer-use; expected one of safari-mcp"),
        (["--system", "safari-mcp", *JUDGED[:4]], "a judge without --judge-model"),
        (["--system", "safari-mcp", *JUDGED, "--judge-key-file", str(key)], "closed to other users"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(["serve", *words], host=lambda: cast(Host, None))
        printed = capsys.readouterr()
        assert (ended.value.code, printed.out) == (2, "")
        assert why in printed.err
        assert "open-to-all-41" not in printed.err


@pytest.mark.parametrize(
    ("url", "opened_on"),
    [
        (None, "here"),
        ("http://127.0.0.1:8791/v1/chat/completions", "here"),
        ("https://judge.test/v1/chat/completions", "elsewhere"),
    ],
)
def test_only_a_judge_elsewhere_lets_the_host_leave_this_machine(
    url: str | None, opened_on: str, wire: Wire, tmp_path: Path
) -> None:
    made: list[tuple[Any, Options]] = []

    @asynccontextmanager
    async def opener(host: Host, options: Options) -> AsyncIterator[Stack]:
        made.append((host, options))
        yield ScriptedStack()

    key = tmp_path / "key"
    key.write_text("a-key\n")
    key.chmod(0o600)
    judge = [] if url is None else [*JUDGED, "--judge-url", url, "--judge-key-file", str(key)]
    code = main(
        ["serve", "--system", "safari-mcp", *judge],
        host=lambda: cast(Host, "here"),
        elsewhere=lambda: cast(Host, "elsewhere"),
        systems={"safari-mcp": opener},
    )
    ((host, options),) = made
    assert (code, host) == (0, opened_on)
    assert options.judge == (None if url is None else Judge("openai", url, "guard", "a-key"))
    default = inspect.signature(main).parameters["elsewhere"].default
    assert (default.func, default.args, default.keywords) == (RealHost, (), {"live": True})
