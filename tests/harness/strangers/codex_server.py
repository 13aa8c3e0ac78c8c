"""A stranger's MCP server that asks `codex app-server` who it is. Standard library only."""

from __future__ import annotations

import json
import os
import subprocess
import sys

HELLO = {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "it", "version": "1"}}}


def ask() -> str:
    """What the app-server answers to the handshake."""
    program = os.environ["CODEX"]
    done = subprocess.run([program, "app-server"], input=f"{json.dumps(HELLO)}\n", capture_output=True, text=True)
    return str(json.loads(done.stdout.splitlines()[0])["result"]["userAgent"])


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        answer = {"content": [{"type": "text", "text": ask()}]} if message["method"] == "tools/call" else {}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": answer}), flush=True)
