"""The census: which places a run had, and how many of each. The run without faults takes it; the campaign is faults
x census, so that which faults apply is measured and not chosen by hand.
"""
from __future__ import annotations

from harness.wire.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping
    from typing import Any

    from harness.wire.jsontext import Json

FRAME_KEYS = ("program", "process", "wire", "way", "stream", "kind", "method")
MOMENT_KEYS = ("program", "process", "wire", "moment")
_STREAMS = {">>": "in", "<<": "out"}


class Census:
    """Counts of places. `count` is called once for each place of a run; `places` gives them in one order."""

    __slots__ = ("_counts",)

    def __init__(self) -> None:
        self._counts: dict[Hashable, int] = {}

    def count(self, place: Mapping[str, Json]) -> None:
        """One more of this place: program, process, and wire, way, stream, kind, method or moment, where."""
        get = place.get
        if "way" in place:
            key: tuple[Json, ...] = tuple(get(name) for name in FRAME_KEYS)
        else:
            where = get("where")
            key = (*(get(name) for name in MOMENT_KEYS), dumps(where, sort=True) if where else "")
        self._counts[key] = self._counts.get(key, 0) + 1

    def places(self) -> list[dict[str, Json]]:
        """`[{program, process, wire, way, stream, kind, method, count}, {program, process, moment, where, count}]`,
        without what a place does not have, in an order that does not depend on the order of the run."""
        from harness.wire.jsontext import loads

        found: list[dict[str, Json]] = []
        for key, count in self._counts.items():
            assert isinstance(key, tuple)
            if len(key) == len(FRAME_KEYS):
                place = dict(zip(FRAME_KEYS, key, strict=True))
                place["stream"] = place["stream"] or _STREAMS.get(str(place["way"]))
            else:
                place = dict(zip(MOMENT_KEYS, key, strict=False))
                if key[-1]:
                    place["where"] = loads(key[-1])
            found.append({name: value for name, value in place.items() if value is not None} | {"count": count})
        return sorted(found, key=_order)


def _order(place: Mapping[str, Any]) -> tuple[Any, ...]:
    """By program and process; frames before moments."""
    texts = (place.get(name, "") for name in ("moment", "wire", "way", "stream", "kind", "method"))
    return (place.get("program", ""), place.get("process", 0), *texts, dumps(place.get("where"), sort=True))
