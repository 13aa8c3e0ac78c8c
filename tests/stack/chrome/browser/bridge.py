"""The test's end of the native connection: accepts hosts that the browser starts, shakes hands, asks, reads events."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parents[4]
PROTOCOL: dict[str, Any] = json.loads((ROOT / "stack/chrome/protocol.json").read_text(encoding="utf-8"))
HELLO = {"v": 1, "type": "hello", "role": "host", "protocol": PROTOCOL["protocol"], "version": "0.1.0"}
PATIENCE_S = 20.0
DEADLINE_MS = 8_000
MANY = 100
"""Nodes of one snapshot that are looked at by this slow validator; the extension's own has seen all of them."""


def check(name: str, value: object) -> None:
    """Fails where a value is not what the published schema asks for."""
    if isinstance(value, dict) and len(value.get("nodes", ())) > MANY:
        value = {**value, "nodes": value["nodes"][:MANY]}
    jsonschema.validate(value, {"$ref": f"#/$defs/{name}", "$defs": PROTOCOL["$defs"]})


class Refused(Exception):
    """A response that says why not."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(f"{error['reason']}: {error['message']} {error.get('detail', '')}")
        self.reason: str = error["reason"]
        self.detail: dict[str, Any] = error.get("detail", {})


class Connection:
    """One host process of the browser's, as the test speaks for it."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._next = 0
        self.hello: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        self.answers: dict[str, dict[str, Any]] = {}
        self.seen = b""

    def send(self, message: object) -> None:
        data = json.dumps(message).encode()
        self._link.sendall(struct.pack("=I", len(data)) + data)

    def read(self) -> dict[str, Any] | None:
        """The next message; None where the browser has closed the connection."""
        head = self._exactly(4)
        if head is None:
            return None
        body = self._exactly(struct.unpack("=I", head)[0])
        assert body is not None
        self.seen += body
        message: dict[str, Any] = json.loads(body)
        return message

    def _exactly(self, count: int) -> bytes | None:
        data = b""
        while len(data) < count:
            try:
                more = self._link.recv(min(count - len(data), 1 << 20))
            except ConnectionResetError:
                more = b""
            if not more:
                return None
            data += more
        return data

    def greet(self) -> Connection:
        """Take the extension's hello, and give the host's."""
        hello = self.read()
        check("hello_extension", hello)
        assert hello is not None
        self.hello = hello
        self.send(HELLO)
        return self

    def begin(self, verb: str, deadline_ms: int = DEADLINE_MS, **params: Any) -> str:
        """Send a request; its id."""
        self._next += 1
        id = f"r{self._next}"
        self.send({"v": 1, "type": "request", "id": id, "verb": verb, "deadline_ms": deadline_ms, "params": params})
        return id

    def finish_any(self, id: str) -> dict[str, Any]:
        """The response to a request, whatever it says."""
        while id not in self.answers:
            self._take()
        return self.answers.pop(id)

    def finish(self, id: str) -> dict[str, Any]:
        """The result of a request. Raises Refused."""
        answer = self.finish_any(id)
        if answer["ok"]:
            result: dict[str, Any] = answer["result"]
            return result
        raise Refused(answer["error"])

    def ask(self, verb: str, deadline_ms: int = DEADLINE_MS, **params: Any) -> dict[str, Any]:
        """One request and its result, checked against the schema. Raises Refused."""
        result = self.finish(self.begin(verb, deadline_ms, **params))
        check(PROTOCOL["verbs"][verb]["result"], result)
        return result

    def refused(self, verb: str, deadline_ms: int = DEADLINE_MS, **params: Any) -> Refused:
        """The failure of a request that has to fail."""
        try:
            result = self.ask(verb, deadline_ms, **params)
        except Refused as refused:
            return refused
        raise AssertionError(f"{verb} gave {result}")

    def event(self, name: str, **data: Any) -> dict[str, Any]:
        """The first event of that name with these data."""
        while True:
            for at, event in enumerate(self.events):
                if event["event"] == name and data.items() <= event["data"].items():
                    return self.events.pop(at)
            self._take()

    def _take(self) -> None:
        message = self.read()
        if message is None:
            raise EOFError("the browser closed the connection")
        if message["type"] == "response":
            check("response_done" if message["ok"] else "response_failed", message)
            self.answers[message["id"]] = message
        else:
            check(message["type"], message)
            self.events.append(message)

    def ended(self) -> bool:
        """Whether the browser closes the connection, reading what is left."""
        while self.read() is not None:
            continue
        return True

    def close(self) -> None:
        self._link.close()


class Bridge:
    """Where the hosts of one browser connect to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(path))
        self._listener.listen(16)
        self._listener.settimeout(PATIENCE_S)
        self._connections: list[Connection] = []

    def accept(self) -> Connection:
        link, _ = self._listener.accept()
        link.settimeout(PATIENCE_S)
        self._connections.append(Connection(link))
        return self._connections[-1]

    def close(self) -> None:
        self._listener.close()
        for each in self._connections:
            each.close()
