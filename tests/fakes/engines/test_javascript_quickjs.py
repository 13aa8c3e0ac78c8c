"""QuickJS: what only it has."""

from __future__ import annotations

import sys

import pytest

from fakes.engines.javascript import EngineMissing, ScriptProblem
from fakes.engines.javascript_quickjs import QuickJs


def test_a_program_may_recurse_deep_and_no_deeper() -> None:
    made = QuickJs(lambda op, argument: "")
    assert made.evaluate("const deep = n => n ? 'x' + deep(n - 1).slice(1) : 'x'; deep(1000)") == "x"
    with pytest.raises(ScriptProblem):
        made.evaluate("const on = () => on() + 1; on()")


def test_without_its_wheel_it_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "_quickjs", None)
    with pytest.raises(EngineMissing, match="quickjs-ng"):
        QuickJs(lambda op, argument: "")
