"""Runs of the fake osascript: on a stage in virtual time, and as an executable that is its own stage.

Both give the same `Ran`, so that one check serves all three places: QuickJS in a greenlet, QuickJS and JavaScriptCore
in a process.
"""

from __future__ import annotations

import subprocess
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
import trio

from fakes.engines.javascript import missing
from fakes.worlds.safari import Safari
from harness.serve.dotted import Resolved
from harness.serve.launch import make_folder, remove_folder
from harness.serve.scheduler import run_virtual
from harness.serve.stage import Stage
from harness.serve.virtual import VirtualHost
from harness.wire.jsontext import loads

SAFARI = "const safari = Application('Safari');\n"
PAGES = {
    "http://a.test/*": {"title": "Alpha", "body": [{"tag": "h1", "text": "Hello"}]},
    "http://b.test/*": {"title": "Beta"},
}
WORLD: dict[str, Any] = {
    "pages": PAGES,
    "windows": [
        {"id": 7, "tabs": [{"url": "http://a.test/1"}, {"url": "http://b.test/2"}]},
        {"id": 9, "phantom": True},
        {"id": 8, "tabs": [{"url": "http://b.test/3"}], "profile": "Personal"},
    ],
}
"""Two windows with pages, a phantom between them, and a profile in a title."""
WHEELS = sysconfig.get_paths()["purelib"]
MACHINE = "fakes.fronts.osascript:Osascript"


@dataclass
class Ran:
    """What one run of a program left. ms: how long it took, in virtual runs; world: its world record."""

    status: int
    out: str
    errors: str
    world: list[dict[str, Any]] = field(default_factory=list)
    ms: float = 0.0

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.world if line["e"] == kind]


def virtual(
    argv: Sequence[str],
    stdin: bytes = b"",
    world: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    faults: Sequence[Mapping[str, Any]] = (),
    env: Mapping[str, str] | None = None,
    later: Callable[[Any, Stage], Any] | None = None,
) -> Ran:
    """Run osascript on a stage. later(process, stage): an async function that talks to it, in place of `stdin`."""
    plan = {"v": 1, "faults": [{"id": f"f{n}", **fault} for n, fault in enumerate(faults, 1)]}
    sheet: dict[str, Any] = {"v": 1, "seed": 1, "world": dict(world or WORLD), "plan": plan}
    sheet["programs"] = {"osascript": dict(settings or {})}

    async def main() -> Ran:
        machines: Any = Resolved({"osascript": MACHINE})
        stage = Stage(sheet, machines, Safari, clock=trio.current_time)
        async with trio.open_nursery() as nursery:
            host = VirtualHost(stage, nursery, 1)
            process = await host.start("osascript", list(argv), env=env or {}, cwd="/")
            if later is not None:
                await later(process, stage)
            elif stdin:
                await process.stdin.send(stdin)
            await process.stdin.aclose()
            status = await process.wait()
            out = b"".join([data async for data in process.stdout])
            errors = b"".join([data async for data in process.stderr])
            ms = stage.now_ms()
            nursery.cancel_scope.cancel()
        return Ran(status, out.decode(), errors.decode(), stage.events, ms)

    return run_virtual(main, 1)


def process(
    argv: Sequence[str],
    stdin: bytes = b"",
    world: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    env: Mapping[str, str] | None = None,
) -> Ran:
    """Run osascript as an executable, with nothing around it but what is said; Apple Events cost no time."""
    folder = make_folder(["osascript"], alone(world, settings))
    try:
        done = subprocess.run(
            [str(folder / "osascript"), *argv], input=stdin, capture_output=True, env=dict(env or {}), timeout=60
        )
        text = (folder / "world.jsonl").read_text(encoding="ascii")
    finally:
        remove_folder(folder)
    lines: list[Any] = [loads(line) for line in text.split("\n") if line]
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode(), lines)


def alone(world: Mapping[str, Any] | None = None, settings: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The run sheet of an executable that is its own stage."""
    return {
        "v": 1,
        "seed": 1,
        "world": dict(world or WORLD),
        "programs": {"osascript": {"event_ms": 0, **(settings or {})}},
        "machines": {"osascript": MACHINE},
        "world_factory": "fakes.worlds.safari:Safari",
        "wheels": [WHEELS],
    }


def in_process(engine: str) -> Callable[..., Ran]:
    """`process` with that engine."""

    def run(argv: Sequence[str], stdin: bytes = b"", **more: Any) -> Ran:
        return process(argv, stdin, settings={**more.pop("settings", {}), "engine": engine}, **more)

    return run


PLACES = [
    pytest.param(virtual, id="virtual"),
    pytest.param(in_process("quickjs"), id="quickjs"),
    pytest.param(
        in_process("jsc"),
        id="jsc",
        marks=pytest.mark.skipif(missing("jsc") is not None, reason=f"no engine: {missing('jsc')}"),
    ),
]
"""Where a check runs: a function like `virtual`."""


def script(text: str, *arguments: str, flags: Sequence[str] = ()) -> list[str]:
    """The command line that runs a text."""
    return ["-l", "JavaScript", *flags, "-e", text, *arguments]
