"""What may happen to a desktop by itself: every row of the table happens, is recorded, and refuses a bad value."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.worlds.desktop_changes import CHANGES
from tests.fakes.worlds.desk import desk

CHESS, TEXT = "com.apple.Chess", "com.apple.TextEdit"
ROWS: dict[str, tuple[Any, dict[str, Any], Any]] = {
    "locked": (True, {"locked": True}, 1),
    "front": (TEXT, {"front": TEXT}, "x"),
    "user_changed": (CHESS, {"user_changed": CHESS}, "x"),
    "value": ({"app": TEXT, "node": "text", "value": "v"}, {"app": TEXT, "node": "text", "value": "v"}, {"app": TEXT}),
    "app_quit": (TEXT, {"app_quit": TEXT}, None),
    "app_started": (TEXT, {"app_started": TEXT}, "x"),
    "window_gone": ("untitled", {"window": "untitled", "hidden": True}, "x"),
    "approval": (
        {"app": CHESS, "kind": "denied"},
        {"approval": CHESS, "kind": "denied"},
        {"app": CHESS, "kind": "once"},
    ),
    "unresponsive": (CHESS, {"unresponsive": CHESS}, "x"),
    "authenticated": (False, {"authenticated": False}, "no"),
    "runtime": (False, {"runtime": False}, 0),
}
"""Key -> (value, what the record says, a bad value)."""


def test_every_change_has_a_row_here() -> None:
    assert sorted(ROWS) == sorted(CHANGES)


@pytest.mark.parametrize("key", CHANGES)
def test_a_change_is_recorded_with_who_made_it(key: str) -> None:
    value, what, bad = ROWS[key]
    desktop, book = desk()
    desktop.change("fault:f1", **{key: value})
    assert book.of("changed")[0] == {"e": "changed", "what": what, "by": "fault:f1"}
    with pytest.raises(ValueError, match=f"change '{key}'"):
        desktop.change("fault:f1", **{key: bad})


def test_a_node_that_is_not_there_can_not_change() -> None:
    with pytest.raises(ValueError, match="a node of"):
        desk()[0].change("x", value={"app": TEXT, "node": "nowhere", "value": "v"})


def test_an_unknown_change_is_refused_whole() -> None:
    desktop, book = desk()
    with pytest.raises(ValueError, match="expected one of app_quit"):
        desktop.change("fault:f1", locked=True, weather="rain")
    assert (desktop.locked, book.lines) == (False, [])


def test_an_app_that_quits_takes_its_leases_and_its_place_in_front() -> None:
    desktop, book = desk()
    for key in (CHESS, TEXT):
        desktop.look(2, desktop.app(key))
    desktop.change("fault:f1", app_quit=CHESS)
    assert book.of("freed") == [{"e": "freed", "p": 2, "what": "lease", "id": CHESS}]
    assert desktop.front is not None and desktop.front.key == TEXT
    assert book.woken == ["front"]
    for key in (TEXT, "com.apple.finder"):
        desktop.change("fault:f1", app_quit=key)
    assert desktop.front.key == "com.apple.finder", "where nothing runs any more the last one stays"


def test_a_lock_wakes_those_who_wait_for_it() -> None:
    desktop, book = desk()
    desktop.change("a person", locked=True)
    desktop.change("a person", locked=False)
    assert (desktop.locked, book.woken) == (False, ["locked", "locked"])
