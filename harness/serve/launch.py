"""The run folder of a process run: one generated stub a program, and the run sheet beside them."""
from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from harness.serve.alone import RUN
from harness.wire.jsontext import dumps

CODE = Path(__file__).resolve().parent.parent.parent
PYTHON = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
"""The real interpreter: a shim of a version manager costs ten times the start."""

STUB = """#!{python} -SE
import sys
sys.path.append({code!r})
from harness.serve.stub import main
main({folder!r}, {name!r})
"""


def make_folder(programs: Iterable[str], sheet: Mapping[str, Any] | None = None) -> Path:
    """A new folder (mode 0700, short path, since a socket's path may have 104 bytes) with a stub for each program.

    sheet: written as run.json where the stubs shall be their own stage. The caller removes the folder.
    """
    folder = Path(tempfile.mkdtemp(prefix="tc"))
    for name in programs:
        write_stub(folder, name)
    if sheet is not None:
        (folder / RUN).write_text(dumps(dict(sheet)), encoding="ascii")
    return folder


def write_stub(folder: Path, name: str) -> Path:
    """The executable `name` in a run folder."""
    path = folder / name
    path.write_text(STUB.format(python=PYTHON, code=str(CODE), folder=str(folder), name=name), encoding="utf-8")
    path.chmod(0o700)
    return path


def remove_folder(folder: Path) -> None:
    shutil.rmtree(folder)
