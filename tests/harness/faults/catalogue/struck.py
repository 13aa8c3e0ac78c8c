"""Strikes a frame or a moment with one fault, through a plan as the stage does it; and the frames of the tests."""
from __future__ import annotations

import sys
from typing import Any

from harness.faults.plan import Plan, Strike
from harness.faults.registry import FAULTS
from harness.faults.steps import Deliver, Feed, Raw, Step
from harness.wire.frame import Frame
from harness.wire.jsontext import loads

REQUEST = b'{"method": "tools/call", "id": 7, "params": {"name": "click", "count": 2, "deep": {"a": [1, "x"]}}}\n'
REPLY = b'{"id":7,"result":{"content":[{"type":"text","text":"caf\xc3\xa9"}],"isError":false}}\n'
ERROR = b'{"error":{"code":-32600,"message":"no"},"id":7}\n'
NOTICE = b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}\n'
TOOLS = (
    b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"click","inputSchema":{"type":"object","properties":'
    b'{"app":{"type":"string"},"x":{"type":"number"}}}}]}}\n'
)
NO_JSON = b"WARNING: proceeding\n"
FRAMES = {"request": REQUEST, "reply": REPLY, "error": ERROR, "notice": NOTICE, "tools": TOOLS, "no JSON": NO_JSON}


def native(body: bytes) -> bytes:
    """A frame of Chrome's native messaging."""
    return len(body).to_bytes(4, sys.byteorder) + body


def deliver(raw: bytes) -> Deliver:
    """The step that a fault sees for a frame toward the program; faults look at nothing of a frame but its bytes."""
    return Deliver(Frame(raw))


def strike(name: str, steps: list[Step], args: dict[str, Any], *, seed: int = 1) -> tuple[list[Step], Strike]:
    """The steps that the fault gives in place of these, and the strike."""
    match steps:
        case [Raw(), *_]:
            place: dict[str, Any] = {"program": "codex", "way": "<<", "kind": "reply"}
        case [Deliver() | Feed(), *_]:
            place = {"program": "codex", "way": ">>", "kind": "request"}
        case _:
            place = {"program": "codex", "moment": min(FAULTS[name].moments, default="started")}
    plan = Plan({"v": 1, "seed": seed, "faults": [{"id": "f1", "fault": name, "at": {}, "args": args}]})
    (only,) = plan.strike(place)
    return only.apply(steps), only


def back(name: str, raw: bytes, /, **args: Any) -> list[Step]:
    """What a frame from the program (`<<`) becomes; it must have fired."""
    steps, only = strike(name, [Raw(raw)], args)
    assert only.fired
    return steps


def toward(name: str, raw: bytes, /, **args: Any) -> list[Step]:
    """What a frame toward the program (`>>`) becomes; it must have fired."""
    steps, only = strike(name, [deliver(raw)], args)
    assert only.fired
    return steps


def at_moment(name: str, /, **args: Any) -> list[Step]:
    """What happens at a moment; it must have fired."""
    steps, only = strike(name, [], args)
    assert only.fired
    return steps


def written(name: str, raw: bytes, /, **args: Any) -> bytes:
    """The bytes in place of a frame, where the fault gives that frame alone; the same both ways."""
    (outward,) = back(name, raw, **args)
    (inward,) = toward(name, raw, **args)
    assert isinstance(outward, Raw)
    assert isinstance(inward, Feed)
    assert outward.data == inward.data
    return outward.data


def leaves(name: str, raw: bytes, /, **args: Any) -> bool:
    """Whether the fault could do nothing to a frame from the program, left it as it was, and did not count as fired."""
    steps, only = strike(name, [Raw(raw)], args)
    return steps == [Raw(raw)] and not only.fired


def value_of(raw: bytes) -> Any:
    """The JSON value of one line."""
    return loads(raw.decode())
