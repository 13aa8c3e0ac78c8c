"""What runs under a program's name in a run folder: it hands its pipes to the stage, and ends as the stage says.

Where no `stage.sock` stands beside it, the stub is its own stage (alone.py). It talks to the stage in JSON lines over
the socket; file descriptors travel with the line that says how many:

    stub:  {"hello": name, "pid", "ppid", "argv", "env", "fds": 3}   {"signal": number}
           {"spawned": wire, "pid", "fds": 2 or 3}   {"reaped": wire, "status"}   {"failed": wire, "why"}
    stage: {"exit": status}   {"spawn": wire, "path", "argv", "env", "errors"}   {"kill": wire, "number"}

Values of environment variables go to the stage over this owner-only socket, as a program may read them; the journal
keeps only names.
"""
from __future__ import annotations

import _signal
import os
import sys

from harness.serve.process import end, environment
from harness.wire.jsontext import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NoReturn

SOCKET = "stage.sock"
FORWARDED = (_signal.SIGTERM, _signal.SIGINT, _signal.SIGHUP, _signal.SIGQUIT, _signal.SIGUSR1, _signal.SIGUSR2)
STAGE_GONE = 70
NOT_STARTED = 127


def main(folder: str, name: str) -> NoReturn:
    """Entry of every stub. Never returns."""
    path = os.path.join(folder, SOCKET)
    if os.path.exists(path):
        Hosted(path, name).run()
    from harness.serve.alone import run_folder

    end(run_folder(folder, name, sys.argv[1:]))


class Hosted:
    """A stub whose machine runs in the stage."""

    def __init__(self, path: str, name: str) -> None:
        import _socket  # a stub that is its own stage needs none, and starts without it

        self._name = name
        self._socket = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        self._socket.connect(path)
        self._children: dict[int, str] = {}

    def run(self) -> NoReturn:
        for number in FORWARDED:
            _signal.signal(number, lambda number, _: self._tell({"signal": number}))
        _signal.signal(_signal.SIGCHLD, lambda *_: self._reap())
        hello = {
            "hello": self._name,
            "pid": os.getpid(),
            "ppid": os.getppid(),
            "argv": sys.argv[1:],
            "env": environment(),
        }
        self._errors = os.dup(2)
        self._tell(hello, (0, 1, 2))
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        for command in self._commands():
            if "exit" in command:
                end(command["exit"])
            elif "spawn" in command:
                self._spawn(command)
            elif "kill" in command:
                self._kill(command["kill"], command["number"])
        end(STAGE_GONE)

    def _tell(self, message: dict[str, Any], descriptors: tuple[int, ...] = ()) -> None:
        if descriptors:
            message["fds"] = len(descriptors)
        data = dumps(message).encode() + b"\n"
        ancillary: list[tuple[int, int, bytes]] = []
        if descriptors:
            from _socket import SCM_RIGHTS, SOL_SOCKET

            rights = b"".join(number.to_bytes(4, sys.byteorder) for number in descriptors)
            ancillary = [(SOL_SOCKET, SCM_RIGHTS, rights)]
        try:
            sent = self._socket.sendmsg([data], ancillary)
            if sent < len(data):
                self._socket.sendall(data[sent:])
        except OSError:
            end(STAGE_GONE)

    def _commands(self) -> Iterator[dict[str, Any]]:
        tail = b""
        while True:
            data = self._socket.recv(65536)
            if not data:
                return
            *lines, tail = (tail + data).split(b"\n")
            for line in lines:
                yield loads(line.decode())  # type: ignore[misc]

    def _spawn(self, command: dict[str, Any]) -> None:
        """A child in a process group of its own, as the real app-server starts its MCP servers."""
        wire, path = command["spawn"], command["path"]
        pipes = [os.pipe() for _ in range(3 if command["errors"] else 2)]
        pid = os.fork()
        if pid == 0:
            self._become(path, command, pipes)
        self._children[pid] = wire
        theirs = [pipes[0][0], *(write for _, write in pipes[1:])]
        ours = (pipes[0][1], *(read for read, _ in pipes[1:]))
        for descriptor in theirs:
            os.close(descriptor)
        self._tell({"spawned": wire, "pid": pid}, ours)
        for descriptor in ours:
            os.close(descriptor)
        self._reap()

    def _become(self, path: str, command: dict[str, Any], pipes: list[tuple[int, int]]) -> NoReturn:
        try:
            os.setpgid(0, 0)
            for number in (*FORWARDED, _signal.SIGCHLD):
                _signal.signal(number, _signal.SIG_DFL)
            os.dup2(pipes[0][0], 0)
            os.dup2(pipes[1][1], 1)
            os.dup2(pipes[2][1] if command["errors"] else self._errors, 2)
            env = command["env"] if command["env"] is not None else environment()
            os.execve(path, [path, *command["argv"]], env)
        except OSError as problem:
            os.write(2, f"{path}: {problem.strerror}\n".encode())
        finally:
            os._exit(NOT_STARTED)

    def _kill(self, wire: str, number: int) -> None:
        for pid, name in list(self._children.items()):
            if name == wire:
                os.kill(pid, number)

    def _reap(self) -> None:
        for pid in list(self._children):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                self._tell({"reaped": self._children.pop(pid), "status": os.waitstatus_to_exitcode(status)})
