"""The stub's own parts; what it does as a process is shown by test_modes, test_proxy and test_alone."""
from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.serve.launch import make_folder, remove_folder
from harness.serve.stub import SOCKET, STAGE_GONE
from tests.harness.serve.machines import MACHINES


@pytest.fixture
def folder() -> Iterator[Path]:
    made = make_folder(MACHINES)
    yield made
    remove_folder(made)


def test_where_the_stage_goes_away_the_stub_ends(folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / SOCKET))
        listener.listen()
        with subprocess.Popen([str(folder / "echo")], stdin=subprocess.PIPE) as process:
            connection, _ = listener.accept()
            hello, descriptors, _, _ = socket.recv_fds(connection, 65536, 3)
            assert b'"hello":"echo"' in hello
            assert len(descriptors) == 3
            connection.close()
            assert process.wait(20) == STAGE_GONE
            for descriptor in descriptors:
                os.close(descriptor)


@pytest.mark.parametrize("status", [0, 7, -signal.SIGTERM, -signal.SIGKILL])
def test_it_ends_as_it_is_told(folder: Path, status: int) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / SOCKET))
        listener.listen()
        with subprocess.Popen([str(folder / "echo")], stdin=subprocess.PIPE) as process:
            connection, _ = listener.accept()
            connection.recv(65536)
            connection.sendall(b'{"exit":%d}\n' % status)
            assert process.wait(20) == status
            connection.close()


def test_nothing_of_the_stage_is_left_in_the_folder(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == sorted(MACHINES)
