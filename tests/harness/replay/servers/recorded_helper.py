"""An MCP server that answers as a recorded one did, in any process and any order: `recorded_helper.py ROOT TAPE`.

For a real client that starts it several times at once, so that which recorded process it is can't be told. What it is
asked is looked up by method and parameters, the client's own metadata aside.
"""
from __future__ import annotations

import os
import sys

sys.path.append(sys.argv[1])

from harness.replay.pointers import ABSENT, replaced
from harness.replay.recording import Recording
from harness.wire.jsontext import dumps, encode, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def key(message: Any) -> str:
    """What is asked. The handshake is answered whatever the client can do."""
    if message["method"] == "initialize":
        return "initialize"
    asked = replaced(message.get("params") or {}, "/_meta", ABSENT)
    return f"{message['method']} {dumps(asked, sort=True)}"


answers: dict[str, Any] = {}
with Recording(sys.argv[2], 1) as recording:
    waiting: dict[Any, str] = {}
    for item in recording:
        if item.kind == "frame" and item.client and item.frame.kind == "request":
            waiting[item.frame.id] = key(item.frame.value)
        elif item.kind == "frame" and item.frame.kind == "reply" and item.frame.id in waiting:
            answers.setdefault(waiting[item.frame.id], item.frame.value)

for line in sys.stdin.buffer:
    message: Any = loads(line.decode())
    if "id" in message and "method" in message:
        os.write(1, encode({**answers[key(message)], "id": message["id"]}) + b"\n")
