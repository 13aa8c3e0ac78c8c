"""One wire of one process: its codecs, what is open on it, and which request a reply belongs to.

Separate from the session because everything here is about bytes and frames, and nothing about steps or time.
"""
from __future__ import annotations

from _collections import deque

from harness.wire import codec, cutter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.wire.frame import Codec, Frame
    from harness.wire.jsontext import Json


class Stream:
    """The bytes of one stream, cut into frames, each with the offsets inside it at which reads or writes ended.

    decoded: whether anybody wants to know what the frames are.
    """

    __slots__ = ("codec", "cuts", "length", "closed")

    def __init__(self, dialect: str, way: str, *, decoded: bool = True) -> None:
        self.codec: Codec = codec(dialect, way) if decoded else cutter(dialect, way)
        self.cuts: list[int] = []
        self.length = 0
        self.closed = False

    def feed(self, data: bytes) -> Iterator[tuple[Frame, list[int]]]:
        """(frame, cuts) for each frame that is whole now."""
        end = self.length + len(data)
        start = 0
        for frame in self.codec.feed(data):
            cuts, self.cuts = self.cuts, []
            start += len(frame.raw)
            yield frame, cuts
        self.length = end - start
        if self.length:
            self.cuts.append(self.length)

    def end(self) -> Iterator[tuple[Frame, list[int]]]:
        """The half frame that was open, if any."""
        for frame in self.codec.end():
            cuts, self.cuts = self.cuts, []
            yield frame, cuts[:-1] if cuts and cuts[-1] == len(frame.raw) else cuts
        self.length = 0


class Pending:
    """Requests that no reply was seen to yet: by id, or in their order where the dialect has no ids (http)."""

    __slots__ = ("_by_id", "_in_order")

    def __init__(self) -> None:
        self._by_id: dict[tuple[type, Json], tuple[str | None, int | None]] = {}
        self._in_order: deque[tuple[str | None, int | None]] = deque()

    def opened(self, request: Frame, n: int | None) -> None:
        """A request (journal event `n`)."""
        if request.has_id:
            self._by_id[_key(request.id)] = (request.method, n)
        else:
            self._in_order.append((request.method, n))

    def method_of(self, reply: Frame) -> str | None:
        """The method of the request that a reply would answer."""
        if reply.has_id:
            return self._by_id.get(_key(reply.id), (reply.method, None))[0]
        return self._in_order[0][0] if self._in_order else reply.method

    def answered(self, reply: Frame) -> int | None:
        """A reply: it gets its request's method. Gives the number of the request's event, where known."""
        if reply.has_id:
            reply.method, n = self._by_id.pop(_key(reply.id), (reply.method, None))
        else:
            reply.method, n = self._in_order.popleft() if self._in_order else (reply.method, None)
        return n


class Wire:
    """Both directions of one wire, seen from the process that owns it.

    Requests that came in wait in `asked`, requests that went out in `asking`, each with its method and the number of
    its journal event: so a reply gets its request's method, and its `cause`.
    """

    __slots__ = (
        "name", "dialect", "inward", "outward", "asked", "asking", "inbox", "busy", "held", "corked", "again", "_again",
    )  # fmt: skip

    def __init__(
        self, name: str, dialect: str, inward: str, outward: str, streams: tuple[str, ...], *, decoded: bool = True
    ) -> None:
        self.name = name
        self.dialect = dialect
        self.again = dialect
        """The dialect in which bytes that a fault put in a frame's place reach the machine."""
        self.inward = Stream(dialect, inward, decoded=decoded)
        self.outward = {
            stream: Stream("lines" if stream == "err" and dialect != "raw" else dialect, outward, decoded=decoded)
            for stream in streams
        }
        self.asked = Pending()
        self.asking = Pending()
        self.inbox: deque[Frame | None] = deque()
        self.busy = False
        self.held: dict[str, list[bytes]] = {}
        self.corked: dict[str, bytearray] = {}
        self._again: Stream | None = None

    @property
    def again_open(self) -> bool:
        """Whether bytes that a fault put in a frame's place left half a frame open."""
        return self._again is not None and self._again.length > 0

    def read_again(self, data: bytes) -> Iterator[tuple[Frame, list[int]]]:
        """Bytes in the place of a frame, through a codec of their own."""
        if self._again is None:
            self._again = Stream(self.again, ">>")
        return self._again.feed(data)

    def end_again(self) -> Iterator[tuple[Frame, list[int]]]:
        return self._again.end() if self._again is not None else iter(())

    def came(self, frame: Frame, n: int | None) -> None:
        """A frame came in (journal event `n`)."""
        _pair(frame, n, opened=self.asked, answered=self.asking)

    def goes(self, frame: Frame, n: int | None) -> int | None:
        """A frame goes out: gives the journal event that it answers, where known."""
        return _pair(frame, n, opened=self.asking, answered=self.asked)


def _pair(frame: Frame, n: int | None, *, opened: Pending, answered: Pending) -> int | None:
    if frame.kind == "request":
        opened.opened(frame, n)
    elif frame.kind == "reply":
        return answered.answered(frame)
    return None


def _key(id: Json) -> tuple[type, Json]:
    return (type(id), id if isinstance(id, str | int | float | None) else repr(id))
