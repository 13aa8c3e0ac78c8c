"""JSON lines that are no JSON-RPC, as a script bridge speaks them: a command, and what came of it."""
from __future__ import annotations

import json
import os
import sys

os.write(1, b'{"ready": true}\n')
for line in sys.stdin.buffer:
    command = json.loads(line)
    if command["do"] == "count":
        for number in range(command["to"]):
            os.write(1, json.dumps({"n": number}).encode() + b"\n")
    os.write(1, json.dumps({"of": command["do"], "ok": command["do"] != "fail"}).encode() + b"\n")
