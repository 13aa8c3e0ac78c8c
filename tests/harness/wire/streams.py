"""How the tests of the wires feed a codec: whole, byte by byte, and cut anywhere."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from harness.wire.frame import Frame

if TYPE_CHECKING:
    from harness.wire.frame import Codec

Told = tuple[bytes, str, str, str | None, str, bool, str | None, bool]


def told(frame: Frame) -> Told:
    """Everything that a frame says, in a form that can be compared (and tells 0 from 0.0)."""
    return (
        frame.raw,
        repr(frame.value),
        frame.kind,
        frame.method,
        repr(frame.id),
        frame.has_id,
        str(frame.problem) if frame.problem else None,
        frame.more,
    )


def feed_all(codec: Codec, pieces: Iterable[bytes]) -> list[Frame]:
    """The frames of a whole stream that came in these reads."""
    frames = [frame for piece in pieces for frame in codec.feed(piece)]
    return frames + codec.end()


def cut(data: bytes, places: Sequence[int]) -> list[bytes]:
    """The data in pieces that end at these offsets, empty ones included."""
    ends = [0, *sorted(min(place, len(data)) for place in places), len(data)]
    return [data[start:stop] for start, stop in pairwise(ends)]


def single_bytes(data: bytes) -> list[bytes]:
    return [data[place : place + 1] for place in range(len(data))]


def codes(frames: Iterable[Frame]) -> list[str | None]:
    return [frame.problem.code if frame.problem else None for frame in frames]


def only(frames: list[Frame]) -> Frame:
    assert len(frames) == 1, frames
    return frames[0]


def request(id: Any, method: str = "m", **members: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, **members}


def reply(id: Any, **members: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, **(members or {"result": {}})}


def notice(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})}
