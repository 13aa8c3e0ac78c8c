"""The latest snapshot of each tab."""

from __future__ import annotations

from stack.safari_mcp.observed import TABS, Observed
from stack.safari_mcp.tabs import Target

TARGET = Target("a", "e")


def test_the_latest_of_exactly_this_tab_and_url() -> None:
    observed = Observed()
    observed.keep(TARGET, "u", "old")
    observed.keep(TARGET, "u", "new")
    assert observed.context(TARGET, "u") == {"targetId": "a", "epoch": "e", "url": "u", "text": "new"}
    assert observed.context(TARGET, "v") is None
    assert observed.context(Target("a", "f"), "u") is None
    assert observed.context(Target("b", "e"), "u") is None
    observed.drop(TARGET)
    observed.drop(TARGET)
    assert observed.context(TARGET, "u") is None


def test_a_bounded_number_of_tabs_and_the_oldest_goes() -> None:
    observed = Observed()
    observed.keep(TARGET, "u", "x")
    for number in range(1, TABS):
        observed.keep(Target(str(number), "e"), "u", "x")
    observed.keep(TARGET, "u", "again")
    observed.keep(Target("more", "e"), "u", "x")
    assert observed.context(TARGET, "u") is not None
    assert observed.context(Target("1", "e"), "u") is None
    observed.clear()
    assert observed.context(TARGET, "u") is None
