"""The entry point, as `cli.py` starts it and as a module."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from harness.record.__main__ import main
from tests.harness.record.sessions import REAL, ROOT, TAP

SCRIPT = str(ROOT / "harness" / "record" / "__main__.py")


def test_it_gives_the_exit_code(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert main([]) == 2
    assert "no command" in capfd.readouterr().err


@pytest.mark.parametrize("command", [TAP, [REAL, "-SE", SCRIPT], [sys.executable, "-m", "harness.record"]])
def test_it_starts_from_anywhere_without_site_or_environment(tmp_path: Path, command: list[str]) -> None:
    folder = ROOT if "-m" in command else tmp_path
    done = subprocess.run([*command, "--help"], cwd=folder, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: trailcam record")


def test_its_own_folder_is_no_place_to_import_from(tmp_path: Path) -> None:
    """Its files have names that others may have too."""
    code = f"""
import runpy, sys
sys.argv = ['x', '--help']
sys.path.insert(0, '')
try:
    runpy.run_path({SCRIPT!r}, run_name='__main__')
except SystemExit:
    print(sys.path[0])
"""
    done = subprocess.run([REAL, "-SE", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.endswith(f"{ROOT}\n")
