"""The table of the ten tools, against the list of facts that it was written from."""

from __future__ import annotations

import pytest

from stack.computer_use.pinned import DISCLOSED_FIRST, DISCLOSES, PINNED

# name: required, optional (codex app-server facts, section 6)
FACTS = {
    "list_apps": ("", ""),
    "get_app_state": ("app", ""),
    "click": ("app", "click_count:integer element_index:string mouse_button:left/right/middle x:number y:number"),
    "perform_secondary_action": ("app element_index action", ""),
    "set_value": ("app element_index value", ""),
    "select_text": ("app element_index text", "prefix suffix selection:text/cursor_before/cursor_after"),
    "scroll": ("app element_index direction", "pages:number"),
    "drag": ("app from_x:number from_y:number to_x:number to_y:number", ""),
    "press_key": ("app key", ""),
    "type_text": ("app text", ""),
}


@pytest.mark.claim("CUA-TOOL-01")
@pytest.mark.parametrize("name", FACTS)
def test_a_row_is_as_the_facts_have_it(name: str) -> None:
    row = PINNED[name]
    required, optional = (text.split() for text in FACTS[name])
    properties = row.input_schema["properties"]
    assert isinstance(properties, dict)
    assert row.input_schema.get("required", []) == [word.partition(":")[0] for word in required]
    assert set(properties) == {word.partition(":")[0] for word in (*required, *optional)}
    for word in (*required, *optional):
        member, _, kind = word.partition(":")
        schema = properties[member]
        assert isinstance(schema, dict)
        assert schema.get("type") == ("string" if not kind or "/" in kind else kind)
        assert schema.get("enum") == (kind.split("/") if "/" in kind else None)
    assert (row.input_schema["type"], row.input_schema["additionalProperties"]) == ("object", False)
    reads = name in ("list_apps", "get_app_state")
    assert row.reads is reads
    assert row.targeted is (name != "list_apps")
    assert row.annotations == {
        "readOnlyHint": reads,
        "idempotentHint": reads,
        "destructiveHint": False,
        "openWorldHint": False,
    }


def test_there_are_ten_in_order() -> None:
    assert list(PINNED) == list(FACTS)
    assert list(PINNED)[:2] == list(DISCLOSED_FIRST)
    assert DISCLOSES in DISCLOSED_FIRST


def test_the_two_known_texts_for_app_are_pinned() -> None:
    texts = {}
    for name, row in PINNED.items():
        properties = row.input_schema["properties"]
        assert isinstance(properties, dict)
        app = properties.get("app")
        if isinstance(app, dict):
            texts[name] = app["description"]
    assert texts.pop("select_text") == "App name or bundle identifier"
    assert set(texts.values()) == {"App name, full app path, or unambiguous bundle identifier"}
