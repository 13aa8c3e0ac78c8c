"""What can be wrong with a tape. Separate, because header, reader, migration and import all raise it."""
from __future__ import annotations

from harness.problem import Problem


class TapeProblem(Problem):
    """A tape can't be read, or can't be used as asked. Exit code 3. file and line say where."""


class NewerTape(TapeProblem):
    """The tape is of a version that this trailcam does not know: never read in part."""


class OlderTape(TapeProblem):
    """The tape is of an older form that needs something said before it can be migrated; the advice says what."""


class TornTape(TapeProblem):
    """The tape ends in the middle of a line: its writer was killed. Everything before that line is good."""
