"""The program that a browser starts: the native host and nothing else of the stack.

Separate from the command `trailcam-stack`, which knows every system, and whose start costs the browser's user twice as
much. It runs as `python -m stack.chrome`, with the arguments that browsers give.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from stack.chrome import process
from stack.contract import Host
from stack.host import RealHost


def main(argv: Sequence[str], new_host: Callable[[], Host] = RealHost) -> int:
    """Run the host; its exit status."""
    try:
        host = new_host()
    except OSError as error:
        print(f"trailcam browser-host: the state folder can't be used ({error})", file=sys.stderr, flush=True)
        return process.BROKEN
    return process.command(argv, host)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
