"""A run folder is its owner's alone, and its stubs start the real interpreter."""
from __future__ import annotations

import json
import os

from harness.serve.launch import PYTHON, make_folder, remove_folder


def test_a_run_folder_is_private_short_and_goes_away() -> None:
    folder = make_folder(["codex", "osascript"], {"v": 1, "text": "é"})
    try:
        assert folder.stat().st_mode & 0o777 == 0o700
        assert len(str(folder / "stage.sock")) <= 104
        assert sorted(path.name for path in folder.iterdir()) == ["codex", "osascript", "run.json"]
        assert json.loads((folder / "run.json").read_bytes()) == {"v": 1, "text": "é"}
        stub = folder / "codex"
        assert os.access(stub, os.X_OK)
        assert stub.read_text().split("\n")[0] == f"#!{PYTHON} -SE"
    finally:
        remove_folder(folder)
    assert not folder.exists()


def test_the_interpreter_is_real_and_no_shim() -> None:
    assert os.path.realpath(PYTHON) == PYTHON
    assert not os.path.islink(PYTHON)
