"""A session: its tabs, which is active, and its waits."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.fronts.safaridriver_session import DriverSession, ToolError
from fakes.fronts.safaridriver_settings import settings_of
from tests.fakes.worlds.surf import HOME, Surf, page


def session() -> tuple[Surf, DriverSession]:
    made = Surf(
        pages={
            HOME: page(),
            HOME + "slow": page(load_ms=500),
            HOME + "asks": page(on={"load": [{"alert": "x"}]}, load_ms=5),
        }
    )
    made.book.time_ms = 0
    return made, DriverSession(made.world, 1, settings_of({}))


def steps(made: Surf, handler: Any, most: int = 50) -> list[str]:
    """Carry out waits on the clock of the test; Until is answered by nobody, and ends it."""
    seen = []
    for step in handler:
        seen.append(repr(step))
        assert len(seen) <= most, seen
        if hasattr(step, "ms"):
            made.book.time_ms += step.ms
        else:
            return seen
    return seen


def test_tabs_and_the_active_one() -> None:
    made, own = session()
    assert own.tabs() == []
    with pytest.raises(ToolError, match="No active tab"):
        own.current()
    own.window = made.world.session_window(1, "x")
    tab = made.world.open_tab(1, own.window, HOME)
    own.choose(tab)
    assert own.current() is own.chosen(None) is own.chosen(tab.handle) is tab and own.is_active(tab)
    made.world.popup(tab.document, HOME, "page")
    assert not own.is_active(tab)
    with pytest.raises(ToolError, match="No tab with handle 'x'"):
        own.tab("x")
    made.world.drop_tab(tab, "user")
    with pytest.raises(ToolError, match="No active tab"):
        own.current()


def test_waiting_for_a_load() -> None:
    made, own = session()
    own.window = made.world.session_window(1, "x")
    tab = made.world.open_tab(1, own.window, HOME + "slow")
    assert steps(made, own.loaded(tab)) == ["Wait(5)", "Wait(500.0)"] or not tab.loading
    tab = made.world.open_tab(1, own.window, HOME + "slow")
    steps(made, own.loaded(tab, 100))
    assert tab.loading and made.book.time_ms == 605
    made.world.drop_tab(tab, "user")
    assert steps(made, own.loaded(tab)) == []


def test_a_load_that_a_dialog_holds() -> None:
    made, own = session()
    own.window = made.world.session_window(1, "x")
    tab = made.world.open_tab(1, own.window, HOME + "slow")
    made.world.change("user", dialog={"tab": tab.key, "text": "x"})
    assert steps(made, own.loaded(tab)) == [f"Until('dialog:{tab.key}')"]
    made.world.answer_dialog(tab, True, "", "user")
    assert steps(made, own.unblocked(tab)) == []
    assert steps(made, own.rested(tab, 7)) == ["Wait(7)"]


def test_a_load_that_nothing_ends_is_not_waited_for_in_circles() -> None:
    made, own = session()
    own.window = made.world.session_window(1, "x")
    tab = made.world.open_tab(1, own.window, HOME)
    made.later(1000)
    tab.document.ready = "loading"
    assert steps(made, own.loaded(tab)) == []
    assert own.loopback_lost() is False
