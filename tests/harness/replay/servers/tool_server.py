"""An MCP server that drifts: `tool_server.py [CHANGE…]`. Without a change it is what the probe's tests recorded."""
from __future__ import annotations

import json
import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CHANGES = set(sys.argv[1:])
SOURCE = sys.stdin.buffer
SESSION = os.urandom(8).hex()


def say(message: dict[str, Any]) -> None:
    os.write(1, json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


def tool(name: str, *fields: str) -> dict[str, Any]:
    properties = {field: {"type": "string"} for field in fields}
    return {"name": name, "description": f"the {name}", "inputSchema": {"type": "object", "properties": properties}}


def tools() -> list[dict[str, Any]]:
    found = [tool("click", "app", "element"), tool("type", "app", "text")]
    if "tool added" in CHANGES:
        found.insert(0, tool("scroll", "app"))
    if "tool removed" in CHANGES:
        del found[1]
    if "schema" in CHANGES:
        found[0]["inputSchema"]["properties"]["app"]["type"] = "integer"
    return found[::-1] if "tools in another order" in CHANGES else found


def call(id: object, params: Any) -> None:
    notice = {"progressToken": params["_meta"]["progressToken"], "progress": 1}
    progress: dict[str, Any] = {"method": "notifications/progress", "params": notice}
    result: dict[str, Any] = {"id": id, "result": {"content": [{"type": "text", "text": "done"}], "session": SESSION}}
    if "answer" in CHANGES:
        result["result"]["content"][0]["text"] = "failed"
    if "error" in CHANGES:
        result = {"id": id, "error": {"code": -32603, "message": "out of order"}}
    if "question" not in CHANGES:
        say({"id": "no. 1" if "id type" in CHANGES else 7, "method": "roots/list"})
        answer = json.loads(SOURCE.readline())
        assert answer["id"] in ("no. 1", 7) and answer["result"] == {"roots": []}
    messages = [progress, result]
    if "order" in CHANGES:
        messages.reverse()
    if "notice missing" in CHANGES:
        messages.remove(progress)
    if "notice extra" in CHANGES:
        messages.append({"method": "notifications/tools/list_changed"})
    for message in messages:
        say(message)


if "child" in CHANGES:
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if os.fork() == 0:
        os.setpgid(0, 0)
        print(f"child {os.getpid()}", file=sys.stderr, flush=True)
        os.close(0)
        signal.pause()

while line := SOURCE.readline():
    message = json.loads(line)
    if message["method"] == "initialize":
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
        say({"id": message["id"], "result": about})
        if "junk" in CHANGES:
            os.write(1, b"starting up\n")
    elif message["method"] == "tools/list":
        if "ends early" in CHANGES:
            sys.exit(0)
        say({"id": message["id"], "result": {"tools": tools()}})
    elif message["method"] == "tools/call" and "silence" not in CHANGES:
        call(message["id"], message["params"])
if "hangs" in CHANGES:
    signal.pause()
sys.exit(3 if "status" in CHANGES else 0)
