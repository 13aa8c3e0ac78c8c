"""The way to the real program is there: with the fake's own executable in its place, over pages on loopback."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import anyio
import pytest
import trio

from fakes.engines.pages import __file__ as PAGES_PROGRAM
from harness.serve.launch import make_folder, remove_folder
from tests.fakes.safaridriver import real
from tests.fakes.safaridriver.client import Client, Connect, Options
from tests.fakes.safaridriver.pages import LOCAL, SHOP, WORLD
from tests.fakes.safaridriver.real import Addresses, NotStarted, OnProgram, Rewriting, said, served
from tests.fakes.safaridriver.test_checks import CHECKS

PREVIEW = "technology-preview"
DEAF = [sys.executable, "-SE", "-c", "import signal\nwhile True: signal.pause()"]
"""A program that reads nothing, says nothing, and does not end with its input."""


@contextmanager
def faked(addresses: Addresses, profile: str) -> Iterator[OnProgram]:
    sheet = {
        "v": 1, "seed": 1, "world": addresses.there(WORLD),
        "programs": {"safaridriver": {"browser_ms": 0, "settle_ms": 0, "profile": profile}},
        "machines": {"safaridriver": "fakes.fronts.safaridriver:SafariDriver"},
        "world_factory": "fakes.worlds.safari:Safari",
    }  # fmt: skip
    folder = make_folder(["safaridriver"], sheet)
    yield OnProgram([str(folder / "safaridriver")], addresses, profile)
    remove_folder(folder)


@pytest.fixture(scope="module")
def back() -> Iterator[OnProgram]:
    with served() as addresses, faked(addresses, "27.0") as program:
        yield program


@pytest.mark.parametrize("name", [
    "version", "lists_17_tools", "navigates_a_named_tab", "text_tree", "network_is_armed", "network_filters",
])  # fmt: skip
def test_a_check_is_asked_of_a_program(back: OnProgram, name: str) -> None:
    assert said(back, CHECKS[name]) == "holds"


def test_what_does_not_hold_is_said(back: OnProgram) -> None:
    other = OnProgram(back.command, back.addresses, PREVIEW)
    assert said(other, CHECKS["lists_17_tools"]).startswith("BROKEN: AssertionError")


@pytest.mark.parametrize("name", ["network_is_armed", "network_filters"])
def test_a_profile_that_loses_the_requests_of_this_machine_is_not_asked_for_them(back: OnProgram, name: str) -> None:
    with faked(back.addresses, PREVIEW) as preview:
        assert said(preview, CHECKS[name]) == (
            "not asked: technology-preview does not record requests to this machine, where the pages are"
        )
        with pytest.RaisesGroup(AssertionError, allow_unwrapped=True, flatten_subgroups=True):
            preview.check(CHECKS[name])
        assert said(preview, CHECKS["loopback"]) == "holds"


def test_every_check_can_be_asked_but_those_of_a_world_of_their_own(back: OnProgram) -> None:
    nobody = OnProgram(["/nowhere/safaridriver"], back.addresses)
    asked = {name for name, check in CHECKS.items() if _starts(nobody, check)}
    assert set(CHECKS) - asked == {"handshake_without_permission", "own_tabs_only"}


def _starts(back: OnProgram, check: Any) -> bool:
    try:
        return not said(back, check).startswith("not asked")
    except NotStarted:
        return True


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """What was started to answer for pages."""
    started: list[subprocess.Popen[bytes]] = []

    class Seen(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **options: Any) -> None:
            started.append(self)
            super().__init__(*args, **options)

    monkeypatch.setattr(subprocess, "Popen", Seen)
    return started


def test_who_answers_for_the_pages_is_told_by_no_other_process_and_leaves_with_all_it_has_started(
    servers: list[subprocess.Popen[bytes]],
) -> None:
    """/proc is not there on a Mac, and a keeper ends what it finds there."""
    with ExitStack() as stack:
        with served() as addresses:
            host, _, port = addresses.there("shop.test").partition(":")
            held, quick = (stack.enter_context(socket.create_connection((host, int(port)))) for _ in range(2))
            held.sendall(b"GET /.held/60000 HTTP/1.0\r\n\r\n")
            quick.sendall(b"GET /second HTTP/1.0\r\n\r\n")
            assert quick.recv(9) == b"HTTP/1.1 "  # connections are taken in turn: somebody has the other one in hand
        [server] = servers
        assert isinstance(server.args, list) and server.args[2] == PAGES_PROGRAM
        assert server.returncode == -signal.SIGKILL
        assert _cut(held)


def _cut(connection: socket.socket) -> bool:
    """Whether the other side is gone, and has said nothing."""
    connection.settimeout(20)
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:  # it went before it had read what it was asked
        return True


def test_who_answers_for_the_pages_leaves_after_an_error_too(servers: list[subprocess.Popen[bytes]]) -> None:
    def stumble() -> None:
        with served():
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        stumble()
    assert [server.returncode for server in servers] == [-signal.SIGKILL]


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> list[anyio.abc.Process]:
    """What was started, by those who do not wait for long."""
    found: list[anyio.abc.Process] = []
    start = anyio.open_process

    async def seen(*args: Any, **options: Any) -> anyio.abc.Process:
        found.append(await start(*args, **options))
        return found[-1]

    monkeypatch.setattr(anyio, "open_process", seen)
    monkeypatch.setattr(real, "LEAVE_S", 0.01)
    assert 0 < Rewriting.patience_s < Client.patience_s
    monkeypatch.setattr(Rewriting, "patience_s", 0.01)
    return found


def test_a_program_that_never_answers_and_never_ends_is_given_up_and_killed(
    back: OnProgram, processes: list[anyio.abc.Process]
) -> None:
    how = said(OnProgram(DEAF, back.addresses), CHECKS["unknown_tool"])
    late = "BROKEN: TooSlowError"  # on a machine so busy that the time is over before anything is written
    assert how.startswith(("BROKEN: AssertionError: no reply to 1", late))
    assert [process.returncode for process in processes] == [-9]


@pytest.mark.parametrize("step", ["send", "finish"])
def test_a_program_that_takes_nothing_in_is_given_up(
    back: OnProgram, processes: list[anyio.abc.Process], step: str
) -> None:
    async def check_alone(connect: Connect) -> None:
        async with connect(Options(greet=False)) as client:
            await (client.send(["x" * 1_000_000]) if step == "send" else client.finish())

    assert said(OnProgram(DEAF, back.addresses), check_alone).startswith("BROKEN: TooSlowError")
    assert [process.returncode for process in processes] == [-9]


@pytest.mark.parametrize("error", [TimeoutError("late"), BrokenPipeError("gone"), trio.TooSlowError("slow")])
def test_an_error_within_a_check_is_none_of_the_start(back: OnProgram, error: Exception) -> None:
    async def check_alone(connect: Connect) -> None:
        raise error

    assert said(back, check_alone) == f"BROKEN: {type(error).__name__}: {error}"


@pytest.mark.parametrize("command", ["/nowhere/safaridriver", __file__])
def test_a_program_that_is_not_there_or_may_not_be_started_is_told_as_that(back: OnProgram, command: str) -> None:
    with pytest.raises(NotStarted, match=r"No such file|Permission denied"):
        said(OnProgram([command], back.addresses), CHECKS["version"])


def test_the_pages_of_the_checks_are_on_loopback_and_read_as_theirs() -> None:
    here = Addresses("127.0.0.1:9")
    given: dict[str, Any] = {SHOP: [f"{SHOP}second", 7], "text": f"at {LOCAL} and shop.test"}
    assert here.there(given) == {
        "http://127.0.0.1:9/": ["http://127.0.0.1:9/second", 7], "text": "at http://127.0.0.1:9/local/ and 127.0.0.1:9",
    }  # fmt: skip
    assert here.back(here.there(given)) == given
    within = {"text": r'{"url": "http:\/\/127.0.0.1:9\/local\/", "other": "http:\/\/127.0.0.1:9\/second"}'}
    escaped = {"text": r'{"url": "http:\/\/127.0.0.1:8123\/", "other": "http:\/\/shop.test\/second"}'}
    assert here.back(within) == escaped
    assert here.there(escaped) == within


@pytest.mark.parametrize(
    ("command", "only", "status", "says"),
    [("{fake}", "handshake", 0, "handshake: holds"), ("/nowhere/safaridriver", "version", 3, "Safari 27")],
)
def test_the_command(
    back: OnProgram, capfd: pytest.CaptureFixture[str], command: str, only: str, status: int, says: str
) -> None:
    assert real.main(["--only", only, command.replace("{fake}", back.command[0])]) == status
    assert says in "".join(capfd.readouterr())


@pytest.mark.parametrize("words", [["--only", "zzz"], ["--profile", "28.0"]])
def test_what_no_check_has_is_a_mistake_of_the_command_line(
    capfd: pytest.CaptureFixture[str], words: list[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        real.main([*words, "/nowhere/safaridriver"])
    assert words[1] in capfd.readouterr().err
