"""The tables of programs and worlds name classes that are there, and start light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.programs import PROGRAMS, WORLDS
from harness.serve.dotted import resolve

ROOT = Path(__file__).resolve().parents[2]
HEAVY = [
    "typing",
    "dataclasses",
    "enum",
    "re",
    "json",
    "collections",
    "random",
    "pathlib",
    "functools",
    "contextlib",
    "subprocess",
    "socket",
    "signal",
    "base64",
    "logging",
    "argparse",
]


@pytest.mark.parametrize("name", [*PROGRAMS.values(), *WORLDS.values()])
def test_every_name_leads_to_a_class(name: str) -> None:
    assert isinstance(resolve(name), type)


SILENT = {"browser"}
"""Programs inside which nothing strikes: faults of the browser strike its channel to the host."""


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_machine_has_its_wires_and_moments(program: str) -> None:
    machine = resolve(PROGRAMS[program])
    assert "stdio" in machine.wires
    assert list(machine.moments) or program in SILENT


def test_every_moment_that_a_front_uses_is_in_its_list() -> None:
    """A plan can be tied only to moments that are told."""
    told = {moment for name in PROGRAMS.values() for moment in resolve(name).moments}
    used = {
        str(node.args[0].value)
        for path in (ROOT / "fakes" / "fronts").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "At" and isinstance(node.args[0], ast.Constant)
    }
    assert used == told


def test_no_fake_imports_what_is_slow_to_start() -> None:
    """A program starts in the time of a bare interpreter: HAR-FAKE-01's fronts are used by strangers' clients too."""
    names = sorted({name.partition(":")[0] for name in (*PROGRAMS.values(), *WORLDS.values())})
    code = f"import sys; sys.path.append({str(ROOT)!r}); import {', '.join(names)}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-SE", "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert loaded >= set(names)
    assert loaded.isdisjoint(HEAVY), loaded & set(HEAVY)
