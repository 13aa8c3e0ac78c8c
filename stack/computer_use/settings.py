"""What a Computer Use stack can be set to: by code that opens it in process, and by nothing else.

There is one policy and no switch for it (CUA-POL-01): no field here turns a check off.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, TypeVar

from stack.computer_use.pinned import PINNED, PinnedTool
from stack.contract import Json, Program

SERVER: Final = "computer-use"
"""The helper's name as an MCP server of the app-server."""
TEAM: Final = "2DC432GLL2"
"""OpenAI's team identifier."""
IDENTIFIERS: Final[Mapping[Program, str]] = {
    Program.CODEX: "com.openai.codex",
    Program.HELPER: "com.openai.sky.CUAService.cli",
}
"""The code-signing identifier of each official binary. Source: codex app-server facts, section 6."""


@dataclass(frozen=True, slots=True)
class Platform:
    """What the machine has. identifiers: what each official binary must be signed as.

    helper_folder: where the helper is started; None for the session's own work folder.
    """

    name: str
    helper_folder: str | None
    identifiers: Mapping[Program, str] = field(default_factory=lambda: IDENTIFIERS)


MACOS: Final = Platform(
    "macos", "/Applications/ChatGPT.app/Contents/Resources/plugins/openai-bundled/plugins/computer-use"
)
LINUX: Final = Platform("linux", None)
"""A machine without the official bundle: the programs are wherever the host's table says."""


@dataclass(frozen=True, slots=True)
class Deadlines:
    """All in milliseconds. The first group ends in an error, the second is how long a step of the work may take.

    tool_timeout: what the app-server is told. lock: the wait for an application that is busy. call: ours, from the
    lease to the answer, cleanup included, stopped while a user is asked. What is left of it for the reply (`reply`)
    must be more than the tool timeout, or its end would hide the app-server's own account.
    """

    initialize: int = 15_000
    thread_start: int = 30_000
    tool_timeout: int = 120_000
    call: int = 150_000
    lock: int = 30_000
    signature: int = 10_000
    focus: int = 3_000

    idle: int = 120_000
    lock_retry: int = 50
    settle: int = 100
    late: int = 100
    close: int = 5_000
    terminate: int = 2_000
    kill: int = 2_000
    poll: int = 25

    def __post_init__(self) -> None:
        if self.reply <= self.tool_timeout:
            raise ValueError(
                f"a call of {self.call} ms leaves {self.reply} ms for the reply; "
                f"it must be more than the tool timeout, {self.tool_timeout} ms"
            )

    @property
    def finding(self) -> int:
        """The longest that the look at the focus after a call takes."""
        return self.late + 2 * self.focus

    @property
    def cleanup(self) -> int:
        """The longest that the end of a sequence takes: app-server, then focus listener."""
        return self.close + self.terminate + self.kill + self.late + self.terminate + self.kill

    @property
    def reply(self) -> int:
        """What a call has for everything up to its reply."""
        return self.call - self.finding - self.cleanup

    @property
    def answer(self) -> int:
        """The longest that a call takes from being asked to its answer, while no user is asked: the wait for the
        application, the end of a sequence that can't be used again, and the call itself."""
        return self.lock + self.cleanup + self.call


@dataclass(frozen=True, slots=True)
class Bounds:
    """line_bytes: one protocol line without its end; output_bytes: all that a short program may print;
    elicitations: questions of one call; focus_bytes: one line of the focus listener."""

    line_bytes: int = 8 * 1024 * 1024
    output_bytes: int = 64 * 1024
    elicitations: int = 8
    focus_bytes: int = 64 * 1024


@dataclass(frozen=True, slots=True)
class Settings:
    """progressive: list two tools until an application's state has been read, then all ten."""

    platform: Platform = MACOS
    progressive: bool = False
    inventory: Mapping[str, PinnedTool] = field(default_factory=lambda: PINNED)
    deadlines: Deadlines = Deadlines()
    bounds: Bounds = Bounds()


PLATFORMS: Final[Mapping[str, Platform]] = {row.name: row for row in (MACOS, LINUX)}

_Row = TypeVar("_Row", Deadlines, Bounds)


def _row(kind: type[_Row], given: Json, place: str) -> _Row:
    known = {part.name for part in fields(kind)}
    if not isinstance(given, dict) or not set(given) <= known:
        raise ValueError(f"settings: {place} is {given!r}; expected an object with members among {sorted(known)}")
    values: dict[str, Any] = {}
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
            raise ValueError(f"settings: {place}.{name} is {value!r}; expected a whole number above 0")
        values[name] = value
    return kind(**values)


def from_sheet(given: Mapping[str, Json]) -> Settings:
    """Settings from the `settings` of a harness's run sheet: any of `platform` ("macos" or "linux", the default here),
    `progressive`, and `deadlines` and `bounds` with members of those classes. ValueError names what is wrong.

    For code that runs this stack against fakes; no installed command reads such a file.
    """
    unknown = set(given) - {"platform", "progressive", "deadlines", "bounds"}
    if unknown:
        raise ValueError(f"settings: {sorted(unknown)} unknown; expected platform, progressive, deadlines or bounds")
    name, progressive = given.get("platform", LINUX.name), given.get("progressive", False)
    if not isinstance(name, str) or name not in PLATFORMS:
        raise ValueError(f"settings: platform is {name!r}; expected one of {sorted(PLATFORMS)}")
    if not isinstance(progressive, bool):
        raise ValueError(f"settings: progressive is {progressive!r}; expected true or false")
    return Settings(
        platform=PLATFORMS[name],
        progressive=progressive,
        deadlines=_row(Deadlines, given.get("deadlines", {}), "deadlines"),
        bounds=_row(Bounds, given.get("bounds", {}), "bounds"),
    )
