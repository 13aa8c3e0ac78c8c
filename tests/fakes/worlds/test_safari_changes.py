"""What happens to a Safari by itself: every key, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.worlds.safari_changes import CHANGES
from tests.fakes.worlds.surf import HOME, Surf, page

PAGES = {HOME: page({"id": "a"}), HOME + "two": page("two")}


def world() -> Surf:
    return Surf(
        pages=PAGES, windows=[{"id": 1, "tabs": [{"url": HOME}, {"url": HOME}]}, {"id": 2, "tabs": [{"url": HOME}]}]
    )


CASES: dict[str, tuple[Any, Any]] = {
    "navigate": ({"tab": "tab-1", "url": HOME + "two"}, lambda w: w.tab("tab-1").url == HOME + "two"),
    "reload": ({"tab": "tab-1"}, lambda w: w.tab("tab-1").document.epoch == 1),
    "close_tab": ("tab-1", lambda w: [tab.key for tab in w.tabs()] == ["tab-2", "tab-3"]),
    "open_tab": ({"window": 2, "url": HOME}, lambda w: w.window(2).tab.key == "tab-4" and w.window(2).tab.url == HOME),
    "select": ("tab-2", lambda w: w.window(1).tab.key == "tab-2"),
    "close_window": (1, lambda w: [window.id for window in w.windows] == [2]),
    "raise_window": (2, lambda w: [window.id for window in w.windows] == [2, 1]),
    "move_window": ({"window": 2, "bounds": [1, 2, 3, 4]}, lambda w: w.window(2).bounds == [1, 2, 3, 4]),
    "move_tab": ({"tab": "tab-2", "index": 0}, lambda w: w.window(1).tab.key == "tab-1" and w.window(1).current == 1),
    "page": ({"tab": "tab-1", "do": [{"title": "x"}]}, lambda w: w.tab("tab-1").title == "x"),
    "title": ({"tab": "tab-1", "title": "x"}, lambda w: w.tab("tab-1").title == "x"),
    "dialog": ({"tab": "tab-1", "text": "x"}, lambda w: [dialog.text for dialog in w.tab("tab-1").dialogs] == ["x"]),
    "locked": (True, lambda w: w.locked),
    "permission": ({"name": "automation", "value": "denied"}, lambda w: w.permissions["automation"] == "denied"),
    "process": ({"pid": 999, "running": True}, lambda w: [each.pid for each in w.processes] == [763, 999]),
    "crash": (763, lambda w: w.windows == [] and not w.processes[0].running),
}


@pytest.mark.parametrize("key", CASES)
def test_change(key: str) -> None:
    made = world()
    value, holds = CASES[key]
    assert not holds(made.world)
    made.world.change("fault:f1", **{key: value})
    made.later(100)
    assert holds(made.world)
    assert made.book.of("changed") and {line["by"] for line in made.book.of("changed")} <= {"fault:f1", "page"}


def test_every_key_has_a_case() -> None:
    assert set(CHANGES) - set(CASES) == {"answer_dialog", "apple_event"}


def test_a_dialog_is_answered_by_the_user() -> None:
    made = world()
    made.world.change("user", dialog={"tab": "tab-1", "text": "x"})
    made.world.change("user", answer_dialog={"tab": "tab-1", "accept": True})
    assert made.world.tab("tab-1").dialogs == []


def test_a_tab_opens_in_the_front_window_where_none_is_named() -> None:
    made = world()
    made.world.change("user", open_tab={"url": "about:blank"})
    assert [tab.key for tab in made.world.window(1).tabs] == ["tab-1", "tab-2", "tab-4"]
    assert made.world.window(1).current == 2
    made.world.change("user", process={"pid": 763, "running": False})
    assert not made.world.processes[0].running


@pytest.mark.parametrize("change", [
    {"navigate": {"tab": "tab-1"}},
    {"navigate": {"tab": "tab-7", "url": HOME}},
    {"open_tab": {"window": 7, "url": HOME}},
    {"close_window": "one"},
    {"move_tab": {"tab": "tab-1", "index": 9}},
    {"move_window": {"window": 1, "bounds": [1]}},
    {"page": {"tab": "tab-1", "do": [{"boom": 1}]}},
    {"answer_dialog": {"tab": "tab-1", "accept": True}},
    {"locked": 1},
    {"permission": {"name": "x", "value": 1}},
    {"crash": 5},
])  # fmt: skip
def test_what_is_refused(change: Any) -> None:
    with pytest.raises(ValueError, match="change "):
        world().world.change("user", **change)


def test_a_tab_needs_a_window() -> None:
    with pytest.raises(ValueError, match="no window"):
        Surf().world.change("user", open_tab={"url": HOME})
