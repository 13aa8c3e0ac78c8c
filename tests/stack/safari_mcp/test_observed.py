"""The latest snapshot of each tab."""

from __future__ import annotations

import pytest

from stack.errors import CallError
from stack.safari_mcp.observed import TABS, Observed
from stack.safari_mcp.tabs import Target

TARGET = Target("a", "e")


@pytest.mark.claim("SAF-PERM-11", tooth="another URL, another epoch, another tab, and one that was dropped")
def test_the_latest_of_exactly_this_tab_and_url() -> None:
    observed = Observed()
    observed.keep(TARGET, "u", "old", False)
    observed.keep(TARGET, "u", "new", False)
    assert observed.context(TARGET, "u") == {"targetId": "a", "epoch": "e", "url": "u", "text": "new"}
    assert observed.context(TARGET, "v") is None
    assert observed.context(Target("a", "f"), "u") is None
    assert observed.context(Target("b", "e"), "u") is None
    observed.drop(TARGET)
    observed.drop(TARGET)
    assert observed.context(TARGET, "u") is None


@pytest.mark.claim("SAF-PERM-11", tooth="one tab more than are kept, and the end of the session")
def test_a_bounded_number_of_tabs_and_the_oldest_goes() -> None:
    observed = Observed()
    observed.keep(TARGET, "u", "x", False)
    for number in range(1, TABS):
        observed.keep(Target(str(number), "e"), "u", "x", False)
    observed.keep(TARGET, "u", "again", False)
    observed.keep(Target("more", "e"), "u", "x", False)
    assert observed.context(TARGET, "u") is not None
    assert observed.context(Target("1", "e"), "u") is None
    observed.clear()
    assert observed.context(TARGET, "u") is None


def test_a_node_is_of_the_latest_snapshot_of_its_tab_and_url() -> None:
    observed = Observed()
    observed.keep(TARGET, "u", "root\n\tlink uid=1\n\tbutton uid=2", False)
    observed.check_node(TARGET, "u", "2")
    observed.keep(TARGET, "u", "root\n\tlink uid=1\n\tbutton uid=2", True)
    wrong = [("u", "2", "node_not_shown"), ("v", "1", "page_moved")]
    for url, node, code in wrong:
        with pytest.raises(CallError) as caught:
            observed.check_node(TARGET, url, node)
        assert caught.value.code == code
    observed.check_node(TARGET, "u", "1")
    observed.drop(TARGET)
    with pytest.raises(CallError, match="node_not_shown"):
        observed.check_node(TARGET, "u", "1")
