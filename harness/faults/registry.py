"""The catalogue by name: each fault is loaded when it is first asked for.

A program that stands alone reads a plan with one fault; importing all of the catalogue would cost more than its
whole start. So the names are a table, and a test compares it with the folder.
"""
from __future__ import annotations

from harness.faults.argument import complete
from harness.faults.problem import PlanProblem, nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, Protocol, TypeAlias

    from harness.faults.argument import Argument
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json

    class Chance(Protocol):
        """What a fault draws from: seeded by the plan's seed and the fault's id."""

        def random(self) -> float:
            """A number from 0 to 1, 1 excluded."""

    Apply: TypeAlias = Callable[[list[Step], Mapping[str, Json], Chance], list[Step]]

LAYERS = ("byte", "frame", "message", "session", "stream", "process", "world")
WAYS = (">>", "<<", "moment")
KINDS = ("request", "reply", "notice", "raw")

NAMES = (
    "apple_event_error",
    "batch",
    "big_integer",
    "bom",
    "both_result_and_error",
    "close",
    "coalesce",
    "connect_hangs",
    "connect_refused",
    "corrupt",
    "crash",
    "crlf",
    "deep_nesting",
    "delay",
    "drop",
    "duplicate",
    "duplicate_member",
    "duplicate_request",
    "early_reply",
    "error_reply",
    "exit_code",
    "extra_version",
    "garbage",
    "half_frame_then_exit",
    "id_type",
    "ignore_eof",
    "ignore_sigterm",
    "inject_turn",
    "interleave",
    "invalid_utf8",
    "late_reply",
    "length_prefix",
    "line_separator",
    "missing_version",
    "no_final_newline",
    "no_op",
    "notice_storm",
    "nul",
    "null_result",
    "older_revision",
    "oversize",
    "reorder",
    "schema_drift",
    "signal",
    "slow_drip",
    "slow_start",
    "split",
    "stall",
    "stderr_flood",
    "stdin_unread",
    "stdout_closed_alive",
    "truncate",
    "type_confusion",
    "unknown_field",
    "unknown_notice",
    "unsolicited_request",
    "world",
    "wrong_id",
    "wrong_stream",
)
"""Every fault; each has a module of its name in `catalogue`."""


class Fault:
    """One fault of the catalogue, as its module declares it.

    layer: one of LAYERS. ways: the places it may be tied to, out of WAYS. kinds: the frame kinds that it can change;
    empty where it needs no decoded frame. moments: the only moments it may be tied to; empty for any.
    arguments: name -> Argument; None where any are taken (the world's own).
    recoverable: the next attempt must reach the goal (law 8). denies: on its way back, what it gives says that nothing
    was done, whatever was: then `refused` is no lie of the stack (law 3). forges: on its way toward the program it
    changes or repeats what the program is told to do, which the stack can't help. meaning: the module's docstring.
    apply(steps, args, rng): a new list of steps; equal to the one given where the fault could not act on it.
    """

    __slots__ = (
        "name",
        "layer",
        "ways",
        "kinds",
        "moments",
        "arguments",
        "recoverable",
        "denies",
        "forges",
        "meaning",
        "apply",
        "_hides",
        "_hides_kinds",
        "_hides_ways",
        "_hides_after",
    )

    def __init__(self, module: Any) -> None:
        self.name: str = module.NAME
        self.layer: str = module.LAYER
        self.ways: frozenset[str] = frozenset(module.WAYS)
        self.kinds: frozenset[str] = frozenset(getattr(module, "KINDS", ()))
        self.moments: frozenset[str] = frozenset(getattr(module, "MOMENTS", ()))
        self.arguments: Mapping[str, Argument] | None = module.ARGS
        self.recoverable: bool = module.RECOVERABLE
        self.denies: bool = getattr(module, "DENIES", False)
        self.forges: bool = getattr(module, "FORGES", False)
        self.meaning: str = module.__doc__
        self.apply: Apply = module.apply
        self._hides: bool = module.HIDES_OUTCOME
        self._hides_kinds: frozenset[str] = frozenset(getattr(module, "HIDES_KINDS", ()))
        self._hides_ways: frozenset[str] = frozenset(getattr(module, "HIDES_WAYS", ()))
        self._hides_after: str | None = getattr(module, "HIDES_AFTER", None)
        self._check(module)

    def _check(self, module: Any) -> None:
        """What says when an outcome is hidden must say it: an empty set or a misspelt word would excuse everything.
        Raises ValueError."""
        allowed = {
            "HIDES_KINDS": (self._hides_kinds, frozenset(KINDS)),
            "HIDES_WAYS": (self._hides_ways, self.ways - {"moment"}),
            "HIDES_AFTER": (frozenset([self._hides_after]), frozenset(self.arguments or ())),
        }
        for name, (said, known) in allowed.items():
            if hasattr(module, name) and not (self._hides and said and said <= known):
                raise ValueError(f"fault {self.name}: {name} is {getattr(module, name)!r}, not of {sorted(known)}")

    def complete(self, given: Mapping[str, Json], where: str = "args", file: str | None = None) -> dict[str, Json]:
        """The arguments with defaults filled in. Raises PlanProblem for one that is unknown or out of bounds."""
        if self.arguments is None:
            if not given:
                raise PlanProblem(
                    f"{where} = {{}}",
                    f"at least one argument of {self.name}",
                    f"see `trailcam faults {self.name}`",
                    file=file,
                )
            return dict(given)
        return complete(self.arguments, given, self.name, where, file)

    def hides_outcome(
        self, args: Mapping[str, Json], kind: str | None = None, left_ms: float | None = None, way: str | None = None
    ) -> bool:
        """Whether the stack may honestly answer `unknown` after this fault fired (law 3).

        args: complete arguments. kind, way: of the frame it struck; None, both, at a moment. left_ms: how long the call
        had left when it fired, None where it has no deadline. A fault that only holds something back hides the outcome
        where it holds it until the deadline or longer; one that holds it for ever (null) always does. What a place does
        not say excuses nothing: neither a frame without its kind or way, nor a moment of a fault that is tied to none.
        """
        if not self._hides or not self._hides_at(kind, way):
            return False
        if self._hides_after is None:
            return True
        held = args[self._hides_after]
        return held is None or (left_ms is not None and isinstance(held, int | float) and held >= left_ms)

    def _hides_at(self, kind: str | None, way: str | None) -> bool:
        if kind is None and way is None:
            return "moment" in self.ways
        if self._hides_kinds and kind not in self._hides_kinds:
            return False
        return not self._hides_ways or way in self._hides_ways

    @property
    def hides(self) -> str:
        """The same in words: `no`, `yes`, or when."""
        if not self._hides:
            return "no"
        kinds = f"of a {' or '.join(sorted(self._hides_kinds))}" if self._hides_kinds else ""
        ways = f"on its way {' or '.join(f'`{way}`' for way in sorted(self._hides_ways))}" if self._hides_ways else ""
        after = f"where {self._hides_after} reaches the call's deadline" if self._hides_after else ""
        return ", ".join(part for part in ("yes", kinds, ways, after) if part)


class _Catalogue:
    """Name -> Fault, read-only, in the order of names; loads a fault when it is asked for."""

    def __init__(self) -> None:
        self._loaded: dict[str, Fault] = {}

    def __getitem__(self, name: str) -> Fault:
        fault = self._loaded.get(name)
        if fault is None:
            if name not in NAMES:
                raise KeyError(name)
            fault = Fault(__import__(f"harness.faults.catalogue.{name}", fromlist=["NAME"]))
            self._loaded[name] = fault
        return fault

    def __contains__(self, name: object) -> bool:
        return name in NAMES

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


FAULTS = _Catalogue()


def find(name: str, where: str = "fault", file: str | None = None) -> Fault:
    """The fault of that name. Raises PlanProblem with the nearest name where there is none."""
    if name not in NAMES:
        raise PlanProblem(
            f"{where} = {name!r}{nearest(name, NAMES)}", "the name of a fault", "see `trailcam faults`", file=file
        )
    return FAULTS[name]
