"""Observations and answers as text."""

from __future__ import annotations

from stack.session.listing import moved_lines, page_lines, text_lines, window_lines
from stack.session.moved import moved
from tests.stack.session.holding import seen
from tests.stack.session.test_moved import LESS, MORE


def test_it_is_said_in_words() -> None:
    assert moved_lines(moved(seen(), seen(2)), None) == ["changed nothing: the page is as it was"]
    said = moved_lines(
        moved(seen(), seen(2, "many", actions=MORE, fingerprint="x", title="T", rebound=True)),
        {"settled": False, "navigated": False, "waited_ms": 1200},
    )
    assert said == [
        "changed text, of the same length", '  appeared    "Done"', "  title       T",
        "navigated: another document is shown", "unsettled: the page went on changing for 1200 ms",
    ]  # fmt: skip
    assert moved_lines(moved(seen(), seen(2, actions=LESS, fingerprint="x")), None) == [
        "changed",
        '  gone        "Buy"',
    ]


def test_a_list_has_an_end() -> None:
    many = [{"id": f"e{n}", "kind": "click", "label": f"L{n}", "node": n, "value": "v"} for n in range(1, 43)]
    assert page_lines(seen(actions=many), None, False)[-1] == "  and 2 more; --all lists them"
    assert len(page_lines(seen(actions=many), None, True)) == 44
    assert text_lines("a\nb", None) == ["a", "b"]
    assert window_lines([{"id": 1}]) == ["id 1"]
