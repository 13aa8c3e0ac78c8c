"""What only named modules may touch, on bad text and on good."""
from __future__ import annotations

import pytest

from tests.tidy import homes
from tests.tidy.tree import Source

BAD = (
    ("time", "import time"),
    ("time", "from time import monotonic"),
    ("time", "from datetime import datetime\nx = datetime.now()"),
    ("time", "def f():\n    import time\n    time.sleep(1)"),
    ("threads", "import threading"),
    ("threads", "from concurrent.futures import ThreadPoolExecutor"),
    ("threads", "import anyio\nx = anyio.Path('a')"),
    ("threads", "from anyio import to_thread"),
    ("threads", "import anyio\nanyio.to_thread.run_sync(f)"),
    ("chance", "from random import Random"),
    ("chance", "import uuid"),
    ("chance", "import os\nx = os.urandom(8)"),
    ("processes", "import subprocess"),
    ("processes", "import os\nos.fork()"),
    ("processes", "from os import kill"),
    ("processes", "import anyio\nanyio.run_process(['a'])"),
    ("sockets", "def f():\n    import socket"),
    ("sockets", "import http.client"),
    ("sockets", "import asyncio"),
    ("sockets", "import anyio\nanyio.connect_tcp('a', 1)"),
    ("environment", "import os\nx = os.environ['A']"),
    ("environment", "from os import getenv"),
    ("imports by name", "import importlib\nimportlib.import_module('stack')"),
    ("imports by name", "x = __import__('stack')"),
)


@pytest.mark.parametrize(("kind", "text"), BAD)
@pytest.mark.parametrize("path", ["harness/wire/a.py", "stack/a.py", "fakes/a.py", "reports/a.py"])
def test_access_outside_its_homes_is_found(path: str, kind: str, text: str) -> None:
    findings = homes.strays(Source(path, text))
    assert findings
    assert all(f"touches {kind} " in finding for finding in findings)


@pytest.mark.parametrize(
    "text",
    [
        "if TYPE_CHECKING:\n    from random import Random\n    import subprocess",
        "import timeit",
        "x = self.timer",
        "from datetime import datetime",
        "import os\nos.path.join('a')",
    ],
)
def test_types_and_look_alikes_pass(text: str) -> None:
    assert homes.strays(Source("harness/wire/a.py", text)) == []


def test_homes_and_tests_may() -> None:
    assert homes.strays(Source("stack/host.py", "import subprocess, socket, secrets")) == []
    assert homes.strays(Source("tests/test_a.py", "import subprocess")) == []


def test_homes_that_are_gone_or_need_nothing_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = homes.Kind("time", ("time",), (), {"harness/a.py": "because", "harness/b.py": "because"})
    monkeypatch.setattr(homes, "KINDS", (kind,))
    findings = homes.empty_homes([Source("harness/a.py", "import time"), Source("harness/b.py", "import os")])
    assert findings == ["harness/b.py:1 is a home of time and does not touch it"]
    assert len(homes.empty_homes([])) == 2


@pytest.mark.parametrize(
    "text",
    ["import time", "from time import perf_counter", "import asyncio\nasyncio.sleep(1)", "x = datetime.now()"],
)
def test_tests_on_the_wall_clock_are_found(text: str) -> None:
    assert homes.clocked(Source("tests/test_a.py", text))
    assert homes.clocked(Source("harness/a.py", text)) == []


def test_virtual_time_passes() -> None:
    assert homes.clocked(Source("tests/test_a.py", "import trio\nasync def f():\n    await trio.sleep(300)")) == []


def test_every_home_gives_its_reason() -> None:
    assert all(len(reason) > 10 for kind in homes.KINDS for reason in kind.homes.values())
