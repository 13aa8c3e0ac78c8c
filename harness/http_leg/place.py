"""Where mitmproxy is, and the process of an HTTP leg.

Separate from the command, because live runs and tests start a leg beside what they run.
"""
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

from harness.engines import locate, select
from harness.problem import Problem

PROXY = Path(__file__).resolve().parent / "proxy.py"
END_S = 20
"""How long a leg may take to end after it was told to."""


def interpreter() -> str:
    """A Python that has mitmproxy: this one, or that of `make engines`. Raises Problem where there is none."""
    if find_spec("mitmproxy") is not None:
        return sys.executable
    (row,) = select("mitmproxy")
    path = locate(row)
    if path is None:
        raise Problem("no mitmproxy", f"mitmproxy {row.version} in an environment of its own",
                      "`make engines` installs it")
    return str(path.parent / "python")


def command(settings: Mapping[str, Any]) -> list[str]:
    """The words that start a leg. settings: as harness/http_leg/proxy.py takes them. Raises Problem."""
    return [interpreter(), str(PROXY), json.dumps(settings)]


def become(settings: Mapping[str, Any]) -> NoReturn:
    """Replace this process by a leg. Raises Problem."""
    words = command(settings)
    os.execv(words[0], words)


@dataclass(slots=True)
class Running:
    """A leg that runs. port: of loopback. status and said: exit code and stderr, once it has ended."""

    port: int
    status: int | None = None
    said: str = ""


@contextmanager
def running(settings: Mapping[str, Any]) -> Iterator[Running]:
    """A leg beside this process, from its first port to its end. Raises Problem where it does not start."""
    with subprocess.Popen(command(settings), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            said = process.communicate()[1].strip()
            raise Problem(f"an HTTP leg that did not start: {said}", "its port", "see the message")
        leg = Running(json.loads(line)["port"])
        try:
            yield leg
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                _, leg.said = process.communicate(timeout=END_S)
            except subprocess.TimeoutExpired:
                process.kill()
                _, leg.said = process.communicate()
            leg.status = process.returncode
