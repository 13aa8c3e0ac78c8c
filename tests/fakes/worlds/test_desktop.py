"""Leases, approvals, views and effects of a desktop, and what its record says of them. HAR-FAKE-02."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.settings import SettingsProblem
from fakes.worlds.desktop import Desktop, Refused
from fakes.worlds.desktop_apps import App, Element
from tests.fakes.worlds.desk import desk

CHESS, TEXT = "com.apple.Chess", "com.apple.TextEdit"


def act(desktop: Desktop, app: App, verb: str, index: str | None = None, value: Any = None, **more: Any) -> int:
    element: Element | None = desktop.node(2, app, index) if index is not None else None
    more = {"point": None, "needs": False, "call": "c", **more}
    return desktop.act(2, app, verb, element=element, value=value, **more)


def reason(raised: pytest.ExceptionInfo[Refused]) -> str:
    return raised.value.reason


def test_apps_are_found_by_name_path_and_bundle_identifier() -> None:
    desktop, _ = desk()
    assert {desktop.resolve(name).key for name in ("Chess", "chess", CHESS, "/System/Applications/Chess.app")} == {
        CHESS
    }
    with pytest.raises(Refused) as raised:
        desktop.resolve("Nothing")
    assert reason(raised) == "no_app"


def test_a_name_of_several_apps_names_none() -> None:
    same = [{"name": "Notes", "bundle": bundle, "path": f"/{bundle}.app"} for bundle in ("a", "b")]
    desktop, _ = desk(apps=same)
    assert desktop.resolve("a").bundle == "a"
    with pytest.raises(Refused, match="many_apps"):
        desktop.resolve("Notes")


@pytest.mark.claim("HAR-FAKE-02")
def test_a_look_shows_what_each_index_stands_for_and_takes_the_lease_once() -> None:
    desktop, book = desk()
    chess = desktop.app(CHESS)
    desktop.look(2, chess)
    desktop.look(2, chess)
    assert book.of("held") == [{"e": "held", "p": 2, "what": "lease", "id": CHESS}]
    shown = [(line["ref"], line["what"].get("node")) for line in book.of("shown")]
    assert shown[:3] == [(CHESS, None), (f"{CHESS}/0", "board"), (f"{CHESS}/1", "e2")]
    assert desktop.node(2, chess, "2").id == "e4"
    desktop.process_ended(2)
    assert book.of("freed") == [{"e": "freed", "p": 2, "what": "lease", "id": CHESS}]


def test_the_list_of_apps_shows_the_running_ones_first() -> None:
    desktop, book = desk(apps=[{"name": "A", "bundle": "a", "running": False}, {"name": "B", "bundle": "b"}])
    assert [app.key for app in desktop.list_apps(2)] == ["b", "a"]
    assert [line["ref"] for line in book.of("shown")] == ["b", "a"]
    desktop.authenticated = False
    with pytest.raises(Refused, match="not_authenticated"):
        desktop.list_apps(2)


@pytest.mark.parametrize("index", ["9", "-1", "x", "", "1.0", "\u0661"])
def test_an_index_that_was_not_shown_is_refused(index: str) -> None:
    desktop, _ = desk()
    chess = desktop.app(CHESS)
    desktop.look(2, chess)
    with pytest.raises(Refused, match="no_element"):
        desktop.node(2, chess, index)


def test_another_process_holds_no_lease() -> None:
    desktop, _ = desk()
    desktop.look(3, desktop.app(CHESS))
    with pytest.raises(Refused, match="not_active"):
        act(desktop, desktop.app(CHESS), "press_key", value="a")


UNREADY: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("the client is not accepted", {"authenticated": False}, "not_authenticated"),
    ("the runtime app is missing", {"runtime": False}, "runtime_missing"),
    ("the screen is locked", {"locked": True}, "locked"),
    ("the app does not answer", {"unresponsive": CHESS}, "unresponsive"),
)


@pytest.mark.parametrize(("what", "change", "why"), UNREADY, ids=[row[0] for row in UNREADY])
def test_nothing_can_be_done_while(what: str, change: dict[str, Any], why: str) -> None:
    desktop, book = desk()
    chess = desktop.app(CHESS)
    desktop.look(2, chess)
    desktop.change("fault:f1", **change)
    for attempt in (lambda: desktop.look(2, chess), lambda: act(desktop, chess, "click", "1")):
        with pytest.raises(Refused) as raised:
            attempt()
        assert reason(raised) == why, what
    assert book.of("effect") == []


STALE: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("the user worked in the app", {"user_changed": CHESS}, "user_changed"),
    ("the app has quit", {"app_quit": CHESS}, "not_active"),
    ("the window is gone", {"window_gone": "chess-game"}, "window_gone"),
    ("the value was changed", {"value": {"app": CHESS, "node": "e4", "value": "x"}}, "user_changed"),
)


@pytest.mark.parametrize(("what", "change", "why"), STALE, ids=[row[0] for row in STALE])
def test_an_old_view_is_refused_when(what: str, change: dict[str, Any], why: str) -> None:
    desktop, book = desk()
    chess = desktop.app(CHESS)
    desktop.look(2, chess)
    desktop.change("fault:f1", **change)
    with pytest.raises(Refused) as raised:
        act(desktop, chess, "press_key", value="a")
    assert (reason(raised), book.of("effect")) == (why, [])


def test_there_is_nothing_to_look_at_without_a_window() -> None:
    desktop, _ = desk()
    with pytest.raises(Refused, match="no_window"):
        desktop.look(2, desktop.app("com.apple.finder"))
    desktop.change("x", app_quit=CHESS)
    with pytest.raises(Refused, match="window_gone"):
        desktop.look(2, desktop.app(CHESS))


def test_a_blocked_app_is_refused() -> None:
    desktop, _ = desk(apps=[{"name": "A", "bundle": "a", "blocked": True}])
    with pytest.raises(Refused, match="blocked"):
        desktop.look(2, desktop.app("a"))


@pytest.mark.claim("HAR-FAKE-02")
def test_an_effect_names_its_target_and_its_value() -> None:
    desktop, book = desk()
    text = desktop.app(TEXT)
    desktop.look(2, text)
    act(desktop, text, "set_value", "0", "new")
    act(desktop, text, "type_text", value="er")
    target = {"app": TEXT, "window": "untitled", "node": "text"}
    first, second = book.of("effect")
    assert (first["verb"], first["target"], first["value"]) == ("set_value", target, "new")
    assert (second["target"], second["landed"]) == ({"app": TEXT}, {"window": "untitled", "node": "text"})
    assert desktop.node(2, text, "0").value == "newer"
    values = [line["what"]["value"] for line in book.of("changed")]
    assert values == ["new", "newer"]


def test_a_click_ticks_a_box_opens_and_closes_windows_and_takes_the_keyboard() -> None:
    elements = [
        {"id": "box", "role": "checkbox", "value": "1"},
        {"id": "more", "opens": "second"},
        {"id": "less", "closes": "second"},
        {"id": "field", "settable": True},
    ]
    windows = [{"id": "first", "elements": elements}, {"id": "second", "hidden": True}]
    desktop, book = desk(apps=[{"name": "A", "bundle": "a", "windows": windows}])
    app = desktop.app("a")
    desktop.look(2, app)
    for index in ("0", "0", "1", "3", "2"):
        act(desktop, app, "click", index)
    changes = [line["what"] for line in book.of("changed")]
    assert changes == [
        {"app": "a", "node": "box", "value": "0"},
        {"app": "a", "node": "box", "value": "1"},
        {"window": "second", "hidden": False},
        {"window": "second", "hidden": True},
    ]
    assert app.focus == "field"


def test_a_click_on_a_point_lands_on_what_is_there() -> None:
    desktop, book = desk()
    chess = desktop.app(CHESS)
    desktop.look(2, chess)
    act(desktop, chess, "click", point=(42, 62))
    act(desktop, chess, "click", point=(900, 900))
    assert [line["landed"]["node"] for line in book.of("effect")] == ["e2", None]


UNFIT = (
    ("set_value", "1", "x", "not_settable"),
    ("perform_secondary_action", "1", "AXPress", "no_action"),
    ("select_text", "0", "nowhere", "no_text"),
)


@pytest.mark.parametrize(("verb", "index", "value", "why"), UNFIT)
def test_what_an_element_can_not_do_is_refused(verb: str, index: str, value: str, why: str) -> None:
    desktop, book = desk()
    app = desktop.app(TEXT if verb == "select_text" else CHESS)
    desktop.look(2, app)
    with pytest.raises(Refused) as raised:
        act(desktop, app, verb, index, value)
    assert (reason(raised), book.of("effect")) == (why, [])


def test_text_is_selected_and_actions_are_taken() -> None:
    desktop, book = desk()
    text, chess = desktop.app(TEXT), desktop.app(CHESS)
    desktop.look(2, text)
    act(desktop, text, "select_text", "0", "hello")
    assert desktop.node(2, text, "0").selected == "hello"
    desktop.look(2, chess)
    act(desktop, chess, "perform_secondary_action", "1", "AXShowMenu")
    assert [line["verb"] for line in book.of("effect")] == ["select_text", "perform_secondary_action"]


def test_a_secret_value_is_in_no_record() -> None:
    secret = {"id": "password", "settable": True, "secret": True, "focused": True}
    desktop, book = desk(apps=[{"name": "A", "bundle": "a", "windows": [{"id": "w", "elements": [secret]}]}])
    app = desktop.app("a")
    desktop.look(2, app)
    act(desktop, app, "set_value", "0", "hunter2")
    desktop.change("x", value={"app": "a", "node": "password", "value": "hunter3"})
    assert [line["what"]["value"] for line in book.of("changed")] == ["", ""]


APPROVALS = (
    ("once, in its call", "once", "c", 2, True),
    ("once, in another call", "once", "d", 2, False),
    ("session, in another call", "session", "d", 2, True),
    ("session, of another process", "session", "d", 3, False),
    ("always, of another process", "always", "d", 3, True),
)


@pytest.mark.parametrize(("what", "kind", "call", "p", "valid"), APPROVALS, ids=[row[0] for row in APPROVALS])
def test_an_approval_lasts(what: str, kind: str, call: str, p: int, valid: bool) -> None:
    desktop, _ = desk()
    chess = desktop.app(CHESS)
    desktop.approve(2, chess, kind, "c")
    assert (desktop.grant(chess, p, call) is not None) is valid, what
    assert desktop.grant(desktop.app(TEXT), p, call) is None


def test_an_effect_says_what_it_needed_and_what_allowed_it() -> None:
    desktop, book = desk(user={TEXT: "decline"})
    for key in (CHESS, TEXT):
        app = desktop.app(key)
        desktop.approve(2, app, "session", "c")
        desktop.look(2, app)
        act(desktop, app, "press_key", value="a", needs=True)
    chess, text = book.of("effect")
    assert (chess["needs"], chess["grant"]) == (f"app:{CHESS}", "g1")
    assert (text["needs"], text["grant"]) == (f"app:{TEXT}", None), "the user never wanted it, whoever said accept"


def test_without_an_approval_nothing_happens() -> None:
    desktop, book = desk(approvals={TEXT: "denied", CHESS: "always"})
    for key in (TEXT, CHESS):
        desktop.look(2, desktop.app(key))
    with pytest.raises(Refused, match="denied"):
        act(desktop, desktop.app(TEXT), "press_key", value="a", needs=True)
    act(desktop, desktop.app(CHESS), "press_key", value="a", needs=True)
    desktop.change("fault:f1", approval={"app": CHESS, "kind": "none"})
    with pytest.raises(Refused, match="denied"):
        act(desktop, desktop.app(CHESS), "press_key", value="a", needs=True)
    assert len(book.of("effect")) == 1


def test_an_app_that_comes_to_the_front_is_told_once() -> None:
    windows = [{"id": "w", "elements": [{"id": "e"}]}]
    desktop, book = desk(apps=[
        {"name": "A", "bundle": "a"}, {"name": "B", "bundle": "b", "activates": ["click"], "windows": windows},
    ])  # fmt: skip
    b = desktop.app("b")
    desktop.look(2, b)
    assert desktop.front is not None and desktop.front.key == "a"
    for _ in range(2):
        act(desktop, b, "click", "0")
    assert book.woken == ["front"]
    assert book.of("changed") == [{"e": "changed", "what": {"front": "b"}, "by": "effect:3"}]
    assert [(now.key, before.key if before else None) for now, before in desktop.fronts] == [("b", "a")]


def test_what_is_installed_is_told() -> None:
    desktop, _ = desk(apps=[{"name": "A", "bundle": "a", "path": "/A.app"}], front="a")
    assert desktop.installed() == [("a", "/A.app", ("A",))]
    assert desk(apps=[])[0].front is None


@pytest.mark.parametrize(
    "settings",
    [
        {"colour": 1},
        {"front": "x"},
        {"user": {CHESS: "maybe"}},
        {"approvals": {CHESS: "once"}},
        {"user": {"x": "accept"}},
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingsProblem):
        desk(**settings)
