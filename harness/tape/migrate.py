"""Older versions of the tape, brought up one step at a time.

`STEPS` has one function for each version that ever was: it takes the decoded header and lines of that version and
gives those of the next. The reader calls `upgrade` where a header says an older version, so no other code knows one.
Version 0 is the log of `{dir, ts, frame}` lines that recordings had before there was a tape, under a header that says
where the log came from; a log without that header is refused, with the command that adds it.
"""
from __future__ import annotations

from harness.tape.event import VERSION
from harness.tape.import_frames import from_frames
from harness.tape.problem import OlderTape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import TypeAlias

    from harness.tape.event import Event
    from harness.wire.jsontext import Json

    Lines: TypeAlias = Iterator[tuple[int, Event]]
    """(line number in the file, decoded line)."""
    Step: TypeAlias = Callable[[Mapping[str, Json], Lines, str], tuple[dict[str, Json], Lines]]
    """(header, lines, file name for messages) -> header and lines of the next version."""

STEPS: dict[int, Step] = {0: from_frames}


def upgrade(
    header: Mapping[str, Json],
    lines: Lines,
    name: str,
    *,
    version: int = VERSION,
    steps: Mapping[int, Step] = STEPS,
) -> tuple[dict[str, Json], Lines]:
    """Header and lines in the form of `version`. Raises TapeProblem where a step is missing or refuses the tape."""
    fields = dict(header)
    while (have := fields["v"]) != version:
        step = steps.get(have) if isinstance(have, int) else None
        if step is None:
            raise OlderTape(
                f"a tape of version {have}",
                f"version {version}, or one of {', '.join(map(str, sorted(steps)))}",
                "record it again: this trailcam has no migration from that version",
                file=name,
                line=1,
            )
        fields, lines = step(fields, lines, name)
    return fields, lines
