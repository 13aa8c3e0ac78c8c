"""The shape of a machine (one program's behaviour), and what it is given. Machines are built by `fakes/programs.py`."""
from __future__ import annotations

from harness.faults.steps import Exit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random
    from typing import Any, Protocol, TypeAlias

    from harness.faults.steps import Handler
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

    class Machine(Protocol):
        """One process of one program. Every method gives a handler; handlers in flight interleave, resumed in the
        order of (due time, sequence). After its process died a machine takes no step.

        started: the process is up. opened: a connection came in, or the child started on `wire` is up. received: one
        frame on a wire. ended: the other side closed its end. reaped: the child on `wire` ended with this status.
        signalled: a signal came from outside; None means the default action. gone: the process has ended, however
        it did, and takes no step any more: let go of what is held outside of the world. idle: everything that it said
        is written and nothing has come (a pump may never say so): time for what the next frame will need.
        """

        wires: Mapping[str, str]
        """Wire name to dialect (a key of `harness.wire.DIALECTS`); `stdio` is always there."""
        moments: Sequence[str]
        """The names that its `At` steps use."""
        pairs: bool
        """Whether it wants frames decoded, and the method of a request on the reply to it. Where it does not, a stage
        that neither journals nor strikes decodes none: what is `received` is a raw frame."""

        # Three that a machine may have. unheard(): the end of its stdin came, and a fault lets it take no notice, or
        # holds a frame before it until a signal comes.
        # reads: the dialect in which bytes that a fault put in the place of a frame reach it, `raw` for a program that
        # reads bytes and no frames. lend(within): called before it starts where the program is its own stage;
        # `within(handler)` lets that stage go round until the handler is through.

        def started(self, argv: list[str], env: Mapping[str, str]) -> Handler: ...
        def opened(self, wire: str) -> Handler: ...
        def received(self, wire: str, frame: Frame) -> Handler: ...
        def ended(self, wire: str) -> Handler: ...
        def reaped(self, wire: str, status: int) -> Handler: ...
        def signalled(self, number: int) -> Handler | None: ...
        def gone(self) -> None: ...
        def idle(self) -> None: ...

    Factory: TypeAlias = Callable[["Given"], Machine]

    class World(Protocol):
        """Ground truth of one run. Changes only between two steps, through methods that write the world record."""

        def change(self, by: str, **what: Json) -> None:
            """The world changes by itself. Raises ValueError for what this world does not know."""

        def process_ended(self, p: int) -> None:
            """Process `p` is gone, however it ended."""

    WorldFactory: TypeAlias = Callable[["Record", Mapping[str, Json]], World]

    class Record(Protocol):
        """What a world writes to, and wakes handlers with. The stage is one."""

        def record(self, e: str, **fields: Any) -> int:
            """One line of the world record (interfaces: shown, effect, refused, changed, held, freed); its number."""

        def wake(self, key: str) -> None:
            """Resume every handler that waits with `Until(key)`."""

        def now_ms(self) -> float:
            """Milliseconds since the run began."""

        def pid_of(self, p: int) -> int:
            """The number by which the system knows process `p` of the run."""


class Given:
    """What the stage gives a machine when its process starts.

    p: number of the process in the run, from 1; world: the run's world; settings: the run sheet's settings for this
    program (its profile among them); rng: seeded for this process alone, made on first use; nth: which process of its
    program it is, from 1.
    """

    __slots__ = ("p", "program", "world", "settings", "nth", "_seed", "_rng")

    def __init__(
        self, p: int, program: str, world: Any, settings: Mapping[str, Json], seed: str, nth: int = 1
    ) -> None:
        self.p = p
        self.program = program
        self.nth = nth
        self.world = world
        self.settings = settings
        self._seed = seed
        self._rng: Random | None = None

    @property
    def rng(self) -> Random:
        if self._rng is None:
            from random import Random  # only where it is used: the import costs as much as a start

            self._rng = Random(self._seed)
        return self._rng


class Silent:
    """A machine that does nothing on its own: the base that fronts override. EOF ends it with 0; signals kill it."""

    wires: Mapping[str, str] = {"stdio": "lines"}
    moments: Sequence[str] = ()
    pairs = True

    def __init__(self, given: Given) -> None:
        self.given = given
        self.world = given.world

    def started(self, argv: list[str], env: Mapping[str, str]) -> Handler:
        yield from ()

    def opened(self, wire: str) -> Handler:
        yield from ()

    def received(self, wire: str, frame: Frame) -> Handler:
        yield from ()

    def ended(self, wire: str) -> Handler:
        if wire == "stdio":
            yield Exit(0)

    def reaped(self, wire: str, status: int) -> Handler:
        yield from ()

    def signalled(self, number: int) -> Handler | None:
        return None

    def gone(self) -> None:
        pass

    def idle(self) -> None:
        pass
