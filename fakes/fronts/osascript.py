"""`osascript -l JavaScript`: a real program in a real JavaScript engine, with Apple Events to the Safari of the world.

The script runs on its own stack and blocks, as it does on a Mac (osascript_waiting); whatever it waits for is a step
of this machine: a read of stdin, an Apple Event, `delay`, a write. So faults strike at every Apple Event, and a
virtual run is exact. An event happens in Safari when it is sent, and its answer comes `event_ms` later: who is killed
in between has done it all the same. Source: trailcam facts: JXA, sections 1 and 2. No recording of the real program
exists.
"""

from __future__ import annotations

from fakes.engines.javascript import engine
from fakes.fronts import osascript_texts as texts
from fakes.fronts.osascript_arguments import Misused, parse
from fakes.fronts.osascript_late import Late
from fakes.fronts.osascript_waiting import DEAD, Nested, Switched
from fakes.settings import SettingsProblem, read
from fakes.worlds.safari_dictionary import AppleEventError
from fakes.worlds.safari_events import CHANGING, events_of
from fakes.worlds.safari_javascript import across, evaluate, read_call
from harness.faults.steps import Aside, Ask, At, Close, Exit, Send, Until, Wait
from harness.serve.machine import Silent
from harness.wire.jsontext import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence
    from typing import Any

    from fakes.fronts.osascript_arguments import Arguments
    from fakes.fronts.osascript_waiting import Request, Waiting
    from fakes.settings import Table
    from fakes.worlds.safari_events import Answer, Ordered
    from harness.faults.steps import Handler, Step
    from harness.serve.machine import Given
    from harness.wire.frame import Frame
    from harness.wire.jsontext import Json

    Serving = Generator[Step, Any, Any]

KEYS: Table = {
    "engine": ("quickjs|jsc", "quickjs", "JavaScript engine; jsc only for a program that is its own stage"),
    "event_ms": ("number", 17, "from an Apple Event to its answer"),
    "timeout_ms": ("number", 120_000, "after which an event that Safari cannot answer gets -1712"),
    "texts": ("|".join(texts.STYLES), "straight", "texts of errors: language and apostrophes"),
    "positions": ("bool", False, "whether errors on stderr have offsets and a line"),
    "booleans": ("kept|lost", "kept", "whether a page's booleans come back, which they did not on macOS 12.0"),
    "read_bytes": ("int", 65_536, "the most that one read of stdin gives"),
    "output": ("kept|suppressed", "kept", "whether what run() writes reaches stdout; a beta of macOS 26.2 lost it"),
    "dictionary": ("kept|lost|gone", "kept", "without Safari, collections have no methods: lost; nor `running`: gone"),
    "address": ("first|last", "first", "which of several Safaris an application by name is"),
}
PRELUDE = __file__.removesuffix(".py") + "_prelude.js"
BEHIND = 100_000
"""Lines before the prelude's first one, so that a place in it is told from one in the script (HERE in the prelude)."""
POLL_MS = 100
BUNDLE = "com.apple.Safari"
SEGMENTATION_FAULT = 11
BROKEN = "broken"
"""The op that carries a defect of the fake out of the engine, to where it can be raised."""


class Osascript(Silent):
    """See the module. reads: what faults put in the place of input reaches it as bytes, not as frames."""

    wires: Mapping[str, str] = {"stdio": "jsonrpc"}
    reads = "raw"
    moments: Sequence[str] = (
        "reading", "apple_event", "before_effect", "after_effect", "apple_event_ran", "ending",
    )  # fmt: skip
    pairs = False

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        self.p = given.p
        self.settings = read(dict(given.settings), KEYS, "programs.osascript")
        self.events = events_of(self.world)
        self.requests = 0
        """Lines of stdin that the script has been given."""
        self._input = bytearray()
        self._ended = False
        self._waiting: Waiting | None = None
        self._arguments: Arguments
        self._script = ""
        self._environment: Mapping[str, str] = {}

    def lend(self, within: Callable[[Handler], Any]) -> None:
        """The program is its own stage: its loop can go round inside of a step."""
        self._waiting = Nested(within)

    # The process

    def started(self, argv: list[str], env: Mapping[str, str]) -> Handler:
        self._environment = env
        try:
            self._arguments = parse(argv)
        except Misused as misused:
            yield Send(misused.text.encode(), stream="err")
            yield Exit(misused.status)
            return
        yield from self._read_script()
        if self._waiting is None:
            if self.settings["engine"] == "jsc":
                expected = "quickjs, or an osascript that is its own stage"
                raise SettingsProblem("engine jsc in a stage's process", expected, "correct programs.osascript")
            self._waiting = Switched()
        outcome = yield from self._waiting.run(self._evaluate, self._serve)
        yield from self._report(loads(outcome))

    def _read_script(self) -> Handler:
        given = self._arguments
        if given.statements is not None:
            self._script = "\n".join(given.statements)
        elif given.file is not None:
            try:
                with open(given.file, encoding="utf-8") as file:
                    self._script = file.read()
            except OSError as problem:
                yield Send(f"osascript: {given.file}: {problem.strerror}\n".encode(), stream="err")
                yield Exit(2)
        else:
            whole = yield from self._read_whole(None)
            self._script = whole["value"].encode("latin-1").decode("utf-8", "replace")

    def _evaluate(self) -> str:
        with open(PRELUDE, encoding="utf-8") as file:
            prelude = file.read()
        return engine(self.settings["engine"], self._called).evaluate("\n" * BEHIND + prelude)

    def _report(self, outcome: Any) -> Handler:
        if "text" in outcome:
            status = 0
            line = outcome["text"]
            if line is not None:
                yield Send(f"{line}\n".encode("utf-8", "replace"))
        else:
            status = 1
            given = self._arguments
            text = texts.complaint(outcome, given.file, self._script, positions=self.settings["positions"])
            yield Send(text.encode("utf-8", "replace"), stream=given.complains)
        yield At("ending", {"status": status})
        yield Exit(status)

    def received(self, wire: str, frame: Frame) -> Handler:
        self._input += frame.raw
        self.world.wake(self._key)
        yield from ()

    def ended(self, wire: str) -> Handler:
        self._ended = True
        self.world.wake(self._key)
        yield from ()

    def gone(self) -> None:
        if self._waiting is not None:
            self._waiting.kill()

    @property
    def _key(self) -> str:
        return f"osascript:{self.p}:input"

    # The seam

    def _called(self, op: str, argument: str) -> str:
        """What the engine calls. Raises nothing: a defect is carried to the stage, and raised there."""
        try:
            at_once = AT_ONCE.get(op)
            given = loads(argument)
            answer = at_once(self, given) if at_once is not None else self._ask((op, given))
            return dumps(answer)
        except Exception as defect:
            if self._ask((BROKEN, defect)) is not DEAD:
                raise
            return dumps(DEAD)

    def _ask(self, request: Request) -> Any:
        assert self._waiting is not None
        return self._waiting.ask(request)

    def _serve(self, request: Request) -> Serving:
        """The steps for what the script waits for, and the answer to it: {value}, {specifier}, ... or {error}."""
        op, argument = request
        if op == BROKEN:
            raise argument
        return SERVED[op](self, argument)

    def _application(self, name: Json) -> Answer:
        """Whether the application's dictionary is known. There is no event in it."""
        if not self.events.known(name):
            return self._error(-2700)
        return {"value": self.settings["dictionary"] == "kept" or self.events.running(name)}

    def _running(self, path: Json) -> Answer:
        runs = self.events.running(path[0][1])  # type: ignore[index]
        return {"value": runs} if runs or self.settings["dictionary"] != "gone" else self._error(-600)

    def _applications(self, argument: Json) -> Answer:
        return {"value": [{"pid": pid, "bundle": BUNDLE, "name": "Safari"} for pid in self.events.pids()]}

    def _screens(self, argument: Json) -> Answer:
        """Frames as Cocoa has them: from the bottom left of the first display, upwards."""
        displays = self.world.displays
        bottom = displays[0][3] if displays else 0
        frames = [
            {"origin": {"x": x, "y": bottom - y - height}, "size": {"width": width, "height": height}}
            for x, y, width, height in displays
        ]
        return {"value": [{"frame": frame, "visibleFrame": frame} for frame in frames]}

    def _start(self, argument: Json) -> Answer:
        given = self._arguments
        return {
            "value": {"script": self._script, "argv": list(given.argv), "recompilable": given.recompilable}
        }

    def _base64(self, argument: Json) -> Answer:
        from binascii import b2a_base64

        return {"value": b2a_base64(str(argument).encode("latin-1"), newline=False).decode()}

    def _error(self, number: int, about: str | None = None) -> Answer:
        return {"error": {"number": number, "message": texts.message(number, self.settings["texts"], about)}}

    # Streams and time

    def _read(self, argument: Json) -> Serving:
        yield At("reading")
        while not self._input and not self._ended:
            yield Until(self._key)
        come = 0
        while come < len(self._input):  # what was written at once is there at once, in however many frames
            come = len(self._input)
            yield Wait(0)
        return self._taken(self.settings["read_bytes"])

    def _read_whole(self, length: Json) -> Serving:
        """That many bytes, or all that come; fewer only at the end of stdin."""
        while not self._ended and (length is None or len(self._input) < int(str(length))):
            yield Until(self._key)
        return self._taken(len(self._input) if length is None else int(str(length)))

    def _taken(self, size: int) -> Answer:
        data = bytes(self._input[:size])
        del self._input[:size]
        self.requests += data.count(b"\n")
        return {"value": data.decode("latin-1")}

    def _write(self, argument: Any) -> Serving:
        number, text = argument
        stream = "err" if number == 2 else "out"
        if number in (1, 2) and not (stream == "out" and self.settings["output"] == "suppressed"):
            yield Send(text.encode("latin-1"), stream=stream)
        return {"value": None}

    def _log(self, text: Json) -> Serving:
        yield Send(f"{text}\n".encode("utf-8", "replace"), stream="err")
        return {"value": None}

    def _close(self, number: Json) -> Serving:
        if number in (1, 2):
            yield Close("stdio", "out" if number == 1 else "err")
        return {"value": None}

    def _delay(self, seconds: Any) -> Serving:
        yield Wait(max(0.0, float(seconds or 0)) * 1000)
        return {"value": None}

    def _exit(self, status: Any) -> Serving:
        yield At("ending", {"status": int(status or 0) & 255})
        yield Exit(int(status or 0) & 255)

    def _fault(self, argument: Json) -> Serving:
        yield Exit(-SEGMENTATION_FAULT)

    # Apple Events

    def _event(self, request: Any) -> Serving:
        where = self._place(request)
        yield At("apple_event", where)
        self.world.advance()
        self.world.note("apple_event", p=self.p, **where)
        ordered = self.events.take_ordered()
        if ordered is None:
            answer = yield from self._carry_out(request, where)
        else:
            yield from self._carry_out_ordered(ordered, request, where)
            answer = self._error(ordered.number)
        yield Wait(self.settings["event_ms"] + (ordered.wait_ms if ordered else 0))
        yield At("apple_event_ran", where)
        return answer

    def _place(self, request: Mapping[str, Any]) -> dict[str, Json]:
        """What the moments of an event, and its line of the record, say of it."""
        place: dict[str, Json] = {"event": request["event"], "request": self.requests}
        kind, value = request["path"][-1]
        if kind == "p":
            place["property"] = value
        if request["event"] == "doJavaScript":
            call = read_call(request["value"])
            named = {"program": call.name, "op": call.op}
            place.update({name: value for name, value in named.items() if value is not None})
        return place

    def _changes(self, request: Mapping[str, Any]) -> bool:
        event = request["event"]
        return event in CHANGING and (event != "doJavaScript" or read_call(request["value"]).changing)

    def _carry_out_ordered(self, ordered: Ordered, request: Mapping[str, Any], where: dict[str, Json]) -> Serving:
        """The event of which the script hears nothing but an error: it happens now, later, or never."""
        if ordered.runs == "now":
            yield from self._carry_out(request, where)
        elif ordered.runs == "later":
            late_ms = self.settings["event_ms"] + ordered.wait_ms + ordered.late_ms
            self.world.agenda.after(late_ms, lambda: self._come_late(request, where))
            yield Aside(late_ms, [Late(self.world)])

    def _come_late(self, request: Mapping[str, Any], where: dict[str, Json]) -> None:
        self.world.note("apple_event", p=self.p, late=True, **where)
        self._perform(request)

    def _carry_out(self, request: Mapping[str, Any], where: dict[str, Json]) -> Serving:
        if self._held(request):
            answered = yield from self._until_free(request)
            if not answered:
                return self._error(-1712)
        changes = self._changes(request)
        if changes:
            yield At("before_effect", {"verb": where["event"], **where})
            self.world.advance()
        if self.world.blocking:
            answer = yield Ask(lambda: self._perform(request))
        else:
            answer = self._perform(request)
        if changes:
            yield At("after_effect", {"verb": where["event"], **where})
        if self._held(request):
            answered = yield from self._until_free(request)
            return answer if answered else self._error(-1712)
        return answer

    def _held(self, request: Mapping[str, Any]) -> bool:
        return self.events.held(request, last=self.settings["address"] == "last")

    def _until_free(self, request: Mapping[str, Any]) -> Serving:
        """Wait while consent is asked for, or a dialog holds the page; whether that ended before the time-out."""
        self.world.note("unsaid", p=self.p, why="no answer while a dialog is open, or consent is asked for")
        waited = 0.0
        while self._held(request):
            if waited >= self.settings["timeout_ms"]:
                return False
            yield Wait(POLL_MS)
            waited += POLL_MS
            self.world.advance()
        return True

    def _perform(self, request: Mapping[str, Any]) -> Answer:
        try:
            return self.events.perform(self.p, request, self._run_in_page, last=self.settings["address"] == "last")
        except AppleEventError as error:
            return self._error(error.number, error.about)

    def _run_in_page(self, p: int, tab: Any, text: str) -> Json:
        return across(evaluate(self.world, self.events.show, p, tab, text), self.settings["booleans"])


AT_ONCE: Mapping[str, Callable[[Osascript, Json], Answer]] = {
    "script": Osascript._start,
    "application": Osascript._application,
    "running": Osascript._running,
    "applications": Osascript._applications,
    "screens": Osascript._screens,
    "pid": lambda front, argument: {"value": 4000 + front.p},
    "environment": lambda front, argument: {"value": dict(front._environment)},
    "arguments": lambda front, argument: {"value": ["/usr/bin/osascript", *front._arguments.argv]},
    "uptime": lambda front, argument: {"value": front.world.now_ms() / 1000},
    "date": lambda front, argument: {"value": EPOCH_S + front.world.now_ms() / 1000},
    "base64": Osascript._base64,
}
"""Op -> answer, of what takes no time and changes nothing."""
EPOCH_S = 1_767_225_600
"""2026-01-01: the date at which every run begins."""
SERVED: Mapping[str, Callable[[Osascript, Any], Serving]] = {
    "event": Osascript._event,
    "read": Osascript._read,
    "read_whole": Osascript._read_whole,
    "write": Osascript._write,
    "close": Osascript._close,
    "log": Osascript._log,
    "delay": Osascript._delay,
    "exit": Osascript._exit,
    "fault": Osascript._fault,
}
"""Op -> steps, of what the script waits for."""
