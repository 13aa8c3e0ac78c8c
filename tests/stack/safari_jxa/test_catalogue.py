"""The tools as data, and the reading of their arguments."""

from __future__ import annotations

from typing import Any

import pytest

from stack.errors import CallError
from stack.safari_jxa.catalogue import NAMES, TOOLS, check
from stack.safari_jxa.driver import CALLS

GOOD: list[tuple[str, dict[str, Any]]] = [
    ("windows", {}), ("windows", {"titles": True}), ("displays", {}), ("observe", {}), ("text", {}), ("status", {}),
    ("close", {}), ("attach", {"window": 7}), ("open", {"url": "http://x.test/"}),
    ("open", {"url": "x", "display": 0, "side": "left", "bounds": [1, 2, 3, 4]}),
    ("act", {"observation": 1, "action": "e1"}), ("act", {"observation": 1, "action": {"id": "e1"}, "text": "x"}),
    ("fresh", {"observation": 1, "action": "e1"}),
]  # fmt: skip
BAD: list[tuple[str, dict[str, Any]]] = [
    ("windows", {"titles": 1}), ("windows", {"x": 1}), ("attach", {}), ("attach", {"window": "7"}),
    ("attach", {"window": True}), ("attach", {"window": -1}), ("open", {}), ("open", {"url": 1}),
    ("open", {"url": "x", "side": "middle"}), ("open", {"url": "x", "display": 1.5}),
    ("open", {"url": "x", "bounds": {}}),
    ("act", {"observation": 0, "action": "e1"}), ("act", {"observation": 1, "action": 1}), ("act", {"action": "e1"}),
    ("act", {"observation": 1, "action": "e1", "text": None}), ("observe", {"url": "http://x.test/"}),
    ("close", {"window": 7}), ("fresh", {"observation": 1, "action": "e1", "text": "x"}),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "arguments"), GOOD)
def test_arguments_that_fit(tool: str, arguments: dict[str, Any]) -> None:
    check(tool, arguments)


@pytest.mark.parametrize(("tool", "arguments"), BAD)
def test_arguments_that_do_not(tool: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(CallError, match="invalid_arguments"):
        check(tool, arguments)


def test_a_tool_that_is_none() -> None:
    with pytest.raises(CallError, match="unknown_tool"):
        check("evaluate", {})


@pytest.mark.claim("JXA-WIN-07", "JXA-OBS-04", tooth="a tool that takes an address, a program or a file")
def test_only_open_takes_an_address_and_nothing_a_program_or_a_file() -> None:
    assert set(NAMES) == set(CALLS)
    taken: dict[str, Any] = {tool.name: tool.input_schema["properties"] for tool in TOOLS}
    assert [name for name, properties in taken.items() if "url" in properties] == ["open"]
    assert {name for properties in taken.values() for name in properties} == {
        "titles", "url", "display", "bounds", "side", "window", "observation", "action", "text",
    }  # fmt: skip
    assert not {"screenshot", "upload", "evaluate", "navigate"} & set(NAMES)
    assert all(tool.input_schema["additionalProperties"] is False and tool.description for tool in TOOLS)
    assert [tool.name for tool in TOOLS if tool.annotations["readOnlyHint"] is False] == [
        "open",
        "attach",
        "act",
        "close",
    ]
