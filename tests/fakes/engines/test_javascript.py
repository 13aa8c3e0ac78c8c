"""The seam of the JavaScript engines, on each engine that is here."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fakes.engines import javascript_core
from fakes.engines.javascript import NAMES, EngineMissing, engine, missing

PROGRAM = """
import sys
sys.path[:0] = {path!r}
from fakes.engines.javascript import engine, ScriptProblem
made = engine({name!r}, lambda op, argument: op + argument)
try:
    print(ascii(made.evaluate({source!r})))
except ScriptProblem as problem:
    print("threw", ascii(str(problem).split("\\n")[0]))
"""
HERE = [
    pytest.param(name, marks=pytest.mark.skipif(missing(name) is not None, reason=f"no engine: {missing(name)}"))
    for name in NAMES
]


def evaluated(name: str, source: str) -> str:
    """In a process of its own: JavaScriptCore scans its thread's stack and has signals of its own."""
    text = PROGRAM.format(path=sys.path, name=name, source=source)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return done.stdout.removesuffix("\n")


@pytest.mark.parametrize("name", HERE)
@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("__py('a', 'b')", "'ab'"),
        ("__py('é\\u2028', '\\ud83d\\ude00')", ascii("é\u2028\U0001f600")),
        ("__py('x'.repeat(100000), '').length + ''", "'100000'"),
        ("''", "''"),
        ("[...'ab'].map(each => ({each}?.each)).join()", "'a,b'"),
    ],
)
def test_texts_go_out_and_come_back(name: str, source: str, value: str) -> None:
    assert evaluated(name, source) == value


@pytest.mark.parametrize("name", HERE)
def test_what_a_program_of_ours_throws_is_raised(name: str) -> None:
    assert evaluated(name, "throw new TypeError('odd')") == "threw 'TypeError: odd'"


def test_a_value_whose_text_cannot_be_had_is_an_empty_text() -> None:
    if missing("jsc") is None:
        assert evaluated("jsc", "({toString() { throw 1 }})") == "''"
    assert evaluated("quickjs", "1") == "''"


def test_an_engine_that_is_not_here_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(javascript_core, "LIBRARIES", ("libno-such-library.so.1",))
    monkeypatch.setitem(sys.modules, "_quickjs", None)
    for name, word in (("jsc", "libjavascriptcoregtk"), ("quickjs", "quickjs-ng")):
        assert word in (missing(name) or "")
        with pytest.raises(EngineMissing):
            engine(name, lambda op, argument: "")
