"""The network guard: what it refuses, whom it names, and that a swallowed refusal is still seen."""
from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness import guard
from harness.guard import GUARD, JUDGES, Guard, ReachedOut, caller_of, is_local, judge_program

pytestmark = pytest.mark.claim("HAR-NET-01")

DOCUMENTATION = "192.0.2.1"
"""An address that is reserved for examples: nobody is there."""


@pytest.mark.parametrize(
    "host",
    [None, "", "localhost", "LOCALHOST.", b"localhost", "127.0.0.1", "127.9.9.9", "::1", "::1%lo", "::ffff:127.0.0.1"],
)
def test_this_machine_by_its_own_word(host: object) -> None:
    assert is_local(host)


@pytest.mark.parametrize(
    "host",
    [DOCUMENTATION, "0.0.0.0", "10.0.0.1", "::", "2001:db8::1", "::ffff:192.0.2.1", "example.org", b"example.org",
     "localhost.example.org", "127.0.0.1.example.org", 7],
)
def test_everything_else_is_beyond(host: object) -> None:
    assert not is_local(host)


def test_a_connection_beyond_loopback_is_refused_and_names_the_caller() -> None:
    with socket.socket() as client, pytest.raises(ReachedOut) as caught:
        client.connect((DOCUMENTATION, 80))
    taken = GUARD.take()
    assert [attempt.what for attempt in taken] == [f"a connection to ('{DOCUMENTATION}', 80)"]
    assert f"{__file__}:" in taken[0].caller
    assert "in test_a_connection_beyond_loopback" in taken[0].caller
    assert DOCUMENTATION in str(caught.value)
    assert "live run" in str(caught.value)
    assert caught.value.exit_code == 1


def test_a_datagram_beyond_loopback_is_refused() -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as client, pytest.raises(ReachedOut):
        client.sendto(b"x", (DOCUMENTATION, 53))
    assert len(GUARD.take()) == 1


def test_looking_up_a_name_is_refused_before_a_resolver_is_asked() -> None:
    with pytest.raises(ReachedOut):
        socket.getaddrinfo("example.org", 80)
    with pytest.raises(ReachedOut):
        socket.gethostbyname("example.org")
    assert [attempt.what for attempt in GUARD.take()] == ["a look-up of 'example.org'"] * 2


def test_a_listener_on_every_interface_is_refused() -> None:
    for host in ("", "0.0.0.0"):
        with socket.socket() as server, pytest.raises(ReachedOut):
            server.bind((host, 0))
    assert len(GUARD.take()) == 2


def test_a_swallowed_refusal_is_still_kept() -> None:
    with contextlib.suppress(Exception):
        socket.create_connection((DOCUMENTATION, 80))
    assert [attempt.what for attempt in GUARD.take()] == [f"a look-up of '{DOCUMENTATION}'"]
    assert GUARD.take() == []


def test_loopback_and_local_sockets_pass(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()
    place = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind(os.fspath(place))
        server.listen()
        client.connect(os.fsencode(place))
    assert GUARD.take() == []


@pytest.mark.parametrize(
    ("executable", "argv", "refused"),
    [
        ("/usr/bin/chromium", ["chromium", "http://127.0.0.1"], True),
        ("chromium", ["chromium", "--headless", "--user-data-dir=/tmp/x"], False),
        (b"/usr/bin/chromium", [b"chromium", b"--version"], False),
        (Path("/Applications/Safari.app/Contents/MacOS/Safari"), ["Safari"], True),
        (None, ["/usr/bin/firefox"], True),
        ("xdg-open", ["xdg-open", "--user-data-dir=/tmp/x"], True),
        ("open", ["open", "-a", "Safari"], True),
        ("/usr/bin/python3", ["python3", "-c", "chromium"], False),
        (None, "chromium", True),
    ],
)
def test_browsers_of_the_user(executable: object, argv: object, refused: bool) -> None:
    assert (judge_program(executable, argv) is not None) is refused


def test_starting_a_browser_of_the_user_is_refused_before_it_starts() -> None:
    with pytest.raises(ReachedOut):
        subprocess.run(["firefox"], check=False)
    with pytest.raises(ReachedOut):
        os.posix_spawn("/usr/bin/xdg-open", ["xdg-open", "http://127.0.0.1"], {})
    with pytest.raises(ReachedOut):
        os.system("xdg-open http://127.0.0.1")
    with pytest.raises(ReachedOut):
        sys.audit("webbrowser.open", "http://127.0.0.1")  # as `webbrowser` does where it has found a browser
    assert len(GUARD.take()) == 4


def test_each_judge_lets_something_pass_and_refuses_something() -> None:
    """A row that refuses nothing, or everything, is no guard."""
    passing: dict[str, tuple[Any, ...]] = {
        "subprocess.Popen": ("true", ["true"], None, None), "os.posix_spawn": ("true", ["true"], {}),
        "os.exec": ("true", ["true"], {}), "os.system": (b"true",), "socket.getaddrinfo": ("localhost", 1),
        "socket.gethostbyname": ("localhost",), "socket.gethostbyaddr": ("localhost",),
    }
    refused: dict[str, tuple[Any, ...]] = {
        "subprocess.Popen": ("firefox", ["firefox"], None, None), "os.posix_spawn": ("open", ["open"], {}),
        "os.exec": ("open", ["open"], {}), "os.system": (b"open x",), "socket.getaddrinfo": ("example.org", 1),
        "socket.gethostbyname": ("example.org",), "socket.gethostbyaddr": ("example.org",),
        "webbrowser.open": ("http://127.0.0.1",),
    }
    for event, judge in JUDGES.items():
        assert judge(refused.get(event, (None, (DOCUMENTATION, 1)))) is not None, event
        if event != "webbrowser.open":
            assert judge(passing.get(event, (None, ("127.0.0.1", 1)))) is None, event


def test_the_hook_keeps_and_raises_what_is_refused_and_lets_the_rest_pass() -> None:
    watch = Guard()
    watch.heard("open", ("a",))
    watch.heard("socket.connect", (None, ("127.0.0.1", 1)))
    watch.heard("socket.connect", (None, "/a/local/socket"))
    watch.heard("socket.bind", (None, ("::1", 0)))
    assert watch.take() == []
    for address in (("", 0), (b"", 0), (DOCUMENTATION, 0)):
        with pytest.raises(ReachedOut):
            watch.heard("socket.bind", (None, address))
    assert [attempt.what for attempt in watch.take()] == [
        "a listener on every interface, ('', 0)",
        "a listener on every interface, (b'', 0)",
        f"a connection to ('{DOCUMENTATION}', 0)",
    ]


def test_a_guard_installs_itself_once(monkeypatch: pytest.MonkeyPatch) -> None:
    hooks: list[object] = []
    monkeypatch.setattr(sys, "addaudithook", hooks.append)
    watch = Guard()
    watch.install()
    watch.install()
    assert len(hooks) == 1


def test_the_caller_is_the_nearest_code_that_is_ours() -> None:
    assert "in test_the_caller_is_the_nearest" in caller_of()


def test_the_caller_is_the_outermost_frame_where_nothing_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "STANDARD", ("/", "<"))
    assert " in " in caller_of()
    assert "in test_the_caller" not in caller_of()
