"""What is known of a wire beside its dialect, as data: whose a value is, and which frames may change places.

A tape's header names its profile; where it names none, the dialect's own one holds. Whatever a table does not have is
compared, and stays where it was recorded: what nobody measured is not free.

Sources. codex: trailcam facts, codex app-server, measured on 0.144.2 and 0.171.0; the partial order held in 301
sessions. mcp: the specification, revisions 2024-11-05 to 2025-11-25.
"""
from __future__ import annotations

from harness.problem import UsageProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from harness.wire.jsontext import Json

    Pointers: TypeAlias = tuple[str, ...]
    Kinds: TypeAlias = Mapping[str, str]

EVERY = "*"
"""The rows of a table that hold for every method."""

OWNED_KINDS = {
    "": "nothing repeats it",
    "text": "the program repeats it as a whole text anywhere",
    "token": "the program repeats it where `repeats` says",
}
"""How a value of the client's own goes on."""

PLACEHOLDERS = {
    "ROOT": "folder of the recorded session",
    "RIG": "folder of the recorder",
    "PYTHON": "an interpreter",
    "CODEX": "the codex executable",
    "HOST": "name of the machine",
    "OS": "operating system and version",
    "ARCH": "architecture",
    "TS": "a date and time",
    "SECS": "seconds",
    "PID": "number of a process",
    "UUID": "a random identifier",
    "UUID7": "an identifier of a thread, turn or item",
    "BIN": "folder of the programs of a run",
    "STATE": "folder of the stack's private state in a run",
}
"""Name -> what stood there. `<NAME>` or `<NAME-number>` in a reconstructed tape; the same text is the same value."""


class Frames:
    """Which frames: of one kind and method (EVERY: any), with these values at these pointers (a tuple: any of them)."""

    __slots__ = ("kind", "method", "where")

    def __init__(self, kind: str, method: str, where: Mapping[str, tuple[Json, ...]] | None = None) -> None:
        self.kind = kind
        self.method = method
        self.where = where or {}

    def __str__(self) -> str:
        narrowed = "".join(f", {pointer} {' or '.join(map(str, values))}" for pointer, values in self.where.items())
        return f"{self.kind} {'of any method' if self.method == EVERY else self.method}{narrowed}"


class Pair:
    """`first` comes before `then`, where both have equal values at the pointers of each of `same`.

    A pointer that begins with `?` is one of the request that a reply answers.
    """

    __slots__ = ("first", "then", "same")

    def __init__(self, first: Frames, then: Frames, *same: tuple[str, str]) -> None:
        self.first = first
        self.then = then
        self.same = same


class Profile:
    """One wire's knowledge. Tables go from a method (or EVERY) to pointers.

    Frames of the client. owned: the client's own values: whether one is there is compared, what it is is not; with its
    kind of OWNED_KINDS. ignored: not compared at all. refers: where a frame names an earlier request of the client by
    its id. The id of a request is always the client's own.

    Frames of the program. repeats: where one carries a token of the client's. chosen: values that the program makes up
    anew in each session; keys are the method of a notice or request, or `?` and that of the request that a reply
    answers. times: members that hold a time. either: pointer (`*` is any member) -> values that are equally good.
    tools: where tools and their schemas stand, as `chosen` is keyed.

    Order. movable: (kind, method) of frames that may change places with others; None for all. pairs: what they keep all
    the same. subjects: what a notice is about: those of one method and one subject keep their order.
    """

    __slots__ = ("name", "means", "owned", "ignored", "refers", "repeats", "chosen", "times", "either", "tools",
                 "movable", "pairs", "subjects")

    def __init__(
        self,
        name: str,
        means: str,
        *,
        owned: Mapping[str, Kinds] | None = None,
        ignored: Mapping[str, Pointers] | None = None,
        refers: Mapping[str, Pointers] | None = None,
        repeats: Mapping[str, Pointers] | None = None,
        chosen: Mapping[str, Pointers] | None = None,
        times: frozenset[str] = frozenset(),
        either: Mapping[str, tuple[Json, ...]] | None = None,
        tools: Mapping[str, str] | None = None,
        movable: frozenset[tuple[str, str]] | None = frozenset(),
        pairs: tuple[Pair, ...] = (),
        subjects: Mapping[str, Pointers] | None = None,
    ) -> None:
        self.name = name
        self.means = means
        self.owned = owned or {}
        self.ignored = ignored or {}
        self.refers = refers or {}
        self.repeats = repeats or {}
        self.chosen = chosen or {}
        self.times = times
        self.either = either or {}
        self.tools = tools or {}
        self.movable = movable
        self.pairs = pairs
        self.subjects = subjects or {}


PLAIN = Profile("plain", "bytes, lines, JSON lines and native messages: nothing is free")
JSONRPC = Profile("jsonrpc", "any JSON-RPC: ids are the client's own, and replies come in any order", movable=None)

_TOKEN = {"/params/_meta/progressToken": "token"}
_PROGRESS = Frames("notice", "notifications/progress")


def _mcp(name: str, means: str, owned: Kinds) -> Profile:
    return Profile(
        name,
        means,
        owned={EVERY: {**_TOKEN, **owned}, "initialize": {"/params/clientInfo": ""}},
        ignored={"notifications/cancelled": ("/params/reason",)},
        refers={"notifications/cancelled": ("/params/requestId",)},
        repeats={"notifications/progress": ("/params/progressToken",)},
        tools={"?tools/list": "/result/tools"},
        movable=None,
        pairs=(Pair(_PROGRESS, Frames("reply", EVERY), ("/params/progressToken", "?/params/_meta/progressToken")),),
        subjects={"notifications/progress": ("/params/progressToken",)},
    )


MCP = _mcp("mcp", "MCP: progress comes before the reply that it is about, and all else in any order", {})
MCP_OF_CODEX = _mcp(
    "mcp-of-codex",
    "MCP as codex speaks it to a server: the thread's id is codex's own",
    {"/params/_meta/threadId": "text"},
)

_CHANGED = "thread/status/changed"
_STARTUP = "mcpServer/startupStatus/updated"
_ELICIT = "mcpServer/elicitation/request"
_RESOLVED = "serverRequest/resolved"
_OF_THREAD = ("/params/threadId", "/params/threadId")
_STARTING = Frames("notice", _STARTUP, {"/params/status": ("starting",)})
_CODEX_THREAD = ("/thread/id", "/thread/sessionId", "/thread/path")

CODEX = Profile(
    "codex",
    "codex app-server: the partial order that was measured, and nothing stronger for the frames in it",
    owned={"initialize": {"/params/clientInfo": ""}, "thread/start": {"/params/cwd": "text"}},
    ignored={"thread/start": ("/params/serviceName",)},
    chosen={
        "?initialize": ("/result/codexHome",),
        "remoteControl/status/changed": ("/params/installationId", "/params/serverName"),
        "?thread/start": tuple(f"/result{end}" for end in _CODEX_THREAD),
        "thread/started": tuple(f"/params{end}" for end in _CODEX_THREAD),
        "?turn/start": ("/result/turn/id", "/result/turn/rootTurnId"),
        "turn/started": ("/params/turn/id", "/params/turn/rootTurnId"),
        "item/started": ("/params/item/id",),
        "item/completed": ("/params/item/id",),
        _ELICIT: ("/params/elicitationId",),
    },
    times=frozenset({
        "createdAt", "updatedAt", "recencyAt", "startedAt", "completedAt", "durationMs", "emittedAtMs", "startedAtMs",
        "completedAtMs",
    }),
    either={"/result/data/*/runtimeStatus": ("starting", "connected")},
    tools={"?mcpServerStatus/list": "/result/data/*/tools"},
    movable=frozenset({
        ("reply", "mcpServer/tool/call"), ("reply", "mcpServerStatus/list"), ("notice", "remoteControl/status/changed"),
        ("notice", "thread/started"), ("notice", _STARTUP), ("notice", _CHANGED), ("notice", _RESOLVED),
        ("request", _ELICIT),
    }),
    pairs=(
        Pair(Frames("reply", "initialize"), Frames("notice", "remoteControl/status/changed")),
        Pair(Frames("reply", "thread/start"), Frames("notice", "thread/started"),
             ("/result/thread/id", "/params/thread/id")),
        Pair(Frames("reply", "thread/start"), _STARTING, ("/result/thread/id", "/params/threadId")),
        Pair(_STARTING, Frames("notice", _STARTUP, {"/params/status": ("ready", "failed", "cancelled")}),
             _OF_THREAD, ("/params/name", "/params/name")),
        Pair(Frames("notice", _CHANGED, {"/params/status/type": ("active",)}), Frames("request", _ELICIT), _OF_THREAD),
        Pair(Frames("request", _ELICIT), Frames("notice", _RESOLVED), _OF_THREAD, ("/id", "/params/requestId")),
        Pair(Frames("notice", _RESOLVED), Frames("notice", _CHANGED, {"/params/status/type": ("idle",)}), _OF_THREAD),
    ),
    subjects={
        _CHANGED: ("/params/threadId",),
        _STARTUP: ("/params/threadId", "/params/name"),
        "thread/started": ("/params/thread/id",),
        _RESOLVED: ("/params/threadId", "/params/requestId"),
    },
)  # fmt: skip

PROFILES = {
    "plain": PLAIN,
    "jsonrpc": JSONRPC,
    "mcp": MCP,
    "mcp-of-codex": MCP_OF_CODEX,
    "codex": CODEX,
    "codex-0.144.2": CODEX,
    "codex-0.171.0": CODEX,
}
"""Name in a tape's header -> profile."""

_OF_DIALECT = {"jsonrpc": JSONRPC, "mcp": MCP}


def profile_of(name: str | None, dialect: str) -> Profile:
    """The profile of that name; where there is none, the dialect's own. Raises UsageProblem for an unknown name."""
    if name is None:
        return _OF_DIALECT.get(dialect, PLAIN)
    if name not in PROFILES:
        raise UsageProblem(
            f"the profile {name!r}", f"one of {', '.join(PROFILES)}",
            "name another profile, or correct `profile` in the tape's header",
        )
    return PROFILES[name]
