"""The ports of the stack and the values that cross them.

Separate from every driver, because all drivers, the server and the tests agree on these shapes and on nothing else.
A driver gives `open(host, settings) -> AsyncContextManager[Stack]`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from anyio.abc import ByteStream, Listener, Process

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None

Outcome: TypeAlias = Literal["done", "refused", "unknown"]
"""done: it happened; refused: it did not happen and will not; unknown: it may have happened."""

Action: TypeAlias = Literal["accept", "decline", "cancel"]

StackEvent: TypeAlias = Literal[
    "user_input", "task_end", "grant", "revoke", "cancel",
    "session_start", "session_switch", "session_fork", "session_reload", "session_shutdown",
]  # fmt: skip


class Program(StrEnum):
    """Every program that the stack may start. The value is the name that a host's table and a run sheet use."""

    CODEX = "codex"
    HELPER = "helper"
    CODESIGN = "codesign"
    LSAPPINFO = "lsappinfo"
    SAFARIDRIVER = "safaridriver"
    OSASCRIPT = "osascript"
    DESKTOP = "desktop"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class Application:
    """One installed application bundle: its bundle identifier, canonical path, and the names it is known by."""

    bundle_id: str
    path: str
    names: tuple[str, ...]


class Lease(Protocol):
    """A held lock. It also ends with its process, however that dies."""

    def release(self) -> None:
        """Give the lock back. Raises OSError where that was not seen to happen; a second release does nothing."""


class Host(Protocol):
    """The only way out of the stack.

    Files: everything is under `folder`, private to its user; a host in memory may keep real files there, as long as
    no path of it reaches an outcome. None of the synchronous methods waits for anything.
    """

    @property
    def folder(self) -> Path:
        """The private root of the stack's state (mode 0700). Made by the host."""

    def path(self, program: Program) -> str:
        """Absolute path of a program, from the host's constant table. LookupError for one that it has not."""

    async def start(self, program: Program, args: Sequence[str], *, env: Mapping[str, str], cwd: str) -> Process:
        """Start a program with exactly this environment; stdin, stdout and stderr are pipes. OSError if it can't."""

    def tree(self, pid: int) -> tuple[int, ...]:
        """`pid` and everything descended from it that still runs, orphans that the host can still place included;
        () when nothing of it runs. OSError where processes can't be listed."""

    def signal(self, pid: int, number: int) -> None:
        """Signal one process, never a group. ProcessLookupError where it has gone, or where another process has
        its number now."""

    async def dial(self, address: str) -> ByteStream:
        """Connect to "tcp:HOST:PORT", "tls:HOST:PORT" or "unix:PATH". Anything but loopback is refused with
        PermissionError unless the host is live."""

    async def listen(self, address: str) -> Listener[ByteStream]:
        """Listen on "tcp:HOST:PORT" (loopback only, always) or "unix:PATH", where the socket that a process has left is
        taken over. OSError where it can't be."""

    def token(self, length: int) -> str:
        """A fresh unguessable word of lower-case hexadecimal digits: ids, nonces, folder names."""

    def date(self) -> datetime:
        """The date and time in UTC, for the audit alone."""

    def make_folder(self, name: str) -> str:
        """A new empty folder (mode 0700) of that name under `folder`; its absolute path without links, which only
        programs look into. FileExistsError."""

    def remove_folder(self, path: str) -> None:
        """Remove a folder that make_folder gave, with all in it. OSError where anything of it is still there."""

    def append_private(self, name: str, line: bytes) -> None:
        """Append to the file `name` under `folder`, which only its user can read (mode 0600), in one write."""

    def try_lock(self, name: str) -> Lease | None:
        """Take a kernel lock that is one for the user on this machine, whatever `folder` is; None while another
        process or another holder in this one has it. `name` is a file name of at most 255 bytes."""

    def applications(self, path: str | None = None) -> Sequence[Application]:
        """The installed applications; with a path, the bundle at that path alone, () where there is none."""

    @property
    def meeting(self) -> Path:
        """The folder (mode 0700) in which the user's processes of the stack meet: local sockets, and the files of
        `publish`. It is one for the user on this machine, whatever `folder` is."""

    def publish(self, name: str, data: bytes) -> None:
        """Put a file into `meeting` that only its user can read, whole or not at all, in the place of an older one."""

    def published(self) -> Mapping[str, bytes]:
        """The files in `meeting` that only this user can read and write, by name; no other is looked into."""

    def withdraw(self, name: str) -> None:
        """Take the file or socket `name` out of `meeting`, where it is there."""

    def is_mine(self, stream: ByteStream) -> bool:
        """Whether the process at the other end of a unix stream is this user's. OSError where that can't be told."""

    def parent(self) -> int:
        """The number of the process that started this one."""


@dataclass(frozen=True, slots=True)
class Question:
    """An elicitation: `params` is the request's own params, unchanged. mode: form, openai/form, url, or new."""

    mode: str
    message: str
    params: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Answer:
    """The client's answer, forwarded unchanged. `content` and `meta` are left out of the reply where None."""

    action: Action
    content: Json = None
    meta: Json = None


class AskFailed(Exception):
    """Raised by Caller.ask: the client can't be asked, or answered with an error. Nothing was decided."""


class Caller(Protocol):
    """Who made a call: where its questions and notices go."""

    @property
    def modes(self) -> frozenset[str]:
        """The modes of elicitation that the client supports: any of "form", "url" and "openai/form"."""

    async def ask(self, question: Question) -> Answer:
        """Put a question to the client. Raises AskFailed; any other exception is a defect and ends the call."""

    async def tools_changed(self) -> None:
        """The list of tools is longer than it was. AskFailed where the client can't be told."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool as it is listed: schemas and annotations in the shape of MCP's tools/list."""

    name: str
    description: str
    input_schema: Mapping[str, Json]
    annotations: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Content:
    """One content block in the shape of MCP's tools/call, as it was received."""

    block: Mapping[str, Json]

    @property
    def text(self) -> str | None:
        """The text of a text block, else None."""
        text = self.block.get("text")
        return text if self.block.get("type") == "text" and isinstance(text, str) else None


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to one call.

    code: None where nothing went wrong, else a code of stack/errors.py: a reply with a code counts as failed.
    content, structured, is_error: what the program behind the stack answered, unchanged; for the stack's own
    refusals one text block that says what was seen, what was expected and what to do.
    evidence: what is known about how the call ran; "unknown" where that is not known yet.
    """

    outcome: Outcome
    code: str | None = None
    content: tuple[Content, ...] = ()
    structured: Json = None
    is_error: bool = False
    meta: Json = None
    evidence: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Proposal:
    """One restricted action, exactly as it is to be sent.

    scope: its kind, such as "click" or "navigate". tool, arguments: the call's own, whole. context: what was last seen
    of the very thing that it acts on (untrusted, and perhaps out of date); None where nothing was.
    """

    scope: str
    tool: str
    arguments: Mapping[str, Json]
    context: Mapping[str, Json] | None = None


class Permit(Protocol):
    """Leave for one dispatch of one proposal, until it is taken back."""

    @property
    def evidence(self) -> Mapping[str, Json]:
        """How the leave came about, and what finding it out used: for the reply, and without the proposal's content."""

    def check(self) -> None:
        """Raises StackError where the leave has ended. Asked again immediately before the first byte is written."""


class Gate(Protocol):
    """Decides on restricted actions; a driver asks it, and can do nothing restricted without it."""

    async def authorize(self, proposal: Proposal, caller: Caller) -> Permit:
        """Leave for this proposal, or StackError with the outcome "refused". May take as long as its own deadlines."""

    async def tell(self, event: StackEvent, data: Json) -> None:
        """What happened outside, before the driver itself acts on it. Raises StackError where the event is refused."""


class Stack(Protocol):
    """One driver, opened."""

    async def tools(self) -> Sequence[Tool]:
        """The tools that are listed now. Raises StackError where they can't be found out."""

    async def call(self, tool: str, arguments: Mapping[str, Json], caller: Caller) -> Reply:
        """Run one tool. Every failure is a Reply with a code.

        Cancelling the scope around a call takes it back: the call cleans up, shielded and in bounded time, and still
        returns its Reply (refused where nothing was dispatched, else unknown); the caller's next checkpoint raises.
        """

    async def tell(self, event: StackEvent, data: Json) -> None:
        """Something happened outside: user_input, task_end, …; "cancel" takes back every call in flight."""

    async def status(self) -> Mapping[str, Json]:
        """What the driver is set to and has seen, and whether its programs verify; dispatches nothing."""
