"""A native messaging host: 32-bit lengths before JSON, silence to a ping, and an end in the middle of a message."""
from __future__ import annotations

import json
import os
import struct
import sys


def say(value: object) -> None:
    data = json.dumps(value, ensure_ascii=False).encode()
    os.write(1, struct.pack("=I", len(data)) + data)


source = sys.stdin.buffer
while len(prefix := source.read(4)) == 4:
    message = json.loads(source.read(struct.unpack("=I", prefix)[0]))
    if message["type"] == "hello":
        say({"type": "welcome", "größe": len(prefix)})
    elif message["type"] == "echo":
        say({"type": "echo", "back": message["text"]})
    elif message["type"] == "die":
        os.write(1, struct.pack("=I", 1000) + b'{"half')
        sys.exit(9)
