"""What only named modules may touch: a pure core has no clock, thread, process, socket, chance or environment.

One row a kind: the modules and attributes that give access to it, and its homes, the files whose job it is, each with
the reason. A home that no longer needs its row is a finding too, so the table cannot rot.
"""
from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tests.tidy.imports import imported
from tests.tidy.tree import PACKAGES, Source


@dataclass(frozen=True, slots=True)
class Kind:
    """modules: their import counts, under TYPE_CHECKING apart. attributes: dotted ends of names that count.

    homes: path from the checkout's root -> why this file may.
    """

    name: str
    modules: tuple[str, ...]
    attributes: tuple[str, ...]
    homes: Mapping[str, str]


KINDS: tuple[Kind, ...] = (
    Kind("time", ("time",), ("datetime.now", "datetime.utcnow", "date.today", "time.sleep"), {
        "fakes/engines/pages.py": "a server of pages answers as late as it is told",
        "harness/serve/alone.py": "a program that is its own stage has no other clock",
        "harness/http_leg/recorder.py": "the clock of a tape begins with the leg, and it says when it was made",
        "harness/record/heading.py": "a tape says when it was made",
        "harness/record/loop.py": "the tap stamps what it forwards with the monotonic clock",
        "harness/commands/verify.py": "dates stand beside the evidence, and never in it",
        "harness/commands/tape.py": "a tape's expiry is judged by this day, where none is given",
        "harness/record/session.py": "what is left to forward at the end has a bound in time",
        "harness/record/tap.py": "the clock of a tape begins with the session",
        "stack/host.py": "the stack's one way out: the date of an audit record",
    }),
    Kind("threads", ("threading", "_thread", "concurrent", "multiprocessing", "anyio.to_thread", "anyio.Path"),
         ("to_thread.run_sync", "anyio.Path"), {}),
    Kind("chance", ("random", "_random", "secrets", "uuid"), ("os.urandom",), {
        "harness/faults/plan.py": "a fault's own source, seeded by the plan and its id",
        "harness/http_leg/recorder.py": "the key of a tape's pseudonyms, which is in no file",
        "harness/record/writer.py": "the key of a tape's pseudonyms, which is in no file",
        "harness/scenario/runner.py": "a runner's own source, seeded by the run sheet",
        "harness/serve/machine.py": "a process's own source, seeded by the run",
        "harness/serve/virtual.py": "the stack's tokens in a virtual run, seeded by the run",
        "stack/host.py": "the stack's one way out: ids and nonces",
    }),
    Kind("processes", ("subprocess", "_posixsubprocess", "pty"), (
        "os.fork", "os.forkpty", "os.execv", "os.execve", "os.execvp", "os.execvpe", "os.execl", "os.spawnv",
        "os.posix_spawn", "os.posix_spawnp", "os.system", "os.popen", "os.kill", "os.killpg", "anyio.run_process",
        "anyio.open_process", "trio.run_process", "lowlevel.open_process",
    ), {
        "fakes/engines/chromium.py": "starts Chromium with its pipes, and ends its processes by number",
        "fakes/engines/keeper.py": "starts and ends the programs of an engine",
        "fakes/engines/pages.py": "has a certificate made for secure pages",
        "fakes/engines/processes.py": "starts the keeper of an engine's programs",
        "harness/campaign/executor.py": "a changed stack lives in a forked child, which is ended by its number",
        "harness/cli.py": "hands record and replay to the real interpreter",
        "harness/engines.py": "installs real programs, and asks them for their version",
        "harness/http_leg/place.py": "starts mitmproxy in a process of its own, and ends it",
        "harness/record/loop.py": "passes signals on to the recorded program",
        "harness/record/program.py": "starts the recorded program, and ends as it did",
        "harness/record/signals.py": "a fork tells whether a signal was sent to the group",
        "harness/record/session.py": "a fork goes on forwarding when the program is dead and its pipes are not",
        "harness/record/writer.py": "the writer of a tape is a fork, so that it cannot delay the session",
        "harness/replay/probe.py": "starts the real program that a tape is compared with, and ends its tree",
        "harness/serve/left.py": "finds and ends what a process run left running, by its folders",
        "harness/serve/stub.py": "a stub starts its program's children, and ends itself as the stage says",
        "harness/strangers/process.py": "starts and ends somebody else's stack, which is a process of its own",
        "harness/verify/pool.py": "virtual runs on every core: one worker process each",
        "stack/host.py": "the stack's one way out: starts and signals programs",
    }),
    Kind("sockets", ("socket", "_socket", "socketserver", "ssl", "http", "urllib.request", "asyncio"), (
        "anyio.connect_tcp", "anyio.connect_unix", "anyio.create_tcp_listener", "anyio.create_unix_listener",
        "trio.open_tcp_stream", "trio.open_unix_socket", "trio.open_tcp_listeners", "trio.serve_tcp",
    ), {
        "fakes/fronts/chrome_host.py": "passes a browser's frames on to a local socket",
        "fakes/engines/inspector.py": "speaks to the browser's inspector on loopback",
        "fakes/engines/pages.py": "is the browser's only network, on loopback",
        "fakes/engines/processes.py": "finds a free port of loopback for an engine",
        "fakes/engines/webdriver.py": "speaks to the browser's driver on loopback",
        "harness/record/legs.py": "a client may give sockets for pipes",
        "harness/live/pages.py": "a live run serves its fixture page on loopback",
        "harness/http_leg/proxy.py": "mitmproxy runs on asyncio, and listens on loopback",
        "harness/serve/hosted.py": "the stage's local socket",
        "harness/serve/service.py": "one service alone listens on loopback, for clients of strangers",
        "harness/serve/sockets.py": "a service of a process run is behind a local socket",
        "harness/serve/stub.py": "a stub hands its pipes over the stage's local socket",
        "stack/host.py": "the stack's one way out: dials and listens",
        "stack/meeting.py": "the real host's part that asks who is at the other end of a local socket",
    }),
    Kind("environment", (), ("os.environ", "os.environb", "os.getenv", "os.putenv"), {
        "harness/engines.py": "apt-get must not ask questions, which only its environment says",
        "harness/http_leg/proxy.py": "values of variables with a secret's name are taken out of the tape",
        "harness/record/program.py": "a recorded program inherits it unchanged",
        "harness/record/shim.py": "looks a program up in PATH as a client would",
        "harness/record/work.py": "a tape names the variables on the allow list",
        "harness/scenario/runner.py": "plants canaries in the surroundings of a process run, and takes them away",
        "harness/serve/process.py": "a program's machine is told the environment that the program was given",
    }),
    Kind("imports by name", (), ("importlib.import_module", "__import__", "runpy.run_path", "runpy.run_module"), {
        "harness/cli.py": "a command pays for its own imports only",
        "harness/faults/registry.py": "a program loads the one fault of its plan",
        "harness/http_leg/proxy.py": "mitmproxy is in an environment of its own, and not in that of the checks",
        "harness/serve/dotted.py": "the one way across the directions of import, for names from harness/subjects.py",
    }),
)


def touches(kind: Kind, source: Source) -> Iterator[tuple[ast.AST, str]]:
    """Where a file touches a kind: the node and the name."""
    for node, name in imported(source):
        if id(node) not in source.typing_only and any(
            name == module or name.startswith(f"{module}.") for module in (*kind.modules, *kind.attributes)
        ):
            yield node, name
    lasts = {end.rpartition(".")[2] for end in kind.attributes}
    for node in source.nodes:
        last = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None
        if last in lasts and id(node) not in source.typing_only:
            name = ast.unparse(node)
            if any(name == end or name.endswith(end if end.startswith(".") else f".{end}") for end in kind.attributes):
                yield node, name


def strays(source: Source) -> list[str]:
    """Access outside its homes."""
    if source.package not in PACKAGES:
        return []
    return [
        source.find(node, f"touches {kind.name} ({name}), and is no home of it")
        for kind in KINDS
        if source.path not in kind.homes
        for node, name in touches(kind, source)
    ]


def empty_homes(all_sources: Iterable[Source]) -> list[str]:
    """Homes that are gone, or that do not touch what they are excepted for."""
    known = {source.path: source for source in all_sources}
    return [
        f"{path}:1 is a home of {kind.name} and does not touch it"
        for kind in KINDS
        for path in kind.homes
        if path not in known or not any(True for _ in touches(kind, known[path]))
    ]


def clocked(source: Source) -> list[str]:
    """Tests that sleep, or measure with the wall clock. Benchmarks measure, and are no tests."""
    name = source.path.rpartition("/")[2]
    if source.package != "tests" or not name.startswith(("test_", "conftest")) or source.path in CLOCKED_TESTS:
        return []
    return [
        source.find(node, f"uses {name}: tests run on virtual time, and wait for what happens")
        for node, name in touches(WALL_CLOCK, source)
    ]


WALL_CLOCK = Kind("wall clock", ("time",), ("time.sleep", "asyncio.sleep", "datetime.now", "perf_counter"), {})
CLOCKED_TESTS: dict[str, str] = {
    "tests/fakes/worlds/test_safari_webkit.py": "the world under test has a real engine, and no other clock",
    "tests/harness/record/test_heading.py": "the heading under test is given the clock's reading",
    "tests/harness/serve/test_alone.py": "the loop under test is given a clock, and there is no other",
}
"""Test file -> why it needs the wall clock."""
