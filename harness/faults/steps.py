"""What a machine may ask of the stage, one class a step, and the three shapes that faults see.

A handler is a generator of steps. The stage carries one out, and then asks for the next; between two steps other
handlers may run, and the world may change. Times are virtual milliseconds. Plain classes, because a program starts
in the time of a bare interpreter and `dataclasses` alone costs three times that.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence
    from typing import Any, Protocol, TypeAlias

    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

    Handler: TypeAlias = Generator["Step", Any, None]

    class Shell(Protocol):
        """What a session lets the steps of faults do."""

        ignored: set[int]
        unread: set[str]

        def feed_again(self, wire: str, data: bytes) -> None: ...
        def aside(self, ms: float, steps: Sequence[Step]) -> None: ...
        def cork(self, wire: str, stream: str, ms: float) -> None: ...


class Step:
    """One thing that a machine asks for, or that a fault puts in its place."""

    __slots__: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            getattr(self, name) == getattr(other, name) for name in self.__slots__
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(repr(getattr(self, name)) for name in self.__slots__)})"


class Wait(Step):
    """Go on after `ms` virtual milliseconds; other handlers run meanwhile."""

    __slots__ = __match_args__ = ("ms",)

    def __init__(self, ms: float) -> None:
        self.ms = ms


class Until(Step):
    """Go on after `world.wake(key)`, which any program of the stage may cause."""

    __slots__ = __match_args__ = ("key",)

    def __init__(self, key: str) -> None:
        self.key = key


class Send(Step):
    """One frame toward the client (`<<`): the bytes as they stand on the wire, framing included."""

    __slots__ = __match_args__ = ("raw", "wire", "stream")

    def __init__(self, raw: bytes, wire: str = "stdio", stream: str = "out") -> None:
        self.raw = raw
        self.wire = wire
        self.stream = stream


class At(Step):
    """A named instant that a plan can be tied to; `where` narrows it (for example `{"verb": "click"}`)."""

    __slots__ = __match_args__ = ("moment", "where")

    def __init__(self, moment: str, where: Mapping[str, Json] | None = None) -> None:
        self.moment = moment
        self.where: Mapping[str, Json] = where or {}


class Start(Step):
    """Start a child program; its stdin and stdout become this machine's wire `wire` (frames from it are `received`)."""

    __slots__ = __match_args__ = ("wire", "program", "argv", "env")

    def __init__(self, wire: str, program: str, argv: Sequence[str], env: Mapping[str, str] | None = None) -> None:
        self.wire = wire
        self.program = program
        self.argv = tuple(argv)
        self.env: Mapping[str, str] = env or {}


class Signal(Step):
    """Send signal `number` to the child on `wire`."""

    __slots__ = __match_args__ = ("wire", "number")

    def __init__(self, wire: str, number: int) -> None:
        self.wire = wire
        self.number = number


class Close(Step):
    """Close this side's end of a stream: `out` or `err` of stdio, or the way toward a child (`out` of its wire)."""

    __slots__ = __match_args__ = ("wire", "stream")

    def __init__(self, wire: str = "stdio", stream: str = "out") -> None:
        self.wire = wire
        self.stream = stream


class Exit(Step):
    """The process ends: status >= 0 is an exit code, < 0 a signal's number negated."""

    __slots__ = __match_args__ = ("status",)

    def __init__(self, status: int) -> None:
        self.status = status


class Ask(Step):
    """Call a blocking function, and resume with what it returned. Engine backs only; refused under a virtual clock."""

    __slots__ = __match_args__ = ("function",)

    def __init__(self, function: Callable[[], Any]) -> None:
        self.function = function


class Deliver(Step):
    """A frame that reached the program (`>>`). A fault sees `[Deliver(frame)]` and gives what reaches it instead."""

    __slots__ = __match_args__ = ("frame", "wire")

    def __init__(self, frame: Frame, wire: str = "stdio") -> None:
        self.frame = frame
        self.wire = wire


class Raw(Step):
    """Bytes on the wire (`<<`). A fault sees `[Raw(bytes)]` and gives what is written instead."""

    __slots__ = __match_args__ = ("data", "wire", "stream")

    def __init__(self, data: bytes, wire: str = "stdio", stream: str = "out") -> None:
        self.data = data
        self.wire = wire
        self.stream = stream


class Change(Step):
    """The world changes by itself: `world.change(by, **what)`. by: `fault:<id>`, set when a plan's fault gives it."""

    __slots__ = ("what", "by")
    __match_args__ = ("what",)

    def __init__(self, what: Mapping[str, Json], by: str = "") -> None:
        self.what = what
        self.by = by


# Steps that only faults give. Each tells the session by one call (`apply_to`), so the session needs no case for them.


class Ignore(Step):
    """From here on the process takes no notice of signal `number`; 0 is the end of its stdin. SIGKILL still kills."""

    __slots__ = __match_args__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def apply_to(self, session: Shell) -> None:
        session.ignored.add(self.number)


class Unread(Step):
    """From here on the process reads nothing more from a wire, its end included: what comes there fills the pipe."""

    __slots__ = __match_args__ = ("wire",)

    def __init__(self, wire: str = "stdio") -> None:
        self.wire = wire

    def apply_to(self, session: Shell) -> None:
        session.unread.add(self.wire)


class Feed(Step):
    """Bytes that reach the program in a frame's place (`>>`). The wire's codec reads them anew, so a half frame is
    joined with what comes next, and bytes that are no frame are whatever the codec makes of them. No fault strikes
    these frames again."""

    __slots__ = __match_args__ = ("data", "wire")

    def __init__(self, data: bytes, wire: str = "stdio") -> None:
        self.data = data
        self.wire = wire

    def apply_to(self, session: Shell) -> None:
        session.feed_again(self.wire, self.data)


class Aside(Step):
    """Steps that go on beside the handler that gave them, after `ms`: what comes meanwhile overtakes them."""

    __slots__ = __match_args__ = ("ms", "steps")

    def __init__(self, ms: float, steps: Sequence[Step]) -> None:
        self.ms = ms
        self.steps = tuple(steps)

    def apply_to(self, session: Shell) -> None:
        session.aside(self.ms, self.steps)


class Cork(Step):
    """What is written to a stream from here on is gathered, and goes out in one write after `ms`, or before the
    stream is closed. Frames and journal stay as they are; only the writes are joined (as TCP_CORK does)."""

    __slots__ = __match_args__ = ("ms", "wire", "stream")

    def __init__(self, ms: float, wire: str = "stdio", stream: str = "out") -> None:
        self.ms = ms
        self.wire = wire
        self.stream = stream

    def apply_to(self, session: Shell) -> None:
        session.cork(self.wire, self.stream, self.ms)


FRAMES = (Deliver, Raw, Feed)
"""The steps that carry a frame: all that a fault may change of what another one left."""
