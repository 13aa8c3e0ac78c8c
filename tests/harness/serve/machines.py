"""Small machines and a world for the tests of the stage: an echo with effects, a parent with a child, a waiter."""
from __future__ import annotations

from harness.faults.steps import At, Close, Exit, Send, Signal, Start, Until, Wait
from harness.serve.machine import Silent
from harness.wire.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from harness.faults.steps import Handler
    from harness.serve.machine import Record
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json


def frame(value: Json) -> bytes:
    return dumps(value).encode() + b"\n"


class Counter:
    """A world with one number."""

    def __init__(self, record: Record, settings: Mapping[str, Json]) -> None:
        self._record = record
        self.number: Any = settings.get("number", 0)

    def change(self, by: str, **what: Json) -> None:
        self._record.record("changed", what=what, by=by)
        self.number = what["number"]
        self._record.wake("number")

    def add(self, p: int, amount: Json) -> None:
        self.number += amount
        self._record.record("effect", p=p, verb="add", target={"node": "number"}, value=amount)
        self._record.wake("number")

    def process_ended(self, p: int) -> None:
        self._record.record("freed", p=p, what="process", id=str(p))


class Echo(Silent):
    """JSON-RPC. add: changes the world after 3 ms; slow: answers after `ms`; shout: says it on stderr first;
    two: a notice before the answer; EOF ends it with 0 after 5 ms; SIGTERM with 3."""

    wires = {"stdio": "jsonrpc"}
    moments = ("before_effect", "after_effect")

    def received(self, wire: str, frame_in: Frame) -> Handler:
        if frame_in.kind != "request":
            return
        value: Any = frame_in.value
        params = value.get("params") or {}
        if frame_in.method == "add":
            yield Wait(3)
            yield At("before_effect", {"amount": params["amount"]})
            self.world.add(self.given.p, params["amount"])
            yield At("after_effect")
        elif frame_in.method == "slow":
            yield Wait(params["ms"])
        elif frame_in.method == "shout":
            yield Send(b"loud\n", stream="err")
        elif frame_in.method == "two":
            yield Send(frame({"method": "notice", "params": {"text": "é\u2028"}}))
        elif frame_in.method == "quit":
            yield Exit(params["status"])
        yield Send(frame({"id": value["id"], "result": {"number": self.world.number}}))

    def ended(self, wire: str) -> Handler:
        yield Wait(5)
        yield Exit(0)

    def signalled(self, number: int) -> Handler | None:
        return self._leave() if number == 15 else None

    def _leave(self) -> Handler:
        yield Wait(1)
        yield Exit(3)


class Parent(Silent):
    """Starts an echo as its child and passes frames on, both ways; the request `murder` kills the child."""

    wires = {"stdio": "jsonrpc"}

    def started(self, argv: list[str], env: Mapping[str, str]) -> Handler:
        yield Start("kid", "echo", ["--child"], {"HOME": "/nowhere"})

    def received(self, wire: str, frame_in: Frame) -> Handler:
        if wire == "kid":
            yield Send(frame_in.raw)
        elif frame_in.method == "murder":
            yield Signal("kid", 9)
        elif frame_in.method == "hush":
            yield Close("kid")
        else:
            yield Send(frame_in.raw, "kid")

    def reaped(self, wire: str, status: int) -> Handler:
        yield Send(frame({"method": "child/ended", "params": {"status": status}}))

    def ended(self, wire: str) -> Handler:
        if wire == "stdio":
            yield Exit(0)


class Waiter(Silent):
    """Says each new number of the world on a line of its own."""

    wires = {"stdio": "lines"}

    def started(self, argv: list[str], env: Mapping[str, str]) -> Handler:
        while True:
            yield Until("number")
            yield Send(f"number {self.world.number}\n".encode())

    def ended(self, wire: str) -> Handler:
        yield from ()


MACHINES = {"echo": Echo, "parent": Parent, "waiter": Waiter}
NAMES = {name: f"tests.harness.serve.machines:{made.__name__}" for name, made in MACHINES.items()}
WORLD = "tests.harness.serve.machines:Counter"
