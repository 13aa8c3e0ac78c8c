"""The fault plan during a run: which fault strikes at which place; what fired, and what did not.

    {"v": 1, "seed": 7, "faults": [
      {"id": "f1", "fault": "drop", "at": {"program": "codex", "way": "<<", "kind": "reply", "nth": 3}, "args": {}}]}

A *place* is where a fault may strike: one frame on its way (`>>` toward the program, `<<` from it), or one moment that
a program passes through. Every key of `at` but `nth` narrows; `nth` counts the matching places of the whole run from
1; a fault fires once unless `times` (beside `at`) gives it the following matching places too. A fault is tied only to
the ways that it is made for, whatever `at` leaves open.

Several faults may strike one place: each gets what the one before it left, in the order of the plan. Among these steps
a fault acts on frames alone (`FRAMES`); what another one put there (`Wait`, `Exit`, `Change`) stays.
"""
from __future__ import annotations

from harness.faults.steps import Change, Raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from harness.faults.census import Census
    from harness.faults.reading import Entry
    from harness.faults.registry import Chance
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

STREAMS = {">>": "in", "<<": "out"}
"""The stream of a frame whose place names none."""


class Strike:
    """One fault that strikes at one place. `apply` gives what happens there instead, and tells whether it fired."""

    __slots__ = ("id", "name", "place", "fired", "_armed")

    def __init__(self, armed: _Armed, place: Mapping[str, Json]) -> None:
        self.id = armed.entry.id
        self.name = armed.entry.fault.name
        self.place = place
        self.fired = False
        self._armed = armed

    def apply(self, steps: Sequence[Step], absent: Container[str] = ()) -> list[Step]:
        """The steps that are carried out instead; sets `fired`. A fault that changes nothing there has not fired (one
        that needs a reply with an id, say, at a frame that is none), nor has one that writes to a stream that the
        process does not have (`absent`). The no-op alone fires without a change."""
        armed = self._armed
        before = list(steps)
        after = armed.entry.fault.apply(list(steps), armed.entry.args, armed.chance())
        if any(isinstance(step, Raw) and step.stream in absent for step in after):
            after = before
        for step in after:
            if isinstance(step, Change) and not step.by:
                step.by = f"fault:{self.id}"
        if after != before or self.name == "no_op":
            self.fired = True
            armed.fired.append(self)
        return after

    def hides_outcome(self, left_ms: float | None) -> bool:
        """Whether the stack may answer `unknown` after it (law 3). left_ms: what the call had left; None: no limit."""
        kind, way = (each if isinstance(each, str) else None for each in map(self.place.get, ("kind", "way")))
        return self._armed.entry.fault.hides_outcome(self._armed.entry.args, kind, left_ms, way)

    @property
    def denies(self) -> bool:
        """Whether what came back says that nothing was done, whatever was: `refused` is no lie then (law 3)."""
        return self._armed.entry.fault.denies and self.place.get("way") == "<<"

    def as_json(self) -> dict[str, Json]:
        """`{id, fault, args, place}`."""
        return {"id": self.id, "fault": self.name, "args": dict(self._armed.entry.args), "place": dict(self.place)}


class _Armed:
    """One fault of the plan, and how many matching places it has seen."""

    __slots__ = ("entry", "last", "seen", "fired", "_at", "_seed", "_chance")

    def __init__(self, entry: Entry, seed: int) -> None:
        self.entry = entry
        self.last = entry.nth + entry.times - 1
        self.seen = 0
        self.fired: list[Strike] = []
        self._at = tuple(entry.at.items())
        self._seed = seed
        self._chance: Chance | None = None

    def chance(self) -> Chance:
        """The fault's own random source: one seed and id always draw the same, whatever other faults draw."""
        if self._chance is None:
            from _random import Random
            from binascii import crc32

            self._chance = Random((self._seed << 32) | crc32(self.entry.id.encode()))
        return self._chance

    def may_match(self, program: str, way: str) -> bool:
        at = self.entry.at
        wanted = at.get("way", "moment" if "moment" in at else way)
        return way == wanted and way in self.entry.fault.ways and at.get("program", program) == program

    def matches(self, place: Mapping[str, Json]) -> bool:
        fault = self.entry.fault
        if place.get("way", "moment") not in fault.ways:
            return False
        if fault.moments and "way" not in place and place.get("moment") not in fault.moments:
            return False
        return all(_narrows(key, value, place) for key, value in self._at)


class Plan:
    """A plan that was read and checked, and its state during one run.

    data: the plan as JSON; None is the empty plan. seed: used where the plan has none of its own. file: named in
    errors. Raises PlanProblem. census: set it to have places counted too (the run without faults does).
    """

    __slots__ = ("seed", "census", "_faults", "_armed", "_watched")

    def __init__(self, data: Mapping[str, Json] | None, seed: int = 0, *, file: str | None = None) -> None:
        self.census: Census | None = None
        self.seed = seed
        entries: Sequence[Entry] = ()
        if data is not None:
            from harness.faults.reading import read  # a program without a plan starts without the reader of one

            self.seed, entries = read(data, seed, file)
        self._faults = [_Armed(entry, self.seed) for entry in entries]
        self._armed = self._faults
        self._watched: dict[tuple[str, str], bool] = {}

    @property
    def watching(self) -> bool:
        """Whether `strike` has anything to do: a caller may spare itself the naming of places where not."""
        return bool(self._armed) or self.census is not None

    def watches(self, program: str, way: str) -> bool:
        """The same for the places of one program: its frames on one way, or the moments that it passes (`moment`)."""
        if self.census is not None:
            return True
        known = self._watched.get((program, way))
        if known is None:
            known = any(armed.may_match(program, way) for armed in self._armed)
            self._watched[program, way] = known
        return known

    def strike(self, place: Mapping[str, Json]) -> Sequence[Strike]:
        """The faults that strike at this place, in the order of the plan. Call it once for each place of a run.

        place: program, process, and either wire, way, stream, kind, method, or moment and where.
        """
        if self.census is not None:
            self.census.count(place)
        if not self._armed:
            return ()
        strikes: list[Strike] = []
        spent = False
        for armed in self._armed:
            if armed.matches(place):
                armed.seen += 1
                if armed.seen >= armed.entry.nth:
                    strikes.append(Strike(armed, place))
                    spent = spent or armed.seen >= armed.last
        if spent:
            self._armed = [armed for armed in self._armed if armed.seen < armed.last]
            self._watched.clear()
        return strikes

    @property
    def fired(self) -> list[Strike]:
        """What fired so far, by fault in the order of the plan."""
        return [strike for armed in self._faults for strike in armed.fired]

    def unfired(self) -> list[str]:
        """Ids of the faults that have not fired: a run that ends with any is inapplicable."""
        return [armed.entry.id for armed in self._faults if not armed.fired]

    def recoverable(self) -> bool:
        """Whether the next attempt must reach the goal: all that fired is recoverable and can't fire again (law 8)."""
        return all(
            armed.entry.fault.recoverable and armed.seen >= armed.last for armed in self._faults if armed.fired
        )

    def as_json(self) -> dict[str, Json]:
        """The plan with every default filled in; reading it again gives the same plan."""
        from harness.faults.reading import VERSION

        faults: list[Json] = [
            {
                "id": armed.entry.id,
                "fault": armed.entry.fault.name,
                "at": {**armed.entry.at, "nth": armed.entry.nth},
                "args": dict(armed.entry.args),
                "times": armed.entry.times,
            }
            for armed in self._faults
        ]
        return {"v": VERSION, "seed": self.seed, "faults": faults}


def _narrows(key: str, wanted: Json, place: Mapping[str, Json]) -> bool:
    if key in place:
        return _within(wanted, place[key])
    if key == "stream":
        return wanted == STREAMS.get(str(place.get("way")))
    from harness.faults.reading import AT

    where = place.get("where")
    return key not in AT and isinstance(where, dict) and key in where and _within(wanted, where[key])


def _within(wanted: Json, seen: Json) -> bool:
    """Objects: every member wanted is there. All else: equal, and true is not 1."""
    if isinstance(wanted, dict):
        return isinstance(seen, dict) and all(key in seen and _within(wanted[key], seen[key]) for key in wanted)
    return wanted == seen and isinstance(wanted, bool) == isinstance(seen, bool)
