"""The tape as a machine: it does what the recorded program did, as the client does what the recorded client did.

An event of the program waits for every event of the client that was recorded before it, so its requests are held until
the client has answered the earlier ones, and an answer is compared with the recorded one. Silence, half frames, closed
streams, stderr, signals and the exit status are events like any other. What the tape does not expect ends the replay
with status 70 and the nearest recorded frame on stderr; nothing is ever made up.
"""
from __future__ import annotations

from harness.faults.steps import Close, Exit, Send, Wait
from harness.replay.bindings import Bindings
from harness.replay.compare import Comparison
from harness.replay.profiles import profile_of
from harness.replay.recording import Recording, decoded
from harness.replay.settings import Settings
from harness.replay.window import Window
from harness.serve.machine import Silent
from harness.wire.frame import Frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.faults.steps import Handler
    from harness.problem import Problem
    from harness.replay.order import Order
    from harness.replay.recording import Item
    from harness.serve.machine import Given

MISSED = 70
"""Exit status of a replay that can't go on."""
SETTLE_MS = 100
"""A signal and bytes on stdin that were sent just before or after it are given this long to be seen in their order."""


class Player(Silent):
    """Plays one process of a tape; settings: `replay.settings`. By default the process is the recorded one of the same
    program, the first for the first one that is started, the second for the second.

    Raises TapeProblem for a tape that can't be read, UsageProblem for settings or a process that there are not.
    """

    pairs = False

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        settings = Settings(given.settings)
        process = given.program if settings.process is None else settings.process
        nth = given.nth if settings.process is None else 1
        self._recording = Recording(settings.tape, process, nth, incomplete=settings.incomplete)
        header = self._recording.header
        dialect = self._recording.dialect
        self.wires: Mapping[str, str] = {"stdio": dialect}
        profile = profile_of(settings.profile or header.profile, dialect)
        self._bindings = Bindings(profile, dialect, settings.language(header), settings.bind)
        self._window = Window(self._recording, Comparison(profile, self._bindings))
        self._settings = settings
        self._checks_argv = settings.checks_argv(header)
        self._order: Order | None = None
        if settings.seed is not None:
            from harness.replay.order import Order

            self._order = Order(profile, settings.seed)
        self._playing = False
        self._pieces: list[bytes] = []
        self._ended = False

    def started(self, argv: list[str], env: Mapping[str, str]) -> Handler:
        problem = self._argv_problem(argv) if self._checks_argv else None
        yield from self._play() if problem is None else _end(problem)

    def received(self, wire: str, frame: Frame) -> Handler:
        if self.wires["stdio"] == "raw":
            data = bytearray(frame.raw)
            if not self._window.match_bytes(data):
                from harness.replay.miss import miss_of_bytes

                return _end(miss_of_bytes(self._window, self._recording, bytes(data)))
            return self._play()
        if frame.more or self._pieces:
            self._pieces.append(frame.raw)
            if frame.more:
                return self._play()
            frame = Frame(b"".join(self._pieces), problem=frame.problem)
            self._pieces = []
        if self._window.match(frame) is None:
            from harness.replay.miss import miss_of_frame

            frame = decoded(frame, self._recording.dialect)
            return _end(miss_of_frame(self._window, self._recording, frame))
        return self._play()

    def ended(self, wire: str) -> Handler:
        self._ended = True
        if self._window.match_end("closed") or not self._window.open:
            return self._play()
        return self._left("the end of stdin", "closed")

    def signalled(self, number: int) -> Handler | None:
        if self._window.match_end("signalled", number):
            return self._play()
        if not self._window.open:
            return None
        return self._left(f"signal {number}", "signalled", number)

    def idle(self) -> None:
        self._window.read_ahead()

    def gone(self) -> None:
        self._recording.close()

    def _left(self, seen: str, kind: str, number: int = 0) -> Handler:
        """The client ends the session in another way than was recorded, or before its recorded end."""
        window = self._window
        if window.signal_is_near(kind, number):
            yield Wait(SETTLE_MS)
            if window.match_end(kind, number):
                yield from self._play()
                return
        if self._settings.mode == "strict":
            from harness.replay.miss import miss

            yield from _end(miss(window, self._recording, seen))
        elif window.skip_to(kind, number) or kind == "closed":
            yield from self._play()
        else:
            yield Exit(-number)

    def _argv_problem(self, argv: list[str]) -> Problem | None:
        """Where the arguments are not those of the recording. Tokens of theirs are bound."""
        recorded = self._recording.argv
        found: dict[str, str] = {}
        fit = [self._bindings.fits(one, two, found) for one, two in zip(recorded, argv, strict=False)]
        if all(fit) and len(recorded) == len(argv):
            self._bindings.learn(found)
            return None
        from harness.replay.miss import miss_of_argv

        return miss_of_argv(self._recording, fit.index(False) if not all(fit) else len(fit), argv)

    def _play(self) -> Handler:
        """Do what is free to be done, until something of the client is waited for."""
        if self._playing:
            return
        self._playing = True
        window, pace = self._window, self._settings.pace
        while window.free():
            item = window.ahead.popleft() if self._order is None else self._draw(self._order)
            if pace:
                yield Wait(max(0.0, item.t - window.t) * pace)
                window.t = max(window.t, item.t)
            if item.kind == "frame":
                window.played(item)
                yield Send(self._bindings.bytes_of(item), stream=item.stream)
            else:
                yield from _ending(item)
        if window.over and self._ended and not window.ahead:
            yield Exit(0)
        self._playing = False

    def _draw(self, order: Order) -> Item:
        """What comes next of all that is free."""
        self._window.load()
        return order.take(self._window.ahead)


def _end(problem: Problem) -> Handler:
    """The replay can't go on: why on stderr, and a status that no program of its own would take for success."""
    yield Send(f"trailcam replay: {problem}\n".encode("utf-8", "backslashreplace"), stream="err")
    yield Exit(MISSED)


def _ending(item: Item) -> Handler:
    """What the program did that is no frame."""
    if item.kind == "closed":
        yield Close("stdio", item.stream)
    elif item.kind == "exited":
        yield Exit(item.number)
    elif item.problem is not None:
        yield from _end(item.problem)
