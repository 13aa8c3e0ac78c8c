"""Actions in a real Chromium: on the one node that was meant, with an effect that was seen, or not at all."""

from __future__ import annotations

import json

import pytest

from tests.stack.chrome.browser.chrome import Chrome
from tests.stack.chrome.browser.pages import html

pytestmark = pytest.mark.engine("chromium", stands_for=("browser", "extension", "page"))


@pytest.mark.claim("CHR-ACT-01", tooth="the tab in front, which has the same page and stays as it is")
@pytest.mark.parametrize("window", [False, True])
def test_the_tab_behind_is_acted_on(chrome: Chrome, window: bool) -> None:
    path = chrome.pages.put(
        "/tabs", "<button onclick=\"document.title = 'pressed'\">Press</button><input aria-label=F>"
    )
    behind, tab = chrome.tab(path)
    front, _ = chrome.tab(path, window=window)
    chrome.browser.call("Page.bringToFront", session=front)
    seen = chrome.snapshot(tab)
    assert chrome.connection.ask("activate", ref=seen.ref_of("button", "Press"))["effect"] == ["content"]
    chrome.connection.ask("set_value", ref=seen.ref_of("textbox", "F"), value="typed")
    assert chrome.js(behind, "document.title + document.querySelector('input').value") == "pressedtyped"
    assert chrome.js(front, "document.title + document.querySelector('input').value") == ""


EFFECTS = html("actions-effects")
SEEN = {
    "Content": ["content"],
    "State": ["content", "state"],
    "Focus": ["focus"],
    "Scroll": ["scroll"],
    "Late": ["content"],
}


@pytest.mark.claim("CHR-ACT-02", tooth="a button that does nothing, among those that do something")
@pytest.mark.parametrize("name", SEEN)
def test_an_effect_is_told(chrome: Chrome, name: str) -> None:
    _, tab = chrome.tab(chrome.pages.put("/effects", EFFECTS))
    done = chrome.connection.ask("activate", ref=chrome.snapshot(tab).ref_of("button", name))
    assert (done["route"], done["effect"]) == ("chrome_dom", SEEN[name])


@pytest.mark.claim("CHR-ACT-02", tooth="a click that returned and did nothing")
@pytest.mark.parametrize("query", ["", "?clock"])
def test_a_click_without_effect_is_none(chrome: Chrome, query: str) -> None:
    """A page that changes by itself all the time does not make it one."""
    chrome.pages.put("/effects", EFFECTS)
    session, tab = chrome.tab_with(chrome.pages.url(f"/effects{query}"))
    seen = chrome.snapshot(tab)
    if query:
        chrome.js(session, "new Promise((resolve) => setTimeout(resolve, 100))")
    failure = chrome.connection.refused("activate", ref=seen.ref_of("button", "Silent"))
    assert failure.reason == "no_observed_effect"
    assert failure.detail["dispatched"] is True
    assert failure.detail["rectangle"]["w"] > 0


@pytest.mark.claim("CHR-ACT-02")
def test_a_link_navigates_and_the_new_document_is_told(chrome: Chrome) -> None:
    chrome.pages.put("/next", "<title>Next</title>")
    _, tab = chrome.tab(chrome.pages.put("/effects", EFFECTS))
    seen = chrome.snapshot(tab)
    done = chrome.connection.ask("activate", ref=seen.ref_of("link", "Go"))
    assert done["route"] == "chrome_dom_then_navigation"
    assert "navigation" in done["effect"]
    after = chrome.snapshot(tab).result["target"]
    assert after["document_id"] == done["target"]["document_id"] != seen.result["target"]["document_id"]
    chrome.connection.event("tab_navigated", tab_id=tab, document_id=after["document_id"])


@pytest.mark.claim("CHR-ACT-02")
def test_a_checkbox_is_clicked_once(chrome: Chrome) -> None:
    session, tab = chrome.tab(chrome.pages.put("/effects", EFFECTS))
    done = chrome.connection.ask("activate", ref=chrome.snapshot(tab).ref_of("checkbox", "Box"))
    assert "state" in done["effect"]
    assert chrome.js(session, "document.querySelector('input[type=checkbox]').checked") is True


TRUSTED = html("actions-trusted")
FRAMED = html("actions-framed")


def press(chrome: Chrome, session: str, rectangle: dict[str, float]) -> None:
    """The user's own click, at the centre."""
    at = {"x": rectangle["x"] + rectangle["w"] / 2, "y": rectangle["y"] + rectangle["h"] / 2}
    for kind in ("mousePressed", "mouseReleased"):
        chrome.browser.call(
            "Input.dispatchMouseEvent", {"type": kind, "button": "left", "clickCount": 1, **at}, session
        )


@pytest.mark.claim("CHR-ACT-03", tooth="a real click at the rectangle, to which the page answers")
def test_trusted_input_is_asked_for_with_a_rectangle_that_is_right(chrome: Chrome) -> None:
    session, tab = chrome.tab(chrome.pages.put("/trusted", TRUSTED))
    seen = chrome.snapshot(tab)
    failure = chrome.connection.refused("activate", ref=seen.ref_of("button", "Play"))
    assert failure.reason == "needs_trusted_input"
    rectangle = failure.detail["rectangle"]
    assert (rectangle["w"], rectangle["h"], rectangle["tab_id"]) == (80, 30, tab)
    assert rectangle["scroll"]["y"] > 0
    assert rectangle["y"] + rectangle["scroll"]["y"] == 1200
    chrome.browser.call("Page.bringToFront", session=session)
    press(chrome, session, rectangle)
    assert chrome.js(session, "document.title") == "played"
    assert chrome.connection.refused("activate", ref=seen.ref_of("button", "File")).reason == "needs_trusted_input"


@pytest.mark.claim("CHR-ACT-03", tooth="the same frame covered, of which no rectangle is given")
@pytest.mark.parametrize("host", ["a.test", "b.test"])
def test_a_rectangle_in_a_frame_is_mapped_to_the_tabs_viewport(chrome: Chrome, host: str) -> None:
    chrome.grant("http://b.test/*")
    chrome.pages.put("/framed", FRAMED)
    page = TRUSTED.replace('src="/framed"', f'src="{chrome.pages.url("/framed", host)}"')
    session, tab = chrome.tab(chrome.pages.put("/around", page))
    seen = chrome.snapshot(tab)
    inside = seen.ref_of("button", "In")
    failure = chrome.connection.refused("activate", ref=inside)
    assert failure.reason == "needs_trusted_input"
    rectangle = failure.detail["rectangle"]
    assert rectangle["frame_offset"] == {"x": 50 + 5 + 7, "y": 100 + 5 + 7 - rectangle["scroll"]["y"]}
    assert (rectangle["w"], rectangle["h"]) == (60, 20)
    chrome.browser.call("Page.bringToFront", session=session)
    press(chrome, session, rectangle)
    assert chrome.snapshot(tab).find("button", "done")
    again = chrome.snapshot(tab).ref_of("button", "done")
    assert chrome.connection.ask("locate", ref=again)["rectangle"]["frame_offset"] == rectangle["frame_offset"]
    chrome.js(
        session,
        "document.body.insertAdjacentHTML('beforeend', '<div style=\"position:fixed;inset:0;background:red\"></div>')",
    )
    failure = chrome.connection.refused("locate", ref=again)
    assert (failure.reason, failure.detail["state"]) == ("not_actionable", "covered")


FIELDS = html("actions-fields")
VALUES = {
    ("textbox", "Text"): ("Zoë \N{TEACUP WITHOUT HANDLE}", "Zoë \N{TEACUP WITHOUT HANDLE}"),
    ("textbox", "Area"): ("one\ntwo", "one\ntwo"),
    ("textbox", "Date"): ("2026-02-03", "2026-02-03"),
    ("spinbutton", "Number"): ("12.5", "12.5"),
    ("combobox", "One"): ("b", "Blue"),
    ("listbox", "Many"): (["A", "C"], "A, C"),
    ("checkbox", "Check"): (True, "true"),
    ("radio", "Right"): (True, "true"),
    ("textbox", "Rich"): ("brand new", "brand new"),
    ("textbox", "Framework"): ("words", "words"),
}


@pytest.mark.claim("CHR-ACT-04", tooth="a field that empties itself, and one that changes what it was given")
def test_values_are_set_with_their_events_and_read_back(chrome: Chrome) -> None:
    session, tab = chrome.tab(chrome.pages.put("/fields", FIELDS))
    seen = chrome.snapshot(tab)
    for (role, name), (value, told) in VALUES.items():
        done = chrome.connection.ask("set_value", ref=seen.ref_of(role, name), value=value)
        assert (done["value_taken"], done["value"]) == (True, told), name
    log = chrome.js(session, "log")
    for name in ("Text", "Area", "Date", "Number", "One", "Many", "Rich", "Framework"):
        assert f"input:{name}" in log and f"change:{name}" in log, name
    assert "beforeinput:Text" in log and "beforeinput:Rich" in log
    assert chrome.js(session, "document.title") == "heard words"
    assert chrome.js(session, "document.querySelector('[aria-label=Rich]').innerText") == "brand new"
    again = chrome.connection.ask("set_value", ref=seen.ref_of("textbox", "Text"), value=VALUES["textbox", "Text"][0])
    assert again["effect"] == ["already"]
    upper = chrome.connection.ask("set_value", ref=seen.ref_of("textbox", "Upper"), value="low")
    assert (upper["value_taken"], upper["value"]) == (False, "LOW")
    assert (
        chrome.connection.refused("set_value", ref=seen.ref_of("textbox", "Refuses"), value="x").reason
        == "no_observed_effect"
    )


@pytest.mark.claim("CHR-ACT-04")
def test_a_value_of_the_wrong_kind_and_a_field_that_takes_none_are_refused(chrome: Chrome) -> None:
    session, tab = chrome.tab(chrome.pages.put("/fields", FIELDS))
    seen = chrome.snapshot(tab)
    wrong = {
        ("textbox", "Text"): True,
        ("checkbox", "Check"): "yes",
        ("combobox", "One"): "Green",
        ("textbox", "Read only"): "x",
        ("button", "Below"): "x",
        ("combobox", "One "): "Grey",
    }
    for (role, name), value in wrong.items():
        failure = chrome.connection.refused("set_value", ref=seen.ref_of(role, name.strip()), value=value)
        assert failure.reason == "not_actionable", name
    assert chrome.js(session, "log") == []
    chrome.connection.ask("set_value", ref=seen.ref_of("radio", "Left"), value=True)
    assert (
        chrome.connection.refused("set_value", ref=seen.ref_of("radio", "Left"), value=False).reason == "not_actionable"
    )


@pytest.mark.claim("CHR-ACT-04", tooth="a field that gives the focus away")
def test_focus_and_scrolling_confirm_their_effect(chrome: Chrome) -> None:
    session, tab = chrome.tab(chrome.pages.put("/fields", FIELDS))
    seen = chrome.snapshot(tab)
    assert chrome.connection.ask("focus", ref=seen.ref_of("textbox", "Text"))["effect"] == ["focus"]
    assert chrome.js(session, "document.activeElement.ariaLabel") == "Text"
    assert chrome.connection.ask("focus", ref=seen.ref_of("textbox", "Text"))["effect"] == ["already"]
    below = seen.ref_of("button", "Below")
    done = chrome.connection.ask("scroll_into_view", ref=below)
    assert "scroll" in done["effect"]
    assert 0 < done["bounds"]["y"] < chrome.js(session, "innerHeight")
    assert chrome.connection.ask("scroll_into_view", ref=below)["effect"] == ["already"]
    chrome.js(session, "void (document.querySelector('[aria-label=Area]').onfocus = (event) => event.target.blur())")
    assert chrome.connection.refused("focus", ref=seen.ref_of("textbox", "Area")).reason == "no_observed_effect"


SLOW = html("actions-slow")


@pytest.mark.claim("CHR-ACT-05", tooth="another tab, which answers meanwhile")
def test_a_dialog_ends_a_call_at_its_deadline(chrome: Chrome) -> None:
    session, tab = chrome.tab(chrome.pages.put("/slow", SLOW))
    _, other = chrome.tab(chrome.pages.put("/quick", "<button>Quick</button>"))
    seen = chrome.snapshot(tab)
    failure = chrome.connection.refused("activate", deadline_ms=700, ref=seen.ref_of("button", "Alert"))
    assert (failure.reason, failure.detail["dispatched"]) == ("timed_out", True)
    assert chrome.connection.refused("snapshot", deadline_ms=500, tab_id=tab).reason == "timed_out"
    assert chrome.snapshot(other).names() == ["Quick"]
    chrome.browser.call("Page.handleJavaScriptDialog", {"accept": True}, session)
    assert "Other" in chrome.snapshot(tab).names()


@pytest.mark.claim("CHR-ACT-05", tooth="the click that was too late, which does nothing when the page is free again")
def test_a_request_that_reaches_the_page_too_late_does_nothing(chrome: Chrome) -> None:
    page = "<title>Busy</title><button onclick='document.title = \"pressed\"'>Press</button>"
    session, tab = chrome.tab(chrome.pages.put("/busy", page))
    seen = chrome.snapshot(tab)
    busy = chrome.browser.begin(session, "const end = Date.now() + 1500; while (Date.now() < end); 1")
    failure = chrome.connection.refused("activate", deadline_ms=300, ref=seen.ref_of("button", "Press"))
    assert (failure.reason, failure.detail["dispatched"]) == ("timed_out", True)
    assert chrome.browser.value(busy) == 1
    assert chrome.js(session, "new Promise((done) => setTimeout(() => done(document.title), 300))") == "Busy"


@pytest.mark.claim("CHR-ACT-05", tooth="a content program that throws, and one that gives nothing")
@pytest.mark.parametrize(
    "broken",
    [
        "run: () => { throw new Error() }",
        "run: () => undefined",
        "run: () => ({ v: 2 })",
        "run: async () => { throw 1 }",
    ],
)
def test_a_function_that_gives_nothing_is_no_result(chrome: Chrome, broken: str) -> None:
    _, tab = chrome.tab(chrome.pages.put("/quick", "<button>Quick</button>"))
    seen = chrome.snapshot(tab)
    inside = f"""chrome.scripting.executeScript({{
      target: {{tabId: {tab}}}, func: () => void (globalThis.trailcamAgent = {{ RUN }})}})"""
    chrome.js(chrome.window(), inside.replace("RUN", broken) + ".then(() => 1)")
    assert chrome.connection.refused("activate", ref=seen.ref_of("button", "Quick")).reason == "no_result"
    assert chrome.connection.refused("snapshot", tab_id=tab).reason == "no_result"


@pytest.mark.claim("CHR-ACT-05", tooth="the permission given, after which the same call answers")
def test_withheld_access_is_told_and_does_not_hang(own: Chrome) -> None:
    path = own.pages.put("/quick", "<button>Quick</button>")
    _, tab = own.tab(path)
    assert own.connection.refused("snapshot", tab_id=tab).reason == "site_permission_required"
    own.grant("http://a.test/*")
    assert own.snapshot(tab).names() == ["Quick"]
    lie = "chrome.permissions.contains = () => new Promise(() => {})"
    own.js(own.worker(), f"void ({lie})")
    assert own.connection.refused("snapshot", deadline_ms=400, tab_id=tab).reason == "timed_out"


def test_a_request_can_be_taken_back(chrome: Chrome) -> None:
    session, tab = chrome.tab(chrome.pages.put("/slow", SLOW))
    seen = chrome.snapshot(tab)
    id = chrome.connection.begin("activate", ref=seen.ref_of("button", "Alert"))
    chrome.browser.wait(
        lambda event: event["method"] == "Page.javascriptDialogOpening" and event.get("sessionId") == session,
        "a dialog",
    )
    assert chrome.connection.ask("cancel", id=id) == {"cancelled": True}
    assert chrome.connection.ask("cancel", id="r0") == {"cancelled": False}
    chrome.browser.call("Page.handleJavaScriptDialog", {"accept": True}, session)
    with pytest.raises(Exception, match="cancelled") as caught:
        chrome.connection.finish(id)
    assert json.dumps(caught.value.detail) == '{"dispatched": true}'  # type: ignore[attr-defined]
