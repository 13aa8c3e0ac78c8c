"""Clients that nobody here wrote run the fake osascript unchanged, with success and with an Apple Event error.

PyPI's pyosascript (script by -e) and applescript (script on standard input), npm's osascript (a stream). They find the
fake where a Mac has osascript for them: on PATH.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.serve.launch import make_folder, remove_folder
from tests.fakes.osascript.drive import SAFARI, alone

NPM = Path(__file__).resolve().parents[3] / "build" / "strangers" / "osascript" / "node_modules"
"""`npm ci` with tests/fakes/osascript/npm in build/strangers/osascript."""
GONE = "execution error: Error: Error: Can't get object. (-1728)"
WORKS = SAFARI + "safari.windows.byId(7).currentTab.name() + ' é'"
FAILS = SAFARI + "safari.windows.byId(99).name()"


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder at the head of PATH with the fake in it."""
    made = make_folder(["osascript"], alone())
    monkeypatch.setenv("PATH", str(made), prepend=":")
    yield made
    remove_folder(made)


@pytest.mark.claim("HAR-FAKE-03")
def test_pyosascript(folder: Path) -> None:
    pyosascript: Any = pytest.importorskip("pyosascript", reason="the PyPI package pyosascript is not installed")
    done = pyosascript.run_jxa(WORKS)
    assert (done.ok, done.output, done.stderr) == (True, "Alpha é", "")
    with pytest.raises(pyosascript.AppleScriptError) as raised:
        pyosascript.run_jxa(FAILS)
    assert (raised.value.returncode, raised.value.stderr) == (1, GONE)
    with pytest.raises(pyosascript.AppleScriptError, match="expected -l JavaScript"):
        pyosascript.run('tell application "Safari" to get name')


@pytest.mark.claim("HAR-FAKE-03")
def test_applescript(folder: Path) -> None:
    applescript: Any = pytest.importorskip("applescript", reason="the PyPI package applescript is not installed")
    done = applescript.run(WORKS, javascript=True)
    assert (done.code, done.out, done.err) == (0, "Alpha é", "")
    failed = applescript.run(FAILS, javascript=True)
    assert (failed.code, failed.out, failed.err) == (1, "", GONE)


@pytest.mark.claim("HAR-FAKE-03")
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.skipif(not (NPM / "osascript").is_dir(), reason="npm's osascript is not in build/strangers/osascript")
def test_npm_osascript(folder: Path) -> None:
    program = """
    const osascript = require(process.argv[1]);
    osascript.eval(process.argv[2], {type: 'JavaScript', args: ['a b']}, (error, text) => {
      console.log(JSON.stringify([error && error.message, text]));
    });"""
    node = shutil.which("node")
    assert node is not None

    def run(script: str) -> str:
        words = [node, "-e", program, str(NPM / "osascript"), script]
        return subprocess.run(words, capture_output=True, text=True, timeout=60, check=True).stdout

    assert run(f"function run(argv) {{ {WORKS.replace('safari.windows', 'return argv[0] + safari.windows')} }}") == (
        '[null,"a bAlpha é\\n"]\n'
    )
    assert GONE in run(FAILS)
