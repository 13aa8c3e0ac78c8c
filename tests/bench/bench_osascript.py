"""How fast the fake osascript is: from its start to its first word, and one Apple Event without a point to stop at.

    python -m tests.bench.bench_osascript [--rounds N] [--json]

Ready: the executable of a run folder that is its own stage, from its start to the line that its script writes first.
An Apple Event: `safari.windows.byId(7).tabs.length` in a loop of a script, whose machine carries every step out at
once, so that engine, prelude, seam, dictionary and the line of the record are what is measured. The engines take turns.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from time import perf_counter_ns
from typing import Any

from fakes.engines.javascript import NAMES, missing
from fakes.fronts.osascript import Osascript
from fakes.worlds.safari import Safari
from harness.faults.steps import Ask
from harness.serve.launch import make_folder, remove_folder
from harness.serve.machine import Given
from tests.fakes.osascript.drive import SAFARI, WORLD, alone, script

ROUNDS = 15
EVENTS = 20_000
READY_MS = 60.0
EVENT_US = {"quickjs": 30.0, "jsc": 50.0}
"""The targets: an engine -> microseconds of one Apple Event."""
FIRST = "$.NSFileHandle.fileHandleWithStandardOutput.writeData($('ready\\n').dataUsingEncoding(4)); delay(60)"
LOOP = SAFARI + (
    "const window = safari.windows.byId(7); let sum = 0, begun = Date.now();"
    f"for (let n = 0; n < {EVENTS}; n++) sum += window.tabs.length;"
    "String(1000 * (Date.now() - begun))"
)


class Record:
    """A record that keeps nothing."""

    def record(self, e: str, **fields: Any) -> int:
        return 0

    def wake(self, key: str) -> None:
        pass

    def now_ms(self) -> float:
        return 0.0

    def pid_of(self, p: int) -> int:
        return p


class AtOnce(Osascript):
    """Carries out what the script waits for at once: nothing can strike, and no time passes but a real engine's."""

    def _ask(self, request: Any) -> Any:
        steps, answer = self._serve(request), None
        try:
            while True:
                step = steps.send(answer)
                answer = step.function() if isinstance(step, Ask) else None
        except StopIteration as stop:
            return stop.value


def event_us(engine: str) -> float:
    """Microseconds of one Apple Event in this process: the median is over processes, not over loops."""
    return float(said(Safari(Record(), WORLD), engine, LOOP)) / EVENTS


def said(world: Safari, engine: str, text: str) -> bytes:
    """What a script says at its end, whose events are carried out at once."""
    front = AtOnce(Given(1, "osascript", world, {"engine": engine}, "1"))
    outcome = b""
    handler = front.started(script(text), {})
    front.lend(lambda handler: None)
    for step in handler:
        outcome = getattr(step, "raw", outcome)
    return outcome


def ready_ms(engine: str) -> float:
    folder = make_folder(["osascript"], alone(settings={"engine": engine}))
    try:
        begun = perf_counter_ns()
        with subprocess.Popen(
            [str(folder / "osascript"), *script(FIRST)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={}
        ) as process:
            assert process.stdout and process.stdout.readline() == b"ready\n"
            taken = (perf_counter_ns() - begun) / 1e6
            process.kill()
        return taken
    finally:
        remove_folder(folder)


def in_a_process(engine: str) -> float:
    words = [sys.executable, "-m", "tests.bench.bench_osascript", "--one", engine]
    return float(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def main(words: Sequence[str]) -> int:
    if list(words[:1]) == ["--one"]:
        print(event_us(words[1]))
        return 0
    rounds = int(words[words.index("--rounds") + 1]) if "--rounds" in words else ROUNDS
    engines = [name for name in NAMES if missing(name) is None]
    ready: dict[str, list[float]] = {name: [] for name in engines}
    events: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(rounds):
        for name in engines:
            ready[name].append(ready_ms(name))
            events[name].append(in_a_process(name))
    rows = [(name, statistics.median(ready[name]), statistics.median(events[name])) for name in engines]
    if "--json" in words:
        print(json.dumps([{"engine": name, "ready_ms": ms, "event_us": us} for name, ms, us in rows]))
    else:
        print("| engine | ready, ms | target | an Apple Event, µs | target |\n|---|---|---|---|---|")
        for name, ms, us in rows:
            print(f"| {name} | {ms:.1f} | {READY_MS:g} | {us:.1f} | {EVENT_US[name]:g} |")
        for name in NAMES:
            if name not in engines:
                print(f"\n{name} is missing here: {missing(name)}")
    return int(any(ms > READY_MS or us > EVENT_US[name] for name, ms, us in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
