"""A stranger's MCP server over osascript, good or with one flaw: `python server.py [FLAW]`. Standard library only.

It shares nothing with the harness, as a stranger would not; the flaws are what each law has to catch.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

FLAW = sys.argv[1] if len(sys.argv) > 1 else ""
PROGRAM = os.environ.get("OSASCRIPT_OF_MINE", "osascript")
LIST = "JSON.stringify(Application('Safari').windows.id().map((id) => [id, {of}.currentTab.name()]))"
OF = "Application('Safari').windows.byId({window})"


def osascript(script: str) -> str:
    done = subprocess.run(
        [PROGRAM, "-l", "JavaScript", "-e", script], capture_output=True, text=True, timeout=20,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    return done.stdout.strip()


def call(tool: str, given: dict[str, Any]) -> str:
    if FLAW == "refuses everything":
        raise RuntimeError("not today")
    if FLAW == "hangs" and tool == "go":
        return sys.stdin.read()
    if tool == "titles":
        titles = osascript(LIST.replace("{of}", OF.replace("{window}", "id")))
        return titles if FLAW == "tells all" else str(len(json.loads(titles)))
    window = given["window"] + (1 if FLAW == "goes elsewhere" else 0)
    script = f"{OF.replace('{window}', str(window))}.currentTab.url = {json.dumps(given['url'])}; 'done'"
    if FLAW == "leaves a process":
        null = subprocess.DEVNULL
        subprocess.Popen(["sleep", "60"], stdin=null, stdout=null, stderr=null)
    if FLAW == "says so and does nothing":
        return "done"
    for _ in range(2 if FLAW == "does it twice" else 1):
        osascript(script)
    if FLAW == "denies it":
        raise RuntimeError("nothing was done")
    return "done"


def answer(message: dict[str, Any]) -> dict[str, Any]:
    method, params = message["method"], message.get("params", {})
    if method == "initialize":
        about = {"capabilities": {"tools": {}}, "serverInfo": {"name": "server of the tests", "version": "1"}}
        return {"result": {"protocolVersion": params["protocolVersion"], **about}}
    if method == "tools/list":
        return {"result": {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in ("go", "titles")]}}
    if method != "tools/call":
        return {"error": {"code": -32601, "message": f"no method {method}"}}
    try:
        text, failed = call(params["name"], params["arguments"]), False
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        text, failed = str(error), True
    return {"result": {"content": [{"type": "text", "text": text}], "isError": failed}}


def main() -> None:
    if FLAW == "no server":
        sys.exit("this is no server")
    if FLAW == "talks":
        print("listening on stdin", flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message and "method" in message:
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer(message)}), flush=True)


if __name__ == "__main__":
    main()
