"""Entry of `trailcam record`: `<real interpreter> -SE harness/record/__main__.py WORDS…`.

As little as possible is here, since a script is compiled at every start; everything else is imported.
"""
from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str]) -> int:
    """Record, or write shims: the exit code, where this process does not end as the recorded program does."""
    from harness.record.command import run

    return run(argv)


if __name__ == "__main__":
    sys.path[0] = __file__.rpartition("/harness/record/")[0] or "."
    sys.exit(main(sys.argv[1:]))
