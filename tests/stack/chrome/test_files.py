"""The real files of an installation."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from stack.chrome.files import RealFiles, home, platform, python


def test_files_are_written_whole_and_removed_once(tmp_path: Path) -> None:
    files = RealFiles()
    path = str(tmp_path / "new" / "deep" / "a.json")
    assert files.read(path) is None
    assert files.executable(path) is None
    files.write(path, b"one", 0o700)
    files.write(path, b"two", 0o600)
    assert files.read(path) == b"two"
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert files.executable(path) is os.access(path, os.X_OK)
    assert os.listdir(tmp_path / "new" / "deep") == ["a.json"]
    assert files.remove(path)
    assert not files.remove(path)
    files.write(path, b"x", 0o700)
    assert files.executable(path)
    assert files.read(path + "/x") is None


def test_this_machine() -> None:
    assert os.path.isabs(home())
    assert platform() in ("macos", "linux")
    assert os.path.isabs(python())
