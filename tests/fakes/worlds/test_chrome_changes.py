"""What may happen in the fake browser by itself."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.worlds.chrome import Chrome
from fakes.worlds.chrome_changes import CHANGES
from tests.fakes.worlds.recorded import Book

GOOD: list[tuple[str, Any]] = [
    ("navigate", {"tab": 101, "page": "cart"}), ("push_state", {"tab": 101, "url": "https://shop.test/#"}),
    ("close_tab", {"tab": 101}), ("crash", {"tab": 101}), ("activate", {"tab": 102}), ("front", "Notes"),
    ("allow", {"site": "https://a.test"}), ("revoke", {"site": "https://shop.test"}),
    ("node", {"tab": 101, "node": "buy", "name": "X", "states": {"disabled": True}}),
    ("replace", {"tab": 101, "node": "buy"}), ("hang", {"tab": 101, "on": True}), ("kill_worker", {"browser": 0}),
    ("kill_host", {}), ("close_browser", {"browser": 0}), ("disconnect", {"browser": 0}), ("moves", [1, 2]),
    ("steals", "Notes"), ("view", {"tab": 101, "zoom": 2}), ("move_tab", {"tab": 101, "window": 12}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), GOOD)
def test_each_change_is_a_line_of_the_record(name: str, value: Any) -> None:
    book = Book(5.0, 1000)
    world = Chrome(book, {})
    world.change("user", **{name: value})
    assert [line["by"] for line in book.lines if line["e"] == "changed"] == ["user"]


def test_every_change_is_tried_and_others_are_refused() -> None:
    assert {name for name, _ in GOOD} | {"back"} == set(CHANGES)
    world = Chrome(Book(5.0, 1000), {})
    for what in ({"explode": 1}, {"navigate": {"tab": 9, "page": "cart"}}, {"navigate": {"tab": 101, "page": "x"}},
                 {"navigate": {"tab": 101}}, {"back": {"tab": 101}}, {"node": {"tab": 101, "node": "x"}},
                 {"moves": [1]}, {"view": {"tab": 101}}, {"view": {"tab": 101, "colour": 1}},
                 {"revoke": {"site": "https://x.test"}}):  # fmt: skip
        with pytest.raises(ValueError, match=r"saw|not in list|unpack"):
            world.change("user", **what)


def test_going_back_takes_the_document_out_of_the_cache_as_it_was() -> None:
    world = Chrome(Book(5.0, 1000), {})
    tab = world.browsers[0].tab(101)
    first = tab.document
    first.node("buy").name = "Bought"
    world.change("user", navigate={"tab": 101, "page": "cart"})
    assert tab.document is not first
    world.change("user", back={"tab": 101})
    assert tab.document is first
    assert tab.document.node("buy").name == "Bought"


def test_a_node_that_is_rendered_anew_is_another_of_the_same_look() -> None:
    world = Chrome(Book(5.0, 1000), {})
    document = world.browsers[0].tab(101).document
    old = document.node("buy")
    world.change("user", replace={"tab": 101, "node": "buy"})
    assert document.node("buy") is not old
    assert document.node("buy").fingerprint() == old.fingerprint()


def test_nothing_comes_of_a_change_of_a_tab_that_has_been_closed() -> None:
    book = Book(5.0, 1000)
    world = Chrome(book, {})
    world.change("user", close_tab={"tab": 101})
    world.change("user", navigate={"tab": 101, "page": "cart"})
    assert book.lines[-1] == {"e": "changed", "what": {"nothing": "navigate"}, "by": "user"}
    with pytest.raises(ValueError, match="no browser has it"):
        world.change("user", close_tab={"tab": 9})


def test_a_permission_that_is_taken_back_twice_is_told_once() -> None:
    book = Book(5.0, 1000)
    world = Chrome(book, {})
    profile = world.browsers[0].profiles[0]
    profile.connected = True
    for _ in range(2):
        world.change("user", revoke={"site": "https://shop.test"})
    assert [event["event"] for event in profile.events] == ["permission_revoked"]
    assert world.browsers[0].allowed == []
