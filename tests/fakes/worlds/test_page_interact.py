"""Steps of page_interactions: what each finds and does, and the reasons of those that fail."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.worlds.page_content import Extraction, uid_of
from fakes.worlds.page_interact import STEPS, Failed, interact, keys_of
from tests.fakes.worlds.grow import BODIES
from tests.fakes.worlds.surf import HOME, node, surf

BODY: tuple[Any, ...] = (
    {
        "id": "b",
        "tag": "button",
        "text": "Press here",
        "at": [10, 10, 50, 20],
        "on": {"click": [{"console": {"text": "b"}}]},
    },
    {"id": "veil", "overlay": True, "at": [0, 0, 30, 100], "on": {"click": [{"console": {"text": "veil"}}]}},
    {"id": "i", "tag": "input", "value": "x"},
    {"id": "s", "tag": "select", "children": [{"tag": "option", "text": "a"}, {"tag": "option", "text": "c"}]},
    {"id": "none", "tag": "button", "hidden": "display"},
    {"id": "unseen", "tag": "button", "hidden": "visibility"},
    {"id": "gone", "tag": "button"},
    {"id": "menu", "attributes": {"role": "listbox"}, "text": "menu"},
    {"id": "low", "text": "far below", "at": [5, 2000, 10, 10]},
)


def page(**world: Any) -> Any:
    made, tab = surf(*BODY, world=world)
    return (
        made,
        tab,
        {
            name: uid_of(tab.document, node(tab, name))
            for name in ("b", "veil", "i", "s", "none", "unseen", "gone", "menu", "low")
        },
    )


def words(tab: Any) -> list[str]:
    return [message["text"] for message in tab.console]


@pytest.mark.parametrize(("step", "reason"), [
    ({"type": "click"}, "Missing location and nodeIdentifier"),
    ({"type": "hover"}, "Missing location and nodeIdentifier"),
    ({"type": "click", "node": "77"}, "Failed to resolve nodeIdentifier 77"),
    ({"type": "click", "node": "NONE"}, "Target is not rendered (possibly display: none)"),
    ({"type": "click", "node": "UNSEEN"}, "Target is hidden via CSS visibility"),
    ({"type": "click", "node": "GONE"}, "Target has been disconnected from the DOM"),
    ({"type": "click", "node": "B", "text": "other"}, "'other' not found inside the target node"),
    ({"type": "click", "text": "nowhere"}, "'nowhere' not found inside the target node"),
    ({"type": "type", "value": "x"}, "Missing nodeIdentifier"),
    ({"type": "type", "node": "B", "value": "x"}, "UID cannot be edited (requires text field or contentEditable)"),
    ({"type": "keyPress"}, "Missing nodeIdentifier and/or text"),
    ({"type": "scroll"}, "No scrollable area found"),
    ({"type": "selectText"}, "Missing nodeIdentifier and/or text"),
    ({"type": "selectMenuItem"}, "Missing nodeIdentifier"),
    ({"type": "highlightText"}, "Missing nodeIdentifier and/or text"),
])  # fmt: skip
def test_what_fails_does_nothing(step: Any, reason: str) -> None:
    made, tab, uids = page()
    made.world.page_does(tab.document, [{"remove": "gone"}], "page")
    uid = step.get("node")
    if uid is not None and uid.lower() in uids:
        step = {**step, "node": uids[uid.lower()]}
        reason = reason.replace("UID", step["node"])
    before = len(made.book.of("effect"))
    with pytest.raises(Failed) as raised:
        interact(made.world, 1, tab, step)
    assert raised.value.reason == reason and len(made.book.of("effect")) == before


def test_clicks_by_number_point_and_text() -> None:
    made, tab, uids = page()
    interact(made.world, 1, tab, {"type": "click", "node": uids["b"]})
    interact(made.world, 1, tab, {"type": "click", "point": {"x": 15, "y": 15}})
    interact(made.world, 1, tab, {"type": "click", "point": {"x": 45, "y": 15}})
    interact(made.world, 1, tab, {"type": "click", "text": "PRESS"})
    interact(made.world, 1, tab, {"type": "click", "node": uids["b"], "text": "here"})
    assert words(tab) == ["b", "veil", "b", "b", "b"]
    target = {"tab": "tab-1", "document": "doc-2", "node": "b"}
    assert made.book.of("effect")[1] == {"p": 1, "verb": "click", "target": target, "value": None}


def test_a_locked_screen_swallows_clicks_and_hovers() -> None:
    made, tab, uids = page(locked=True)
    for verb in ("click", "hover"):
        interact(made.world, 1, tab, {"type": verb, "node": uids["b"]})
    assert words(tab) == [] and [effect["verb"] for effect in made.book.of("effect")] == ["open"]
    made.world.change("user", locked=False)
    interact(made.world, 1, tab, {"type": "hover", "node": uids["b"]})
    assert made.book.of("effect")[-1]["verb"] == "hover"


def test_typing() -> None:
    made, tab, uids = page()
    interact(made.world, 1, tab, {"type": "type", "node": uids["i"], "value": "y"})
    assert node(tab, "i").value == "xy"
    interact(
        made.world, 1, tab, {"type": "type", "node": uids["i"], "text": "z", "replaceAll": True, "pressReturn": True}
    )
    assert node(tab, "i").value == "z"
    effects = [(effect["verb"], effect["value"], effect.get("replaced")) for effect in made.book.of("effect")[1:]]
    assert effects == [("type", "y", False), ("type", "z", True), ("keyPress", "Enter", None)]


@pytest.mark.parametrize(("value", "keys"), [
    ("Return", ["Enter"]), ("\n", ["Enter"]), ("Left", ["ArrowLeft"]), ("Escape", ["Escape"]), ("x", ["x"]),
    ("cmd+k", ["c", "m", "d", "+", "k"]),
])  # fmt: skip
def test_keys(value: str, keys: list[str]) -> None:
    assert keys_of(value) == keys


def test_a_key_press_is_one_effect_and_may_name_a_node() -> None:
    made, tab, uids = page()
    interact(made.world, 1, tab, {"type": "keyPress", "node": uids["i"], "value": "no"})
    assert node(tab, "i").value == "xno"
    assert [effect["value"] for effect in made.book.of("effect")] == [HOME, "no"]


def test_scrolling() -> None:
    made, tab, uids = page()
    interact(made.world, 1, tab, {"type": "scroll", "scrollDelta": {"y": 30}})
    interact(made.world, 1, tab, {"type": "scroll", "node": uids["menu"], "scrollDelta": {"x": 5}})
    assert tab.document.page.scroll == [0, 30] and node(tab, "menu").scroll == [5, 0]
    interact(made.world, 1, tab, {"type": "scroll", "node": uids["low"], "scrollToVisible": True})
    assert tab.document.page.scroll == [5, 2000]


def test_selects() -> None:
    for native, value in ((True, "a"), (False, "c")):
        made, tab, uids = page(native_menus=native)
        interact(made.world, 1, tab, {"type": "selectMenuItem", "node": uids["s"], "value": "c"})
        assert node(tab, "s").value == value
    made, tab, uids = page()
    interact(made.world, 1, tab, {"type": "selectMenuItem", "node": uids["menu"], "text": "c"})
    interact(made.world, 1, tab, {"type": "selectText", "node": uids["s"], "value": "c"})
    interact(made.world, 1, tab, {"type": "highlightText", "text": "menu"})
    assert node(tab, "s").value == "c"
    assert [effect["verb"] for effect in made.book.of("effect")[1:]] == [
        "selectMenuItem",
        "selectText",
        "highlightText",
    ]


STEP = st.fixed_dictionaries(
    {"type": st.sampled_from(sorted(STEPS))},
    optional={
        "node": st.sampled_from(("1", "2", "3", "99", "6_1_2", "x")),
        "text": st.sampled_from(("", "a", "nowhere")),
        "value": st.sampled_from(("", "Enter", "x", "cmd+k")),
        "point": st.sampled_from(({}, {"x": 10, "y": 10})),
        "scrollDelta": st.sampled_from(({}, {"x": 1, "y": -5})),
        "scrollToVisible": st.booleans(),
        "replaceAll": st.booleans(),
        "pressReturn": st.booleans(),
    },
)


@given(BODIES, st.lists(STEP, max_size=6))
@settings(max_examples=50)
def test_any_step_on_any_page_is_done_or_fails_with_a_reason_and_without_an_effect(body: Any, steps: Any) -> None:
    made, tab = surf(*body)
    Extraction(tab.document, {"nodeIds": "allContainers", "includeSubframes": True}, (1200, 740))
    for step in steps:
        before = len(made.book.of("effect"))
        reason = failure(made, tab, step)
        assert reason is None or (reason and len(made.book.of("effect")) == before)
        made.later(1000)


def failure(made: Any, tab: Any, step: Any) -> str | None:
    """Why a step failed; None where it did not."""
    try:
        interact(made.world, 1, tab, step)
    except Failed as failed:
        return failed.reason
    return None
