"""The systems under verification, each by dotted names: the harness starts them and imports none of them.

A system is one entry here: its stack, the programs that it starts with the machine of each, and its world.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.problem import UsageProblem


@dataclass(frozen=True, slots=True)
class Subject:
    """One system.

    stack: `open(host, settings)`, an async context manager of a stack. settings: called with the sheet's `settings`
    as keywords. host: the host of process runs, called with `{program: path}` and `folder=`. ask_failed: what a
    caller raises where the client can't be asked. machines: program name to its machine; world: its world. verbs:
    tools that may change something, each with the verb that the world records for it.
    """

    name: str
    stack: str
    settings: str
    host: str
    ask_failed: str
    programs: str
    world: str
    uses: tuple[str, ...]
    packages: tuple[str, ...] = ("stack", "harness", "fakes")
    dialects: Mapping[str, str] = field(default_factory=dict)


SUBJECTS: Mapping[str, Subject] = {
    "computer-use": Subject(
        name="computer-use",
        stack="stack.computer_use:open",
        settings="stack.computer_use.settings:from_sheet",
        host="stack.host:RealHost",
        ask_failed="stack.contract:AskFailed",
        programs="fakes.programs:PROGRAMS",
        world="fakes.worlds.desktop:Desktop",
        uses=("codex", "helper", "codesign", "lsappinfo"),
        dialects={"codex": "jsonrpc", "helper": "mcp", "codesign": "lines", "lsappinfo": "lines"},
    ),
}


def subject(name: str) -> Subject:
    """The system of that name. Raises UsageProblem."""
    if name not in SUBJECTS:
        raise UsageProblem(f"subject {name!r}", f"one of {', '.join(SUBJECTS)}", "correct the name")
    return SUBJECTS[name]
