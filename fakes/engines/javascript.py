"""The JavaScript engines behind the fake osascript, and the one function through which a script meets its machine.

A script has no other way out than `__py(op, json) -> json`, two texts in and one text out. It never raises: what goes
wrong in Python is an answer like any other, because an exception that crosses an engine's stack is lost in one engine
and ends the other. Which engine it is, the prelude and the machine cannot tell, but by the texts of errors.

- `javascript_quickjs`: QuickJS from a wheel, the default; it may run in a greenlet of the stage.
- `javascript_core`: JavaScriptCore by ctypes, the engine that the real osascript has, with its texts of errors. It
  scans its thread's stack, and has signals of its own, so it runs in a process of its own only.
"""

from __future__ import annotations

from harness.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol, TypeAlias

    Seam: TypeAlias = Callable[[str, str], str]
    """(op, JSON of its argument) -> JSON of the answer. Never raises."""

    class Engine(Protocol):
        """One engine with one global object, and the seam as `__py` in it."""

        name: str

        def evaluate(self, source: str) -> str:
            """The text that a program evaluates to. Raises ScriptProblem where it throws, or is none."""


SEAM = "__py"
NAMES = ("quickjs", "jsc")


class EngineMissing(Problem):
    """An engine is not installed here. Exit code 3."""


class ScriptProblem(Exception):
    """A program that the fake itself gave to an engine threw. A script's own errors are answers of the prelude."""


def engine(name: str, seam: Seam) -> Engine:
    """A fresh engine of `NAMES`. Raises EngineMissing."""
    if name == "jsc":
        from fakes.engines.javascript_core import JavaScriptCore

        return JavaScriptCore(seam)
    from fakes.engines.javascript_quickjs import QuickJs

    return QuickJs(seam)


def missing(name: str) -> str | None:
    """Why an engine can't run here, or None: for tests that skip by name. No engine is started for it."""
    try:
        if name == "jsc":
            from fakes.engines.javascript_core import library

            library()
        else:
            engine(name, lambda op, argument: "{}")
    except EngineMissing as problem:
        return str(problem)
    return None
