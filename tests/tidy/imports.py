"""Which part may import which (ARCHITECTURE.md), and what the modules that start in no time must leave alone.

A part is a dotted prefix; a module belongs to the longest prefix that fits. `MAY` has one row a part: the parts that it
may import beside itself. What is not in a row is forbidden, so a new package has to be put into the table first.
"""
from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from tests.tidy.tree import Source

FLOOR = ("harness.problem", "harness.version", "harness.written")
"""Below every other module of the harness: errors, the version, and how a generated document is kept."""
WIRES = ("harness.wire",)
TAPES = (*WIRES, "harness.tape")
FAULTS = (*TAPES, "harness.faults")
SERVES = (*FAULTS, "harness.serve")
LOW = (*SERVES, "harness.replay")
JUDGED = ("harness.kept", "harness.laws", "harness.judged", "harness.evidence")
"""What one run leaves, its verdicts, and what they add up to: the reports are made from these."""

ROOTS = ("harness.cli", "harness.pytest_plugin")
"""Composition roots: nobody imports them, but their tests and `python -m harness`."""

MAY: dict[str, tuple[str, ...]] = {
    "harness": (),  # the package's own docstring
    "harness.problem": (),
    "harness.version": (),
    "harness.written": (),
    "harness.wire": FLOOR,
    "harness.tape": (*FLOOR, *WIRES),
    "harness.faults": (*FLOOR, *TAPES),
    "harness.serve": (*FLOOR, *FAULTS),
    "harness.replay": (*FLOOR, *SERVES),
    "harness.record": (*FLOOR, *LOW),
    "harness.kept": (*FLOOR, *LOW),
    "harness.laws": (*FLOOR, *LOW, "harness.kept"),
    "harness.judged": (*FLOOR, *LOW, "harness.kept", "harness.laws"),
    "harness.evidence": (*FLOOR, *LOW, "harness.kept", "harness.laws", "harness.judged", "harness.rest"),
    "harness.rest": (*FLOOR, *LOW, *JUDGED, "harness.record"),
    "harness.cli": (*FLOOR, *LOW, *JUDGED, "harness.rest", "harness.record", "reports"),
    "harness.pytest_plugin": (*FLOOR, *LOW, *JUDGED, "harness.rest", "reports"),
    "harness.__main__": ("harness.cli",),
    "fakes": (*FLOOR, *LOW),
    "stack": (),
    "reports": (*FLOOR, "harness.tape", *JUDGED),
    "tests": (*FLOOR, *LOW, *JUDGED, "harness", "harness.record", "harness.rest", *ROOTS, "fakes", "stack", "reports"),
}

STANDARD_ONLY = (*FLOOR, *LOW, "harness.record", "fakes")
"""Parts that import the standard library and the parts of their row, and nothing else."""
ASYNC = frozenset({"anyio", "trio"})
STANDARD_ONLY_EXCEPT: dict[str, frozenset[str]] = {
    "fakes.engines.javascript_quickjs": frozenset({"_quickjs"}),
    "fakes.fronts.osascript_waiting": frozenset({"greenlet"}),
    "fakes.worlds.programs": frozenset({"_sha2"}),
    "harness.replay.probe": ASYNC,
    "harness.serve.channel": ASYNC,
    "harness.serve.hosted": ASYNC,
    "harness.serve.memory": ASYNC,
    "harness.serve.network": ASYNC,
    "harness.serve.alarm": ASYNC,
    "harness.serve.pump": ASYNC,
    "harness.serve.scheduler": ASYNC,
    "harness.serve.service": ASYNC,
    "harness.serve.services": ASYNC,
    "harness.serve.sockets": ASYNC,
    "harness.serve.virtual": ASYNC,
}
"""The stage's asynchronous pump, and the probe, which is a client: both run in the process of the runner and never in a
program's. A JavaScript engine and what stops it are wheels, imported when a script is run; `_sha2` is Python 3.12's."""

HEAVY = frozenset({
    "typing", "dataclasses", "enum", "re", "json", "collections", "random", "pathlib", "functools", "contextlib",
    "subprocess", "socket", "signal", "base64", "logging", "argparse", "tempfile", "asyncio", "threading", "shutil",
})
"""A bare interpreter starts in 12 ms; `json` alone costs as much again, `dataclasses` nearly three times that."""


def part_of(module: str) -> str | None:
    """The part of a module of ours, or None for somebody else's."""
    prefixes = [prefix for prefix in MAY if module == prefix or module.startswith(f"{prefix}.")]
    if not prefixes:
        return None
    part = max(prefixes, key=len)
    return "harness.rest" if part == "harness" and module != "harness" else part


@cache
def imported(source: Source) -> tuple[tuple[ast.AST, str], ...]:
    """Every module that a file imports, wherever in it, `if TYPE_CHECKING` included, with relative names resolved."""
    found: list[tuple[ast.AST, str]] = []
    for node in source.nodes:
        if isinstance(node, ast.Import):
            found += [(node, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = resolve(source, node)
            found += [(node, f"{base}.{alias.name}" if base else alias.name) for alias in node.names]
    return tuple(found)


def resolve(source: Source, node: ast.ImportFrom) -> str:
    if node.level == 0:
        return node.module or ""
    package = source.module if source.path.endswith("/__init__.py") else source.module.rpartition(".")[0]
    parts = package.split(".")
    parts = parts[: len(parts) - node.level + 1]
    return ".".join([*parts, node.module] if node.module else parts)


def directions(source: Source) -> list[str]:
    """Imports against the table."""
    own = part_of(source.module)
    if own is None:
        return [f"{source.path}:1 is in no part of the table of import directions"]
    findings = []
    for node, name in imported(source):
        goal = part_of(name)
        if goal in (None, own) or (goal == "harness" and own.startswith("harness.")):
            continue
        if goal not in MAY[own] or (goal in ROOTS and not own_test(source, goal)):
            findings.append(source.find(node, f"{own} may not import {goal} ({name})"))
    return findings


def own_test(source: Source, root: str) -> bool:
    """Whether a file is the test of a composition root or of its commands, or `python -m harness`."""
    tests = (f"tests/harness/test_{root.rpartition('.')[2]}.py", "tests/harness/commands/")
    return source.path == "harness/__main__.py" or source.path.startswith(tests)


def outsiders(source: Source) -> list[str]:
    """Imports of installed distributions where only the standard library is allowed."""
    if part_of(source.module) not in STANDARD_ONLY:
        return []
    allowed = STANDARD_ONLY_EXCEPT.get(source.module, frozenset())
    known = sys.stdlib_module_names | allowed
    return [
        source.find(node, f"imports {name}, and {source.module} may import the standard library only")
        for node, name in imported(source)
        if part_of(name) is None and name.partition(".")[0] not in known
    ]


def at_start(source: Source) -> Iterator[str]:
    """The modules that a file imports when it is imported: not those in functions, under TYPE_CHECKING, or in the
    handler of an import that failed."""
    waiting: list[ast.stmt] = list(source.tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (name for _, name in imported(Source(source.path, ast.unparse(node))))
        elif isinstance(node, ast.If):
            waiting.extend(node.orelse if "TYPE_CHECKING" in ast.unparse(node.test) else node.body + node.orelse)
        elif isinstance(node, ast.Try):
            waiting.extend(node.body + node.orelse + node.finalbody)
        elif isinstance(node, ast.With | ast.ClassDef):
            waiting.extend(node.body)


def heavy(all_sources: Mapping[str, Source], entries: Sequence[str]) -> list[str]:
    """Heavy imports in what the light entry points load when they start, followed through our own modules."""
    seen: set[str] = set()
    waiting = list(entries)
    findings = []
    while waiting:
        module = waiting.pop()
        if module in seen or module not in all_sources:
            continue
        seen.add(module)
        source = all_sources[module]
        waiting.extend(parents(module))
        for name in at_start(source):
            if part_of(name) is not None:
                waiting.extend((name, name.rpartition(".")[0]))
            elif name.partition(".")[0] in HEAVY:
                findings.append(f"{source.path}:1 imports {name} when it is imported, which is too heavy there")
    return sorted(findings)


def parents(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]
