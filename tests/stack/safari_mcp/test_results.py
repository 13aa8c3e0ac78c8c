"""What a call answers, and its bound."""

from __future__ import annotations

import pytest

from stack.errors import CallError
from stack.safari_mcp.results import content_of, cut, size_of


def test_a_result_is_one_text_and_its_bound_is_exact() -> None:
    data = {"text": "é\ud800"}
    (content,) = content_of(data, size_of('{"text":"é\ud800"}'))
    assert content.text == '{"text":"é\ud800"}'
    with pytest.raises(CallError) as error:
        content_of(data, size_of('{"text":"é\ud800"}') - 1)
    assert error.value.code == "result_too_large"


def test_text_is_cut_and_flagged() -> None:
    assert cut(("ab", "c"), 4) == {"text": "ab\nc", "truncated": False}
    assert cut(("ab", "c"), 3) == {"text": "ab\n", "truncated": True}
