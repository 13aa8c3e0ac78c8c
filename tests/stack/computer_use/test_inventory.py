"""Any drift of the helper's tools is refused with its place; what means nothing passes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stack.computer_use.inventory import ALIVE, read_inventory
from stack.computer_use.pinned import PINNED
from stack.errors import StackError
from tests.stack.scripted_server import inventory, listed_tools


def refused(result: Any) -> StackError:
    with pytest.raises(StackError) as caught:
        read_inventory(result, PINNED)
    return caught.value


def test_the_pinned_tools_pass_with_the_helpers_words() -> None:
    found = read_inventory(inventory(), PINNED)
    assert [tool.name for tool in found.tools] == list(PINNED)
    assert found.tools[0].description == "official list_apps"
    assert found.client_build == "26.1"


@given(st.permutations(list(PINNED)))
def test_the_order_of_tools_means_nothing(order: list[str]) -> None:
    tools = listed_tools()
    found = read_inventory(inventory(tools={name: tools[name] for name in order}), PINNED)
    assert [tool.name for tool in found.tools] == list(PINNED)


def change(place: str, value: Any, *, remove: bool = False) -> Any:
    tools = listed_tools()
    *path, last = place.split("/")
    target: Any = tools
    for part in path:
        target = target[part]
    if remove:
        del target[last]
    else:
        target[last] = value
    return inventory(tools=tools)


PASSING = [
    ("click/description", "other words"),
    ("click/inputSchema/properties/x/description", "other words"),
    ("click/inputSchema/properties/mouse_button/enum", ["middle", "left", "right"]),
    ("drag/inputSchema/required", ["to_y", "to_x", "from_y", "from_x", "app"]),
    ("list_apps/inputSchema/required", []),
    ("click/title", "Click"),
]


@pytest.mark.parametrize(("place", "value"), PASSING)
def test_what_means_nothing_passes(place: str, value: Any) -> None:
    assert read_inventory(change(place, value), PINNED).tools


DRIFTS: list[tuple[str, Any, bool, str]] = [
    ("launch_app", {"name": "launch_app"}, False, "'launch_app' is not pinned"),
    ("click", None, True, "click is missing"),
    ("click", None, False, "click is missing"),
    ("click", [], False, "click is not a tool of that name"),
    ("click/name", "tap", False, "click is not a tool of that name"),
    ("click/inputSchema", None, True, "click at /inputSchema"),
    ("click/inputSchema/type", "array", False, "click at /inputSchema/type"),
    ("click/inputSchema/additionalProperties", True, False, "click at /inputSchema/additionalProperties"),
    ("click/inputSchema/additionalProperties", 0, False, "click at /inputSchema/additionalProperties"),
    ("click/inputSchema/properties/state_id", {"type": "string"}, False, "click at /inputSchema/properties/state_id"),
    ("click/inputSchema/properties/description", {"type": "string"}, False,
     "click at /inputSchema/properties/description"),
    ("click/inputSchema/description", "x", False, "click at /inputSchema/description"),
    ("click/inputSchema/properties/x", None, True, "click at /inputSchema/properties/x"),
    ("click/inputSchema/properties/x/type", "integer", False, "click at /inputSchema/properties/x/type"),
    ("click/inputSchema/properties/x/description", 5, False, "click at /inputSchema/properties/x/description"),
    ("click/inputSchema/properties/x/minimum", 0, False, "click at /inputSchema/properties/x/minimum"),
    ("click/inputSchema/properties/app/description", "an app", False,
     "click at /inputSchema/properties/app/description"),
    ("click/inputSchema/properties/app/description", None, True, "click at /inputSchema/properties/app/description"),
    ("click/inputSchema/properties/mouse_button/enum", ["left"], False,
     "click at /inputSchema/properties/mouse_button/enum"),
    ("click/inputSchema/properties/required", {"type": "string"}, False, "click at /inputSchema/properties/required"),
    ("click/inputSchema/properties/a~1", {"type": "string"}, False, "click at /inputSchema/properties/a~01"),
    ("click/inputSchema/required", ["app", "x"], False, "click at /inputSchema/required"),
    ("click/inputSchema/required", None, True, "click at /inputSchema/required"),
    ("list_apps/inputSchema/required", ["app"], False, "list_apps at /inputSchema/required"),
    ("click/annotations", None, True, "click at /annotations"),
    ("click/annotations/destructiveHint", True, False, "click at /annotations/destructiveHint"),
    ("click/annotations/title", "Click", False, "click at /annotations/title"),
    ("get_app_state/annotations/readOnlyHint", None, True, "get_app_state at /annotations/readOnlyHint"),
]  # fmt: skip


@pytest.mark.claim("CUA-TOOL-02")
@pytest.mark.parametrize(("place", "value", "remove", "shown"), DRIFTS)
def test_drift_is_refused_with_its_place(place: str, value: Any, remove: bool, shown: str) -> None:
    error = refused(change(place, value, remove=remove))
    assert error.code == "inventory_drift"
    assert shown in str(error)


def test_many_differences_are_counted() -> None:
    error = refused(inventory(tools={"x": {}}))
    assert "and 5 more" in str(error)


SHAPES: list[Any] = [
    None, [], {}, {"data": None}, {"data": {}}, {"data": []}, {"data": ["computer-use"]}, {"data": [{}]},
    {"data": [*inventory()["data"], {"name": "other"}]}, {"data": [{"name": "other"}]},
    {**inventory(), "nextCursor": "x"}, inventory(tools=None), inventory(tools=[]), inventory(name="other"),
]  # fmt: skip


@pytest.mark.claim("CUA-TOOL-02")
@pytest.mark.parametrize("result", SHAPES)
def test_another_shape_is_drift(result: Any) -> None:
    assert refused(result).code == "inventory_drift"


@pytest.mark.claim("CUA-TOOL-05")
@pytest.mark.parametrize(
    ("changes", "code"),
    [
        *(({"runtimeStatus": word}, None) for word in ALIVE),
        ({"runtimeStatus": "failed"}, "helper_dead"),
        ({"runtimeStatus": "cancelled"}, "helper_dead"),
        ({"runtimeStatus": None}, None),
        ({"runtimeStatus": "odd"}, "helper_dead"),
        ({"runtimeStatus": {}}, "helper_dead"),
        ({"toolsError": "x"}, "helper_failed"),
        ({"toolsError": None}, None),
        ({"tools": {}}, "helper_failed"),
    ],
)
def test_a_helper_that_can_carry_no_call_is_refused(changes: dict[str, Any], code: str | None) -> None:
    if code is None:
        assert read_inventory(inventory(**changes), PINNED).tools
    else:
        assert refused(inventory(**changes)).code == code


@pytest.mark.parametrize("info", [None, [], {}, {"version": 3}])
def test_a_version_of_another_form_is_none(info: Any) -> None:
    assert read_inventory(inventory(serverInfo=info), PINNED).client_build is None


def test_a_tool_without_words_has_none() -> None:
    assert read_inventory(change("click/description", None, remove=True), PINNED).tools[2].description == ""
