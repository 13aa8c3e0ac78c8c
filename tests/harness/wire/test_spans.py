from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.wire import spans as module
from harness.wire.jsontext import DEPTH_LIMIT, JsonTextError, loads
from harness.wire.spans import spans, substitute

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=4) | st.sampled_from(["", "/", "~", "~1", "a/b~c"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | names,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=25,
)


def odd_string(text: str, chance: Random) -> str:
    """The text as JSON in one of its many spellings."""
    letters = []
    for letter in text:
        plain = json.dumps(letter, ensure_ascii=False)[1:-1]
        escaped = json.dumps(letter)[1:-1] if ord(letter) > 127 else f"\\u{ord(letter):04X}"
        spellings = [plain, escaped] + (["\\/"] if letter == "/" else [])
        letters.append(chance.choice(spellings))
    return '"' + "".join(letters) + '"'


def odd_number(value: int | float, chance: Random) -> str:
    text = json.dumps(value)
    if isinstance(value, float) and "e" not in text:
        return chance.choice([text, text + "e0", text + "E+00", text + "0"])
    return text


def odd_text(value: Any, chance: Random) -> str:
    """The value as JSON with odd spacing, escapes and numbers, and with members that a later one replaces."""

    def gap() -> str:
        return "".join(chance.choices(" \t\r\n", k=chance.choice([0, 0, 1, 3])))

    def spell(value: Any) -> str:
        if isinstance(value, str):
            return odd_string(value, chance)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return odd_number(value, chance)
        if isinstance(value, list):
            return f"[{gap()}" + f"{gap()},{gap()}".join(map(spell, value)) + f"{gap()}]"
        if isinstance(value, dict):
            members = [(name, member) for name, member in value.items() for _ in range(chance.choice([1, 1, 1, 2]))]
            shadowed = {name: chance.choice([None, [1, {"x": "y"}]]) for name in value}
            written = []
            for place, (name, member) in enumerate(members):
                last = all(later != name for later, _ in members[place + 1 :])
                written.append(f"{odd_string(name, chance)}{gap()}:{gap()}{spell(member if last else shadowed[name])}")
            return f"{{{gap()}" + f"{gap()},{gap()}".join(written) + f"{gap()}}}"
        return json.dumps(value)

    return gap() + spell(value) + gap()


def pointed(value: Any, pointer: str = "") -> dict[str, Any]:
    """Every value under its pointer, by recursion."""
    found = {pointer: value}
    members: Any = {}
    if isinstance(value, dict):
        members = value
    elif isinstance(value, list):
        members = dict(enumerate(value))
    for name, member in members.items():
        found |= pointed(member, f"{pointer}/{str(name).replace('~', '~0').replace('/', '~1')}")
    return found


@pytest.mark.claim("HAR-WIRE-01")
@settings(deadline=None, max_examples=200)
@given(values, st.integers(0, 2**32))
def test_the_text_at_each_span_is_the_value_at_the_pointer(value: Any, seed: int) -> None:
    raw = odd_text(value, Random(seed)).encode()
    found = spans(raw)
    expected = pointed(value)
    assert set(found) == set(expected)
    for pointer, (start, stop) in found.items():
        at_span = raw[start:stop]
        assert at_span == at_span.strip()
        assert repr(loads(at_span.decode())) == repr(json.loads(at_span))
        assert json.loads(at_span) == expected[pointer]


@settings(deadline=None, max_examples=200)
@given(values, st.integers(0, 2**32), st.data())
def test_some_pointers_have_the_same_spans_as_all(value: Any, seed: int, data: st.DataObject) -> None:
    raw = odd_text(value, Random(seed)).encode()
    found = spans(raw)
    wanted = data.draw(st.lists(st.sampled_from(list(found)), max_size=3))
    some = spans(raw, wanted)
    assert set(wanted) <= set(some)
    assert all(found[pointer] == span for pointer, span in some.items())


@settings(deadline=None, max_examples=200)
@given(values, st.integers(0, 2**32), values, st.data())
def test_substitution_changes_the_span_and_nothing_else(value: Any, seed: int, new: Any, data: st.DataObject) -> None:
    raw = odd_text(value, Random(seed)).encode()
    pointer = data.draw(st.sampled_from(list(spans(raw))))
    text = json.dumps(new).encode()
    start, stop = spans(raw)[pointer]
    after = substitute(raw, {pointer: text})
    assert after == raw[:start] + text + raw[stop:]
    expected = dict(pointed(json.loads(after)))
    assert expected[pointer] == new


def test_order_containers_and_spaces() -> None:
    raw = b' {"id" : 7, "result":{"tools":[ {} ,[]]},"\\u0061~/b":"x"}\n'
    found = spans(raw)
    assert {pointer: raw[start:stop] for pointer, (start, stop) in found.items()} == {
        "": raw.strip(),
        "/id": b"7",
        "/result": b'{"tools":[ {} ,[]]}',
        "/result/tools": b"[ {} ,[]]",
        "/result/tools/0": b"{}",
        "/result/tools/1": b"[]",
        "/a~0~1b": b'"x"',
    }
    assert list(found) == ["", "/id", "/result", "/result/tools", "/result/tools/0", "/result/tools/1", "/a~0~1b"]
    assert found.duplicates == []


@pytest.mark.parametrize("raw", [b"0", b"-1.5e3", b"null", b'"x"', b"[]", b" {} "])
def test_a_lone_value(raw: bytes) -> None:
    assert spans(raw) == {"": (raw.index(raw.strip()), raw.index(raw.strip()) + len(raw.strip()))}


def test_offsets_are_bytes_whatever_stands_before() -> None:
    raw = '{"é\u2028😀":["日本",1],"é":2}'.encode()
    found = spans(raw)
    assert raw[slice(*found["/é\u2028😀/1"])] == b"1"
    assert raw[slice(*found["/é"])] == b"2"
    assert substitute(raw, {"/é": '"ü"'.encode()}).decode() == '{"é\u2028😀":["日本",1],"é":"ü"}'


def test_of_equal_names_the_last_has_the_pointer_and_all_are_reported() -> None:
    raw = b'{"a":{"x":1,"x":2,"y":3},"b":0,"\\u0061":{"x":4},"b":{"c":1,"c":2,"c":3}}'
    found = spans(raw)
    assert {pointer: raw[start:stop] for pointer, (start, stop) in found.items() if pointer} == {
        "/a": b'{"x":4}',
        "/a/x": b"4",
        "/b": b'{"c":1,"c":2,"c":3}',
        "/b/c": b"3",
    }
    assert found.duplicates == ["/a", "/b", "/b/c"]


def test_several_values_at_once_in_any_order() -> None:
    raw = b'{"method":"m","id":0,"params":{"id":0,"at":[1,2]}}\r\n'
    after = substitute(raw, {"/params/at/1": b"[ ]", "/id": b'"zero"', "/params/id": b"1.0"})
    assert after == b'{"method":"m","id":"zero","params":{"id":1.0,"at":[1,[ ]]}}\r\n'


def test_nothing_to_substitute_changes_nothing_and_reads_nothing() -> None:
    assert substitute(b"no json", {}) == b"no json"


REFUSED: list[tuple[dict[str, bytes], type[Exception], str]] = [
    ({"/b": b"1"}, ValueError, r"no value at '/b'; there are values at \['', '/a'\]"),
    ({"/a/1": b"1"}, ValueError, "no value at '/a/1'"),
    ({"a": b"1"}, ValueError, "no value at 'a'"),
    ({"/a": b"1", "/a/0": b"2"}, ValueError, "'/a/0' lies inside of another"),
    ({"": b"1", "/a": b"2"}, ValueError, "'/a' lies inside of another"),
    ({"/a": b"[1,\n2]"}, ValueError, "'/a' has a newline"),
    ({"/a": b""}, JsonTextError, "no JSON value"),
    ({"/a": b"1,2"}, JsonTextError, "text after the value"),
    ({"/a": b'"\xff"'}, UnicodeDecodeError, "utf-8"),
]


@pytest.mark.parametrize(("change", "error", "says"), REFUSED, ids=range(len(REFUSED)))
def test_what_cannot_be_substituted(change: dict[str, bytes], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        substitute(b'{"a":[1]}', change)


@pytest.mark.parametrize(
    ("raw", "code"),
    [(b"", "syntax"), (b"{", "syntax"), (b'{"a":1}{', "syntax"), (b'"\xff"', "syntax"), (b"\xff", "syntax"),
     (b"[NaN]", "number"), (b"[" * 513 + b"]" * 513, "depth"), (b"[" * 100_000, "depth")],
)  # fmt: skip
def test_what_is_no_json_text_is_a_typed_error(raw: bytes, code: str) -> None:
    with pytest.raises(JsonTextError) as caught:
        spans(raw)
    assert caught.value.code == code


def test_depth_costs_no_stack() -> None:
    raw = b"[" * DEPTH_LIMIT + b"]" * DEPTH_LIMIT
    found = spans(raw)
    assert len(found) == DEPTH_LIMIT
    assert found["/0" * (DEPTH_LIMIT - 1)] == (DEPTH_LIMIT - 1, DEPTH_LIMIT + 1)


def test_pointers_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = b'{"long name":[1,2,3]}'
    each = module.POINTER_COST
    size = 5 * each + len("/long name") + 3 * len("/long name/0")
    monkeypatch.setattr(module, "POINTERS_LIMIT", size)
    assert len(spans(raw)) == 5
    monkeypatch.setattr(module, "POINTERS_LIMIT", size - 1)
    with pytest.raises(JsonTextError, match="more values than spans") as caught:
        spans(raw)
    assert caught.value.offset == raw.index(b"3")
    assert len(spans(raw, ["/long name"])) == 2


def test_long_names_around_many_values_are_refused_in_bounded_memory() -> None:
    raw = b'{"' + b"x" * 200_000 + b'":[' + b"0," * 2000 + b"0]}"
    with pytest.raises(JsonTextError, match="more values than spans"):
        spans(raw)
    assert len(spans(raw, ["/" + "x" * 200_000])) == 2
