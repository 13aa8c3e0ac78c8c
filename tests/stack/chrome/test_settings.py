"""What a Chrome stack can be set to."""

from __future__ import annotations

from typing import Any

import pytest

from stack.chrome.settings import Settings, from_sheet


def test_settings_of_a_run_sheet() -> None:
    made = from_sheet({"ask_ms": 5, "registered": []})
    assert (made.ask_ms, made.settle_ms, made.registered()) == (5, Settings().settle_ms, ())
    assert from_sheet({}).registered() == ("chrome",)


@pytest.mark.parametrize("given", [{"policy": 1}, {"ask_ms": 0}, {"ask_ms": True}, {"ask_ms": "1"}, {"registered": [1]},
                                   {"registered": "chrome"}])  # fmt: skip
def test_others_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="settings: "):
        from_sheet(given)
