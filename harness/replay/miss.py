"""The end of a replay that met something the tape does not expect: the nearest recorded frame, and where it differs.

Separate from the player, because it is paid for only then: it reads the tape once more to say whether the frame stands
elsewhere in it.
"""
from __future__ import annotations

from harness.problem import Problem
from harness.replay.compare import has_value, text_of
from harness.replay.pointers import Absent, value_at
from harness.replay.recording import Recording
from harness.tape.problem import TapeProblem
from harness.tape.schema import shown
from harness.wire.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.replay.compare import Difference
    from harness.replay.recording import Item
    from harness.replay.window import Window
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

ADVICE = "correct the client, or record the session again"
COUNTED = 50
"""Differences that are counted to find the nearest frame."""


class Miss(Problem):
    """The client did what the tape does not expect. pointer: where it differs from the nearest recorded frame."""

    exit_code = 70

    def __init__(
        self, seen: str, expected: str, advice: str, *, file: str, item: Item | None, pointer: str = ""
    ) -> None:
        super().__init__(seen, expected, advice, file=file, line=None if item is None else item.n + 2)
        self.pointer = pointer


def miss_of_frame(window: Window, recording: Recording, frame: Frame) -> Miss:
    """A frame that is none of those that may come now."""
    expected = [item for item in window.open.values() if item.kind == "frame"]
    if frame.kind == "reply":
        expected += window.answers_to(frame)
    if not expected:
        return miss(window, recording, named(frame), elsewhere(window, recording, frame))
    nearest, found = min(
        ((item, first_of(window, item, frame)) for item in expected),
        key=lambda pair: (pair[1][0][0] == "/method", len(pair[1]), pair[0].n),
    )
    pointer, recorded, got = found[0]
    if pointer and has_value(frame) and pointer != "/method":
        got = value_at(frame.value, pointer)
    where = f" at {pointer}" if pointer else ""
    return Miss(
        f"{named(frame)}, which differs{where}: {value_text(got)}",
        f"event {nearest.n}, the nearest that is recorded here: {named(nearest.frame)}, "
        f"with {value_text(recorded)}{where}",
        elsewhere(window, recording, frame), file=recording.path, item=nearest, pointer=pointer,
    )


def miss_of_bytes(window: Window, recording: Recording, data: bytes) -> Miss:
    """Raw bytes that are not those that were recorded next."""
    item = next((item for item in window.open.values() if item.kind == "frame"), None)
    if item is None:
        return miss(window, recording, f"{len(data)} bytes that begin {shown(text_of(data[:40]))}", ADVICE)
    offset = next((i for i, (one, two) in enumerate(zip(item.raw, data, strict=False)) if one != two), 0)
    return Miss(
        f"the bytes {shown(text_of(data[offset : offset + 40]))}",
        f"event {item.n}: {shown(text_of(item.raw[:40]))} ({len(item.raw)} bytes)", ADVICE,
        file=recording.path, item=item,
    )


def miss(window: Window, recording: Recording, seen: str, advice: str = ADVICE) -> Miss:
    """Something that is no frame, or comes where no frame is expected: what is expected instead."""
    item = next(iter(window.open.values()), None)
    expected = "nothing more: the recording ends here" if item is None else f"event {item.n}: {named_item(item)}"
    return Miss(seen, expected, advice, file=recording.path, item=item)


def miss_of_argv(recording: Recording, place: int, argv: Sequence[str]) -> Miss:
    """The program was started with other arguments; `place` is the first that differs."""
    recorded = recording.argv
    seen = shown(argv[place]) if place < len(argv) else "no more"
    expected = shown(recorded[place]) if place < len(recorded) else "no more"
    return Miss(f"argument {place + 1}: {seen}", f"{expected}, as in {shown(recorded)}",
                "correct the command line, or replay with --argv free", file=recording.path, item=None)


def first_of(window: Window, item: Item, frame: Frame) -> Sequence[Difference]:
    """Differences from one recorded frame, at least one and at most COUNTED."""
    found: list[Difference] = []
    for each in window.comparison.differences(item.frame, frame):
        found.append(each)
        if len(found) == COUNTED:
            break
    return found or [("", named(item.frame), named(frame))]


def elsewhere(window: Window, recording: Recording, frame: Frame) -> str:
    """Advice that says where else in the tape an equal frame stands."""
    open_now = set(window.open)
    try:
        again = Recording(recording.path, recording.p, incomplete="accept")
        differences = window.comparison.differences
        with_it = [
            item for item in frames_of(again) if item.n not in open_now and not any(differences(item.frame, frame))
        ]
    except TapeProblem:
        with_it = []
    first = next(iter(window.open), None)
    before = [item.n for item in with_it if first is None or item.n < first]
    if before:
        return f"event {before[-1]} is equal to it and has been used; {ADVICE}"
    if with_it:
        return f"event {with_it[0].n} is equal to it and was recorded later, after what this event waits for; {ADVICE}"
    return ADVICE


def frames_of(recording: Recording) -> Iterable[Item]:
    """The frames of the client."""
    return (item for item in recording if item.client and item.kind == "frame")


def named(frame: Frame) -> str:
    """A frame in a few words."""
    if frame.kind == "request":
        return f"the request {frame.method} with id {value_text(frame.id)}"
    if frame.kind == "notice":
        return f"the notice {frame.method}"
    if frame.kind == "reply":
        return f"the answer to request {value_text(frame.id)}"
    return f"{'the JSON' if has_value(frame) else 'the line'} {shown(text_of(frame.raw))}"


def named_item(item: Item) -> str:
    """What the client is expected to do, in a few words."""
    if item.kind == "signalled":
        return f"signal {item.number}"
    return "the end of stdin" if item.kind == "closed" else named(item.frame)


def value_text(value: Json | Absent) -> str:
    """A value as JSON in ASCII, cut where it is long."""
    if isinstance(value, Absent):
        return "nothing"
    text = dumps(value)
    return text if len(text) <= 80 else f"{text[:80]}… ({len(text)} characters)"
