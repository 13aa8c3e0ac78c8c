"""Entry of `trailcam replay`: `<real interpreter> -SE harness/replay/__main__.py WORDS…`.

As little as possible is here, since a script is compiled at every start; everything else is imported.
"""
from __future__ import annotations

import gc
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn


def main(argv: Sequence[str]) -> NoReturn:
    """Play a tape, and end as the recorded program did, by a signal too."""
    gc.disable()  # nothing here makes cycles: a collection would stand in the way of the start, and then of a frame
    from harness.replay.command import run
    from harness.serve.process import end

    end(run(argv))


if __name__ == "__main__":
    sys.path[0] = __file__.rpartition("/harness/replay/")[0] or "."
    main(sys.argv[1:])
