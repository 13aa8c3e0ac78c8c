"""`trailcam replay` from its words to its end. Separate from __main__.py so that it is compiled once."""
from __future__ import annotations

import posix

from harness.problem import Problem
from harness.replay.options import help_text, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.wire.jsontext import Json


class NoWorld:
    """The world of a tape that is played alone: it knows nothing and is told nothing."""

    def __init__(self, *_: object) -> None:
        pass

    def change(self, by: str, **what: Json) -> None:
        """Nothing in it can change."""
        raise ValueError(f"{by} changes {what}, and a tape has no world")

    def process_ended(self, p: int) -> None:
        pass


def run(words: Sequence[str]) -> int:
    """Play a tape over descriptors 0, 1 and 2: the exit status, a signal's number negated."""
    if words and words[0] in ("-h", "--help"):
        posix.write(1, help_text().encode())
        return 0
    try:
        settings, arguments = parse(words)
        from harness.replay.player import Player
        from harness.serve import alone
        from harness.serve.stage import Stage

        sheet = {"programs": {"program": settings}}
        stage = Stage(sheet, {"program": Player}, NoWorld, clock=alone.clock(1), keep=False)
        return alone.run(stage, "program", arguments)
    except Problem as problem:
        posix.write(2, f"trailcam replay: {problem}\n".encode("utf-8", "backslashreplace"))
        return problem.exit_code
