"""The bytes of the frames among some steps: what stands inside the framing, and other bytes in its place.

Separate from the faults because every one that changes bytes must leave the framing right (or wrong on purpose), and
must not touch what other faults put among the steps. A fault knows no dialect; the framing shows in the bytes: a
length of 32 bits in native order that fits (Chrome's native messaging), the start line of an HTTP message, or a
newline at the end. They can't be confused: four printable bytes read as a length of more than 500 MiB, and no JSON
text begins or goes on as a start line does.
"""
from __future__ import annotations

import sys

from harness.faults.steps import Deliver, Feed, Raw
from harness.wire.http_text import looks_like_message, split_message
from harness.wire.http_text import with_body as message_with_body

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from harness.faults.steps import Step

LENGTH_BYTES = 4
FOREVER_MS = 10 * 365 * 86_400_000.0
"""A wait that no run outlives: ten years of virtual time."""


def is_native(raw: bytes) -> bool:
    """Whether the frame starts with its length in native byte order."""
    return len(raw) >= LENGTH_BYTES and int.from_bytes(raw[:LENGTH_BYTES], sys.byteorder) == len(raw) - LENGTH_BYTES


def is_line(raw: bytes) -> bool:
    """Whether the frame is a line, or at least has no other framing."""
    return not is_native(raw) and not looks_like_message(raw)


def body_of(raw: bytes) -> bytes:
    """The frame without its framing: length, head, or newline (with a carriage return before it)."""
    if looks_like_message(raw):
        return split_message(raw)[1]
    start, end = _bounds(raw)
    return raw[start:end]


def with_body(raw: bytes, body: bytes) -> bytes:
    """The frame with another body in the same framing, a length included."""
    if looks_like_message(raw):
        return message_with_body(raw, body)
    start, end = _bounds(raw)
    if start:
        return len(body).to_bytes(LENGTH_BYTES, sys.byteorder) + body
    return body + raw[end:]


def _bounds(raw: bytes) -> tuple[int, int]:
    if is_native(raw):
        return LENGTH_BYTES, len(raw)
    if raw.endswith(b"\r\n"):
        return 0, len(raw) - 2
    return 0, len(raw) - raw.endswith(b"\n")


def raw_of(step: Deliver | Raw | Feed) -> bytes:
    """The bytes of the frame that a step carries."""
    return step.frame.raw if isinstance(step, Deliver) else step.data


def carrying(step: Deliver | Raw | Feed, raw: bytes) -> Raw | Feed:
    """A step like the one given, on the same way, with other bytes."""
    return Raw(raw, step.wire, step.stream) if isinstance(step, Raw) else Feed(raw, step.wire)


def each_frame(
    steps: Sequence[Step], change: Callable[[Deliver | Raw | Feed], Sequence[Step] | None]
) -> list[Step]:
    """The steps with what `change` gives in place of each frame; None leaves the frame. Other steps stay."""
    changed: list[Step] = []
    for step in steps:
        if isinstance(step, Deliver | Raw | Feed):
            given = change(step)
            changed.extend((step,) if given is None else given)
        else:
            changed.append(step)
    return changed


def each_raw(steps: Sequence[Step], change: Callable[[bytes], bytes | None]) -> list[Step]:
    """The steps with other bytes in each frame, framing included; None leaves the frame."""

    def one(step: Deliver | Raw | Feed) -> Sequence[Step] | None:
        raw = raw_of(step)
        new = change(raw)
        return None if new is None or new == raw else (carrying(step, new),)

    return each_frame(steps, one)


def each_body(steps: Sequence[Step], change: Callable[[bytes], bytes | None]) -> list[Step]:
    """The steps with another body in each frame, the framing put right; None leaves the frame."""

    def one(raw: bytes) -> bytes | None:
        new = change(body_of(raw))
        return None if new is None else with_body(raw, new)

    return each_raw(steps, one)


def cut(raw: bytes, offset: int | None) -> int | None:
    """Where a frame is cut in two: at `offset` (None: the middle); None where that leaves one part empty."""
    where = len(raw) // 2 if offset is None else offset
    return where if 0 < where < len(raw) else None
