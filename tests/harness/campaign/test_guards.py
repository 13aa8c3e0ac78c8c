"""Each kind of guard is found once in a sample, and nothing else is; names are those of the text's order."""
from __future__ import annotations

import ast

import pytest

from harness.campaign.guards import KINDS, displays, find

FILE = "stack/sample.py"

SAMPLES = (
    ("raise", "def f(x):\n    if x:\n        raise ValueError(x)\n    return x\n", ["f:raise:1"]),
    ("raise again", "def f():\n    try:\n        g()\n    except OSError:\n        raise\n", ["f:raise:1"]),
    ("two in one", "def f(x):\n    if x:\n        raise A\n    raise B\n", ["f:raise:1", "f:raise:2"]),
    ("a call that only raises", "def bad() -> NoReturn:\n    raise A\ndef f(x):\n    if x:\n        bad()\n",
     ["bad:raise:1", "f:raise:1"]),
    ("a bound that refuses by a call", "def bad() -> NoReturn: ...\ndef f(x):\n    if x > 3:\n        bad()\n",
     ["f:raise:1"]),
    ("method", "class C:\n    async def f(self):\n        raise A\n", ["C.f:raise:1"]),
    ("nothing", "def f(x):\n    if x:\n        return None\n    return g(x)\n", ["f:refusal:1"]),
    ("false", "def f(x):\n    if x:\n        return False\n    return True\n", ["f:refusal:1"]),
    ("a constant", "def f(x):\n    if x:\n        return CANCEL\n    return x\n", ["f:refusal:1"]),
    ("in a handler", "def f():\n    try:\n        g()\n    except A as e:\n        return e.code\n", ["f:refusal:1"]),
    ("a refused reply", "def f(x):\n    if x:\n        return Reply('refused')\n    return x\n", ["f:refusal:1"]),
    ("a reply by name", "def f(x):\n    if x:\n        return Reply(outcome='unknown')\n", ["f:refusal:1"]),
    ("a bound", "def f(x):\n    over = len(x) > LIMIT\n    return over\n", ["f:bound:1"]),
    ("a bound that refuses", "def f(x):\n    if len(x) > LIMIT:\n        raise A\n", ["f:raise:1"]),
    ("a bound of a loop", "def f(x):\n    while len(x) <= 3:\n        x.append(1)\n", ["f:bound:1"]),
    ("a lock", "async def f(self):\n    async with self._writing:\n        await g()\n", ["f:lock:1"]),
    ("a lock taken", "async def f(self):\n    await self.turn.acquire()\n", ["f:lock:1"]),
    ("a deadline", "async def f():\n    with anyio.move_on_after(3):\n        await g()\n", ["f:deadline:1"]),
    ("a deadline by its time", "def f():\n    return CancelScope(deadline=3)\n", ["f:deadline:1"]),
    ("a scope of another", "async def f(d):\n    with d.scope:\n        await g()\n", ["f:deadline:1"]),
    ("a shield", "async def f():\n    with CancelScope(shield=True):\n        await g()\n", ["f:shield:1"]),
    ("cleanup", "async def f(p):\n    try:\n        g()\n    finally:\n        await p.aclose()\n", ["f:cleanup:1"]),
    ("rows", "ROWS = {1: 'a', 2: 'b'}\n", ["ROWS:row:1", "ROWS:row:2"]),
    ("rows of a set", "ROWS = frozenset({1, 2}) | {3}\n", ["ROWS:row:1", "ROWS:row:2", "ROWS:row:3"]),
    ("members", "ROWS: Final = {1: frozenset({'a', 'b'})}\n", ["ROWS:row:1", "ROWS:row:2", "ROWS:row:3"]),
)

NONE = (
    "def f(x):\n    return None\n",
    "def f(x):\n    if x:\n        return True\n    return x\n",
    "def f(x):\n    if x:\n        return\n",
    "def f(x):\n    if x:\n        return Reply('done')\n",
    "def f(x):\n    return x == 3 or x in (4, 5)\n",
    "async def f():\n    with CancelScope() as asking:\n        await g(asking)\n",
    "async def f(p):\n    done = await p.aclose()\n    return done\n",
    "def bad() -> None:\n    raised()\ndef f(x):\n    if x:\n        bad()\n",
    "OTHER = {1: 2, 3: 4}\n",
    "if TYPE_CHECKING:\n    raise ImportError\n",
    "def f(x=3 > 2):\n    return x\n",
)


def ids(text: str) -> list[str]:
    return [site.guard.id for site in find(ast.parse(text), FILE, ("ROWS",))]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in SAMPLES], ids=[row[0] for row in SAMPLES])
def test_each_kind_is_found_once_by_its_name(text: str, expected: list[str]) -> None:
    assert ids(text) == [f"guard:{FILE}#{name}" for name in expected]


@pytest.mark.parametrize("text", NONE)
def test_nothing_else_is_a_guard(text: str) -> None:
    assert ids(text) == []


def test_every_kind_has_a_sample() -> None:
    assert {name.split(":")[1] for _, _, names in SAMPLES for name in names} == set(KINDS)


def test_a_guard_says_where_it_is_and_what_it_looks_like() -> None:
    (site,) = find(ast.parse("def f(x):\n    if x:\n        raise ValueError(\n            x\n        )\n"), FILE)
    assert (site.guard.lines, site.guard.text, site.guard.kind) == ((3, 5), "raise ValueError(x)", "raise")


def test_displays_are_constants_of_two_rows_or_more() -> None:
    text = "A = {1: 2, 3: 4}\nB = (1,)\nC: Final = frozenset({1, 2})\nd = (1, 2)\nE = f(1, 2)\nF = 3\n"
    assert list(displays(ast.parse(text))) == ["A", "C"]
