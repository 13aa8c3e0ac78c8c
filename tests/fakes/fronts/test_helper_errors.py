"""The helper's errors: every reason has a text, and numbers travel in each carrier. CUA-ERR-01 needs all three."""

from __future__ import annotations

import pytest

from fakes.fronts.helper_errors import CARRIERS, ERRORS, answer

FACTS = {"app": "Chess", "bundle": "com.apple.Chess", "found": "a, b", "index": "9", "action": "AXPress"}


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("reason", ERRORS)
def test_every_reason_has_an_answer_in_every_carrier(reason: str, carrier: str) -> None:
    number, _, _ = ERRORS[reason]
    made = answer(reason, FACTS, carrier)
    assert "{" not in str(made).replace("{'", "")
    if number is None or carrier == "is_error":
        result = made["result"]
        assert isinstance(result, dict) and result["isError"] is True
    else:
        error = made["error"]
        assert isinstance(error, dict)
        assert error["code"] == (number if carrier == "code" else -32603)
        assert error["message"].startswith(f"Computer Use server error {number}: ")


def test_one_number_stands_for_several_states_and_only_one_text_says_locked() -> None:
    texts = [text for number, text, _ in ERRORS.values() if number == -10005]
    assert len(texts) > len(set(texts)), "a locked screen and a window that is gone look alike"
    assert len([text for text in texts if "locked" in text]) == 1
