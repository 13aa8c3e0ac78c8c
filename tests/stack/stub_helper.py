"""A tiny MCP server in the helper's place, for tests on the real app-server. Standard library only; run by `-SE`.

What a call answers is chosen by its `text` or `value` argument.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time


def send(**members: object) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **members}) + "\n")
    sys.stdout.flush()


def text(words: str, **more: object) -> dict[str, object]:
    return {"content": [{"type": "text", "text": words}], **more}


def call(identifier: object, name: str, arguments: dict[str, str]) -> None:
    chosen = arguments.get("text", arguments.get("value", ""))
    if chosen == "die":
        os._exit(3)
    if chosen == "error":
        send(id=identifier, error={"code": -10005, "message": "The screen is locked", "data": {"why": "locked"}})
    elif chosen == "failed":
        send(id=identifier, result=text("Computer Use server error -10005: cgWindowNotFound", isError=True))
    elif chosen == "silence":
        with open(f"{os.environ['TMPDIR']}/reached", "w", encoding="ascii"):
            return
    elif chosen == "image":
        image = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}
        send(id=identifier, result={"content": [image], "structuredContent": {"a": [1, None]}, "isError": False})
    elif chosen == "question":
        schema = {"type": "object", "properties": {"a": {"type": "string"}}}
        send(id="q1", method="elicitation/create", params={"message": "Allow it?", "requestedSchema": schema})
        answer = json.loads(sys.stdin.readline())
        send(id=identifier, result=text(json.dumps(answer.get("result"), sort_keys=True)))
    elif chosen == "environment":
        send(id=identifier, result=text(json.dumps(sorted(os.environ))))
    else:
        send(id=identifier, result=text(f"{name} {json.dumps(arguments, sort_keys=True)}"))


def main(tools: list[object], stubborn: bool) -> None:
    """tools: what tools/list answers; stubborn: stay after the end of input, and ignore SIGTERM."""
    if stubborn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin:
        message = json.loads(line)
        method, identifier = message.get("method"), message.get("id")
        if method == "initialize":
            info = {"name": "stub", "version": "1.2.3"}
            revision = message["params"]["protocolVersion"]
            capabilities = {"tools": {"listChanged": True}}
            send(id=identifier, result={"protocolVersion": revision, "capabilities": capabilities, "serverInfo": info})
        elif method == "tools/list":
            send(id=identifier, result={"tools": tools})
        elif method == "tools/call":
            call(identifier, message["params"]["name"], message["params"].get("arguments") or {})
    while stubborn:
        time.sleep(60)
