"""Sixteen scripted sessions, each live, recorded by the tap and replayed: is the replay the live session, to the byte?

The list is that of the peers' comparison (docs/benchmarks.md). A session is a real server process and a client that
writes and reads its pipes. It is run live behind the tap, then against the player with the same client, then, where
ids are the client's own, live and replayed once more with other ids. `rows` is what tests and the bench print.
"""
from __future__ import annotations

import json
import os
import select
import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.serve.launch import PYTHON

ROOT = Path(__file__).resolve().parents[3]
SERVERS = Path(__file__).resolve().parent / "servers"
WAIT_MS = 60_000
SCRIPTS = {name: [PYTHON, "-SE", str(ROOT / "harness" / name / "__main__.py")] for name in ("record", "replay")}


class Pipes:
    """A client: raw descriptors, everything that the program says is kept."""

    def __init__(self, command: Sequence[str], ids: Callable[[int], object]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self._ends = {self._process.stdout.fileno(): bytearray(), self._process.stderr.fileno(): bytearray()}
        self._out, self._err = self._ends
        self._poll = select.poll()
        for descriptor in self._ends:
            self._poll.register(descriptor, select.POLLIN)
        self._read = 0
        self.id = ids

    def send(self, data: bytes) -> None:
        assert self._process.stdin
        while data:
            data = data[os.write(self._process.stdin.fileno(), data) :]

    def say(self, message: object) -> None:
        self.send(json.dumps(message, ensure_ascii=False).encode() + b"\n")

    def ask(self, number: int, method: str, **params: object) -> None:
        """A request of MCP, with the session's own id for this number."""
        self.say({"jsonrpc": "2.0", "id": self.id(number), "method": method, "params": params})

    def line(self) -> bytes:
        """The next line."""
        while (end := self._ends[self._out].find(b"\n", self._read)) < 0:
            self._more()
        line = bytes(self._ends[self._out][self._read : end])
        self._read = end + 1
        return line

    def message(self) -> bytes:
        """The next native message."""
        held = self._ends[self._out]
        while len(held) < self._read + 4 or len(held) < self._read + 4 + self._length():
            self._more()
        begin = self._read + 4
        self._read = begin + self._length()
        return bytes(held[begin : self._read])

    def _length(self) -> int:
        length: int = struct.unpack_from("=I", self._ends[self._out], self._read)[0]
        return length

    def _more(self) -> bool:
        """Wait for more of either stream; false where both have ended."""
        ready = self._poll.poll(WAIT_MS)
        assert ready, "nothing came"
        for descriptor, _ in ready:
            data = os.read(descriptor, 65536)
            if not data:
                self._poll.unregister(descriptor)
                self._open = self._open - 1
            self._ends[descriptor] += data
        assert self._open, f"it ended: {bytes(self._ends[self._err])!r}"
        return True

    _open = 2

    def end(self) -> tuple[bytes, bytes, int]:
        """Close stdin, and take everything to the end: stdout, stderr, status."""
        assert self._process.stdin
        self._process.stdin.close()
        try:
            while self._open:
                for descriptor, _ in self._poll.poll(WAIT_MS):
                    data = os.read(descriptor, 65536)
                    if not data:
                        self._poll.unregister(descriptor)
                        self._open -= 1
                    self._ends[descriptor] += data
            status = self._process.wait(WAIT_MS / 1000)
        finally:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdout, self._process.stderr):
                if pipe:
                    pipe.close()
        return bytes(self._ends[self._out]), bytes(self._ends[self._err]), status


Play = Callable[[Pipes], None]


def handshake(client: Pipes) -> None:
    info = {"name": "client", "version": "1"}
    client.ask(0, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=info)
    client.line()
    client.say({"jsonrpc": "2.0", "method": "notifications/initialized"})


def call(client: Pipes, number: int, name: str = "tool", lines: int = 1, **arguments: object) -> None:
    """One call, its progress token the id, and so many lines of what comes back."""
    client.ask(number, "tools/call", name=name, arguments=arguments, _meta={"progressToken": client.id(number)})
    for _ in range(lines):
        client.line()


def basic(client: Pipes) -> None:
    for number in (1, 2):
        call(client, number, f"tööl{number}", text="naïve \u2028 \U0001f600", deep={"a": [1, 2.5, None, True]})


def asking(client: Pipes) -> None:
    client.ask(1, "tools/call", name="ask", arguments={})
    client.line()
    client.say({"jsonrpc": "2.0", "id": 0, "result": {"role": "assistant", "model": "m", "content": {"text": "yes"}}})
    client.line()
    client.say({"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no roots"}})
    client.line()


def cancelled(client: Pipes) -> None:
    client.ask(1, "tools/call", name="slow", arguments={})
    reason = {"requestId": client.id(1), "reason": "enough"}
    client.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": reason})
    client.line()
    call(client, 2, "quick")


def changing(client: Pipes) -> None:
    for number in (1, 2, 3):
        call(client, number)


def pipelined(client: Pipes) -> None:
    for number in range(1, 101):
        call(client, number, f"t{number}", lines=0)
    for _ in range(100):
        client.line()


def native(client: Pipes) -> None:
    for message in ({"type": "hello"}, {"type": "echo", "text": "ä" * 3}, {"type": "ping"}):
        data = json.dumps(message).encode()
        client.send(struct.pack("=I", len(data)) + data)
        if message["type"] != "ping":
            client.message()
    data = json.dumps({"type": "die"}).encode()
    client.send(struct.pack("=I", len(data)) + data)


def commands(client: Pipes) -> None:
    client.line()
    for command, lines in (({"do": "count", "to": 3}, 4), ({"do": "fail"}, 1), ({"do": "fail"}, 1)):
        client.say(command)
        for _ in range(lines):
            client.line()


def bare(client: Pipes) -> None:
    client.say({"method": "initialize", "id": client.id(1), "params": {}})
    client.line()
    client.line()
    client.say({"method": "initialized"})
    for number, decision, lines in ((2, "approve", 2), (3, "decline", 2)):
        client.say({"method": "call", "id": client.id(number), "params": {"what": "rm"}})
        client.line()
        client.line()
        client.say({"id": 0, "result": {"decision": decision}})
        for _ in range(lines):
            client.line()


@dataclass(frozen=True, slots=True)
class Scenario:
    """ids: number to the id of a request in the first session; others: the same in the second, None where the wire has
    none of the client's own."""

    name: str
    dialect: str
    server: tuple[str, ...]
    play: Play
    ids: Callable[[int], object] = lambda number: number
    others: Callable[[int], object] | None = lambda number: f"other-{number}"
    replay: tuple[str, ...] = ()


def mcp(name: str, mood: str, play: Play, **more: Any) -> Scenario:
    def whole(client: Pipes) -> None:
        handshake(client)
        play(client)

    return Scenario(name, "mcp", ("mcp.py", mood), whole, **more)


SCENARIOS = (
    mcp("basic and unicode", "basic", basic),
    mcp("progress during a call", "progress", lambda client: call(client, 1, lines=5)),
    mcp("requests of the server", "asking", asking),
    mcp("cancellation", "cancelled", cancelled),
    mcp("same call answered differently", "changing", changing),
    mcp("unsolicited notification", "unsolicited", lambda client: call(client, 1, lines=2)),
    mcp("100 pipelined requests", "pipelined", pipelined),
    mcp("1 MiB both ways", "big", lambda client: call(client, 1, text="x" * (1 << 20))),
    mcp("junk on stdout", "junk", lambda client: call(client, 1, lines=3)),
    mcp("crash in mid-frame", "crash", lambda client: call(client, 1, lines=0)),
    mcp("stderr", "errors", lambda client: call(client, 1)),
    mcp("text and 2^53+1 ids", "ids", basic, ids=lambda n: (2**53 + 1, "två", "")[n], others=lambda n: 2**60 + n),
    mcp("300 ms latency", "late", lambda client: call(client, 1), replay=("--pace", "recorded")),
    Scenario("JSON lines, no JSON-RPC", "ndjson", ("lines.py",), commands, others=None),
    Scenario("JSON-RPC without its version", "jsonrpc", ("bare_rpc.py",), bare),
    Scenario("native messaging", "native", ("native.py",), native, others=None),
)


@dataclass(frozen=True, slots=True)
class Row:
    """Whether each part of a replay is the live session's. ids: stdout with other ids; None where there are none."""

    name: str
    out: bool
    err: bool
    status: bool
    ids: bool | None
    size: int

    @property
    def equal(self) -> bool:
        return self.out and self.err and self.status and self.ids is not False


def session(command: Sequence[str], scenario: Scenario, ids: Callable[[int], object]) -> tuple[bytes, bytes, int]:
    """One session: stdout, stderr, status."""
    client = Pipes(command, ids)
    try:
        scenario.play(client)
    finally:
        seen = client.end()
    return seen


def row(scenario: Scenario, folder: Path) -> Row:
    """Live behind the tap, replayed, and both once more with other ids."""
    script, *words = scenario.server
    server = [PYTHON, "-SE", str(SERVERS / script), *words]
    tape = str(folder / f"{scenario.name.replace(' ', '-').replace('/', '-')}.jsonl")
    tap = [*SCRIPTS["record"], "--out", tape, "--dialect", scenario.dialect, "--", *server]
    player = [*SCRIPTS["replay"], tape, *scenario.replay, "--", *server[1:]]
    live = session(tap, scenario, scenario.ids)
    played = session(player, scenario, scenario.ids)
    ids = None
    if scenario.others is not None:
        ids = session(server, scenario, scenario.others) == session(player, scenario, scenario.others)
    out, err, status = (one == two for one, two in zip(live, played, strict=True))
    return Row(scenario.name, out, err, status, ids, len(live[0]))


def rows(folder: Path) -> list[Row]:
    """Every scenario; the tapes are left in `folder`."""
    return [row(scenario, folder) for scenario in SCENARIOS]


def table(found: Sequence[Row]) -> str:
    """The rows as Markdown."""
    lines = ["| session | stdout | stderr | exit status | with other ids | bytes of stdout |", f"|{'---|' * 6}"]
    marks = {True: "equal", False: "**differs**", None: "–"}
    for each in found:
        cells = [marks[value] for value in (each.out, each.err, each.status, each.ids)]
        lines.append(f"| {each.name} | {' | '.join(cells)} | {each.size:,} |")
    good = sum(each.equal for each in found)
    return "\n".join([*lines, f"\n{good} of {len(found)} replays are equal to the live session byte for byte."])


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        print(table(rows(Path(name))))
        sys.stdout.flush()
