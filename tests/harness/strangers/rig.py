"""Adapters and scenarios for the tests' own server, as files of a folder."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from harness.judged.run import Judged
from harness.scenario.compile import Choice, compile_sheet
from harness.scenario.keep import judge_records
from harness.scenario.runner import run
from harness.scenario.scenario import Scenario
from harness.strangers.adapter import Adapter, load_adapter
from harness.strangers.binding import scenarios_of

SERVER = Path(__file__).with_name("server.py")
SECRET = "a-title-that-nobody-else-reads"
ADAPTER: dict[str, Any] = {
    "stack": "tests-own",
    "version": "1",
    "from": "the tests",
    "subject": "osascript",
    "scenarios": ["strangers/there.yaml"],
    "command": [sys.executable, str(SERVER), "none"],
    "finds": {"osascript": "PATH"},
    "call_ms": 20_000,
    "tools": {
        "go": {
            "tool": "go", "arguments": {"window": "{window}", "url": "{url}"},
            "means": {"verb": "navigate", "ref": "{window}/page", "value": "{url}"},
        },
        "count": {"tool": "titles"},
    },
}  # fmt: skip
SCENARIO: dict[str, Any] = {
    "scenario": "One page of two is led elsewhere",
    "subject": "osascript",
    "about": ["osascript"],
    "plans": "none",
    "world": {
        "pages": {"http://a.test/": {"title": SECRET}, "http://b.test/": {"title": "Beta"}, "http://c.test/": {}},
        "windows": [{"id": 7, "tabs": [{"url": "http://a.test/"}]}, {"id": 8, "tabs": [{"url": "http://b.test/"}]}],
    },
    "canaries": [{"name": "title", "value": SECRET, "allowed": ["wire.osascript.*"]}],
    "steps": [
        {"call": "count", "as": "count", "expect": "done"},
        {"call": "go", "as": "go", "arguments": {"window": 7, "url": "http://c.test/"}, "expect": "done"},
    ],
    "goal": [{"e": "effect", "verb": "navigate", "target": {"window": "window-7"}}],
    "then": [{"says": "both calls are answered", "count": {"history": {"e": "answered"}}, "is": 2}],
}


def adapter_of(folder: Path, **changes: Any) -> Adapter:
    """The adapter with other keys; None takes one out. JSON is YAML."""
    return load_adapter(written(folder, "adapter.yaml", {**ADAPTER, **changes}))


def written(folder: Path, name: str, value: dict[str, Any]) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({key: each for key, each in value.items() if each is not None}, indent=1))
    return path


def scenario_of(folder: Path, adapter: Adapter, **changes: Any) -> Scenario:
    """The scenario with other keys, bound to the adapter."""
    written(folder, "strangers/there.yaml", {**SCENARIO, **changes})
    (scenario,) = scenarios_of(adapter, folder)
    return scenario


def flawed(folder: Path, flaw: str, **choice: Any) -> Judged:
    """The server with a flaw, run and judged."""
    call_ms = 2000 if flaw == "hangs" else ADAPTER["call_ms"]
    adapter = adapter_of(folder, command=[sys.executable, str(SERVER), flaw], call_ms=call_ms)
    return judged(scenario_of(folder, adapter), **choice)


def judged(scenario: Scenario, **choice: Any) -> Judged:
    return judge_records(run(compile_sheet(scenario, Choice(mode="process", **choice))))


def words(found: Judged) -> dict[int, str]:
    """Law -> its verdict, of those that had something to judge."""
    return {law.law: law.verdict for law in found.laws if not law.moot}
