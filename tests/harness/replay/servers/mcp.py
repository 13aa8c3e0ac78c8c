"""An MCP server in several moods: `mcp.py MOOD`. Standard library alone; every output is a function of the input."""
from __future__ import annotations

import json
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOOD = sys.argv[1]
SOURCE = sys.stdin.buffer
BIG = 1 << 20


def say(message: object) -> None:
    os.write(1, json.dumps(message, ensure_ascii=False, separators=(", ", ": ")).encode() + b"\n")


def reply(id: object, result: object) -> None:
    say({"jsonrpc": "2.0", "id": id, "result": result})


def text(content: str) -> object:
    return {"content": [{"type": "text", "text": content}], "isError": False}


def listen() -> Any:
    line = SOURCE.readline()
    return json.loads(line) if line else None


def basic(id: object, name: str, params: Any) -> None:
    reply(id, text(f"{name}: {json.dumps(params.get('arguments'))} – größer \u2028 \U0001f600 \\u0041"))


def progress(id: object, name: str, params: Any) -> None:
    token = params["_meta"]["progressToken"]
    for step in (1, 2, 3):
        notice = {"progressToken": token, "progress": step, "total": 3}
        say({"jsonrpc": "2.0", "method": "notifications/progress", "params": notice})
    say({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "almost"}})
    reply(id, text("done"))


def asking(id: object, name: str, params: Any) -> None:
    messages = [{"role": "user", "content": {"type": "text", "text": "hi"}}]
    sampling = {"messages": messages, "maxTokens": 5}
    say({"jsonrpc": "2.0", "id": 0, "method": "sampling/createMessage", "params": sampling})
    sampled = listen()
    say({"jsonrpc": "2.0", "id": 1, "method": "roots/list"})
    roots = listen()
    reply(id, text(f"{sampled.get('result')} {roots.get('result')}"))


def cancelled(id: object, name: str, params: Any) -> None:
    if name != "slow":
        reply(id, text(name))
        return
    notice = listen()
    assert notice["method"] == "notifications/cancelled"
    say({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "stopped"}})


COUNT = [0]


def changing(id: object, name: str, params: Any) -> None:
    COUNT[0] += 1
    reply(id, text(f"answer {COUNT[0]}"))


def unsolicited(id: object, name: str, params: Any) -> None:
    reply(id, text(name))
    say({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})


def big(id: object, name: str, params: Any) -> None:
    given = params["arguments"]["text"]
    reply(id, text(f"{len(given)} " + "é" * (BIG // 2)))


def junk(id: object, name: str, params: Any) -> None:
    os.write(1, b"DEBUG: about to answer\n")
    reply(id, text(name))
    os.write(1, b"\xff\xfe not UTF-8\n")


def crash(id: object, name: str, params: Any) -> None:
    os.write(2, b"fatal: out of luck\n")
    os.write(1, b'{"jsonrpc": "2.0", "id": 1, "resu')
    os._exit(3)


def errors(id: object, name: str, params: Any) -> None:
    os.write(2, f"handling {name}\n".encode())
    reply(id, text(name))
    os.write(2, b"done, no newline")


def late(id: object, name: str, params: Any) -> None:
    time.sleep(0.3)
    reply(id, text(name))


MOODS = {
    "basic": basic, "progress": progress, "asking": asking, "cancelled": cancelled, "changing": changing,
    "unsolicited": unsolicited, "pipelined": basic, "big": big, "junk": junk, "crash": crash, "errors": errors,
    "ids": basic, "late": late,
}  # fmt: skip

while (message := listen()) is not None:
    method, params = message["method"], message.get("params") or {}
    if method == "initialize":
        server = {"name": "s", "version": "1"}
        reply(message["id"], {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": server})
    elif method == "tools/call":
        MOODS[MOOD](message["id"], params["name"], params)
