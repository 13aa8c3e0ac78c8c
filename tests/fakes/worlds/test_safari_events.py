"""What Safari does at Apple Events, without a program that sends them: consent, changes, errors, the record."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.settings import SettingsProblem
from fakes.worlds.safari import Safari
from fakes.worlds.safari_dictionary import AppleEventError
from fakes.worlds.safari_events import events_of, expect_error
from tests.fakes.osascript.drive import WORLD
from tests.fakes.worlds.recorded import Book

ROOT = ["app", "Safari"]
WINDOW = [ROOT, ["p", "windows"], ["id", 7]]


class Events:
    """A world, and events to it from process 1."""

    def __init__(self, **world: Any) -> None:
        self.book = Book()
        self.world = Safari(self.book, {**WORLD, **world})
        self.events = events_of(self.world)
        self.ran: list[tuple[str, str]] = []

    def send(self, event: str, path: Any, value: Any = None, **options: Any) -> Any:
        request = {"event": event, "path": path, "value": value, "options": options}
        return self.events.perform(1, request, self._evaluate)

    def _evaluate(self, p: int, tab: Any, text: str) -> Any:
        self.ran.append((tab.key, text))
        return "value"

    def fails(self, event: str, path: Any, value: Any = None, **options: Any) -> int:
        with pytest.raises(AppleEventError) as raised:
            self.send(event, path, value, **options)
        return raised.value.number


def new(kind: str, **properties: Any) -> Any:
    return {"made": {"class": kind, "properties": properties}}


def test_one_object_of_a_world_answers() -> None:
    made = Events()
    assert events_of(made.world) is made.events


def test_count_and_exists() -> None:
    made = Events()
    assert made.send("count", [ROOT, ["p", "windows"]]) == {"value": 3}
    assert made.send("count", [*WINDOW, ["p", "tabs"], ["p", "name"]]) == {"value": 2}
    assert made.send("count", [ROOT, ["p", "windows"], ["id", 9], ["p", "tabs"]]) == {"value": 0}
    assert made.fails("count", WINDOW) == -1728
    assert made.send("exists", WINDOW) == {"value": True}
    for missing in ([*WINDOW[:-1], ["id", 1]], [*WINDOW[:-1], ["at", 5]]):
        assert made.send("exists", missing) == {"value": False}
    assert made.fails("exists", [*WINDOW[:-1], ["whose", 1]]) == -1700


def test_refs_are_shown_once_until_they_mean_something_else() -> None:
    made = Events()
    for _ in range(2):
        made.send("get", [ROOT, ["p", "windows"], ["p", "id"]])
    shown = [(line["ref"], line["what"]) for line in made.book.of("shown")]
    assert shown == [
        ("7", {"window": "window-7"}), ("7/page", {"window": "window-7", "tab": "tab-1"}),
        ("8", {"window": "window-8"}), ("8/page", {"window": "window-8", "tab": "tab-3"}),
    ]  # fmt: skip
    made.world.change("user", select="tab-2")
    made.send("get", [ROOT, ["p", "windows"], ["p", "id"]])
    assert [line["what"] for line in made.book.of("shown")[4:]] == [{"window": "window-7", "tab": "tab-2"}]


@pytest.mark.parametrize(
    ("name", "value", "attribute", "now"),
    [
        ("bounds", {"x": 1, "y": 2, "width": 3, "height": 4}, "bounds", [1, 2, 3, 4]),
        ("visible", False, "visible", False),
        ("miniaturized", True, "miniaturized", True),
        ("zoomed", True, "zoomed", True),
    ],
)
def test_what_of_a_window_can_be_set(name: str, value: Any, attribute: str, now: Any) -> None:
    made = Events()
    assert made.send("set", [*WINDOW, ["p", name]], value) == {"value": None}
    assert getattr(made.world.window(7), attribute) == now
    (changed,) = made.book.of("changed")
    assert (changed["by"], changed["what"]["window"]) == ("driver:1", "window-7")


def test_order_current_tab_and_url_can_be_set() -> None:
    made = Events()
    made.send("set", [ROOT, ["p", "windows"], ["id", 8], ["p", "index"]], 1)
    assert made.world.windows[0].id == 8
    second = [*WINDOW, ["p", "tabs"], ["at", 1]]
    made.send("set", [*WINDOW, ["p", "currentTab"]], {"specifier": second})
    assert made.world.window(7).current == 1
    made.send("set", [*second, ["p", "URL"]], "http://a.test/5")
    made.send("set", [*WINDOW, ["p", "document"], ["p", "url"]], "http://a.test/6")
    assert [(line["verb"], line["value"]) for line in made.book.of("effect")] == [
        ("navigate", "http://a.test/5"),
        ("navigate", "http://a.test/6"),
    ]


@pytest.mark.parametrize(
    ("path", "value", "number"),
    [
        ([*WINDOW, ["p", "bounds"]], {"x": 1}, -1700),
        ([*WINDOW, ["p", "bounds"]], "all", -1700),
        ([*WINDOW, ["p", "visible"]], 1, -1700),
        ([*WINDOW, ["p", "index"]], 2, -10006),
        ([*WINDOW, ["p", "id"]], 2, -10006),
        ([*WINDOW, ["p", "currentTab"]], "tab", -1700),
        (
            [*WINDOW, ["p", "currentTab"]],
            {"specifier": [ROOT, ["p", "windows"], ["id", 8], ["p", "currentTab"]]},
            -10006,
        ),
        ([*WINDOW, ["p", "currentTab"], ["p", "url"]], 5, -1700),
        ([ROOT, ["p", "windows"], ["id", 1], ["p", "bounds"]], {}, -10006),
        ([ROOT, ["p", "windows"], ["at", 9], ["p", "bounds"]], {}, -1719),
    ],
)
def test_what_can_not_be_set(path: Any, value: Any, number: int) -> None:
    assert Events().fails("set", path, value) == number


def test_windows_and_tabs_are_made_and_closed() -> None:
    made = Events()
    document = made.send("make", [ROOT], new("Document", url="http://b.test/7"))
    assert document["specifier"][1:] == [["p", "documents"], ["at", 0]]
    assert made.world.windows[0].pid == 763
    assert made.send("push", [*WINDOW, ["p", "tabs"]], new("Tab", URL="http://b.test/8")) == {"value": 3}
    assert made.world.window(7).current == 0
    assert made.send("push", [*WINDOW, ["p", "tabs"]], new("Tab")) == {"value": 4}
    made.send("close", [*WINDOW, ["p", "tabs"], ["at", 3]])
    made.send("close", [ROOT, ["p", "windows"], ["id", 9]])
    assert [(line["verb"], line["value"]) for line in made.book.of("effect")] == [
        ("open", "http://b.test/7"), ("open", "http://b.test/8"), ("open", "about:blank"),
        ("close", None), ("close", None),
    ]  # fmt: skip
    assert [window.id for window in made.world.windows] == [10, 7, 8]


def test_what_is_not_made_and_not_closed() -> None:
    made = Events()
    assert made.fails("make", [ROOT], new("Tab")) == -10000
    assert made.fails("make", [ROOT], "Document") == -1700
    assert made.fails("make", WINDOW, new("Document")) == -10000
    assert made.fails("push", [*WINDOW, ["p", "tabs"]], new("Document")) == -10000
    assert made.fails("close", [ROOT]) == -1708
    assert made.fails("quit", [ROOT]) == -1708
    assert [line["name"] for line in made.book.of("violation")] == ["quit"]


def test_activate_brings_a_process_to_the_front() -> None:
    made = Events(
        processes=[{"pid": 763}, {"pid": 900}],
        windows=[{"id": 1, "tabs": [{}]}, {"id": 2, "pid": 900, "tabs": [{}]}, {"id": 3, "tabs": [{}]}],
    )
    made.send("activate", [["app", 900]])
    assert [window.id for window in made.world.windows] == [2, 1, 3]
    assert made.send("launch", [ROOT]) == {"value": None}


def test_javascript_needs_its_setting_and_a_tab() -> None:
    made = Events()
    tab = {"specifier": [*WINDOW, ["p", "currentTab"]]}
    assert made.send("doJavaScript", [ROOT], "1", **{"in": tab}) == {"value": "value"}
    assert made.send("doJavaScript", [ROOT], "2", **{"in": {"specifier": [*WINDOW, ["p", "document"]]}})
    assert made.ran == [("tab-1", "1"), ("tab-1", "2")]
    assert made.fails("doJavaScript", [ROOT], "1") == -1708
    assert made.fails("doJavaScript", [ROOT], 1, **{"in": tab}) == -1708
    assert made.fails("doJavaScript", [ROOT], "1", **{"in": {"specifier": WINDOW}}) == -1708
    made.world.permit("javascript_from_apple_events", False)
    assert made.fails("doJavaScript", [ROOT], "1", **{"in": tab}) == 8


def test_who_is_reached() -> None:
    made = Events(processes=[{"pid": 763}, {"pid": 900}])
    assert made.events.pids() == [763, 900]
    assert made.events.application(1, "Safari", False).pid == 763
    assert made.events.application(1, "com.apple.Safari", True).pid == 900
    assert made.events.application(1, 900, False).pid == 900
    assert [made.events.known(name) for name in ("Safari", "Finder", "Nope", 900, 901)] == [
        True,
        True,
        False,
        True,
        False,
    ]
    assert [made.events.running(name) for name in ("Safari", "Finder", 900, 901)] == [True, True, True, False]
    with pytest.raises(AppleEventError, match="-1708"):
        made.events.application(1, "Finder", False)
    made.world.permit("automation", "denied")
    with pytest.raises(AppleEventError, match="-1743"):
        made.events.application(1, "Safari", False)


def test_a_safari_that_ended_is_an_invalid_connection_once_and_to_those_who_knew_it() -> None:
    made = Events()
    made.events.application(1, "Safari", False)
    made.world.change("user", crash=763)
    assert made.events.running("Safari") is False
    for p, number in ((1, "-609"), (1, "-600"), (2, "-600")):
        with pytest.raises(AppleEventError, match=number):
            made.events.application(p, "Safari", False)
    with pytest.raises(AppleEventError, match="-600"):
        made.events.application(1, 763, False)
    assert [line["p"] for line in made.book.lines if line["e"] == "unsaid"] == [1]
    assert len(made.book.of("violation")) == 2


def test_what_holds_an_event() -> None:
    made = Events()
    request = {"event": "doJavaScript", "path": [ROOT], "value": "1", "options": {}}
    shown = {**request, "options": {"in": {"specifier": [*WINDOW, ["p", "currentTab"]]}}}
    assert [made.events.held(each) for each in (request, shown)] == [False, False]
    made.world.change("page", dialog={"tab": "tab-1", "text": "?"})
    assert [made.events.held(each) for each in (request, shown)] == [False, True]
    assert not made.events.held({**shown, "event": "get"})
    made.world.change("user", crash=763)
    assert not made.events.held(shown)
    made.world.permit("automation", "unasked")
    assert made.events.held({**shown, "event": "get"})


def test_an_error_is_ordered_for_one_event() -> None:
    made = Events()
    made.world.change("fault:f1", apple_event={"number": -609, "runs": "now"})
    ordered = made.events.take_ordered()
    assert ordered is not None
    assert (ordered.number, ordered.runs, ordered.wait_ms, ordered.late_ms) == (-609, "now", 0, 5000)
    assert made.events.take_ordered() is None
    for wrong in ({"number": 0}, {"runs": "twice"}, {"other": 1}, 5):
        with pytest.raises(SettingsProblem):
            expect_error(made.world, "user", wrong)
