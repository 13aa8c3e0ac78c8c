"""The systems under verification, each by dotted names: the harness starts them and imports none of them.

A system is one entry here: its stack, the programs that it starts with the machine of each, and its world.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from harness.problem import UsageProblem
from harness.serve.channel import Channel


@dataclass(frozen=True, slots=True)
class Backing:
    """The back `engine` of a system whose programs are ours in front of a real engine: another world, which has it.

    world: the dotted name of that world; needs: names in harness/engines.py; parts: what is real then, names that
    claims are about. A part takes part in a run where the world holds the engine (`held`, what `engine`, its version).
    engine: the dotted name of the engine, which can be lent to that world.
    """

    world: str
    needs: tuple[str, ...]
    parts: tuple[str, ...]
    engine: str = ""


@dataclass(frozen=True, slots=True)
class Profile:
    """One version of a system's programs. programs: program -> settings of its fake; versions: program -> version of
    the product that the fake stands for; engines: program -> (name in harness/engines.py, dialect of its stdio).
    backing: an engine behind the fakes themselves."""

    programs: Mapping[str, Mapping[str, Any]]
    versions: Mapping[str, str]
    engines: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    backing: Backing | None = None

    @property
    def needs(self) -> tuple[str, ...]:
        """Names in harness/engines.py of all that the back `engine` needs."""
        return (*(name for name, _ in self.engines.values()), *(self.backing.needs if self.backing else ()))


@dataclass(frozen=True, slots=True)
class Subject:
    """One system.

    stack: `open(host, settings)`, an async context manager of a stack. settings: called with the sheet's `settings`.
    host: the host of process runs, called with `{program: path}` and `folder=`. ask_failed: what a caller raises where
    the client can't be asked. error: what the stack raises where it has no reply to put it into. programs: program name
    to its machine; world: its world. uses: the programs, dialects: of their stdio. services: program that is connected
    to instead of started -> its address, `tcp:127.0.0.1:8791`. profiles: by name, the newest last.
    start_ms: what the start of each program costs in virtual time. writes: file of the stack's state -> what it is to
    law 6 (`audit`, `log`); these files may stay. bounds: of law 4, where a scenario has none. around: programs that run
    before the stack is opened and until after it was closed. channels: program to what of the stack's own side is at
    the other end of it (harness/serve/channel.py). inside: program -> names that its origin stands for besides.
    guarded: packages whose guards are this stack's too, besides its own. ends_calls: told events with which a caller
    ends the calls that run: nobody hears the rest of those.
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
    around: tuple[str, ...] = ()
    channels: Mapping[str, Channel] = field(default_factory=dict)
    inside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    services: Mapping[str, str] = field(default_factory=dict)
    guarded: tuple[str, ...] = ()
    ends_calls: tuple[str, ...] = ("cancel", "task_end", "session_switch")

    @property
    def parts(self) -> tuple[str, ...]:
        """Every program of a run: those that the stack starts, and the services."""
        return (*self.uses, *self.services)


def _codex(version: str) -> Profile:
    """The helper, codesign and lsappinfo are one version each: nobody has recorded another."""
    others = {"helper": "1.0.799", "codesign": "macOS 26", "lsappinfo": "macOS 26"}
    return Profile(
        {"codex": {"profile": version}}, {"codex": version, **others}, {"codex": (f"codex-{version}", "jsonrpc")}
    )


WEBKIT = Backing(
    "fakes.worlds.safari_webkit:SafariOnWebKit", ("webkit", "xvfb"), ("page",), "fakes.engines.webkit:WebKit"
)
"""Real pages behind the fakes of Safari's programs."""
CHROMIUM = "Chromium 156.0.8078.108"
"""The Chromium that the fake browser stands for, as it says its version itself."""

MODEL = "jev-1.13.0"
"""The model that its fake endpoint answers as."""
JUDGE = "either style"
"""What a fake judge stands for: an endpoint of the one style or of the other, and no model."""

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
    "safari-mcp": Subject(
        name="safari-mcp",
        stack="stack.safari_loop:open",
        settings="stack.safari_loop.settings:from_sheet",
        host="stack.host:RealHost",
        ask_failed="stack.contract:AskFailed",
        programs="fakes.programs:PROGRAMS",
        world="fakes.worlds.safari:Safari",
        uses=("safaridriver",),
        services={"judge": "tcp:127.0.0.1:8791", "model": "tcp:127.0.0.1:8792"},
        dialects={"safaridriver": "mcp", "judge": "http", "model": "http"},
        error="stack.errors:StackError",
        profiles={name: Profile({"safaridriver": {"profile": name}},
                                {"safaridriver": name, "judge": JUDGE, "model": MODEL}, backing=WEBKIT)
                  for name in ("27.0", "technology-preview")},
        start_ms={"safaridriver": 30},
        guarded=("stack.safari_mcp", "stack.consent"),
        ends_calls=("cancel", "session_start", "session_switch", "session_fork", "session_reload", "session_shutdown"),
        bounds={"call_ms": 23_000, "frame_bytes": 65_536, "reply_bytes": 98_304},
        inside={"safaridriver": ("page",)},
    ),
    "safari-jxa": Subject(
        name="safari-jxa",
        stack="stack.session:open",
        guarded=("stack.safari_jxa", "stack.decide"),
        settings="stack.session.settings:from_sheet",
        host="stack.host:RealHost",
        ask_failed="stack.contract:AskFailed",
        programs="fakes.programs:PROGRAMS",
        world="fakes.worlds.safari:Safari",
        uses=("osascript",),
        services={"model": "tcp:127.0.0.1:8792"},
        dialects={"osascript": "jsonrpc", "model": "http"},
        error="stack.errors:StackError",
        profiles={"macos-26": Profile({}, {"osascript": "macOS 26", "model": MODEL}, backing=WEBKIT)},
        start_ms={"osascript": 40},
        bounds={"call_ms": 31_000, "frame_bytes": 4 << 20, "reply_bytes": 1 << 20},
        inside={"osascript": ("page",)},
    ),
    "chrome": Subject(
        name="chrome",
        stack="stack.chrome:open",
        settings="stack.chrome.settings:from_sheet",
        host="stack.host:RealHost",
        ask_failed="stack.contract:AskFailed",
        programs="fakes.programs:PROGRAMS",
        world="fakes.worlds.chrome:Chrome",
        uses=("browser", "channel", "desktop"),
        dialects={"browser": "raw", "channel": "bridge", "desktop": "ndjson"},
        error="stack.errors:StackError",
        profiles={"156": Profile({}, {"browser": CHROMIUM, "channel": CHROMIUM, "desktop": "0.1.0"})},
        start_ms={"browser": 300, "desktop": 8},
        bounds={"call_ms": 60_000, "frame_bytes": 1_048_580, "reply_bytes": 8 << 20},
        around=("browser",),
        channels={"channel": Channel("host", "stack.chrome.process:main", "stack.chrome.process:command", 250)},
        inside={"browser": ("extension", "page")},
    ),
}


def _stranger(name: str, like: str, programs: str, **given: Any) -> Subject:
    """Somebody else's stacks over the programs and the world of a system."""
    base, here = SUBJECTS[like], "harness.strangers"
    made = replace(
        base, name=name, stack=f"{here}.stack:open", settings=f"{here}.stack:from_sheet",
        host=f"{here}.process:Surroundings", ask_failed=f"{here}.problem:AskFailed",
        error=f"{here}.problem:StrangerError", programs=programs, packages=("harness", "fakes"), start_ms={},
        writes={"stderr.txt": "stderr"}, bounds={}, services={}, guarded=(), ends_calls=(),
    )  # fmt: skip
    parts = (*base.uses, *given.get("services", ()))
    bare = {profile: Profile({program: keys for program, keys in each.programs.items() if program in parts},
                             {program: version for program, version in each.versions.items() if program in parts})
            for profile, each in base.profiles.items()}  # fmt: skip
    dialects = {program: dialect for program, dialect in base.dialects.items() if program in parts}
    return replace(made, **{"profiles": bare, "dialects": dialects, **given})


STRANGERS: Mapping[str, Subject] = {
    "osascript": _stranger("osascript", "safari-jxa", "fakes.programs:PROGRAMS"),
    "safaridriver": _stranger(
        "safaridriver", "safari-mcp", "fakes.programs:SERVED", services={"webdriver": "safaridriver -p"},
        dialects={"safaridriver": "mcp", "webdriver": "http"},
        profiles={name: Profile({program: {"profile": name} for program in ("safaridriver", "webdriver")},
                                dict.fromkeys(("safaridriver", "webdriver"), name))
                  for name in SUBJECTS["safari-mcp"].profiles},
    ),
    "codex": _stranger("codex", "computer-use", "fakes.programs:PROGRAMS"),
}  # fmt: skip
"""Somebody else's stacks, by the program that they start: harness/strangers. Each needs an adapter that says which."""


def subject(name: str) -> Subject:
    """The system of that name, or the strangers' of it. Raises UsageProblem."""
    known = {**SUBJECTS, **STRANGERS}
    if name not in known:
        raise UsageProblem(f"subject {name!r}", f"one of {', '.join(known)}", "correct the name")
    return known[name]
