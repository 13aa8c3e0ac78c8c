"""What is written is read back by the reader of scenarios, value by value."""
from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.properties.text import block, flow
from harness.scenario.document import read_text

TEXTS = st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(
    ["no", "on", "null", "~", "", "1e3", "0.171.0", "12:30", "- x", "{a", "a: b", "a #b", "true", "-", "x ", "a.b/3"]
)
SCALARS = st.none() | st.booleans() | st.integers(-(10**18), 10**18) | st.floats(allow_nan=False, allow_infinity=False)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS | TEXTS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=8
)


@given(VALUES)
def test_a_value_in_one_line_is_read_back(value: Any) -> None:
    text = flow(value)
    assert "\n" not in text
    assert read_text(f"v: {text}\n".encode(), "t").plain() == {"v": value}


@given(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4))
def test_a_block_is_read_back(document: dict[str, Any]) -> None:
    assert read_text(block(document).encode(), "t").plain() == document


CASES: tuple[tuple[Any, str], ...] = (
    ({"call": "click", "arguments": {"element_index": "3"}}, '{call: click, arguments: {element_index: "3"}}'),
    (["a b", True, None, 1.5], "[a b, true, null, 1.5]"),
    ("true", '"true"'),
)


@pytest.mark.parametrize(("value", "text"), CASES)
def test_it_is_as_people_write_it(value: Any, text: str) -> None:
    assert flow(value) == text


def test_lists_of_steps_and_cases_have_lines_of_their_own() -> None:
    text = block({"steps": [{"wait_ms": 1}], "cases": {"faults": {"faults": [{"fault": "drop"}]}}, "modes": ["form"]})
    assert text == (
        "steps:\n  - {wait_ms: 1}\ncases:\n  faults:\n    faults:\n      - {fault: drop}\nmodes: [form]\n"
    )
