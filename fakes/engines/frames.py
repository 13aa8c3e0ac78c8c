"""Messages of WebKit's remote inspector on their connection: a size, a flag, a name, and arguments as GVariant.

    u32 big endian: size of the rest but the flag | u8: 1, little endian | name, NUL | arguments

Only the argument types that are needed: 64-bit numbers and one last string. Pure; source: WebKit's SocketConnection for
GLib, and trailcam facts, WebKitGTK 2.50.6.
"""
from __future__ import annotations

LITTLE_ENDIAN = 1
HEAD = 5
SIZE_MOST = 256 << 20
"""A picture of a whole page is some megabytes; more than this is no inspector."""


class FrameError(Exception):
    """The other side does not speak the inspector's protocol."""


def encode(name: str, arguments: bytes = b"") -> bytes:
    """One message."""
    body = name.encode() + b"\0" + arguments
    return len(body).to_bytes(4, "big") + bytes([LITTLE_ENDIAN]) + body


def numbers(*values: int) -> bytes:
    """A tuple of 64-bit numbers (`t`)."""
    return b"".join(value.to_bytes(8, "little") for value in values)


def text(value: str) -> bytes:
    """A last string (`s`)."""
    return value.encode() + b"\0"


def read_numbers(arguments: bytes, count: int) -> tuple[list[int], bytes]:
    """The first numbers of arguments, and what follows them."""
    if len(arguments) < 8 * count:
        raise FrameError(f"saw {len(arguments)} bytes of arguments; expected {8 * count} for {count} numbers")
    found = [int.from_bytes(arguments[8 * n : 8 * n + 8], "little") for n in range(count)]
    return found, arguments[8 * count :]


def read_text(arguments: bytes) -> str:
    """A last string."""
    if not arguments.endswith(b"\0"):
        raise FrameError(f"saw a string that ends in {arguments[-4:]!r}; expected NUL")
    return arguments[:-1].decode("utf-8", "replace")


class Reader:
    """Bytes as they come, to whole messages."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[tuple[str, bytes]]:
        """The messages that are complete now, as (name, arguments). Raises FrameError."""
        self._buffer += data
        found = []
        while len(self._buffer) >= HEAD:
            size = int.from_bytes(self._buffer[:4], "big")
            if size > SIZE_MOST:
                raise FrameError(f"saw a message of {size} bytes; expected at most {SIZE_MOST}")
            if self._buffer[4] != LITTLE_ENDIAN:
                raise FrameError(f"saw the flag {self._buffer[4]}; expected {LITTLE_ENDIAN}, little endian")
            if len(self._buffer) < HEAD + size:
                break
            name, found_end, arguments = bytes(self._buffer[HEAD : HEAD + size]).partition(b"\0")
            if not found_end:
                raise FrameError(f"saw {bytes(name[:40])!r}; expected a name that ends in NUL")
            del self._buffer[: HEAD + size]
            found.append((name.decode("utf-8", "replace"), arguments))
        return found
