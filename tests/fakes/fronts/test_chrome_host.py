"""The host that passes frames on: byte for byte, both ways, and ends with either end."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.fronts import chrome_host

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as found:
        found.bind(str(tmp_path / "host.sock"))
        found.listen()
        found.settimeout(20)
        yield found


@pytest.fixture
def program(tmp_path: Path, listener: socket.socket) -> Iterator[subprocess.Popen[bytes]]:
    path = tmp_path / "host.sh"
    path.write_text(chrome_host.script(sys.executable, str(tmp_path / "host.sock")))
    path.chmod(0o700)
    with subprocess.Popen([path, "chrome-extension://x/"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as started:
        yield started
        started.kill()


def test_bytes_go_both_ways_and_the_end_of_the_browser_ends_it(
    program: subprocess.Popen[bytes], listener: socket.socket
) -> None:
    link, _ = listener.accept()
    with link:
        assert program.stdin is not None and program.stdout is not None
        data = os.urandom(300_000)
        program.stdin.write(data)
        program.stdin.flush()
        assert link.recv(len(data), socket.MSG_WAITALL) == data
        link.sendall(b"\x05\0\0\0back!")
        assert program.stdout.read(9) == b"\x05\0\0\0back!"
        program.stdin.close()
        assert program.wait(20) == 0
        assert link.recv(1) == b""


def test_the_end_of_the_test_ends_it(program: subprocess.Popen[bytes], listener: socket.socket) -> None:
    listener.accept()[0].close()
    assert program.wait(20) == 0


def test_relay_in_one_process() -> None:
    browser, test = socket.socketpair(), socket.socketpair()
    down, up = os.pipe()
    try:
        os.write(up, b"down")
        test[1].send(b"up")
        test[1].shutdown(socket.SHUT_WR)
        chrome_host.relay(down, browser[0].fileno(), test[0].fileno(), test[0].fileno())
        assert browser[1].recv(9) == b"up"
        assert test[1].recv(9) == b"down"
    finally:
        for each in (*browser, *test):
            each.close()
        os.close(down)
        os.close(up)


def test_no_listener_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert chrome_host.main([str(tmp_path / "none.sock")]) == 3
    assert "no test listens at" in capfd.readouterr().err


def test_a_broken_end_is_an_end(listener: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: int) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(chrome_host, "relay", broken)
    assert chrome_host.main([listener.getsockname()]) == 0
    monkeypatch.setattr(chrome_host, "relay", lambda *_: None)
    assert chrome_host.main([listener.getsockname()]) == 0


def test_the_manifest_has_what_the_browser_asks_for() -> None:
    told = chrome_host.manifest("/p/host.sh", "chrome-extension://x/")
    assert set(told) == {"name", "description", "path", "type", "allowed_origins"}
    assert (told["type"], told["allowed_origins"]) == ("stdio", ["chrome-extension://x/"])
