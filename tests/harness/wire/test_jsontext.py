from __future__ import annotations

import json
import math
import sys
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from harness.wire.jsontext import DEPTH_LIMIT, JsonTextError, dumps, encode, loads, scan

texts = st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)
# Pieces that make JSON, nearly JSON, and rubbish.
shreds = st.lists(
    st.sampled_from(
        ["{", "}", "[", "]", ",", ":", '"', '"a"', '"a":', "\\", "\\u", "d800", "0", "1", "-", ".", "e", "E", "+",
         "1e5", "12.5", "true", "false", "null", "nul", "NaN", "Infinity", "-Infinity", " ", "\t", "\n", "\r",
         "\x00", "\x0b", "\u00a0", "\ufeff", "é", "\u2028", "\ud800", "1e999", "/"]
    ),
    max_size=14,
).map("".join)  # fmt: skip


def same(left: Any, right: Any) -> bool:
    """Equal, types included: 1, 1.0 and True are three values."""
    return repr(left) == repr(right)


@settings(deadline=None)
@given(values, st.booleans(), st.sampled_from([None, 1]))
def test_reads_what_json_writes(value: Any, ascii_only: bool, indent: int | None) -> None:
    assert same(loads(json.dumps(value, ensure_ascii=ascii_only, indent=indent)), value)


@settings(deadline=None)
@given(values, st.booleans(), st.booleans())
def test_writes_what_json_writes(value: Any, ascii_only: bool, sort: bool) -> None:
    expected = json.dumps(value, ensure_ascii=ascii_only, sort_keys=sort, separators=(",", ":"))
    assert dumps(value, ascii_only=ascii_only, sort=sort) == expected
    assert encode(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    assert dumps(value).isascii()


@settings(deadline=None, max_examples=400)
@given(st.text(max_size=12) | shreds)
@example("")
@example("[1,]")
@example('{"a":1,}')
@example('"\x01"')
@example("\ufeff1")
@example("1 2")
def test_reads_or_refuses_as_json_does_and_at_the_same_place(text: str) -> None:
    theirs = refusal_by_json(text)
    try:
        ours: JsonTextError | Any = loads(text)
    except JsonTextError as problem:
        ours = problem
    if not isinstance(ours, JsonTextError):
        assert theirs is None
        assert same(ours, json.loads(text))
    elif ours.code == "number":
        assert any(odd in text for odd in ("NaN", "Infinity", "e999"))
    else:
        # json complains of a byte order mark before it looks at anything.
        assert theirs == ours.offset or (theirs is not None and text.startswith("\ufeff"))


def refusal_by_json(text: str) -> int | None:
    """Where json refuses the text; None where it does not."""
    try:
        json.loads(text)
    except json.JSONDecodeError as problem:
        return problem.pos
    return None


BAD = [
    ("", "no JSON value", 0, "syntax"),
    ("  ", "no JSON value", 2, "syntax"),
    ("nul", "no JSON value", 0, "syntax"),
    ("[1,", "no JSON value", 3, "syntax"),
    ('"a', "Unterminated string starting", 0, "syntax"),
    ('"\x01"', "Invalid control character", 1, "syntax"),
    ("{1:2}", "Expecting property name enclosed in double quotes", 1, "syntax"),
    ("[1] \r\n x", "text after the value", 7, "syntax"),
    ("01", "text after the value", 1, "syntax"),
    ("NaN", "NaN is no JSON number", 0, "number"),
    ('["NaN\\"NaN", NaN]', "NaN is no JSON number", 13, "number"),
    ("[-Infinity]", "-Infinity is no JSON number", 1, "number"),
    ("[0,1e400]", "a number is over the range of a 64-bit float", 3, "number"),
    ("[10e0, 1e0, 0e400, -1e400]", "a number is over the range of a 64-bit float", 19, "number"),
    ("[0." + "0" * 400 + "1e400,1e400]", "a number is over the range of a 64-bit float", 409, "number"),
]


@pytest.mark.parametrize(("text", "why", "offset", "code"), BAD)
def test_error_says_why_and_where(text: str, why: str, offset: int, code: str) -> None:
    with pytest.raises(JsonTextError) as caught:
        loads(text)
    assert (caught.value.why, caught.value.offset, caught.value.code) == (why, offset, code)
    assert str(caught.value) == f"{why} at character {offset}"


def test_integer_over_the_interpreters_limit_is_a_typed_error() -> None:
    limit = sys.get_int_max_str_digits()
    assert loads("9" * limit) == int("9" * limit)
    with pytest.raises(JsonTextError) as caught:
        loads('{"99": [1, -' + "9" * (limit + 1) + "]}")
    assert caught.value.code == "number"
    assert caught.value.offset == len('{"99": [1, ')
    assert f"the limit is {limit} digits" in str(caught.value)
    with pytest.raises(ValueError, match="4300"):
        dumps(10**limit)


@pytest.mark.parametrize("text", ["9007199254740993", "18446744073709551616", "-0", "-0.0", "1E5", "5e-324", "1e-400"])
def test_numbers_as_json_reads_them(text: str) -> None:
    assert same(loads(text), json.loads(text))


def test_largest_float_is_read_and_the_next_refused() -> None:
    assert loads(repr(sys.float_info.max)) == sys.float_info.max
    with pytest.raises(JsonTextError, match="64-bit float"):
        loads("1.8e308")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, [1, {"a": math.inf}]])
def test_not_a_number_is_never_written(value: Any) -> None:
    for write in (dumps, encode):
        with pytest.raises(ValueError, match=r"Out of range|nan|inf"):
            write(value)


@pytest.mark.parametrize("value", [b"bytes", {1, 2}, object(), [1, {"a": 1j}]])
def test_what_is_no_json_value_is_never_written(value: Any) -> None:
    with pytest.raises(TypeError, match="is no JSON value"):
        dumps(value)


def test_lone_surrogates_come_and_go_as_escapes() -> None:
    text = '["\\ud800","\\udfff","x\\ud83dy"]'
    value = loads(text)
    assert value == ["\ud800", "\udfff", "x\ud83dy"]
    assert dumps(value) == text
    assert encode(value) == text.encode()
    assert loads(encode(value).decode()) == value


def test_a_pair_of_surrogates_is_one_character() -> None:
    assert loads('"\\ud83d\\ude00"') == "😀"
    assert encode("😀") == '"😀"'.encode()


def test_line_separators_of_unicode_stand_raw() -> None:
    assert encode("\u2028\u0085") == b'"\xe2\x80\xa8\xc2\x85"'


def test_last_of_equal_names_wins() -> None:
    assert loads('{"a":1,"a":2}') == {"a": 2}


NESTS = [("[", "]", 1, 0), ('{"a":', "}", 1, 0), ('[{"[[[":', "}]", 2, 1)]


@pytest.mark.parametrize(("opening", "closing", "levels", "last"), NESTS)
@pytest.mark.parametrize("siblings", ["", "[]," * 600])
def test_depth_is_bounded_exactly(opening: str, closing: str, levels: int, last: int, siblings: str) -> None:
    times = DEPTH_LIMIT // levels
    at_limit = opening * times + "0" + closing * times
    assert loads(at_limit) == json.loads(at_limit)
    before = f"[{siblings}"
    with pytest.raises(JsonTextError) as caught:
        loads(f"{before}{at_limit}]")
    problem = caught.value
    assert (problem.code, problem.why) == ("depth", f"nested deeper than {DEPTH_LIMIT}")
    assert problem.offset == len(before) + len(opening) * (times - 1) + last


def test_brackets_in_strings_do_not_nest() -> None:
    text = json.dumps(["[" * 2000, '\\"[' * 2000, {"{" * 600: "\\"}])
    assert loads(text) == json.loads(text)


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "]" * 1000, "[" * 400 + "]" * 800, "[]]" * 1000, "{" * 600, '["' * 300, "[" * 600 + "]" * 9]
)
def test_unbalanced_brackets_are_refused(text: str) -> None:
    with pytest.raises(JsonTextError):
        loads(text)


def test_wide_text_below_the_limit_of_depth_passes_whatever_its_brackets() -> None:
    inner = "[" * (DEPTH_LIMIT - 1) + "]" * (DEPTH_LIMIT - 1)
    assert len(loads(f"[{inner},{inner},{inner}]")) == 3  # type: ignore[arg-type]


@pytest.mark.parametrize("opened", [DEPTH_LIMIT - 4, DEPTH_LIMIT])
def test_open_brackets_up_to_the_limit_are_no_depth_error(opened: int) -> None:
    with pytest.raises(JsonTextError) as caught:
        loads("[[]," + "[" * (opened - 1))
    assert caught.value.code == "syntax"


def test_the_first_bad_text_of_a_process_is_refused_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """The C scanner has no error class of its own: it needs json.decoder, which no light program loads before."""
    monkeypatch.delitem(sys.modules, "json.decoder")
    with pytest.raises(JsonTextError) as caught:
        loads("{1:2}")
    assert (caught.value.code, caught.value.offset) == ("syntax", 1)


def test_little_stack_left_is_a_typed_error() -> None:
    """CPython 3.11 counts C recursion with the caller's: a frame that is read deep down must not end the run."""

    def down(levels: int) -> object:
        if levels:
            return down(levels - 1)
        try:
            return loads("[" * 500 + "]" * 500)
        except JsonTextError as problem:
            return problem.code

    assert down(0) != "depth"
    assert down(700) == "depth" or sys.version_info >= (3, 12)


def test_value_that_contains_itself_is_refused() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(ValueError, match="contains itself"):
        dumps(value)


def test_scan_gives_a_value_and_its_end() -> None:
    assert scan('xx"a\\"b",1', 2) == ('a"b', 8)
    assert scan("[12]", 1) == (12, 3)
