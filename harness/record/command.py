"""`trailcam record` from its words to its exit code. Separate from __main__.py so that it is compiled once."""
from __future__ import annotations

import os

from harness.problem import Problem
from harness.record.options import help_text, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def run(words: Sequence[str]) -> int:
    """Record a session, or write shims. What went wrong before anything was started is said on stderr."""
    if words and words[0] in ("-h", "--help"):
        os.write(1, help_text().encode())
        return 0
    try:
        options = parse(words)
        if options.shim is not None:
            from harness.record.shim import write_shims

            os.write(1, "".join(f"{line}\n" for line in write_shims(options)).encode())
            return 0
        from harness.record.tap import record

        record(options)
    except Problem as problem:
        os.write(2, os.fsencode(f"trailcam record: {problem}\n"))
        return problem.exit_code
