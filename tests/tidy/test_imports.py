"""The table of import directions, on bad text and on good."""
from __future__ import annotations

import pytest

from tests.tidy.imports import HEAVY, LOW, MAY, at_start, directions, heavy, outsiders, part_of
from tests.tidy.tree import Source

ALLOWED = (
    ("harness/wire/a.py", "from harness.problem import Problem"),
    ("harness/tape/a.py", "from harness.wire.jsontext import loads"),
    ("harness/faults/a.py", "import harness.tape.event"),
    ("harness/serve/a.py", "from harness.faults import steps"),
    ("harness/replay/a.py", "from harness.serve.machine import Silent"),
    ("harness/laws/a.py", "from harness.tape.event import line"),
    ("harness/commands/a.py", "from harness.evidence import Ledger"),
    ("harness/record/a.py", "from . import loop"),
    ("harness/__main__.py", "from harness.cli import main"),
    ("harness/cli.py", "from reports import render"),
    ("fakes/fronts/a.py", "from harness.serve.machine import Silent"),
    ("fakes/fronts/a.py", "from fakes.worlds.desktop import Desktop"),
    ("stack/a.py", "from stack.contract import Host\nimport anyio"),
    ("reports/a.py", "from harness.evidence import Ledger"),
    ("tests/harness/test_cli.py", "from harness.cli import main"),
    ("tests/harness/commands/test_run.py", "from harness.cli import main"),
    ("tests/a.py", "from stack import errors\nfrom fakes import programs"),
)
FORBIDDEN = (
    ("harness/wire/a.py", "from harness.tape.event import line"),
    ("harness/tape/a.py", "from harness.faults.steps import Send"),
    ("harness/faults/a.py", "from harness.serve import stage"),
    ("harness/serve/a.py", "import harness.replay.player"),
    ("harness/replay/a.py", "from harness.laws import once"),
    ("harness/wire/a.py", "from ..tape import event"),
    ("harness/wire/a.py", "def later():\n    from harness.tape import event"),
    ("harness/wire/a.py", "if TYPE_CHECKING:\n    from harness.tape.event import line"),
    ("harness/scenario/a.py", "from fakes.programs import PROGRAMS"),
    ("harness/scenario/a.py", "from stack import contract"),
    ("harness/scenario/a.py", "import reports.render"),
    ("harness/scenario/a.py", "from harness.cli import main"),
    ("harness/scenario/a.py", "from harness import cli"),
    ("fakes/fronts/a.py", "from stack.errors import StackError"),
    ("fakes/fronts/a.py", "from harness.scenario import load"),
    ("fakes/fronts/a.py", "from harness import cli"),
    ("stack/a.py", "from harness.wire.jsontext import loads"),
    ("stack/a.py", "from harness.problem import Problem"),
    ("stack/a.py", "import harness"),
    ("stack/a.py", "import fakes.worlds"),
    ("reports/a.py", "from harness.scenario import load"),
    ("reports/a.py", "from fakes.worlds import desktop"),
    ("tests/harness/test_other.py", "from harness.cli import main"),
    ("elsewhere/a.py", "x = 1"),
)


@pytest.mark.parametrize(("path", "text"), ALLOWED)
def test_allowed_directions(path: str, text: str) -> None:
    assert directions(Source(path, text)) == []


@pytest.mark.claim("HAR-FAKE-05")
@pytest.mark.parametrize(("path", "text"), FORBIDDEN)
def test_forbidden_directions_are_found(path: str, text: str) -> None:
    assert len(directions(Source(path, text))) == 1


def test_every_goal_of_the_table_has_a_row_of_its_own() -> None:
    goals = {goal for row in MAY.values() for goal in row}
    assert goals <= set(MAY)


def test_the_low_parts_form_a_line() -> None:
    """Each of wire, tape, faults, serve, replay may import those before it, and none after it."""
    for place, part in enumerate(LOW):
        assert [other for other in LOW if other in MAY[part]] == list(LOW[:place])


@pytest.mark.parametrize(
    ("module", "part"),
    [
        ("harness", "harness"),
        ("harness.wire", "harness.wire"),
        ("harness.wired", "harness.rest"),
        ("harness.commands.doctor", "harness.rest"),
        ("harness.tape.event.line", "harness.tape"),
        ("stack.host", "stack"),
        ("json", None),
        ("stacks", None),
    ],
)
def test_a_module_belongs_to_the_longest_prefix(module: str, part: str | None) -> None:
    assert part_of(module) == part


def test_installed_distributions_are_refused_where_only_the_standard_library_is_allowed() -> None:
    assert len(outsiders(Source("harness/wire/a.py", "import json, yaml"))) == 1
    assert len(outsiders(Source("fakes/worlds/a.py", "from trio import run"))) == 1
    assert outsiders(Source("harness/scenario/a.py", "import yaml")) == []
    assert outsiders(Source("stack/a.py", "import mcp")) == []


def test_what_is_imported_on_import() -> None:
    text = """
import a
if TYPE_CHECKING:
    import b
else:
    import c
try:
    import d
except ImportError:
    import e
class X:
    import f
    def g(self):
        import h
with x:
    import i
"""
    assert sorted(at_start(Source("harness/wire/a.py", text))) == ["a", "c", "d", "f", "i"]


def test_heavy_imports_are_found_through_our_own_modules() -> None:
    known = {
        source.module: source
        for source in (
            Source("harness/__init__.py", ""),
            Source("harness/record/__init__.py", "import re"),
            Source("harness/record/__main__.py", "from harness.record import loop\nimport os"),
            Source("harness/record/loop.py", "from harness.wire.frame import Frame"),
            Source("harness/wire/frame.py", "from dataclasses import dataclass"),
            Source("harness/wire/other.py", "import json"),
        )
    }
    found = [finding.partition(":")[0] for finding in heavy(known, ["harness.record.__main__"])]
    assert found == ["harness/record/__init__.py", "harness/wire/frame.py"]


def test_the_heavy_modules_are_named_by_the_standard_library() -> None:
    import sys

    assert set(sys.stdlib_module_names) >= HEAVY
