"""JSON-RPC without its version member, with a question to the client in the middle of a call, as codex app-server."""
from __future__ import annotations

import json
import os
import sys


def say(message: object) -> None:
    os.write(1, json.dumps(message, separators=(",", ":")).encode() + b"\n")


source = sys.stdin.buffer
while line := source.readline():
    message = json.loads(line)
    if message.get("method") == "initialize":
        say({"id": message["id"], "result": {"userAgent": "bare/1"}})
        say({"method": "remoteControl/status/changed", "params": {"status": "disabled"}})
    elif message.get("method") == "call":
        say({"method": "thread/status/changed", "params": {"status": {"type": "active"}}})
        say({"method": "approve", "id": 0, "params": {"what": message["params"]["what"]}})
        answer = json.loads(source.readline())
        assert answer["id"] == 0 and type(answer["id"]) is int
        say({"method": "serverRequest/resolved", "params": {"requestId": 0}})
        if answer["result"]["decision"] == "approve":
            say({"id": message["id"], "result": {"done": True}})
        else:
            say({"error": {"code": -32000, "message": "declined"}, "id": message["id"]})
sys.exit(4)
