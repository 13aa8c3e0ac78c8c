"""Windows and documents as data."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.settings import SettingsProblem
from fakes.worlds.safari_windows import Window, handle_of, numbers, window_name, window_of
from tests.fakes.worlds.surf import HOME, node, surf


@pytest.mark.parametrize("given", [
    {"id": 1, "phantom": True, "tabs": [{}]},
    {"id": 1, "tabs": [{}], "current": 1},
    {"id": 1, "tabs": [{}], "current": -1},
    {"id": 1, "bounds": [1, 2, 3, True]},
    {"id": 1, "tabs": [{"uri": "x"}]},
    {},
])  # fmt: skip
def test_windows_that_can_not_be(given: Any) -> None:
    with pytest.raises(SettingsProblem):
        window_of(given, "window", 1)


def test_a_window_of_the_run_sheet() -> None:
    window, tabs = window_of(
        {"id": 7, "tabs": [{"url": HOME}], "profile": "Work", "pid": 9, "miniaturized": True}, "w", 1
    )
    assert (window.id, window.pid, window.profile, window.miniaturized, window.zoomed) == (7, 9, "Work", True, False)
    assert tabs == [{"url": HOME, "title": None}] and window.tab is None and window_name(window) == "window-7"
    assert Window(1, 2, session=3).session == 3
    assert numbers([1, 2.5, 3, 4], "x") == [1, 2.5, 3, 4]
    assert handle_of(12) == "page-00000000-0000-4000-8000-000000000012"


def test_frames_and_owners() -> None:
    made, tab = surf(
        {"id": "f", "tag": "iframe", "attributes": {"src": "/two"}},
        world={"pages": {HOME + "two": {"body": [{"id": "x"}]}}},
    )
    frame: Any = node(tab, "f").frame
    assert list(tab.document.frames()) == [tab.document, frame]
    assert [tab.document.owner(node(frame, "x")), tab.document.owner(node(tab, "f"))] == [frame, tab.document]
    stray = node(frame, "x")
    made.world.page_does(tab.document, [{"remove": "f"}], "page")
    assert tab.document.owner(stray) is None and not frame.alive
