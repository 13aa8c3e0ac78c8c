"""One run: fault plan, world, journal, world record, and the sessions of every program in it.

The stage has no I/O: pumps feed its sessions and write what they give; a sink gets each line as it is made. It is the
one writer of journal and world record, and lives in exactly one process.
"""
from __future__ import annotations

from harness.faults.plan import Plan
from harness.serve.machine import Given
from harness.serve.session import MachineFault, Session
from harness.tape.event import put_bytes
from harness.wire import codec
from harness.wire.frame import Frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from harness.faults.steps import Start, Step
    from harness.serve.machine import Factory, World, WorldFactory
    from harness.wire.jsontext import Json

    Sink = Callable[[str, dict[str, Json]], None]


class Stage:
    """One run of a run sheet.

    sheet: the run sheet (keys used here: seed, plan, world, programs, profile). programs: name to factory of machines.
    world: factory of the run's world. sink: called with ("journal" or "world", event) for each event as it is made.
    clock: seconds now; only differences matter. keep: whether the events stay in memory too.
    """

    def __init__(
        self,
        sheet: Mapping[str, Any],
        programs: Mapping[str, Factory],
        world: WorldFactory,
        *,
        clock: Callable[[], float],
        sink: Sink | None = None,
        keep: bool = True,
        may_block: bool = False,
    ) -> None:
        self.sheet = sheet
        self.programs = programs
        self.may_block = may_block
        self.journal: list[dict[str, Json]] = []
        self.events: list[dict[str, Json]] = []
        """The world record."""
        self.sessions: list[Session] = []
        self.pids: dict[int, int] = {}
        """Process of the run -> its number on this machine, where it is a real one."""
        self.next_event = 0
        self.changed: Callable[[], None] = lambda: None
        """Called when a process has ended."""
        self.open_door: Callable[[int, str, int], None] | None = None
        """Called with (process, program, port) where a program listens (door); None: nobody can connect to it."""
        self._clock = clock
        self._began = clock()
        self._sink = sink
        self._keep = keep
        self._journals = keep or sink is not None
        self._records = 0
        self._order = 0
        self._expected: list[Session] = []
        self.plan = Plan(sheet.get("plan"), sheet.get("seed", 0))
        self.world: World = world(self, sheet.get("world") or {})

    @property
    def silent(self) -> bool:
        """Whether nothing is written down and no fault can strike: then only the machines look at frames."""
        return not self._journals and not self.plan.watching

    # Processes

    def open(self, program: str, *, parent: int | None = None) -> Session:
        """A process of `program` started from outside, or as a child. Raises MachineFault where no machine has it."""
        for waiting in self._expected:
            if waiting.program == program and waiting.parent == parent:
                self._expected.remove(waiting)
                return waiting
        return self._new(program, parent)

    def prepare(self, step: Start, parent: Session) -> Session | None:
        """The session of a child that a machine starts; None where the program is a real one, named by its path."""
        if step.program.startswith("/"):
            return None
        session = self._new(step.program, parent.p)
        self._expected.append(session)
        return session

    def _new(self, program: str, parent: int | None) -> Session:
        factory = self.programs.get(program)
        if factory is None:
            raise MachineFault(f"saw a start of {program}; expected one of {', '.join(sorted(self.programs))}")
        p = len(self.sessions) + 1
        settings = (self.sheet.get("programs") or {}).get(program, {})
        nth = 1 + sum(session.program == program for session in self.sessions)
        given = Given(p, program, self.world, settings, f"{self.sheet.get('seed', 0)}/{program}/{nth}", nth)
        session = Session(self, p, program, nth, parent, factory(given))
        self.sessions.append(session)
        return session

    def living(self) -> list[Session]:
        return [session for session in self.sessions if session.status is None]

    def tree(self, p: int) -> tuple[int, ...]:
        """Process `p` and all that descends from it, as far as it lives, orphans included."""
        found = [p]
        for session in self.sessions:
            if session.parent in found:
                found.append(session.p)
        return tuple(session.p for session in self.living() if session.p in found)

    def gone(self, session: Session) -> None:
        """A process has ended: the world takes back what it held."""
        self.world.process_ended(session.p)
        self.changed()

    # Record: what worlds call

    def record(self, e: str, **fields: Any) -> int:
        """One line of the world record; its number."""
        n = self._records
        self._records += 1
        event = {"n": n, **self.stamp(), "e": e, **fields}
        if self._keep:
            self.events.append(event)
        if self._sink:
            self._sink("world", event)
        return n

    def wake(self, key: str) -> None:
        for session in self.sessions:
            session.resume(key)

    # Journal: what sessions call

    def write(self, p: int, e: str, **fields: Json) -> None:
        if self._journals:
            self._line({"n": self.next_event, "t": self.now_ms(), "p": p, "e": e, **_present(fields)})

    def write_bytes(self, p: int, wire: str, stream: str, raw: bytes, cuts: list[int], cause: int | None) -> int:
        n = self.next_event
        if self._journals:
            event: dict[str, Json] = {"n": n, "t": self.now_ms(), "p": p, "e": "bytes", "w": wire, "s": stream}
            event.update(put_bytes(raw))
            if cuts:
                event["cuts"] = list(cuts)
            if cause is not None:
                event["cause"] = cause
            self._line(event)
        return n

    def _line(self, event: dict[str, Json]) -> None:
        self.next_event += 1
        if self._keep:
            self.journal.append(event)
        if self._sink:
            self._sink("journal", event)

    def pid_of(self, p: int) -> int:
        """The number by which the system knows process `p`: in a virtual run its own."""
        return self.pids.get(p, p)

    def now_ms(self) -> float:
        """Milliseconds since the run began, to the microsecond."""
        return round((self._clock() - self._began) * 1000, 3)

    def stamp(self) -> dict[str, Any]:
        """Of a line of history or world record: the time, the next number of the one order that both share (`k`), and
        how many events of the journal were before it (`j`)."""
        self._order += 1
        return {"t": self.now_ms(), "k": self._order, "j": self.next_event}

    # Faults

    def strike(self, session: Session, place: dict[str, Json], steps: list[Step]) -> list[Step]:
        """What happens at a place instead of `steps`, by the plan; what fired stands in the world record."""
        place = {"program": session.program, "process": session.nth, **_present(place)}
        for strike in self.plan.strike(place):
            steps = strike.apply(steps, ("err",) if session.is_connection else ())
            if strike.fired:
                self.record("fault", p=session.p, id=strike.id, fault=strike.name, place=place)
        return steps

    def peek(self, dialect: str, raw: bytes) -> Frame:
        """The one frame in `raw`, as the client will see it."""
        reader = codec(dialect, "<<")
        frames = reader.feed(raw)
        if dialect == "http" and not frames:
            frames = reader.end()  # a reply may go on until the connection is closed
        return frames[0] if len(frames) == 1 else Frame(raw)


def _present(fields: Mapping[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in fields.items() if value is not None}
