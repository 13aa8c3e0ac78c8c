"""The harness's own errors: what was seen, what was expected, what to do, and where. Below every other module.

The class says whose fault it is and carries the exit code of the command line (HAR-LAW-02).
"""
from __future__ import annotations


class Problem(Exception):
    """Something could not be done or read. Exit code 3: unknown, or could not run.

    file and line name the place in an input, where there is one (lines count from 1).
    """

    exit_code = 3

    def __init__(
        self, seen: str, expected: str, advice: str, *, file: str | None = None, line: int | None = None
    ) -> None:
        place = "" if file is None else f"{file}: " if line is None else f"{file}:{line}: "
        super().__init__(f"{place}saw {seen}; expected {expected}; {advice}")
        self.seen = seen
        self.expected = expected
        self.advice = advice
        self.file = file
        self.line = line

    def as_json(self) -> dict[str, str | int | None]:
        """`{error, file, line, seen, expected, advice}`, as every command prints it under --json."""
        return {
            "error": type(self).__name__,
            "file": self.file,
            "line": self.line,
            "seen": self.seen,
            "expected": self.expected,
            "advice": self.advice,
        }


class UsageProblem(Problem):
    """The caller's words or input files are wrong. Exit code 2."""

    exit_code = 2
