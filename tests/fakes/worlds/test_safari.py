"""Settings of a Safari, what is done in it and how the record says it, sessions, permissions. HAR-FAKE-02."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.settings import SettingsProblem
from fakes.worlds.safari import RESTRICTED, VERBS
from fakes.worlds.safari_windows import handle_of
from tests.fakes.worlds.surf import HOME, Surf, page, surf

PAGES = {HOME: page({"id": "b", "tag": "button"})}
WINDOWS = [
    {"id": 26081, "tabs": [{"url": HOME, "title": "Mine"}, {"url": "about:blank"}], "current": 1},
    {"id": 3, "phantom": True},
]


@pytest.mark.parametrize(("given", "expected"), [
    ({"page": {}}, "unknown key 'page'"),
    ({"permissions": {"camera": True}}, "permission 'camera'"),
    ({"permissions": {"automation": "maybe"}}, "permission 'automation'"),
    ({"effects": ["explode"]}, "'explode' in world.effects"),
    ({"windows": [{"id": 1}, {"id": 1}]}, "window 1 twice"),
    ({"displays": [{"bounds": [1]}]}, "x, y, width, height"),
    ({"processes": [{}]}, "no 'pid'"),
    ({"uids": "never"}, "tab|document"),
])  # fmt: skip
def test_what_is_refused(given: Any, expected: str) -> None:
    with pytest.raises(SettingsProblem) as raised:
        Surf(**given)
    assert expected in str(raised.value)


def test_the_users_windows_are_there_from_the_beginning() -> None:
    made = Surf(pages=PAGES, windows=WINDOWS)
    front, phantom = made.world.windows
    assert (front.id, front.pid, front.session, [tab.title for tab in front.tabs]) == (26081, 763, None, ["Mine", ""])
    assert front.tab is front.tabs[1] and phantom.tab is None and phantom.tabs == []
    assert made.world.tab("tab-1").url == HOME and made.world.tab(handle_of(2)).url == "about:blank"
    assert made.world.window(3) is phantom
    for ask in (lambda: made.world.tab("tab-9"), lambda: made.world.window(9)):
        with pytest.raises(SettingsProblem):
            ask()
    assert made.book.lines == [], "what was there before the run is no change"
    assert made.world.displays == [[0, 0, 1440, 900]]


@pytest.mark.claim("HAR-FAKE-02")
def test_effects_name_windows_of_the_user_alone() -> None:
    made = Surf(pages=PAGES, windows=WINDOWS)
    mine = made.world.tab("tab-1")
    made.act(mine, "b", "click")
    tab = made.open()
    made.act(tab, "b", "click")
    clicks = [effect["target"] for effect in made.book.of("effect") if effect["verb"] == "click"]
    assert clicks == [
        {"window": "window-26081", "tab": "tab-1", "document": mine.document.key, "node": "b"},
        {"tab": "tab-3", "document": tab.document.key, "node": "b"},
    ]


def test_verbs_that_are_left_out_are_changes() -> None:
    made, tab = surf({"id": "b", "tag": "button"}, world={"effects": ["click"]})
    made.act(tab, "b", "click")
    made.world.navigate(1, tab, HOME + "two")
    made.world.close_tab(1, tab)
    assert [effect["verb"] for effect in made.book.of("effect")] == ["click"]
    did = [(line["what"]["did"], line["by"]) for line in made.book.of("changed") if "did" in line["what"]]
    assert did == [("open", "driver:1"), ("navigate", "driver:1"), ("close", "driver:1")]
    assert set(RESTRICTED) < set(VERBS)


def test_what_needs_leave_says_so_and_an_approval_is_good_for_one() -> None:
    made, tab = surf({"id": "i", "tag": "input"}, world={"needs": True})
    made.world.approve("judge:1", "type", "x")
    made.act(tab, "i", "type", "y")
    made.act(tab, "i", "type", "x")
    made.act(tab, "i", "type", "x")
    made.act(tab, None, "scroll", [0, 1])
    seen = [(line["verb"], line.get("needs"), line.get("grant", "none")) for line in made.book.of("effect")]
    assert seen == [
        ("open", None, "none"), ("type", "safari", "none"), ("type", "safari", "judge:1"), ("type", "safari", "none"),
        ("scroll", None, "none"),
    ]  # fmt: skip


def test_sessions_have_a_window_each_and_end_with_it() -> None:
    made = Surf(pages=PAGES, windows=WINDOWS)
    first = made.world.session_window(1, "one")
    assert made.world.session_window(1, "one") is first
    second = made.world.session_window(2, "two")
    assert [window.session for window in made.world.windows] == [2, 1, None, None]
    assert second.id != first.id and second.bounds == first.bounds
    made.world.open_tab(1, first, HOME)
    made.world.end_session(1)
    made.world.end_session(1)
    assert [window.session for window in made.world.windows] == [2, None, None]
    assert [line["id"] for line in made.book.of("freed")] == [f"window-{first.id}"] and first.closed
    assert made.book.changes()[0] == {"window": f"window-{first.id}", "controlled_by": "one"}


def test_a_window_that_a_crash_left_is_there_and_not_held_and_one_that_a_signal_left_is_held() -> None:
    made = Surf(pages=PAGES)
    for p in (1, 2):
        made.world.session_window(p, "x")
    made.world.signalled(2)
    for p in (1, 1, 2):
        made.world.process_ended(p)
    assert [line["p"] for line in made.book.of("held")] == [1, 2]
    assert [line["p"] for line in made.book.of("freed")] == [1]
    assert len(made.world.windows) == 2 and made.book.changes()[-1] == {"window": "window-9001", "orphaned": True}


def test_a_call_that_a_dialog_holds_is_held_once_and_until_its_process_ends() -> None:
    made = Surf()
    for _ in range(2):
        made.world.blocked(1, "tab-1")
    made.world.unblocked(1, "tab-1")
    made.world.unblocked(1, "tab-1")
    made.world.blocked(1, "tab-2")
    made.world.process_ended(1)
    assert [line["why"] for line in made.book.of("unsaid")] == ["a dialog is open in tab-1"] * 2 + [
        "a dialog is open in tab-2"
    ]
    assert [(line["e"], line["id"]) for line in made.book.lines if line["e"] != "unsaid"] == [
        ("held", "tab-1"),
        ("freed", "tab-1"),
        ("held", "tab-2"),
        ("freed", "tab-2"),
    ]


def test_media_and_pictures() -> None:
    made, tab = surf()
    made.world.picture(1, tab, "/tmp/x.png", False)
    size = {"tab": "tab-1", "picture": "/tmp/x.png", "size": [1200, 740]}
    assert made.book.lines[-1] == {"e": "changed", "what": size, "by": "driver:1"}
    made.world.emulate(1, tab, "print")
    assert made.book.lines[-1] == {"e": "changed", "what": {"tab": "tab-1", "media": "print"}, "by": "driver:1"}


def test_the_last_tab_takes_the_session_window_with_it() -> None:
    made, tab = surf()
    made.world.close_tab(1, tab)
    made.world.end_session(1)
    assert len(made.book.of("held")) == len(made.book.of("freed")) == 1


def test_handles_may_begin_anew() -> None:
    made = Surf(pages=PAGES, handles="session")
    handles = [made.world.open_tab(p, made.world.session_window(p, "x"), HOME).handle for p in (1, 2, 2)]
    assert handles == [handle_of(1), handle_of(1), handle_of(2)]


def test_a_driver_starts_a_safari_where_none_runs() -> None:
    made = Surf(processes=[{"pid": 900, "running": False}])
    assert made.world.session_window(1, "x").pid == 901
    assert made.world.processes[-1].running


def test_windows_of_the_user_can_be_opened_raised_moved_and_closed() -> None:
    made = Surf(pages=PAGES, windows=WINDOWS)
    window = made.world.open_window(1, HOME)
    assert made.world.windows[0] is window and window.session is None and window.id == 26082
    made.world.raise_window("user", made.world.window(3))
    made.world.move_window("user", window, [1, 2, 3, 4])
    assert made.world.windows[0].id == 3 and window.bounds == [1, 2, 3, 4]
    made.world.close_window(1, window)
    assert window.closed and made.book.of("effect")[-1] == {
        "p": 1,
        "verb": "close",
        "target": {"window": "window-26082"},
        "value": None,
    }
    assert made.world.open_window(1, None, pid=5).pid == 5


def test_sizes_and_permissions() -> None:
    made = Surf(permissions={"remote_automation": False, "automation": "denied"})
    assert made.world.permissions["remote_automation"] is False and made.world.permissions["automation"] == "denied"
    made.world.resize(1, 100, 200)
    assert made.world.viewport == [100, 200] and not made.world.blocking
    made.world.refused(1, "click", "why")
    assert made.book.of("refused") == [{"p": 1, "verb": "click", "why": "why"}]


def test_unknown_changes_are_refused() -> None:
    made = Surf()
    with pytest.raises(ValueError, match="saw change 'explode'"):
        made.world.change("user", explode=True)
    with pytest.raises(ValueError, match="change 'locked'"):
        made.world.change("user", locked="yes")
