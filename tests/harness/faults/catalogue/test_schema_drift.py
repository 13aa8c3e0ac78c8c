"""A member of another version."""
from __future__ import annotations

import pytest

from harness.faults.steps import Raw
from tests.harness.faults.catalogue.struck import NO_JSON, REPLY, REQUEST, TOOLS, leaves, strike, value_of, written


@pytest.mark.parametrize(
    ("change", "properties"),
    [("rename", {"app_2", "x"}), ("remove", {"x"}), ("add", {"app", "app_2", "x"})],
)
def test_by_default_the_first_argument_of_the_first_tool(change: str, properties: set[str]) -> None:
    value = value_of(written("schema_drift", TOOLS, change=change))
    tool = value["result"]["tools"][0]
    assert tool["inputSchema"]["properties"].keys() == properties
    assert tool["name"] == "click"


def test_all_other_bytes_stay() -> None:
    assert written("schema_drift", TOOLS) == TOOLS.replace(b'"app":', b'"app_2":')


def test_the_member_that_was_asked_for() -> None:
    assert written("schema_drift", REQUEST, pointer="/params/deep/a") == REQUEST.replace(b'"a":', b'"a_2":')
    assert written("schema_drift", REPLY, pointer="/result/isError", change="remove") == REPLY.replace(
        b',"isError":false', b""
    )


def test_without_tools_a_member_drawn_by_the_seed() -> None:
    drawn = {strike("schema_drift", [Raw(REPLY)], {}, seed=seed)[0][0].data for seed in range(30)}  # type: ignore[attr-defined]
    assert len(drawn) == 4
    assert all(b"_2" in raw for raw in drawn)


@pytest.mark.parametrize("pointer", ["/result/content/0", "/nothing", ""])
def test_only_members(pointer: str) -> None:
    assert leaves("schema_drift", REPLY, pointer=pointer)
    assert leaves("schema_drift", NO_JSON)
