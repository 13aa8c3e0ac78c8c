"""The two ways in which public native messaging hosts misread their input, as a broken stack has them.

Separate from `broken`, whose kinds are at the stack's own ports: this one is at the input of a part of the stack that
a fake browser starts. Source: trailcam facts, Chrome: two public hosts, each seen to fail so against a fake browser.
"""
from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

CHARACTERS, MESSAGES = "characters", "messages"
WAYS = (CHARACTERS, MESSAGES)
_LENGTH = struct.Struct("=I")


class Over:
    """Another object, with some of its members put over."""

    def __init__(self, under: Any, **members: Any) -> None:
        self._under = under
        self.__dict__.update(members)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._under, name)


class Characters:
    """Each read is decoded by itself, so a character that lies in two becomes several that stand for none."""

    def __init__(self) -> None:
        self._head = b""
        self._left = 0
        self._text = ""

    def take(self, data: bytes) -> bytes:
        """What is made of one read."""
        made = b""
        while data:
            if self._left == 0:
                wanted = _LENGTH.size - len(self._head)
                self._head, data = self._head + data[:wanted], data[wanted:]
                if len(self._head) == _LENGTH.size:
                    (self._left,) = _LENGTH.unpack(self._head)
            piece, data = data[: self._left], data[self._left :]
            self._text += piece.decode("utf-8", "replace")
            self._left -= len(piece)
            if self._left == 0 and len(self._head) == _LENGTH.size:
                body = self._text.encode()
                made += _LENGTH.pack(len(body)) + body
                self._head, self._text = b"", ""
        return made


class Messages:
    """One message is taken a read, so what came with it waits for the read after the next."""

    def __init__(self) -> None:
        self._held = b""

    def take(self, data: bytes) -> bytes:
        """What is made of one read."""
        self._held += data
        if len(self._held) < _LENGTH.size:
            return b""
        end = _LENGTH.size + _LENGTH.unpack_from(self._held)[0]
        if len(self._held) < end:
            return b""
        made, self._held = self._held[:end], self._held[end:]
        return made


def reads_hastily(stream: Any, args: Mapping[str, Any]) -> Any:
    """The input of a native messaging host, as a host that takes one read for whole understands it."""
    made = Characters() if args["what"] == CHARACTERS else Messages()

    async def receive(max_bytes: int = 65536) -> bytes:
        while True:
            data = made.take(await stream.receive(max_bytes))
            if data:
                return data

    return Over(stream, receive=receive)
