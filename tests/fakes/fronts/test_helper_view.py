"""How a window and the list of apps are drawn as text."""

from __future__ import annotations

from binascii import a2b_base64

from fakes.fronts.helper_view import PICTURE, app_line, state_text
from tests.fakes.worlds.desk import desk

ELEMENTS = [
    {"id": "group", "role": "group", "title": "Board", "children": [
        {"id": "field", "role": "text field", "settable": True, "value": "x", "focused": True,
         "actions": ["AXConfirm"]},
    ]},
    {"id": "secret", "role": "secure text field", "title": "Password", "value": "abc", "secret": True},
]  # fmt: skip


def test_a_window_is_a_header_a_tree_and_the_keyboard() -> None:
    desktop, _ = desk(apps=[{"name": "A", "bundle": "a", "windows": [{"id": "w", "title": "T", "elements": ELEMENTS}]}])
    app = desktop.app("a")
    view = desktop.look(2, app)
    view.nodes[1][1].selected = "x"
    assert state_text(app, view).split("\n") == [
        "App=a (pid 501)",
        'Window: "T", App: A.',
        "\t0 group Board",
        "\t\t1 text field (settable) Value: x, Selected: x, Secondary Actions: AXConfirm",
        "\t2 secure text field Password, Value: •••",
        "",
        "The focused UI element is 1 text field (settable) Value: x, Selected: x, Secondary Actions: AXConfirm.",
        "",
    ]
    app.focus = None
    assert "No UI element is currently focused." in state_text(app, view)


def test_a_line_of_the_list_says_what_runs_and_what_is_in_front() -> None:
    desktop, _ = desk(apps=[{"name": "A", "bundle": "a", "running": False}, {"name": "B", "bundle": "b", "uses": 7}])
    lines = [app_line(app, app is desktop.front) for app in desktop.apps]
    assert lines == ["A — a [last-used=2025-12-01, uses=1]", "B — b [running, frontmost, last-used=2025-12-01, uses=7]"]


def test_the_picture_is_a_png() -> None:
    assert a2b_base64(PICTURE, strict_mode=True).startswith(b"\x89PNG\r\n\x1a\n")
