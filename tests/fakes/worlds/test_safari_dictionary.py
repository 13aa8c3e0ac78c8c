"""Safari's dictionary: what a path names, and the properties of that."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.worlds.safari import Safari
from fakes.worlds.safari_dictionary import AppleEventError, Application, answer_of, resolve, thing
from tests.fakes.osascript.drive import WORLD
from tests.fakes.worlds.recorded import Book

ROOT = ["app", "Safari"]


def app() -> Application:
    return Application(Safari(Book(), WORLD), 763, ROOT)


def path(*steps: Any) -> list[Any]:
    """Texts are properties, numbers ids, and pairs as they are."""
    return [
        ROOT,
        *(["p", step] if isinstance(step, str) else ["id", step] if isinstance(step, int) else step for step in steps),
    ]


@pytest.mark.parametrize(
    ("steps", "value"),
    [
        (("name",), "Safari"),
        (("version",), "26.0"),
        (("id",), "com.apple.Safari"),
        (("frontmost",), True),
        (("windows", "id"), [7, 9, 8]),
        (("windows", 7, "index"), 1),
        (("windows", 8, "index"), 3),
        (("windows", ["at", -1], "id"), 8),
        (("windows", ["name", "Alpha"], "id"), 7),
        (("windows", 8, "name"), "Personal — Beta"),
        (("windows", 7, "bounds"), {"x": 0, "y": 38, "width": 1200, "height": 800}),
        (("windows", 7, "visible"), True),
        (("windows", 7, "miniaturized"), False),
        (("windows", 7, "zoomed"), False),
        (("windows", 7, "closeable"), True),
        (("windows", 7, "resizable"), True),
        (("windows", 7, "zoomable"), True),
        (("windows", 7, "miniaturizable"), True),
        (("windows", 7, "tabs", "URL"), ["http://a.test/1", "http://b.test/2"]),
        (("windows", 7, "tabs", "visible"), [True, False]),
        (("windows", 7, "tabs", ["at", 1], "index"), 2),
        (("windows", 7, "currentTab", "text"), "Hello"),
        (("windows", 9, "currentTab"), None),
        (("windows", 9, "document"), None),
        (("windows", 9, "tabs"), None),
        (("windows", 9, "name"), ""),
        (("windows", "tabs", "name"), [["Alpha", "Beta"], None, ["Beta"]]),
        (("windows", "currentTab", "name"), ["Alpha", None, "Beta"]),
        (("documents", "url"), ["http://a.test/1", "http://b.test/3"]),
        (("documents", ["name", "Personal — Beta"], "modified"), False),
        (("windows", 7, "document", "text"), "Hello"),
        (("windows", ["whose", {"name": "Alpha"}], "id"), [7]),
        (("windows", ["whose", {"name": {"_contains": "Beta"}}], "id"), [8]),
        (("windows", ["whose", {"name": {"_beginsWith": "Al"}, "visible": True}], "id"), [7]),
        (("windows", ["whose", {"name": {"_endsWith": "pha"}}], "id"), [7]),
    ],
)
def test_values(steps: tuple[Any, ...], value: Any) -> None:
    assert answer_of(resolve(app(), path(*steps))) == {"value": value}


@pytest.mark.parametrize(
    ("steps", "number", "about"),
    [
        (("windows", 99), -1728, "window id 99"),
        (("windows", ["name", "No"]), -1728, "window “No”"),
        (("windows", ["at", 3]), -1719, "window 4"),
        (("windows", 7, "tabs", ["at", 2]), -1719, "tab 3 of window id 7"),
        (("windows", 7, "tabs", 1), -1728, "tab id 1 of window id 7"),
        (("nothing",), -1728, None),
        (("windows", 7, "nothing"), -1728, None),
        (("windows", 9, "currentTab", "name"), -1728, None),
        (("windows", 7, ["at", 0]), -1728, None),
        (("windows", "tabs", ["at", 0]), -1728, None),
        (("windows", ["whose", "x"]), -1700, None),
        (("windows", ["whose", {"tabs": 1}]), -1700, None),
        (("windows", ["whose", {"name": {"_matches": "x"}}]), -1700, None),
    ],
)
def test_errors(steps: tuple[Any, ...], number: int, about: str | None) -> None:
    with pytest.raises(AppleEventError) as raised:
        resolve(app(), path(*steps))
    assert (raised.value.number, raised.value.about) == (number, about)


def test_objects_are_named_by_id_where_they_have_one() -> None:
    window = [ROOT, ["p", "windows"], ["id", 7]]
    assert answer_of(resolve(app(), path("windows", ["at", 0]))) == {"specifier": window}
    assert answer_of(resolve(app(), path("windows", 7, "currentTab"))) == {
        "specifier": [*window, ["p", "tabs"], ["at", 0]]
    }
    every = answer_of(resolve(app(), path("windows", "currentTab")))["specifiers"]
    assert [each and each["specifier"][2] for each in every] == [["id", 7], None, ["id", 8]]
    nested = answer_of(resolve(app(), path("windows", "tabs")))["specifiers"]
    assert [each if each is None else len(each) for each in nested] == [2, None, 1]


def test_windows_are_those_of_the_process() -> None:
    other = Application(Safari(Book(), {**WORLD, "processes": [{"pid": 763}, {"pid": 900}]}), 900, ROOT)
    assert answer_of(resolve(other, path("windows", "id"))) == {"value": []}


def test_one_object_of_a_kind() -> None:
    assert thing(app(), path("windows", 7), "window").of.id == 7
    for steps in (("windows",), ("windows", 7, "name"), ("windows", 7, "currentTab")):
        with pytest.raises(AppleEventError):
            thing(app(), path(*steps), "window")
