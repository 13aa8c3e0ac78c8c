"""Which JavaScript a system has, as data: the files of each program, where it is carried out, and who must know it."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from harness.serve.dotted import resolve

MARK = "trailcam.reached"


@dataclass(frozen=True, slots=True)
class Program:
    """One program. files: its sources below the checkout; back: where it is really carried out: `model`, in virtual
    time, `engine`, in processes, or `browser`: in no run of a scenario, but by its own tests; text: dotted name of what
    makes its text out of them, and known: the name by which the fakes know it; empty where nobody has to."""

    files: tuple[str, ...]
    back: str
    text: str = ""
    known: str = ""


LEARN = "fakes.worlds.programs:learn"
PAGES = tuple(f"stack/safari_mcp/programs/{name}.js" for name in ("find", "link", "read", "ready", "search"))
_CONTENT = ("actions", "agent", "dom", "effects", "identity", "memory", "names", "place", "redaction", "roles",
            "snapshot", "states", "tree")  # fmt: skip
_WORKER = ("actions", "failure", "frames", "indicator", "injection", "main", "navigations", "port", "requests",
           "schema", "secrets", "sites", "snapshots", "targets", "window")  # fmt: skip
_SOURCE = "stack/chrome/extension/src"
EXTENSION = (
    *(f"{_SOURCE}/content/{name}.js" for name in _CONTENT), *(f"{_SOURCE}/worker/{name}.js" for name in _WORKER),
    f"{_SOURCE}/popup/popup.js",
)  # fmt: skip
PROGRAMS: Mapping[str, tuple[Program, ...]] = {
    "safari-jxa": (
        Program(("stack/safari_jxa/bridge.js",), "model"),
        Program(tuple(f"stack/safari_jxa/{name}.js" for name in ("names", "snapshot", "page")), "engine",
                "stack.safari_jxa.scripts:program", "jxa_page"),
    ),
    "safari-mcp": (Program(PAGES, "engine"),),
    "chrome": (Program(EXTENSION, "browser"),),
}  # fmt: skip
"""System -> its programs."""


def texts_of(system: str, root: Path) -> dict[str, str]:
    """File -> text, of all programs of a system."""
    files = [file for program in PROGRAMS.get(system, ()) for file in program.files]
    return {file: (root / file).read_text(encoding="utf-8") for file in files}


def back_of(system: str, file: str) -> str:
    """Where the program that a file belongs to is carried out."""
    return next(program.back for program in PROGRAMS[system] if file in program.files)


def learn(system: str) -> None:
    """Let the fakes know the programs as the stack in this process makes them, so that only what a changed program does
    is noticed, and not that it was changed."""
    for program in PROGRAMS.get(system, ()):
        if program.known:
            resolve(LEARN)(resolve(program.text)(), program.known)


def counter(back: str, numbers: Mapping[str, int]) -> Callable[[str], str]:
    """What is put at a guard, so that a run that comes by it says so: on the bridge's stderr, or in the page."""
    if back == "model":
        return lambda id: f'console.log("{MARK} {numbers[id]}")'
    return lambda id: f'(globalThis[Symbol.for("{MARK}")] ??= new Set()).add({numbers[id]})'
