"""One run as the judges look at it: calls with their answers, effects, what refs stood for, faults, grants.

Built once a run from the checked lines of history and world record, so that eight judges need not read them eight
times. Nothing is judged here. Instants are compared by `k`, the order that both books share, and with events of the
journal by `j`, how many of them came before; durations by `t`.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.faults.problem import PlanProblem
from harness.faults.registry import FAULTS, Fault
from harness.kept.lines import Line
from harness.kept.run import KeptRun
from harness.tape.schema import is_instant
from harness.wire import DIALECTS
from harness.wire.jsontext import dumps

Frame = tuple[int, int]
NEVER = 1 << 62
"""Later than every `k`."""


FORGERS = frozenset({
    "big_integer", "corrupt", "duplicate", "duplicate_member", "invalid_utf8", "line_separator", "nul", "schema_drift",
    "truncate", "type_confusion",
})  # fmt: skip
"""Faults that, on the way toward a program, change or repeat what it is told to do: what it does then, the stack did
not ask for and can't help."""


def canonical(value: Any) -> str:
    """Text that is equal for equal JSON values."""
    return "null" if value is None else dumps(value, sort=True)


@dataclass(slots=True)
class Call:
    """One call. means: None where it is to change nothing. answered, cancelled: lines, or None."""

    number: int
    asked: Line
    means: Mapping[str, Any] | None
    answered: Line | None = None
    cancelled: Line | None = None
    questions: list[tuple[Line, Line | None]] = field(default_factory=list)
    """Each question with its reply, where one came."""

    @property
    def outcome(self) -> str | None:
        return None if self.answered is None else str(self.answered["outcome"])

    @property
    def begin(self) -> int:
        return int(self.asked["k"])

    @property
    def end(self) -> int:
        """`k` of the answer; NEVER where none came."""
        return NEVER if self.answered is None else int(self.answered["k"])


@dataclass(frozen=True, slots=True)
class Struck:
    """One fault that fired. fault: None where the catalogue has none of that name. args: complete; None where the
    fault does not take what the plan gives it. strict: whether the protocol of its wire has every message refused that
    is not exactly of its schema."""

    line: Line
    fault: Fault | None
    args: Mapping[str, Any] | None
    strict: bool = False

    def hides_outcome(self, deadline_at_ms: float | None) -> bool | None:
        """Whether a call with that deadline (on the run's clock; None: none) may honestly be unknown after it; None
        where nobody can say, because the catalogue has no such fault, or not with such arguments."""
        if self.fault is None or self.args is None:
            return None
        if self.strict:
            return True
        kind, way = self.line["place"].get("kind"), self.line["place"].get("way")
        left_ms = None if deadline_at_ms is None else deadline_at_ms - self.line["t"]
        named = [each if isinstance(each, str) else None for each in (kind, way)]
        return self.fault.hides_outcome(self.args, named[0], left_ms, named[1])


class Facts:
    """See the module. effects, shown, struck, tolds, …: in the order of the run."""

    __slots__ = ("run", "sheet", "mode", "calls", "effects", "shown", "struck", "held", "freed", "told", "changed",
                 "unsaid", "feigned", "wrote", "left", "seen", "_frames")  # fmt: skip

    def __init__(self, run: KeptRun) -> None:
        self.run = run
        self.sheet = run.sheet
        self.mode: str = run.sheet["mode"]
        self.calls: dict[int, Call] = {}
        self.told: list[Line] = []
        self.wrote: list[Line] = []
        self.left: list[Line] = []
        self.seen: list[Line] = []
        """What the stack started programs with, listed and reported."""
        self.effects: list[Line] = []
        self.shown: dict[str, list[Line]] = {}
        self.struck: list[Struck] = []
        self.held: list[Line] = []
        self.freed: list[Line] = []
        self.changed: list[Line] = []
        self.unsaid: list[Line] = []
        self.feigned: list[Line] = []
        self._frames: dict[int, list[Line]] | None = None
        self._read_history(run.history)
        self._read_world(run.world)

    def _read_history(self, history: Sequence[Line]) -> None:
        books: dict[str, list[Line]] = {"told": self.told, "wrote": self.wrote, "left": self.left}
        books.update((kind, self.seen) for kind in ("launched", "listed", "reported"))
        for line in history:
            kind = line["e"]
            if kind in books:
                books[kind].append(line)
            elif kind in ("opened", "closed", "raised", "failed"):
                continue
            elif kind == "unheeded":
                self.told.pop()
            elif kind == "asked":
                self.calls[line["call"]] = Call(line["call"], line, line["means"])
            else:
                call = self.calls[line["call"]]
                if kind == "answered":
                    call.answered = line
                elif kind == "cancelled":
                    call.cancelled = call.cancelled or line
                elif kind == "questioned":
                    call.questions.append((line, None))
                else:
                    _reply(call.questions, line)

    def _read_world(self, world: Sequence[Line]) -> None:
        books = {"effect": self.effects, "held": self.held, "freed": self.freed, "changed": self.changed,
                 "unsaid": self.unsaid, "feigned": self.feigned}  # fmt: skip
        faults = (self.sheet.get("plan") or {}).get("faults", ())
        plan = {entry["id"]: entry for entry in faults if isinstance(entry.get("id"), str)}
        for line in world:
            kind = line["e"]
            if kind == "shown":
                self.shown.setdefault(line["ref"], []).append(line)
            elif kind in books:
                books[kind].append(line)
            elif kind == "fault":
                given = line.get("args", plan.get(line["id"], {}).get("args", {}))
                self.struck.append(_struck(line, given, self._strict(line["place"])))

    def _strict(self, place: Mapping[str, Any]) -> bool:
        """Whether a fault struck a message of a protocol that tolerates nothing."""
        wires = (self.sheet.get("wires") or {}).get(place.get("program"), {})
        dialect = DIALECTS.get(wires.get(place.get("wire")))
        return "way" in place and dialect is not None and dialect.strict

    # What the judges ask

    def named(self, call: Call) -> Mapping[str, Any] | None:
        """What the call's ref stood for: `what` of the line that showed it. None: not shown."""
        line = self.showing(call)
        return None if line is None else line["what"]

    def showing(self, call: Call) -> Line | None:
        """The last line that showed the call's ref before it was asked; where the call looks for itself (`looks`), the
        first that showed it meanwhile, if one did."""
        assert call.means is not None
        found = None
        for line in self.shown.get(call.means["ref"], ()):
            if line["k"] > call.begin:
                return line if call.means.get("looks") and line["k"] < call.end else found
            found = line
        return found

    def deadline_ms(self, call: Call) -> float | None:
        """How long the call may take while no question is open; None: nothing says it."""
        deadline = call.asked["deadline_ms"]
        if deadline is None:
            deadline = (self.sheet.get("bounds") or {}).get("call_ms")
        return deadline if is_instant(deadline) else None

    def excuse(self, call: Call) -> bool | None:
        """Whether something made it impossible to tell how the call went: a fault that fired and hides the outcome,
        the caller, who gave it up or ended what it belongs to (`ends_calls` of the sheet), or the program, which did
        not say it. None where a fault fired of which nobody can say."""
        if call.cancelled is not None and call.cancelled["k"] < call.end:
            return True
        ends = (line for line in self.told if line["event"] in (self.sheet.get("ends_calls") or ()))
        if any(call.begin < line["k"] < call.end and line.get("stack") == call.asked.get("stack") for line in ends):
            return True
        if any(call.begin < line["k"] < call.end and _is_about(line, call) for line in self.unsaid):
            return True
        deadline = self.deadline_ms(call)
        at_ms = None if deadline is None else call.asked["t"] + deadline + paused_ms(call)
        said = {struck.hides_outcome(at_ms) for struck in self.struck if struck.line["k"] < call.end}
        return True if True in said else None if None in said else False

    def denied(self, call: Call) -> bool:
        """Whether a fault told the stack, while the call ran, that nothing was done, whatever was."""
        return any(
            call.begin < struck.line["k"] < call.end and struck.fault is not None and struck.fault.denies
            and struck.line["place"].get("way") == "<<"
            for struck in self.struck
        )  # fmt: skip

    def forger(self, begin: int, end: int) -> Struck | None:
        """A fault that fired between two instants and changed or repeated what the stack had sent."""
        for struck in self.struck:
            line = struck.line
            if line["fault"] in FORGERS and line["place"].get("way") == ">>" and begin < line["k"] < end:
                return struck
        return None

    # The journal: looked at only where a verdict has to show something, or a grant was taken back

    def frames_before(self, effect: Line) -> tuple[Frame, ...]:
        """The last frame that the stack had sent when the effect came about: in the effect's process, and in the one
        that the stack had started."""
        found = []
        for p in dict.fromkeys((self.root(effect["p"]), effect["p"])):
            before = [event for event in self.sent_to(p) if event["n"] < effect["j"]]
            if before:
                found.append((p, int(before[-1]["n"])))
        return tuple(found)

    def sent_to(self, p: int) -> list[Line]:
        """The frames that reached process `p`."""
        if self._frames is None:
            self._frames = {}
            for event in self.run.journal:
                if event["e"] == "bytes" and event["s"] == "in":
                    self._frames.setdefault(event["p"], []).append(event)
        return self._frames.get(p, [])

    def root(self, p: int) -> int:
        """The process that the stack started, of which `p` is a descendant."""
        parents = {event["p"]: event.get("parent") for event in self.run.journal if event["e"] == "started"}
        seen = {p}
        while (parent := parents.get(p)) is not None and parent not in seen:
            p = parent
            seen.add(p)
        return p

    def programs(self) -> dict[int, str]:
        """Process -> name of its program."""
        return {event["p"]: event["program"] for event in self.run.journal if event["e"] == "started"}

    def gaps(self) -> Iterator[Line]:
        """Where the journal says that it is not whole."""
        return (event for event in self.run.journal if event["e"] == "gap")


def after(forger: Struck | None) -> str:
    """The end of a sentence about what can't be told after a fault."""
    return "" if forger is None else f", after {forger.line['fault']} ({forger.line['id']}) struck what the stack sent"


def _struck(line: Line, args: Any, strict: bool) -> Struck:
    try:
        fault = FAULTS[line["fault"]]
    except KeyError:
        return Struck(line, None, None)
    try:
        return Struck(line, fault, fault.complete(args) if isinstance(args, dict) else None, strict)
    except PlanProblem:
        return Struck(line, fault, None)


def _is_about(unsaid: Line, call: Call) -> bool:
    return "verb" not in unsaid or call.means is None or call.means["verb"] == unsaid["verb"]


def _reply(questions: list[tuple[Line, Line | None]], line: Line) -> None:
    """The reply belongs to the oldest question that has none."""
    for index, (question, reply) in enumerate(questions):
        if reply is None:
            questions[index] = (question, line)
            return
    questions.append((line, line))


def paused_ms(call: Call) -> float:
    """How long a question was open while the call ran; a question without a reply was open until the answer."""
    spans: list[tuple[float, float]] = []
    for question, reply in call.questions:
        close = reply or call.answered
        if close is not None:
            spans.append((question["t"], close["t"]))
    total, reached = 0.0, float("-inf")
    for begin, end in sorted(spans):
        total += max(0.0, end - max(begin, reached))
        reached = max(reached, end)
    return total
