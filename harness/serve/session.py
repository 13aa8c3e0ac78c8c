"""One process of the stage: handlers in flight, faults applied, outputs for the pump. No I/O and no clock of its own.

Frames that come in are delivered in the order of the wire: a frame that a fault delays holds those behind it. A
handler whose frame a fault delays on its way out waits with it; other handlers go on, but their bytes never fall
between the pieces of a frame that is being written.
"""
from __future__ import annotations

from _heapq import heappop, heappush

from harness.faults.steps import (
    Ask,
    At,
    Change,
    Close,
    Deliver,
    Exit,
    Raw,
    Send,
    Signal,
    Start,
    Until,
    Wait,
)
from harness.serve.handlers import in_order, rest
from harness.serve.outgoing import Outgoing
from harness.serve.wires import Wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
    from typing import Any

    from harness.faults.steps import Handler, Step
    from harness.serve.machine import Machine
    from harness.serve.outgoing import Output
    from harness.serve.stage import Stage
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

SIGKILL = 9
SOON_S = 0.1
"""A process ends only after what a fault put aside for so long at most: overtaken is not lost."""


class MachineFault(Exception):
    """A machine asked for something that it may not ask for: a defect of the fake, never of the stack."""


class Session:
    """One process. `feed`, `end`, `reaped`, `signal` and `tick` make its handlers go on; `take` gives what they gave.

    Times are seconds of the run's clock; `due` is when `tick` wants to be called, None for never.
    """

    def __init__(self, stage: Stage, p: int, program: str, nth: int, parent: int | None, machine: Machine) -> None:
        self.stage = stage
        self.p = p
        self.program = program
        self.nth = nth
        self.parent = parent
        self.machine = machine
        self.status: int | None = None
        self.ignored: set[int] = set()
        """Signals that do nothing, and 0 for the end of stdin: set by faults of the process layer."""
        self.unread: set[str] = set()
        """Wires from which a fault has it read nothing more: who reads for it leaves what comes in the pipe."""
        self.is_connection = False
        """Whether its stdio is a connection: no stderr, and it ends only after all that a fault put aside."""
        self.first: list[Step] = []  # what a fault made of its connection, carried out when it is up
        self.nudge: Callable[[], None] = lambda: None
        self.children: dict[str, Session | None] = {}
        self._out = Outgoing(stage, p, self.children, getattr(machine, "pairs", True))
        stdio = Wire("stdio", machine.wires["stdio"], ">>", "<<", ("out", "err"), decoded=not self._out.blind)
        stdio.again = getattr(machine, "reads", machine.wires["stdio"])
        self.wires = {"stdio": stdio}
        self._now = 0.0
        self._due: list[tuple[float, int, Handler]] = []
        self._sequence = 0
        self._waiting: list[tuple[str, Handler]] = []
        self._aside_until = 0.0
        self._end_came = False
        self._end_heard = False

    # What the pump calls

    def begin(self, argv: list[str], env: Mapping[str, str], now: float) -> None:
        """The process is up."""
        self._now = now
        self.stage.write(self.p, "started", program=self.program, argv=list(argv), env=sorted(env), parent=self.parent)
        self._go(self._beginning(argv, env))

    def feed(self, wire: str, data: bytes, now: float) -> None:
        """Bytes came in on a wire."""
        self._now = now
        if self.status is not None or wire in self.unread:
            return
        channel = self.wires[wire]
        if self._out.blind:
            channel.inbox.extend(channel.inward.codec.feed(data))
        else:
            for frame, cuts in channel.inward.feed(data):
                self._came(channel, frame, cuts)
        self._deliver(channel)

    def end(self, wire: str, now: float) -> None:
        """The other side closed its end of a wire."""
        self._now = now
        if self.status is not None:
            return
        channel = self.wires[wire]
        if channel.inward.closed or wire in self.unread:
            return
        for frame, cuts in channel.inward.end():
            self._came(channel, frame, cuts)
        channel.inward.closed = True
        self._end_came = self._end_came or wire == "stdio"
        if wire not in self.children:
            self.stage.write(self.p, "closed", w=wire, s="in")
        channel.inbox.append(None)
        self._deliver(channel)

    def errors(self, data: bytes, now: float) -> None:
        """A real program behind this one wrote on its stderr."""
        self._now = now
        if self.status is None:
            self._out.write(self.wires["stdio"], "err", data)

    def reaped(self, wire: str, status: int, now: float) -> None:
        """The child on `wire` has ended."""
        self._now = now
        if self.status is None:
            self._go(self.machine.reaped(wire, status))

    def signal(self, number: int, now: float) -> None:
        """A signal came from outside."""
        self._now = now
        if self.status is not None:
            return
        self.stage.write(self.p, "signalled", number=number)
        if number in self.ignored and number != SIGKILL:
            return
        if (self._end_came or "stdio" in self.unread) and not self._end_heard:  # a fault holds it, or what is before it
            self._unheard()
        handler = None if number == SIGKILL else self.machine.signalled(number)
        if handler is None:
            self._exit(-number)
        else:
            self._go(handler)

    def died(self, status: int) -> None:
        """The process was killed behind the machine's back: no step is taken any more."""
        self._exit(status)

    def abandoned(self, status: int) -> None:
        """It was never up: nothing of it is in the journal."""
        self.status = status
        self.machine.gone()
        self.stage.changed()

    def due(self) -> float | None:
        return self._due[0][0] if self._due else None

    def go(self, handler: Handler, now: float) -> None:
        """Begin a handler of the machine's own, from inside of a step that runs on."""
        self._now = now
        self._go(handler)

    def tick(self, now: float) -> None:
        """Go on with the first handler that is due: one step, so that the pump writes what it gave before the next."""
        self._now = now
        if self._due and self._due[0][0] <= now and self.status is None:
            self._go(heappop(self._due)[2])

    def take(self) -> list[Output]:
        """The outputs since the last call, in order."""
        return self._out.take()

    def resume(self, key: str) -> None:
        """`world.wake(key)`: every handler that waits for it is due now."""
        ready = [entry for entry in self._waiting if entry[0] == key]
        if ready:
            self._waiting = [entry for entry in self._waiting if entry[0] != key]
            for _, handler in ready:
                self._later(handler, 0.0)
            self.nudge()

    # Frames

    def _beginning(self, argv: list[str], env: Mapping[str, str]) -> Generator[Step, Any, None]:
        steps = [*self.first, *self._faulted([], moment="started")]
        if steps:  # what comes in meanwhile is answered only when the program is up
            stdio = self.wires["stdio"]
            stdio.busy = True
            yield from steps
            self._later(self._next(stdio), 0.0)
            self.nudge()
        yield from self.machine.started(argv, env)

    def _came(self, wire: Wire, frame: Frame, cuts: list[int]) -> None:
        n = None
        if wire.name not in self.children:
            n = self.stage.write_bytes(self.p, wire.name, "in", frame.raw, cuts, None)
        wire.came(frame, n)
        wire.inbox.append(frame)

    def _deliver(self, wire: Wire) -> None:
        """The next frame of a wire; those behind it are a step of their own, so that the pump writes in between."""
        if wire.inbox and not wire.busy and self.status is None:
            wire.busy = True
            frame = wire.inbox.popleft()
            watched = self.stage.plan.watches(self.program, ">>")
            if frame is None or (not self._out.blind and (watched or wire.again_open)):
                self._go(self._arrival(wire, frame))
            else:
                self._go(self.machine.received(wire.name, frame))
                self._arrived(wire)

    def _next(self, wire: Wire) -> Handler:
        wire.busy = False
        self._deliver(wire)
        yield from ()

    def _arrival(self, wire: Wire, frame: Frame | None) -> Handler:
        if frame is None:
            if wire.name == "stdio" and 0 in self.ignored:
                self._unheard()
            else:
                for frame, _ in wire.end_again():
                    self._go(self.machine.received(wire.name, frame))
                yield from self._struck([], moment="ended", wire=wire.name)
                self._end_heard = self._end_heard or wire.name == "stdio"
                self._go(self.machine.ended(wire.name))
        else:
            steps: list[Step] = [Deliver(frame, wire.name)]
            if wire.name not in self.children:
                steps = self._faulted(steps, wire=wire.name, way=">>", kind=frame.kind, method=frame.method)
            yield from steps
        self._arrived(wire)

    def _unheard(self) -> None:
        self._end_heard = True
        getattr(self.machine, "unheard", bool)()

    def _arrived(self, wire: Wire) -> None:
        wire.busy = bool(wire.inbox)
        if wire.busy:
            self._later(self._next(wire), 0.0)
            self.nudge()

    def _departure(self, send: Send) -> Handler:
        wire = self.wires[send.wire]
        if send.stream == "err" or send.wire in self.children:
            yield Raw(send.raw, send.wire, send.stream)
            return
        steps: list[Step] = [Raw(send.raw, send.wire, send.stream)]
        if self.stage.plan.watches(self.program, "<<"):
            frame = self.stage.peek(wire.dialect, send.raw)
            method = frame.method
            if frame.kind == "reply":
                method = wire.asked.method_of(frame)
            steps = self._faulted(steps, wire=wire.name, way="<<", kind=frame.kind, method=method)
        if sum(isinstance(step, Raw) for step in steps) > 1 and any(isinstance(step, Wait) for step in steps):
            yield from self._alone(wire, send.stream, steps)
        else:
            yield from steps

    def _alone(self, wire: Wire, stream: str, steps: list[Step]) -> Handler:
        """The pieces of one frame with pauses between: other handlers' bytes on that stream wait for its end."""
        last = max(index for index, step in enumerate(steps) if isinstance(step, Raw))
        for index, step in enumerate(steps):
            if isinstance(step, Raw):
                self._out.hold(wire, stream)
                self._out.write(wire, step.stream, step.data)
                if index == last:
                    self._out.release(wire, stream)
            else:
                yield step

    # Faults

    def _faulted(self, steps: list[Step], **place: Json) -> list[Step]:
        watched = self.stage.plan.watches(self.program, str(place.get("way", "moment")))
        return self.stage.strike(self, place, steps) if watched else steps

    def _struck(self, steps: list[Step], **place: Json) -> Iterator[Step]:
        yield from self._faulted(steps, **place)

    # Steps

    def _go(self, handler: Handler) -> None:
        """Carry out a handler's steps until it waits, ends, or the process ends."""
        stack = [handler]
        value: Any = None
        while stack:
            if self.status is not None:
                return
            try:
                step = stack[-1].send(value)
            except StopIteration:
                stack.pop()
                value = None
                continue
            value = None
            if isinstance(step, Wait):
                self._later(rest(stack), self._now + step.ms / 1000)
                return
            if isinstance(step, Until):
                self._waiting.append((step.key, rest(stack)))
                return
            if isinstance(step, Send):
                if not self._out.blind and self.stage.plan.watches(self.program, "<<"):
                    stack.append(self._departure(step))
                else:
                    self._out.put(self.wires[step.wire], step.stream, step.raw)
            elif isinstance(step, At):
                stack.append(in_order(self._faulted([], moment=step.moment, where=dict(step.where))))
            else:
                value = self._do(step)

    def _do(self, step: Step) -> Any:
        match step:
            case Deliver(frame, wire):
                if self.wires[wire].again_open:
                    self.feed_again(wire, frame.raw)
                else:
                    self._go(self.machine.received(wire, frame))
            case Raw(data, wire, stream):
                self._out.put(self.wires[wire], stream, data)
            case Close(wire, stream):
                self._out.close(self.wires[wire], stream)
            case Exit(status):
                if 0.0 < self._aside_until - self._now <= (float("inf") if self.is_connection else SOON_S):
                    self._later(in_order([step]), self._aside_until)
                else:
                    self._exit(status)
            case Change(what):
                self.stage.world.change(step.by, **what)
            case Start():
                self._start(step)
            case Signal(wire, number):
                self._out.outputs.append(("kill", wire, number))
            case Ask(function):
                if not self.stage.may_block:
                    raise MachineFault("Ask was used where nothing may block; only engine backs in process runs may")
                return function()
            case _:
                step.apply_to(self)  # type: ignore[attr-defined]
        return None

    # What steps of faults ask for

    def feed_again(self, wire: str, data: bytes) -> None:
        """Bytes that a fault put in the place of a frame: read anew, and not struck again."""
        for frame, _ in self.wires[wire].read_again(data):
            self._go(self.machine.received(wire, frame))

    def aside(self, ms: float, steps: Sequence[Step]) -> None:
        """Steps that go on beside the handler that gave them, after `ms`."""
        due = self._now + ms / 1000
        self._aside_until = max(self._aside_until, due)
        self._later(in_order(steps), due)
        self.nudge()

    def cork(self, wire: str, stream: str, ms: float) -> None:
        """Gather what is written to a stream, and write it at once after `ms`."""
        self._out.cork(self.wires[wire], stream)
        self._later(self._uncork(self.wires[wire], stream), self._now + ms / 1000)
        self.nudge()

    def _uncork(self, wire: Wire, stream: str) -> Handler:
        self._out.uncork(wire, stream)
        yield from ()

    def _start(self, step: Start) -> None:
        if step.wire in self.wires:
            raise MachineFault(f"{self.program} started a child on {step.wire}, which is in use")
        child = self.stage.prepare(step, self)
        self.children[step.wire] = child
        dialect = child.machine.wires["stdio"] if child else self.machine.wires.get(step.wire, "raw")
        self.wires[step.wire] = Wire(step.wire, dialect, "<<", ">>", ("out",))
        self._out.outputs.append(("spawn", step.wire, child, step))
        self._go(self.machine.opened(step.wire))

    def _exit(self, status: int) -> None:
        if self.status is None:
            for stream in self.wires["stdio"].outward:
                self._out.end(self.wires["stdio"], stream)
            self.status = status
            self._due.clear()
            self._waiting.clear()
            self.stage.write(self.p, "exited", status=status)
            self._out.outputs.append(("exit", status))
            self.stage.gone(self)
            getattr(self.machine, "gone", bool)()
            self.nudge()

    def _later(self, handler: Handler, due: float) -> None:
        self._sequence += 1
        heappush(self._due, (due, self._sequence, handler))
