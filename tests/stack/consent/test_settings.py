"""Settings of a run sheet, and what is refused, without the key in any message."""

from __future__ import annotations

from typing import Any

import pytest

from stack.consent.settings import DECIDES_WITHIN_MS, Judge, Settings, from_sheet
from stack.consent.styles import STYLES
from stack.contract import Json

GIVEN: dict[str, Json] = {"style": "openai", "url": "http://127.0.0.1:1/v1", "model": "m"}


def test_what_is_given_is_set() -> None:
    assert from_sheet({}) == Settings(None, DECIDES_WITHIN_MS)
    for style in STYLES:
        judge = {**GIVEN, "style": style, "key": "secret"}
        assert from_sheet({"judge": judge}).judge == Judge(style, "http://127.0.0.1:1/v1", "m", "secret")
    assert "secret" not in repr(from_sheet({"judge": {**GIVEN, "key": "secret"}}))


@pytest.mark.parametrize(
    "given",
    [
        None, [], {"grants": []}, {"judge": None}, {"judge": {}}, {"judge": {**GIVEN, "more": "x"}},
        {"judge": {**GIVEN, "key": ""}}, {"judge": {**GIVEN, "model": 3}}, {"judge": {**GIVEN, "style": "other"}},
        {"judge": {**GIVEN, "url": "ftp://x"}}, {"judge": {"style": "openai", "url": "http://x", "key": "secret"}},
    ],
)  # fmt: skip
def test_what_is_refused(given: Any) -> None:
    with pytest.raises(ValueError, match="consent") as caught:
        from_sheet(given)
    assert "secret" not in str(caught.value)
