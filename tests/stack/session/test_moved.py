"""What two observations differ in."""

from __future__ import annotations

from typing import Any

import pytest

from stack.session.listing import moved_lines, page_lines, text_lines, window_lines
from stack.session.moved import moved
from tests.stack.session.holding import ACTIONS, seen

LESS = [ACTIONS[1], ACTIONS[2]]
MORE: Any = [*ACTIONS, {"id": "e3", "kind": "click", "label": "Done", "node": 3, "value": ""}]
FILLED = [{**dict(each), "value": "Ada"} if each["label"] == "Name" else each for each in ACTIONS]  # type: ignore[index,call-overload,arg-type]


@pytest.mark.claim("JXA-SES-02", tooth="each kind of difference")
def test_each_kind_of_difference_is_told() -> None:
    assert moved(seen(), seen(2))["nothing"] is True
    found = moved(seen(), seen(2, "many", actions=MORE, fingerprint="x"))
    assert (found["nothing"], found["appeared"], found["gone"], found["text"], found["text_changed"]) == (
        False,
        ["Done"],
        [],
        0,
        True,
    )
    assert moved(seen(), seen(2, actions=LESS, fingerprint="x"))["gone"] == ["Buy"]
    assert moved(seen(), seen(2, actions=FILLED, fingerprint="x"))["changed"] == ["Name"]
    assert moved(seen(), seen(2, scroll={"y": 560, "height": 900}, fingerprint="x"))["scroll"] == 560
    assert moved(seen(), seen(2, url="u", fingerprint="x"))["url"] == "u"
    assert moved(seen(), seen(2, "longer"))["text"] == 2


@pytest.mark.claim("JXA-SES-02", tooth="a page that is new in what its fingerprint does not have")
@pytest.mark.parametrize("more", [{"title": "Other"}, {"rebound": True}])
def test_nothing_is_said_only_where_nothing_is(more: dict[str, Any]) -> None:
    assert moved(seen(), seen(2, **more))["nothing"] is False


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
