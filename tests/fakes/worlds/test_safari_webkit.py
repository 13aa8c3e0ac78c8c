"""The Safari world over real WebKit: what the model's parts say of an engine's documents, and what only it can meet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fakes.engines.keeper import parents
from fakes.engines.processes import pause
from fakes.engines.webdriver import DriverError
from fakes.engines.webkit import WebKit
from fakes.worlds.page_programs import ScriptError
from fakes.worlds.safari_webkit import SafariOnWebKit
from fakes.worlds.safari_windows import Tab
from harness.problem import Problem
from tests.fakes.worlds.recorded import Recorded

PAGES: dict[str, Any] = {
    "http://shop.test/": {
        "title": "Shop",
        "console": [{"level": "warn", "text": "early"}],
        "body": [
            {"id": "link", "tag": "a", "attributes": {"href": "/next"}, "text": "next"},
            {"id": "out", "tag": "a", "attributes": {"href": "/next", "target": "_blank"}, "text": "out"},
            {"id": "field", "tag": "input"},
            {"id": "ask", "tag": "button", "text": "ask", "on": {"click": [
                {"prompt": "who?", "then": [{"title": "yes"}], "else": [{"title": "no"}]}]}},
            {"id": "push", "tag": "button", "text": "push", "on": {"click": [{"push": "/pushed"}]}},
            {"id": "far", "tag": "button", "text": "far", "at": [20, 400, 50, 30], "on": {"click": [
                {"fetch": {"url": "/data", "body": "{}"}}]}},
            {"id": "leave", "tag": "button", "text": "leave", "on": {"click": [{"remove": "leave"}]}},
        ],
    },
    "http://shop.test/next": {"title": "Next", "body": ["next page"]},
    "http://shop.test/turns": [{"title": "One"}, {"title": "Two"}],
    "http://shop.test/held": {"title": "Held", "load_ms": 400, "body": ["held"]},
    "http://shop.test/framed": {
        "title": "Framed", "body": [{"id": "frame", "tag": "iframe", "attributes": {"src": "/next"}}],
    },
    "http://shop.test/bad": {"fails": "refused"},
    "https://safe.test/": {"title": "Safe", "body": ["safe"]},
}  # fmt: skip


class Opened:
    """A world, its record, and one tab of a session with the shop in it."""

    def __init__(self, engine: WebKit, **settings: Any) -> None:
        self.record = Recorded()
        self.world = SafariOnWebKit(self.record, {"pages": PAGES, **settings}, engine=engine)
        self.window = self.world.session_window(1, "test")
        self.tab = self.go(self.world.open_tab(1, self.window, "http://shop.test/"))

    def until(self, reached: Callable[[], object]) -> None:
        while not reached():
            pause(0.01)
            self.world.advance()

    def go(self, tab: Tab) -> Tab:
        self.until(lambda: not tab.loading)
        return tab

    def act(self, verb: str, name: str | None = None, value: Any = None) -> None:
        self.world.advance()
        document = self.tab.document
        node = None if name is None else document.page.find(name)
        self.world.act(1, self.tab, document, node, verb, value)


@pytest.fixture(scope="module")
def engine() -> Iterator[WebKit]:
    made = WebKit({}, waits=False, timeout_s=8)
    made.start()
    yield made
    made.close()


@pytest.fixture
def opened(engine: WebKit) -> Iterator[Opened]:
    made = Opened(engine)
    yield made
    made.world.close()


def test_it_is_refused_where_time_is_virtual() -> None:
    record = Recorded()
    record.may_block = False
    with pytest.raises(Problem, match="--mode process"):
        SafariOnWebKit(record, {})


def test_without_a_look_no_engine_is_started() -> None:
    record = Recorded()
    world = SafariOnWebKit(record, {"windows": [{"id": 7, "tabs": [{"url": "http://nowhere.test/"}]}]})
    world.advance()
    world.close()
    assert world.engine is None and record.of("held") == []


engines = [pytest.mark.engine("webkit"), pytest.mark.engine("xvfb")]


def marked(test: Any) -> Any:
    for mark in engines:
        test = mark(test)
    return test


@marked
def test_a_tab_shows_what_the_engine_shows(opened: Opened) -> None:
    tab, world = opened.tab, opened.world
    assert (tab.url, tab.title, tab.document.ready, tab.loads) == ("http://shop.test/", "Shop", "complete", 1)
    assert tab.history == ["about:blank", "http://shop.test/"]
    page = tab.document.page
    assert page.find("far").tag == "button" and page.layout(1200).boxes[page.find("far")] == (20, 400, 50, 30)
    assert page.layout(1200).under(45, 415) is page.find("far") and page.layout(1200).under(1100, 700) is None
    assert page.text().startswith("next") and page.select("a[target]") == [page.find("out")]
    assert world.evaluate(tab.document, "return [document.title, document.body, {a: document.body}]") == [
        "Shop", {}, {"a": {}},
    ]  # fmt: skip
    assert [row["text"] for row in tab.console] == ["early"]
    assert [(row["url"], row["status"]) for row in tab.requests] == [("http://shop.test/", 200)]
    assert [line["what"]["url"] for line in opened.record.of("changed") if "url" in line["what"]] == ["http://shop.test/"]
    assert "loaded:tab-1" in opened.record.woken


@marked
def test_scripts_that_throw_say_it_as_javascript_does(opened: Opened) -> None:
    for script, text in (("throw new TypeError('boom')", "boom"), ("return nothing.at.all", "nothing")):
        with pytest.raises(ScriptError, match=text):
            opened.world.evaluate(opened.tab.document, script)


@marked
def test_a_click_that_navigates_makes_a_new_document_by_that_effect(opened: Opened) -> None:
    before = opened.tab.document
    opened.act("click", "link")
    opened.until(lambda: opened.tab.title == "Next")
    assert opened.tab.document is not before and not before.alive
    (effect,) = [n for n, line in enumerate(opened.record.lines) if line["e"] == "effect" and line["verb"] == "click"]
    arrived = [line for line in opened.record.of("changed") if line["what"].get("url") == "http://shop.test/next"]
    assert [line["by"] for line in arrived] == [f"effect:{effect}"]
    opened.world.back(opened.tab.document, "user")
    opened.go(opened.tab)
    assert (opened.tab.url, opened.tab.at) == ("http://shop.test/", 1)
    reloaded = opened.tab.document
    opened.world.reload(reloaded, "user")
    opened.go(opened.tab)
    assert opened.tab.document is not reloaded and opened.tab.at == 1


@marked
def test_a_pushed_address_stays_in_its_document(opened: Opened) -> None:
    before = opened.tab.document
    opened.act("click", "push")
    opened.until(lambda: opened.tab.url == "http://shop.test/pushed")
    assert opened.tab.document is before and opened.tab.history[-1] == "http://shop.test/pushed"
    opened.world.load(opened.tab, "http://shop.test/pushed#part", "user", None)
    opened.until(lambda: opened.tab.url.endswith("#part"))
    assert opened.tab.document is before and not opened.tab.loading


@marked
def test_a_link_to_a_new_tab_makes_one_and_closing_it_ends_its_window(opened: Opened) -> None:
    opened.act("click", "out")
    opened.until(lambda: len(opened.window.tabs) == 2 and opened.window.tabs[1].title == "Next")
    new = opened.window.tabs[1]
    assert new.opener is opened.tab and not new.loading
    opened.world.close_tab(1, new)
    assert opened.window.tabs == [opened.tab] and new.closed
    opened.world.page_does(opened.tab.document, [{"close": True}], "page")
    opened.world.end_session(1)
    assert opened.window.closed and opened.world.windows == []


@marked
@pytest.mark.parametrize(("accept", "title"), [(True, "yes"), (False, "no")])
def test_a_dialog_is_open_until_it_is_answered(opened: Opened, accept: bool, title: str) -> None:
    opened.act("click", "ask")
    assert [dialog.text for dialog in opened.tab.dialogs] == ["who?"]
    before = opened.tab.document.page
    assert before.title == "Shop"  # what was read before stays
    with pytest.raises(ScriptError, match="unexpected alert open"):
        opened.world.evaluate(opened.tab.document, "return 1")
    opened.world.answer_dialog(opened.tab, accept, "me" if accept else "", "user")
    opened.until(lambda: opened.tab.title == title)
    assert opened.tab.dialogs == []


@marked
def test_a_page_may_ask_by_itself(opened: Opened) -> None:
    opened.world.page_does(opened.tab.document, [{"after_ms": 1, "do": [{"alert": "hello"}]}, {"throw": "no"}], "page")
    opened.until(lambda: opened.tab.dialogs)
    assert opened.record.of("changed")[-1]["what"] == {"tab": "tab-1", "dialog": "alert", "text": "hello"}


@marked
@pytest.mark.parametrize(
    ("url", "why"),
    [("http://nowhere.test/", "host"), ("http://shop.test/bad", "refused"), ("https://shop.test/", "host")],
)
def test_a_load_that_fails_is_safaris_own_page(opened: Opened, url: str, why: str) -> None:
    opened.world.navigate(1, opened.tab, url)
    opened.go(opened.tab)
    document = opened.tab.document
    assert (opened.tab.url, document.error, document.url) == (url, why, "safari-resource:/ErrorPage.html")
    assert opened.world.evaluate(document, "return location.href") == document.url
    opened.world.act(1, opened.tab, document, None, "keyPress", "x")
    opened.world.navigate(1, opened.tab, "https://safe.test/")
    opened.go(opened.tab)
    assert opened.tab.title == "Safe" and opened.tab.document.error is None


@marked
def test_turns_are_counted_anew_in_each_world(opened: Opened) -> None:
    for title in ("One", "Two", "Two"):
        opened.world.navigate(1, opened.tab, "http://shop.test/turns")
        opened.go(opened.tab)
        assert opened.tab.title == title


@marked
def test_a_long_load_is_seen_while_it_lasts(opened: Opened) -> None:
    opened.world.navigate(1, opened.tab, "http://shop.test/held")
    assert opened.tab.loading and opened.world.next_due() is not None
    opened.until(lambda: opened.tab.title == "Held")
    assert opened.tab.document.ready == "loading"
    opened.go(opened.tab)
    assert opened.world.next_due() is None


@marked
def test_frames_are_documents_and_scripts_run_in_them(opened: Opened) -> None:
    opened.world.navigate(1, opened.tab, "http://shop.test/framed")
    opened.go(opened.tab)
    opened.world.advance()
    frame = opened.tab.document.page.find("frame").frame
    assert frame.url == "http://shop.test/next" and "next page" in [
        child for child in frame.page.body.children if isinstance(child, str)
    ]
    assert opened.world.evaluate(frame, "return await document.title") == "Next"
    opened.world.advance()
    assert opened.tab.document.page.find("frame").frame is frame
    opened.world.page_does(opened.tab.document, [{"remove": "frame"}], "page")
    opened.world.advance()
    with pytest.raises(ScriptError):
        opened.world.evaluate(frame, "return 1")


@marked
def test_a_node_that_has_left_is_no_crash(opened: Opened) -> None:
    node = opened.tab.document.page.find("leave")
    opened.act("click", "leave")
    opened.world.act(1, opened.tab, opened.tab.document, node, "click", None)
    opened.world.advance()
    assert "leave" not in opened.tab.document.page.names() and not node.connected


@marked
def test_a_key_goes_to_the_focus_that_a_client_asked_for(opened: Opened) -> None:
    opened.world.advance()
    page = opened.tab.document.page
    page.focus = page.find("field")
    opened.world.perform(opened.tab.document, None, "keyPress", "x", "effect:1")
    opened.world.advance()
    assert opened.tab.document.page.find("field").value == "x"


@marked
def test_viewport_and_media_are_the_engines(opened: Opened) -> None:
    opened.world.resize(1, 640, 480)
    opened.world.emulate(1, opened.tab, "print")
    script = "return [innerWidth, innerHeight, matchMedia('print').matches]"
    assert opened.world.evaluate(opened.tab.document, script) == [640, 480, True]


@marked
def test_a_window_of_another_size_has_a_page_of_another_size(engine: WebKit) -> None:
    made = Opened(engine, windows=[{"id": 7, "tabs": [{"url": "http://shop.test/next"}, {"url": "http://shop.test/"}]}])
    tab, unseen = made.world.window(7).tabs
    size = "return [innerWidth, innerHeight]"
    before: Any = made.world.evaluate(tab.document, size)
    made.world.change("user", move_window={"window": 7, "bounds": [9, 9, 1000, 700]})
    assert made.world.evaluate(tab.document, size) == [before[0] - 200, before[1] - 100]
    assert made.world.evaluate(made.tab.document, size) == before
    assert unseen not in made.world._shown
    made.world.close()


@marked
def test_a_users_tab_is_shown_when_somebody_looks(engine: WebKit) -> None:
    windows = [{"id": 7, "tabs": [{"url": "http://shop.test/next"}]}]
    made = Opened(engine, windows=windows)
    tab = made.world.window(7).tabs[0]
    assert tab.document.page.find("body").tag == "body" and tab.title == "Next"
    assert made.world.evaluate(tab.document, "return document.title") == "Next"
    made.world.close()
    assert [line["e"] for line in made.record.lines[-2:]] == ["held", "freed"]
    assert made.record.lines[-1]["id"].startswith("WebKitGTK ")


@marked
def test_an_engine_of_its_own_comes_with_the_first_look_and_goes_with_the_world() -> None:
    record = Recorded()
    world = SafariOnWebKit(record, {"pages": PAGES})
    tab = world.open_tab(1, world.session_window(1, "test"), "http://shop.test/next")
    engine = world.engine
    assert engine is not None
    own = engine.processes()
    assert set(own) <= set(parents())
    world.close()
    world.close()
    assert not set(own) & set(parents())
    world.advance()
    assert [*tab.console] == []  # nobody is there to ask
    assert [line["e"] for line in record.lines].count("freed") == 1


@marked
def test_an_engine_that_was_ended_is_looked_at_no_more(engine: WebKit) -> None:
    made = SafariOnWebKit(Recorded(), {"pages": PAGES})
    made.open_tab(1, made.session_window(1, "test"), "http://shop.test/next")
    assert made.engine is not None
    made.engine.close()
    made.advance()
    made.close()


@marked
def test_a_window_that_its_page_closes_is_a_tab_that_is_gone(opened: Opened) -> None:
    opened.act("click", "out")
    opened.until(lambda: len(opened.window.tabs) == 2 and opened.window.tabs[1].title == "Next")
    new = opened.window.tabs[1]
    handle = opened.world.shown(new).handle
    assert opened.world.engine is not None
    opened.world.engine.close_window(handle)
    opened.world.advance()
    assert new.closed and opened.window.tabs == [opened.tab]


@marked
def test_what_an_engine_says_otherwise_is_no_secret(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: Any) -> None:
        raise DriverError("invalid argument", "a defect")

    monkeypatch.setattr("fakes.worlds.safari_webkit.act", refuse)
    with pytest.raises(DriverError, match="a defect"):
        opened.act("click", "link")
    monkeypatch.setattr(WebKit, "evaluate", refuse)
    with pytest.raises(DriverError, match="a defect"):
        opened.world.page_does(opened.tab.document, [], "page")
    monkeypatch.undo()


@marked
@pytest.mark.parametrize("code", ["no such window", "no such frame"])
def test_a_document_that_leaves_by_what_it_does_is_no_error(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    gone = _raiser(DriverError(code, "before the unload event"))
    monkeypatch.setattr("fakes.worlds.safari_webkit.act", gone)
    opened.act("click", "link")
    monkeypatch.setattr(WebKit, "screenshot", gone)
    assert opened.world.picture_size(opened.tab, False) is None
    monkeypatch.setattr(WebKit, "evaluate", gone)
    opened.world.page_does(opened.tab.document, [{"close": True}], "page")
    monkeypatch.undo()


@marked
def test_between_two_documents_and_without_a_dialog_nothing_is_noticed(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = len(opened.record.lines)
    for error in (DriverError("javascript error", "unloading"), DriverError("unexpected alert open", "")):
        monkeypatch.setattr("fakes.worlds.safari_webkit.walker.look", _raiser(error))
        opened.world.advance()
    monkeypatch.undo()
    assert len(opened.record.lines) == lines and opened.tab.dialogs == []


def _raiser(error: Exception) -> Callable[..., None]:
    def raise_it(*given: Any) -> None:
        raise error

    return raise_it
