"""What two observations differ in."""

from __future__ import annotations

from typing import Any

import pytest

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
