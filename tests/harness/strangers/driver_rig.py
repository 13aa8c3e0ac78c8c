"""Runs of the server that starts safaridriver (driver_server): the steps of a test, and what was answered."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.judged.run import Judged
from tests.harness.strangers.rig import adapter_of, judged, scenario_of

SERVER = Path(__file__).with_name("driver_server.py")
START: Mapping[str, Any] = {"call": "start"}
STOP: Mapping[str, Any] = {"call": "stop"}
TOOLS = {
    "start": {"tool": "start"},
    "ask": {"tool": "request", "arguments": {"method": "{method}", "path": "{path}", "body": "{body}"}},
    "stop": {"tool": "stop"},
}


def ask(method: str, path: str, body: str = "") -> Mapping[str, Any]:
    return {"call": "ask", "arguments": {"method": method, "path": path, "body": body}}


BEGIN = ask("POST", "/session", '{"capabilities": {}}')


def played(
    folder: Path,
    steps: Sequence[Mapping[str, Any]],
    fault: Mapping[str, Any] | None = None,
    tools: Mapping[str, Any] | None = None,
) -> Judged:
    """The steps, played; fault: the one that strikes; tools: in place of the server's usual ones."""
    adapter = adapter_of(
        folder, subject="safaridriver", finds={"safaridriver": "PATH"}, tools={**TOOLS, **(tools or {})},
        call_ms=10_000, command=[sys.executable, str(SERVER)],
    )  # fmt: skip
    item = {"says": "it ends", "count": {"history": {"e": "left"}}, "is": 1}
    scenario = scenario_of(
        folder, adapter, subject="safaridriver", about=["safaridriver"], world={}, canaries=None, goal=None,
        steps=[dict(step) for step in steps], then=[item],
    )  # fmt: skip
    return judged(scenario, plan=None if fault is None else {"v": 1, "faults": [{"id": "f1", **fault}]})


def answers(found: Judged) -> list[str]:
    """The text of each answer."""
    return [line["content"][0]["text"] for line in found.run.history if line["e"] == "answered"]


def lines_of(found: Judged, e: str) -> list[Mapping[str, Any]]:
    return [line for line in found.run.world if line["e"] == e]
