"""A native host that says what a test says: it passes frames between the browser and a local socket, byte for byte.

Real Chromium starts it as it starts any host, once a connection. Separate from our native host, which it stands in for,
and from machines, which live in the stage: here the browser is the real thing and the other end is a test. Run as a
program it needs the standard library alone:

    chrome_host.py SOCKET [what the browser adds]

It connects to SOCKET, ends when either side ends, and says nothing by itself.
"""

from __future__ import annotations

import _socket
import os
import select
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CHUNK = 1 << 16
NAME = "com.trailcam.browser_host"


def manifest(program: str, origin: str, name: str = NAME) -> Mapping[str, object]:
    """What the browser wants to know of a host: trailcam facts, Chromium 156."""
    return {
        "name": name,
        "description": "A host for tests",
        "path": program,
        "type": "stdio",
        "allowed_origins": [origin],
    }


def script(python: str, socket: str) -> str:
    """The executable of the manifest: the browser gives it no arguments of ours."""
    return f'#!/bin/sh\nexec "{python}" -SE "{os.path.abspath(__file__)}" "{socket}" "$@"\n'


def relay(down: int, up: int, near: int, far: int) -> None:
    """Pass on what comes on `down` to `far`, and what comes on `near` to `up`, until one of the two ends."""
    goals = {down: far, near: up}
    while True:
        ready, _, _ = select.select(list(goals), [], [])
        for source in ready:
            data = os.read(source, CHUNK)
            if not data:
                return
            while data:
                data = data[os.write(goals[source], data) :]


def main(argv: Sequence[str]) -> int:
    """Exit code 0, also where the other end was closed on us; 3 where there is no socket."""
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.connect(argv[0])
        relay(0, 1, connection.fileno(), connection.fileno())
    except (BrokenPipeError, ConnectionResetError):
        return 0
    except OSError as error:
        print(f"no test listens at {argv[0]}: {error.strerror}", file=sys.stderr)
        return 3
    finally:
        connection.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
