"""`python -m harness` is the command `trailcam`."""
from __future__ import annotations

import subprocess
import sys

from harness.version import VERSION
from tests.tidy.tree import ROOT


def test_the_module_runs_the_command() -> None:
    words = [sys.executable, "-m", "harness", "--version"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"trailcam {VERSION}\n", "")
