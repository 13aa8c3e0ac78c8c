"""A stranger's MCP server that starts `safaridriver -p PORT` and speaks HTTP with it. Standard library only."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

NULL = subprocess.DEVNULL
RUNNING: list[subprocess.Popen[bytes]] = []
PORT: list[int] = []


def start(words: Sequence[str] = ()) -> str:
    if words:
        return subprocess.run(["safaridriver", *words], stdin=NULL, stdout=subprocess.PIPE).stdout.decode().strip()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    RUNNING.append(subprocess.Popen(["safaridriver", "-p", str(port)], stdin=NULL, stdout=NULL, stderr=NULL))
    PORT.append(port)
    while True:
        try:
            return request("GET", "/status")
        except ConnectionRefusedError:
            if RUNNING[-1].poll() is not None:
                raise


def request(method: str, path: str, body: str = "") -> str:
    connection = http.client.HTTPConnection("127.0.0.1", PORT[-1], timeout=10)
    try:
        connection.request(method, path, body or None)
        return connection.getresponse().read().decode()
    finally:
        connection.close()


def stop() -> str:
    RUNNING[-1].terminate()
    return str(RUNNING[-1].wait())


TOOLS: dict[str, Callable[..., str]] = {"start": start, "request": request, "stop": stop}


def answer(message: dict[str, Any]) -> dict[str, Any]:
    params = message.get("params", {})
    if message["method"] == "initialize":
        about = {"capabilities": {}, "serverInfo": {"name": "it"}}
        return {"result": {"protocolVersion": params["protocolVersion"], **about}}
    try:
        text, failed = TOOLS[params["name"]](**params["arguments"]), False
    except (OSError, http.client.HTTPException) as error:
        text, failed = type(error).__name__, True
    return {"result": {"content": [{"type": "text", "text": text}], "isError": failed}}


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer(message)}), flush=True)
