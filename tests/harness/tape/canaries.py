"""Planted secrets, and an oracle that finds them however they are written. It shares no code with what it judges."""
from __future__ import annotations

import base64
import binascii
import json
import re
import urllib.parse
from typing import Any

from harness.tape.redact import Redactor
from harness.tape.rules import Rules

KEY = b"the key of a test"
CANARY = "cAnaRy-7Qx/z+é9"
NUMBER = "4929123456781234"
"""A canary of digits."""


def redactor(*literals: str, **rules: Any) -> Redactor:
    return Redactor(Rules(literals=[literal.encode() for literal in literals], **rules), KEY)


def frame(data: bytes, made: Redactor | None = None, dialect: str = "jsonrpc", **fields: Any) -> bytes | None:
    return (made or redactor(CANARY)).frame(data, p=1, dialect=dialect, **fields)


def readings(text: str) -> set[str]:
    """Everything that a curious reader could make of a text: an oracle that shares no code with what it judges."""
    found = {text}
    for _ in range(4):
        for each in list(found):
            found.add(urllib.parse.unquote_plus(each, errors="replace"))
            found.add(re.sub(r'\\u([0-9a-fA-F]{4})|\\(["\\/])', lambda m: m[2] or chr(int(m[1], 16)), each))
    for each in list(found):
        for token in re.findall(r"[A-Za-z0-9+/_-]{12,}", each):
            plain = token.replace("-", "+").replace("_", "/")
            for skip in range(4):
                part = plain[skip:] if len(plain[skip:]) % 4 != 1 else plain[skip:-1]
                found.add(binascii.a2b_base64(part + "=" * (-len(part) % 4)).decode("utf-8", "replace"))
        for token in re.findall(r"[0-9a-fA-F]{12,}", each):
            found.add(bytes.fromhex(token[: len(token) // 2 * 2]).decode("utf-8", "replace"))
    return found


def leaks(text: str, canary: str) -> bool:
    return any(canary in reading for reading in readings(text))


def written(text: str) -> dict[str, str]:
    """The ways in which a program may write a text."""
    data = text.encode()
    return {
        "plain": text,
        "JSON": json.dumps(text)[1:-1],
        "all escaped": "".join(f"\\u{ord(letter):04x}" for letter in text),
        "partly escaped": f"\\u{ord(text[0]):04X}{text[1:]}".replace("/", "\\/"),
        "JSON in JSON": json.dumps(json.dumps(text))[1:-1],
        "base64": base64.b64encode(data).decode(),
        "base64 inside": base64.b64encode(b"user:" + data + b"@x").decode(),
        "base64 for URLs": base64.urlsafe_b64encode(b"u:" + data).decode(),
        "hexadecimal": data.hex(),
        "percent": urllib.parse.quote(text, safe=""),
        "form": urllib.parse.quote_plus(text),
    }
