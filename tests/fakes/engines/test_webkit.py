"""The engine on real WebKitGTK: windows, pages, values, pictures, dialogs, what the inspector adds, and its end."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from fakes.engines import gestures, webkit
from fakes.engines.keeper import parents
from fakes.engines.processes import SHARED, pause
from fakes.engines.webdriver import DriverError, Hung, element
from fakes.engines.webkit import INNER, WebKit
from harness.problem import Problem

pytestmark = [pytest.mark.engine("webkit"), pytest.mark.engine("xvfb")]
BUTTON = "position:absolute;left:100px;top:200px;width:100px;height:50px"
PAGES: dict[str, Any] = {
    "http://shop.test/": {
        "body": f"<!doctype html><title>Shop</title><style>@media print {{ p {{ color: red }} }}</style><p>Hi</p>"
        f"<button style='{BUTTON}' onclick=\"document.title = 'clicked ' + event.isTrusted\">B</button>"
        "<script>console.warn('early'); console.log('a', 1)</script>"
    },
    "http://shop.test/tall": {"body": "<!doctype html><title>Tall</title><div style='height: 3000px'>tall</div>"},
    "http://shop.test/next": {"body": "<title>Next</title>"},
    "http://shop.test/asks": {
        "body": f"<!doctype html><button style='{BUTTON}' onclick=\"document.title = prompt('name?')\">B</button>"
    },
    "http://shop.test/opens": {
        "body": f"<!doctype html><title>Opens</title><a style='{BUTTON}' href='/next' target=_blank>next</a>"
    },
    "http://shop.test/api": {"body": '{"ok": 1}', "headers": [["Content-Type", "application/json"]]},
    "https://safe.test/": {"body": "<title>Safe</title>"},
}


@pytest.fixture(scope="module")
def engine() -> Iterator[WebKit]:
    made = WebKit(PAGES)
    made.start()
    yield made
    made.close()


@pytest.fixture
def window(engine: WebKit) -> Iterator[str]:
    handle = engine.open("http://shop.test/")
    yield handle
    if handle in engine.handles():
        engine.close_window(handle)


def test_a_page_has_its_own_address_and_the_next_one_too(engine: WebKit, window: str) -> None:
    assert engine.info(window) == ("http://shop.test/", "Shop", "complete")
    engine.go(window, "https://safe.test/")
    assert engine.info(window) == ("https://safe.test/", "Safe", "complete")
    engine.go(window, "http://shop.test/next")
    engine.back(window)
    assert engine.info(window)[1] == "Safe"
    engine.reload(window)
    assert engine.info(window)[1] == "Safe"


def test_an_unknown_host_is_a_page_of_the_engine_and_no_error(engine: WebKit, window: str) -> None:
    engine.go(window, "http://nowhere.test/")
    assert engine.info(window)[0] == "about:blank"


VALUES: list[tuple[str, Any]] = [
    ("return 1 + 1", 2),
    ("1 + 1", None),
    ("return await Promise.resolve(5)", 5),
    ("return [NaN, undefined, null, 1.5, 'é', true]", [None, None, None, 1.5, "é", True]),
    ("return () => 1", {}),
    ("return arguments[0].a", [1, {"b": None}]),
]


@pytest.mark.parametrize(("script", "value"), VALUES)
def test_values_come_as_webdriver_makes_them(engine: WebKit, window: str, script: str, value: Any) -> None:
    assert engine.evaluate(window, script, {"a": [1, {"b": None}]}) == value


def test_an_element_is_a_reference_and_a_throw_an_error(engine: WebKit, window: str) -> None:
    assert element(engine.evaluate(window, "return document.body"))
    with pytest.raises(DriverError) as caught:
        engine.evaluate(window, "throw new Error('boom')")
    assert caught.value.code == "javascript error" and "boom" in caught.value.message


def test_windows_come_in_order_and_go(engine: WebKit, window: str) -> None:
    before = engine.handles()
    second, third = engine.open("http://shop.test/next"), engine.open()
    assert engine.handles() == [*before, second, third]
    engine.close_window(second)
    assert engine.handles() == [*before, third]
    with pytest.raises(DriverError) as caught:
        engine.info(second)
    assert caught.value.code == "no such window"
    engine.close_window(third)
    assert engine.info(window)[1] == "Shop"


def test_a_click_is_the_users_and_a_link_may_open_a_window(engine: WebKit, window: str) -> None:
    engine.perform(window, gestures.click(150, 225))
    assert engine.info(window)[1] == "clicked true"
    engine.go(window, "http://shop.test/opens")
    before = engine.handles()
    engine.perform(window, gestures.click(150, 225))
    new: list[str] = []
    while not new:
        new = [handle for handle in engine.handles() if handle not in before]
    while engine.info(new[0])[1] != "Next":
        pause(0.01)
    engine.close_window(new[0])


def test_two_windows_at_once_are_told_apart(engine: WebKit, window: str) -> None:
    made = [engine.do("POST", "/window/new", {"type": "window"})["handle"] for _ in range(2)]
    assert engine.handles()[-2:] == made
    for name, handle in zip(("a", "b"), made, strict=True):
        engine.evaluate(handle, f"console.log('window {name}')")
    for name, handle in zip(("a", "b"), made, strict=True):
        said = [event["params"]["message"]["text"] for event in engine.events(handle) if "Console.m" in event["method"]
                and "message" in event["params"]]  # fmt: skip
        assert said == [f"window {name}"]
        engine.close_window(handle)


def test_console_and_network_are_the_engines_own(engine: WebKit, window: str) -> None:
    engine.evaluate(window, "await fetch('/api'); return null")
    events = engine.events(window)
    messages = [event["params"]["message"] for event in events if event["method"] == "Console.messageAdded"]
    assert [(message["level"], message["text"]) for message in messages] == [("warning", "early"), ("log", "a")]
    answers = {
        event["params"]["response"]["url"]: event["params"]
        for event in events if event["method"] == "Network.responseReceived"
    }  # fmt: skip
    answer = answers["http://shop.test/api"]
    assert answer["response"]["status"] == 200 and answer["response"]["mimeType"] == "application/json"
    assert engine.body(window, answer["requestId"]) == '{"ok": 1}'
    assert engine.body(window, "0.999999") is None


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def test_pictures_are_of_the_viewport_or_of_the_whole_page(engine: WebKit, window: str) -> None:
    engine.viewport(window, 640, 480)
    engine.go(window, "http://shop.test/tall")
    assert engine.evaluate(window, "return [innerWidth, innerHeight]") == [640, 480]
    assert size_of(engine.screenshot(window)) == (640, 480)
    assert size_of(engine.screenshot(window, full=True))[1] > 3000


def test_a_media_type_is_emulated_and_taken_back(engine: WebKit, window: str) -> None:
    is_print = "return matchMedia('print').matches"
    engine.emulate(window, "print")
    assert engine.evaluate(window, is_print) is True
    engine.emulate(window, "")
    assert engine.evaluate(window, is_print) is False


def test_a_dialog_stays_until_it_is_answered(engine: WebKit, window: str) -> None:
    assert engine.dialog(window) is None
    engine.go(window, "http://shop.test/asks")
    engine.perform(window, gestures.click(150, 225))
    assert engine.dialog(window) == "name?"
    with pytest.raises(DriverError) as caught:
        engine.info(window)
    assert caught.value.code == "unexpected alert open"
    engine.answer_dialog(window, True, "me")
    assert engine.info(window)[1] == "me"
    with pytest.raises(DriverError):
        engine.answer_dialog(window, False)


def test_a_window_with_a_dialog_can_be_closed(engine: WebKit) -> None:
    handle = engine.open("http://shop.test/asks")
    engine.perform(handle, gestures.click(150, 225))
    assert engine.dialog(handle) == "name?"
    engine.close_window(handle)
    assert handle not in engine.handles()


def test_pages_can_change_while_the_browser_runs(engine: WebKit, window: str) -> None:
    engine.serve({"http://new.test/": {"body": "<title>New</title>"}})
    engine.go(window, "http://new.test/")
    engine.serve(PAGES)
    assert engine.info(window)[1] == "New"


def test_without_the_inspector_what_needs_it_is_refused() -> None:
    made = WebKit(PAGES, inspected=False)
    made.start()
    try:
        handle = made.open("http://shop.test/next")
        assert made.info(handle)[1] == "Next"
        with pytest.raises(Problem, match="inspector"):
            made.events(handle)
        with pytest.raises(DriverError):
            made.events("page-0")
    finally:
        made.close()


def test_a_page_that_hangs_takes_the_browser_with_it_and_no_other() -> None:
    first, second = WebKit(PAGES, timeout_s=3), WebKit(PAGES)
    second.start()
    first.start()
    try:
        handle, other = first.open("http://shop.test/"), second.open("http://shop.test/next")
        held = first.processes()
        with pytest.raises(Hung):
            first.evaluate(handle, "while (true) {}")
        assert not first.is_up
        assert not set(held) & set(parents())
        with pytest.raises(Hung, match="has been ended"):
            first.info(handle)
        assert second.info(other)[1] == "Next"
    finally:
        first.close()
        second.close()


def test_a_browser_that_does_not_start_is_a_problem_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    holders = SHARED._holders
    monkeypatch.setattr(webkit, "DRIVER", "true")
    monkeypatch.setattr(webkit, "UP_TRIES", 3)
    with pytest.raises(Problem, match="did not start"):
        WebKit(PAGES).start()
    monkeypatch.setattr(webkit, "DRIVER", "no-such-driver")
    with pytest.raises(Problem, match="make engines"):
        WebKit(PAGES).start()
    assert SHARED._holders == holders


def test_the_page_knows_its_size_once_it_was_given(engine: WebKit, window: str) -> None:
    for size in ([640, 480], [700, 500], [640, 480]):
        engine.viewport(window, *size)
        assert engine.evaluate(window, INNER) == size
