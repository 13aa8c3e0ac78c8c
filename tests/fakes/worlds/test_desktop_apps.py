"""Apps, windows and elements from a run sheet."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.settings import SettingsProblem
from fakes.worlds.desktop_apps import DEFAULT_APPS, apps

NOTES = {"name": "Notes", "bundle": "com.example.notes"}


def test_the_default_desktop_has_three_apps() -> None:
    assert [app.key for app in apps(DEFAULT_APPS)] == ["com.apple.Chess", "com.apple.TextEdit", "com.apple.finder"]


def test_an_app_has_a_path_a_pid_and_a_number() -> None:
    [app] = apps([NOTES])
    assert (app.path, app.pid, app.asn) == ("/Applications/Notes.app", 501, "ASN:0x0-0x1f51f5:")
    assert app.window() is None


def test_two_copies_of_one_app_are_known_by_their_paths() -> None:
    first, second = apps([NOTES, {**NOTES, "path": "/Users/user/Notes.app"}])
    assert (first.key, second.key) == ("/Applications/Notes.app", "/Users/user/Notes.app")


def test_the_tree_is_walked_in_order_and_the_top_element_is_under_a_point() -> None:
    inner = {"id": "inner", "at": [5, 5, 10, 10]}
    elements = [{"id": "outer", "at": [0, 0, 50, 50], "children": [inner]}, {"id": "alone"}]
    [app] = apps([{**NOTES, "windows": [{"id": "w", "hidden": True}, {"id": "v", "elements": elements}]}])
    window = app.window()
    assert window is not None
    assert [(depth, element.id) for depth, element in window.walk()] == [(0, "outer"), (1, "inner"), (0, "alone")]
    for point, found in (((6, 6), "inner"), ((40, 40), "outer"), ((6, 40), "outer"), ((60, 6), None), ((6, 60), None)):
        element = window.under(*point)
        assert (element.id if element else None) == found
    assert window.find("inner") is not None
    assert window.find("nowhere") is None


def test_the_focused_element_is_found_wherever_it_stands() -> None:
    inner = {"id": "inner", "focused": True}
    windows = [{"id": "w", "elements": [{"id": "outer", "children": [inner]}]}]
    assert apps([{**NOTES, "windows": windows}])[0].focus == "inner"
    assert apps([NOTES])[0].focus is None


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "a list of apps"),
        ([{"name": "x"}], r"no 'bundle' in world.apps\[0\]"),
        ([{**NOTES, "colour": "red"}], r"unknown key 'colour' in world.apps\[0\]"),
        ([{**NOTES, "windows": [{"id": "w", "elements": [{"id": "e", "size": 1}]}]}],
         r"unknown key 'size' in world.apps\[0\].windows\[0\].elements\[0\]"),
        ([{**NOTES, "windows": [{"id": "w", "elements": [{"id": "e", "at": [1]}]}]}], "x, y, width, height"),
        ([{**NOTES, "windows": [{"id": "w"}, {"id": "w"}]}], "window id 'w' twice"),
        ([{**NOTES, "windows": [{"id": "w", "elements": [{"id": "e"}, {"id": "e"}]}]}], "element id of Notes 'e'"),
        ([NOTES, NOTES], "app path '/Applications/Notes.app' twice"),
        ([{**NOTES, "pid": 9}, {"name": "x", "bundle": "y", "pid": 9}], "pid '9' twice"),
    ],
)  # fmt: skip
def test_what_stands_for_two_things_or_is_unknown_is_refused(given: Any, words: str) -> None:
    with pytest.raises(SettingsProblem, match=words):
        apps(given)
