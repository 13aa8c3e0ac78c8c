"""Joins the segments that taps of one run wrote, one a process, into one tape in the order of time.

Taps of one boot share the machine's monotonic clock, so their times can be compared; nothing else may be joined.
Segments are read as streams: only the numbers of events are held, for `cause`.
"""
from __future__ import annotations

import hashlib
import heapq
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from harness.tape.event import VERSION
from harness.tape.header import STRENGTHS, Header
from harness.tape.problem import TapeProblem
from harness.tape.read import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.tape.event import Event
    from harness.wire.jsontext import Json


@dataclass(slots=True)
class Segment:
    """One tape to be joined. events: once through, in order. close: what to call when they are no longer wanted."""

    name: str
    header: Header
    events: Iterable[Event]
    close: Callable[[], None] = lambda: None

    @property
    def began_ns(self) -> int:
        began: Any = self.header.clock["began_ns"]
        return int(began)


def open_segments(paths: Sequence[str]) -> list[Segment]:
    """The tapes at `paths`, to be closed by the caller; a torn one ends in a gap.

    The SHA-256 of each of several goes into its header as hash `segment N`.
    """
    segments: list[Segment] = []
    for place, path in enumerate(paths, 1):
        try:
            header, events = read(path, killed="accept")
        except TapeProblem:
            for segment in segments:
                segment.close()
            raise
        if len(paths) > 1:
            with open(path, "rb") as file:
                header.hashes[f"segment {place}"] = hashlib.file_digest(file, "sha256").hexdigest()
        segments.append(Segment(path, header, events, events.close))
    return segments


def join(segments: Sequence[Segment], *, profile: str | None = None) -> tuple[Header, Iterator[Event]]:
    """Header and events of the joined tape. Events of one instant keep the order of the segments.

    profile: of the joined tape, where the segments name several. Raises TapeProblem for segments of different boots
    or clocks, and for headers that contradict each other. One segment alone is taken as it is.
    """
    if len(segments) == 1:
        if profile is not None:
            segments[0].header.profile = profile
        return segments[0].header, iter(segments[0].events)
    _same_clock(segments)
    return _joined_header(segments, profile), _merged(segments)


def _same_clock(segments: Sequence[Segment]) -> None:
    first = segments[0]
    for segment in segments:
        clock = segment.header.clock
        if clock["kind"] != "monotonic" or "boot" not in clock or "began_ns" not in clock:
            raise TapeProblem(f"a {clock['kind']} clock{'' if 'boot' in clock else ' without its boot'}",
                              "a monotonic clock with boot and began_ns", "join only what `trailcam record` wrote",
                              file=segment.name, line=1)
        if clock["boot"] != first.header.clock["boot"]:
            raise TapeProblem(f"a tape of boot {clock['boot']}", f"boot {first.header.clock['boot']} of {first.name}",
                              "join tapes that were recorded between two starts of one machine",
                              file=segment.name, line=1)


def _joined_header(segments: Sequence[Segment], profile: str | None) -> Header:
    headers = [segment.header for segment in segments]
    weakest = min(headers, key=lambda header: list(STRENGTHS).index(str(header.origin["strength"])))
    products: list[Json] = []
    wires: dict[str, dict[str, str]] = {}
    hashes: dict[str, str] = {}
    redaction: list[dict[str, Json]] = []
    profiles = {}
    for segment in segments:
        header = segment.header
        named: Any = header.origin["products"]
        products += [product for product in named if product not in products]
        redaction += [entry for entry in header.redaction if entry not in redaction]
        _merge(hashes, header.hashes, "hash", segment)
        for program, each in header.wires.items():
            _merge(wires.setdefault(program, {}), each, f"dialect of {program}", segment)
        if header.profile is not None:
            profiles[header.profile] = segment
    if profile is None and len(profiles) > 1:
        raise TapeProblem(f"the profiles {', '.join(profiles)}", "one profile", "choose it with --profile",
                          file=list(profiles.values())[1].name, line=1)
    origin = {
        "strength": weakest.origin["strength"],
        "products": products,
        "platform": ", ".join(dict.fromkeys(str(header.origin["platform"]) for header in headers)),
        "recorder": ", ".join(dict.fromkeys(str(header.origin["recorder"]) for header in headers)),
        "source": f"{len(segments)} segments, joined by `trailcam tape join` (format {VERSION})",
    }
    return Header(
        origin,
        bytes="verbatim" if all(header.bytes == "verbatim" for header in headers) else "reconstructed",
        clock={**headers[0].clock, "began_ns": min(segment.began_ns for segment in segments)},
        profile=profile if profile is not None else next(iter(profiles), None),
        wires=wires,
        redaction=redaction,
        expires=min((header.expires for header in headers if header.expires is not None), default=None),
        hashes=hashes,
        date=min((header.date for header in headers if header.date is not None), default=None),
    )


def _merge(known: dict[str, str], more: dict[str, str], what: str, segment: Segment) -> None:
    for name, value in more.items():
        if known.setdefault(name, value) != value:
            raise TapeProblem(f"{what} {name}: {value}", f"{known[name]}, as in an earlier segment",
                              "record the segments again with the same options", file=segment.name, line=1)


def _merged(segments: Sequence[Segment]) -> Iterator[Event]:
    began_ns = min(segment.began_ns for segment in segments)
    numbers = [array("Q") for _ in segments]
    processes: dict[tuple[int, int], int] = {}
    lanes = [_timed(place, segment, began_ns) for place, segment in enumerate(segments)]
    for n, (t, place, event) in enumerate(heapq.merge(*lanes, key=lambda each: each[0])):
        numbers[place].append(n)
        joined: Event = {**event, "n": n, "t": t}
        for field in ("p", "parent"):
            p = event.get(field)
            if isinstance(p, int) and p:
                joined[field] = processes.setdefault((place, p), len(processes) + 1)
        cause = event.get("cause")
        if isinstance(cause, int):
            joined["cause"] = numbers[place][cause]
        yield joined


def _timed(place: int, segment: Segment, began_ns: int) -> Iterator[tuple[float, int, Event]]:
    """(t on the joined clock, segment, event), t never falling, as merging needs it."""
    shift = (segment.began_ns - began_ns) / 1e6
    latest = 0.0
    for event in segment.events:
        t: float = event["t"]  # type: ignore[assignment]
        latest = max(latest, round(t + shift, 6))
        yield latest, place, event
