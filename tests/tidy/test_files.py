"""Fakes that open files, on bad text and on good; and that the rules of the tree see what is planted in it."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests import test_tidy
from tests.teeth import check_tells_apart, replaced
from tests.tidy import files, imports
from tests.tidy.tree import Source

BAD = (
    "with open('/tmp/x') as file:\n    x = file.read()",
    "import os\nx = os.open('x', 0)",
    "import posix\nx = posix.listdir('.')",
    "from os import listdir\nx = listdir('.')",
    "def later():\n    from pathlib import Path",
    "import io\nx = io.open('x')",
    "import sqlite3",
)
GOOD = (
    "yield from server.calls.fail_open(connection)",
    "page.open('about:blank')",
    "def open(self): ...",
    "if TYPE_CHECKING:\n    from pathlib import Path",
    "import os\nx = os.path.join('a', 'b')",
)


@pytest.mark.parametrize("text", BAD)
def test_a_fake_that_opens_files_is_found(text: str) -> None:
    assert files.opened(Source("fakes/fronts/a.py", text))
    assert files.opened(Source("fakes/describe.py", text)) == []
    assert files.opened(Source("stack/host.py", text)) == []


@pytest.mark.parametrize("text", GOOD)
def test_look_alikes_pass(text: str) -> None:
    assert files.opened(Source("fakes/fronts/a.py", text)) == []


PLANTED = {
    "a fake that imports the stack": (imports.directions, "fakes/fronts/a.py", "from stack.errors import StackError"),
    "a stack that imports a fake": (imports.directions, "stack/a.py", "from fakes.worlds.desktop import Desktop"),
    "a stack that imports the harness": (imports.directions, "stack/a.py", "from harness.wire.jsontext import loads"),
    "a harness that imports the stack": (imports.directions, "harness/kept/a.py", "import stack.contract"),
    "a fake that reads the stack's audit": (
        files.opened, "fakes/fronts/a.py", "x = open('/home/me/.local/state/computer-use-audit.jsonl').read()"),
    "a fake that looks at the stack's locks": (files.opened, "fakes/worlds/a.py", "import os\nx = os.listdir('locks')"),
}  # fmt: skip


@pytest.mark.claim("HAR-FAKE-05", tooth="an import across the table of directions, and a fake that reads a file")
@pytest.mark.parametrize(("rule", "path", "text"), PLANTED.values(), ids=PLANTED)
def test_what_is_planted_in_the_tree_fails_the_test_of_the_tree(
    rule: Callable[[Source], list[str]], path: str, text: str, tmp_path: Path
) -> None:
    planted = replaced(test_tidy, "ALL", [*test_tidy.ALL, Source(path, text)])
    check_tells_apart(lambda folder: test_tidy.test_every_file_keeps(rule), planted, tmp_path)
