"""The browsers' ground truth."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.settings import SettingsProblem
from fakes.worlds.chrome import Chrome
from tests.fakes.worlds.recorded import Book


def test_the_default_is_one_browser_with_two_tabs_of_which_one_site_is_allowed() -> None:
    world = Chrome(Book(5.0, 1000), {})
    (browser,) = world.browsers
    assert sorted(browser.tabs) == [101, 102]
    assert [browser.allows(tab.document) for tab in browser.tabs.values()] == [True, False]
    front = browser.front()
    assert front is not None
    assert (front.id, world.pid_of(browser), world.now_ms(), world.settled) == (101, 0, 5.0, False)
    browser.p = 3
    assert world.pid_of(browser) == 1003
    with pytest.raises(ValueError, match="saw tab 9"):
        browser.tab(9)


@pytest.mark.parametrize(
    "settings",
    [{"tabs": []}, {"browsers": [{"name": 1}]}, {"browsers": [{"tabs": [{"id": 1, "page": "nothing"}]}]},
     {"pages": {"a": {"title": "no url"}}}, {"browsers": [{"worker": "sometimes"}]}],
)  # fmt: skip
def test_what_it_does_not_know_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingsProblem):
        Chrome(Book(5.0, 1000), settings)


def test_processes_are_given_the_browsers_in_their_order_and_a_dead_ones_again() -> None:
    world = Chrome(Book(5.0, 1000), {"browsers": [{}, {"name": "edge", "active": 9}]})
    assert [world.next_browser(p).number for p in (1, 2)] == [0, 1]
    for browser in world.browsers:
        browser.running = True
    assert world.next_browser(3).number == 0
    world.browsers[1].running = False
    assert world.next_browser(4).number == 1


def test_what_a_dead_process_had_is_taken_back() -> None:
    book = Book(5.0, 1000)
    world = Chrome(book, {})
    (browser,) = world.browsers
    browser.p, browser.running = 1, True
    (profile,) = browser.profiles
    profile.channel, profile.connected = 2, True
    world.process_ended(1)
    assert (browser.running, profile.orders) == (False, ["browser gone"])
    world.process_ended(2)
    left: Any = (profile.channel, profile.connected)
    assert left == (None, False)
    assert book.lines[-1] == {"e": "freed", "p": 2, "what": "child", "id": "host 0.0"}
    assert "browser:1" in book.woken
