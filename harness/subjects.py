"""The systems under verification, each by dotted names: the harness starts them and imports none of them.

A system is one entry here: its stack, the programs that it starts with the machine of each, and its world.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.problem import UsageProblem


@dataclass(frozen=True, slots=True)
class Profile:
    """One version of a system's programs. programs: program -> settings of its fake; versions: program -> version of
    the product that the fake stands for; engines: program -> (name in harness/engines.py, dialect of its stdio)."""

    programs: Mapping[str, Mapping[str, Any]]
    versions: Mapping[str, str]
    engines: Mapping[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Subject:
    """One system.

    stack: `open(host, settings)`, an async context manager of a stack. settings: called with the sheet's `settings`.
    host: the host of process runs, called with `{program: path}` and `folder=`. ask_failed: what a caller raises where
    the client can't be asked. error: what the stack raises where it has no reply to put it into. programs: program name
    to its machine; world: its world. uses: the programs, dialects: of their stdio. profiles: by name, the newest last.
    start_ms: what the start of each program costs in virtual time. writes: file of the stack's state -> what it is to
    law 6 (`audit`, `log`); these files may stay. bounds: of law 4, where a scenario has none.
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
    error: str = "builtins:RuntimeError"
    profiles: Mapping[str, Profile] = field(default_factory=lambda: {"default": Profile({}, {})})
    start_ms: Mapping[str, float] = field(default_factory=dict)
    writes: Mapping[str, str] = field(default_factory=dict)
    bounds: Mapping[str, float] = field(default_factory=dict)


def _codex(version: str) -> Profile:
    """The helper, codesign and lsappinfo are one version each: nobody has recorded another."""
    others = {"helper": "1.0.799", "codesign": "macOS 26", "lsappinfo": "macOS 26"}
    return Profile(
        {"codex": {"profile": version}}, {"codex": version, **others}, {"codex": (f"codex-{version}", "jsonrpc")}
    )


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
        error="stack.errors:StackError",
        profiles={version: _codex(version) for version in ("0.144.2", "0.171.0")},
        start_ms={"codex": 15, "helper": 20, "codesign": 8, "lsappinfo": 8},
        writes={"computer-use-audit.jsonl": "audit"},
        bounds={"call_ms": 150_000, "frame_bytes": 65_536, "reply_bytes": 8 << 20},
    ),
}


def subject(name: str) -> Subject:
    """The system of that name. Raises UsageProblem."""
    if name not in SUBJECTS:
        raise UsageProblem(f"subject {name!r}", f"one of {', '.join(SUBJECTS)}", "correct the name")
    return SUBJECTS[name]
