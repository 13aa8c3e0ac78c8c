"""The forms of a canary: each is found, and a near miss is not."""
from __future__ import annotations

import base64
import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.laws.canary import find, forms, joined_leaves

VALUE = 'pass"word\\é\n+/? 9'


def escaped(value: str, times: int, **options: Any) -> str:
    for _ in range(times):
        value = json.dumps(value, **options)[1:-1]
    return value


FORMS: list[tuple[str, bytes]] = [
    ("as it is", VALUE.encode()),
    ("escaped in JSON", escaped(VALUE, 1).encode()),
    ("escaped in JSON", escaped(VALUE, 1, ensure_ascii=False).encode()),
    ("escaped in JSON", escaped(VALUE, 2).encode()),
    ("escaped in JSON", escaped(VALUE, 3, ensure_ascii=False).encode()),
    ("in hex", VALUE.encode().hex().encode()),
    ("in hex", VALUE.encode().hex().upper().encode()),
    ("percent-encoded", quote(VALUE, safe="").encode()),
]


@pytest.mark.parametrize(("form", "text"), FORMS)
def test_each_form_is_found_where_it_stands(form: str, text: bytes) -> None:
    assert find(VALUE, b"before " + text + b" after") == (7, form)
    assert find(VALUE, text[:-1]) is None


@given(st.text(min_size=8, alphabet=st.characters(codec="utf-8")), st.binary(max_size=7), st.binary(max_size=7))
def test_base64_is_found_at_any_offset(value: str, before: bytes, after: bytes) -> None:
    data = before + value.encode() + after
    assert find(value, base64.b64encode(data)) is not None
    assert find(value, base64.urlsafe_b64encode(data)) is not None


@given(st.text(min_size=8), st.text(max_size=5), st.integers(0, 3), st.booleans())
def test_json_in_json_is_found(value: str, around: str, times: int, ascii_only: bool) -> None:
    text = escaped(f"{around}{value}{around}", times, ensure_ascii=ascii_only)
    assert find(value, text.encode("utf-8", "surrogatepass")) is not None


@given(st.text(alphabet="abc", min_size=8), st.text(alphabet="xyz0123456789", max_size=60))
def test_what_is_not_there_is_not_found(value: str, text: str) -> None:
    assert find(value, text.encode()) is None


def test_forms_are_made_once_and_plain_text_has_few() -> None:
    assert forms("plain-canary-1") is forms("plain-canary-1")
    assert len(forms("plaincanary1")) == 1 + 3 + 2


def test_a_canary_in_pieces_is_joined() -> None:
    messages = [{"params": {"text": part, "id": str(n)}} for n, part in enumerate(("hu", "sh-", "93"))]
    assert "hush-93" in list(joined_leaves(messages))
    assert "hush" in list(joined_leaves([{"lines": ["hu", "sh"]}]))
    assert list(joined_leaves([{"a": "hu", "b": "sh"}])) == []
    assert list(joined_leaves([1, None, "alone"])) == []
