"""What a run sheet may set, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from stack.safari_jxa.settings import Bounds, Deadlines, Settings, from_sheet


def test_nothing_is_the_default() -> None:
    assert from_sheet({}) == Settings()


def test_each_member_may_be_set() -> None:
    given = from_sheet({"pid": 5, "deadlines": {"request": 7}, "bounds": {"observations": 2}})
    assert given == Settings(5, Deadlines(request=7), Bounds(observations=2))


@pytest.mark.parametrize(
    "sheet",
    [{"allow": True}, {"pid": 0}, {"pid": True}, {"pid": "5"}, {"deadlines": 1}, {"deadlines": {"no": 1}},
     {"deadlines": {"request": -1}}, {"bounds": {"line_bytes": 1.5}}],
)  # fmt: skip
def test_anything_else_is_refused(sheet: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="settings: "):
        from_sheet(sheet)


def test_the_bound_of_a_delivery_is_stated() -> None:
    assert Deadlines().delivery == 30_500
