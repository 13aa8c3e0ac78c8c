"""What a stack of the loop can be set to."""

from __future__ import annotations

from typing import Any

import pytest

from stack import safari_mcp
from stack.decide import Model
from stack.safari_loop.settings import PAGE_BYTES, Settings, for_pages, from_sheet


def test_a_sheet_sets_the_driver_and_the_model() -> None:
    found = from_sheet({"platform": "linux", "model": {"url": "http://127.0.0.1:1"}})
    assert (found.safari.platform, found.model) == ("linux", Model("http://127.0.0.1:1"))
    assert from_sheet({}) == Settings(safari_mcp.Settings(platform="darwin"))


@pytest.mark.parametrize("given", [{"model": 1}, {"model": {}}, {"modle": {}}, {"deadlines": {"x": 1}}])
def test_what_is_no_setting_is_refused(given: Any) -> None:
    with pytest.raises(ValueError, match=r"model|settings"):
        from_sheet(given)


def test_pages_may_be_long_and_nothing_else_changes() -> None:
    usual = safari_mcp.Settings(platform="darwin")
    found = for_pages(usual)
    assert found.bounds.message_bytes == PAGE_BYTES
    assert (found.bounds.result_bytes, found.deadlines, found.platform) == (
        usual.bounds.result_bytes, usual.deadlines, usual.platform
    )  # fmt: skip
