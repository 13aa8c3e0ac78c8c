"""Every node that a page's effects name is found, wherever the effect stands."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.settings import SettingsProblem
from fakes.worlds.page import Definition
from fakes.worlds.page_references import brought, flat, named

NEW = {
    "insert": {
        "into": "body",
        "element": {"id": "new", "children": ["t", {"id": "inner", "on": {"hover": [{"focus": "x"}]}}]},
    }
}


def test_effects_within_effects_are_found() -> None:
    effects = list(
        flat([{"alert": "a", "then": [{"remove": "p"}], "else": [{"rerender": "q"}]}, {"after_ms": 1, "do": [NEW]}])
    )
    assert named(effects) == {"p", "q", "body", "x"}
    assert brought(effects) == {"new", "inner"}


@pytest.mark.parametrize("given", [
    {"on": {"key": {"Enter": [{"focus": "no"}]}}},
    {"on": {"load": [{"set": {"node": "no"}}]}},
    {"timers": [{"after_ms": 1, "do": [{"replace": {"node": "no", "element": {}}}]}]},
    {"body": [{"shadow": [{"on": {"click": [{"remove": "no"}]}}]}]},
])  # fmt: skip
def test_a_name_that_nothing_has_is_refused(given: Any) -> None:
    with pytest.raises(SettingsProblem, match="node 'no'"):
        Definition(given, "test")


def test_a_node_that_an_effect_brings_may_be_named() -> None:
    given = {"on": {"load": [{"insert": {"into": "body", "element": {"id": "x"}}}, {"remove": "x"}]}}
    assert Definition(given, "test")["on"] == given["on"]
