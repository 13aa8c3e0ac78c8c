"""Fakes open no files: so none can read what the stack wrote for itself, and know by it what it was told.

What a fake may know comes to it as the real program gets it: by its command line, its environment and its wires. The
table has one row a file or folder that opens files all the same, with what it opens.
"""
from __future__ import annotations

import ast

from tests.tidy.imports import imported
from tests.tidy.tree import Source

OPENERS = frozenset({"pathlib", "io", "shutil", "glob", "tempfile", "fileinput", "linecache", "sqlite3", "_io"})
"""Modules that open or find files."""
OPENING = frozenset({"open", "fdopen", "listdir", "scandir", "walk", "stat", "lstat", "readlink", "mmap"})
"""Functions that do, as names or as members of `os`, `posix` and the like."""

MAY_OPEN: dict[str, str] = {
    "fakes/describe.py": "the document that it is compared with",
    "fakes/worlds/describe.py": "the document that it is compared with",
    "fakes/worlds/programs.py": "the list of known page programs, beside it",
    "fakes/worlds/safari_witness.py": "its own script, beside it",
    "fakes/worlds/page_html.py": "its own script, beside it",
    "fakes/fronts/osascript.py": "the script file that its command line names, and its prelude beside it",
    "fakes/engines/": "real browsers: their pages, profiles and processes",
}


def opened(source: Source) -> list[str]:
    """What in a fake opens or finds files."""
    if source.package != "fakes" or source.path.startswith(tuple(MAY_OPEN)):
        return []
    findings = [
        source.find(node, f"imports {name}: a fake opens no file")
        for node, name in imported(source)
        if name.partition(".")[0] in OPENERS and id(node) not in source.typing_only
    ]
    for node in source.nodes:
        if isinstance(node, ast.Call):
            called = node.func
            owner = ast.unparse(called.value).strip("_") if isinstance(called, ast.Attribute) else ""
            name = getattr(called, "id", "") or (owner in ("os", "posix", "builtins") and getattr(called, "attr", ""))
            if name in OPENING:
                findings.append(source.find(node, f"calls {ast.unparse(called)}: a fake opens no file"))
    return findings
