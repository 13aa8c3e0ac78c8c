"""One member changed, every other byte as it was."""
from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.faults.members import (
    added,
    drawn,
    is_member,
    key_of,
    key_span,
    kind_of,
    message_like,
    payload,
    put_in_text,
    removed,
    renamed,
    replaced,
    text,
    under,
    value_at,
    values_of,
)
from harness.wire.jsontext import loads
from tests.harness.faults.catalogue.struck import ERROR, NO_JSON, NOTICE, REPLY, REQUEST


@pytest.mark.parametrize(
    ("body", "kind", "carried"),
    [
        (REQUEST, "request", "/params"),
        (REPLY, "reply", "/result"),
        (ERROR, "reply", "/error"),
        (NOTICE, "notice", "/params"),
        (NO_JSON, "raw", ""),
        (b'{"id":1}', "raw", ""),
        (b'{"result":1}', "raw", "/result"),
        (b"[1]", "raw", ""),
        (b"\xff", "raw", ""),
        (b"\xef\xbb\xbf{}", "raw", ""),
    ],
)
def test_what_a_message_is_and_carries(body: bytes, kind: str, carried: str) -> None:
    values = values_of(body)
    assert kind_of(values) == kind
    assert payload(values) == carried


@pytest.mark.parametrize(
    ("body", "pointer", "left"),
    [
        (b'{"a":1,"b":2}', "/a", b'{"b":2}'),
        (b'{"a":1,"b":2}', "/b", b'{"a":1}'),
        (b'{ "a" : 1 , "b" : 2 }', "/a", b'{  "b" : 2 }'),
        (b'{ "a" : 1 , "b" : 2 }', "/b", b'{ "a" : 1  }'),
        (b'{"a":1}', "/a", b"{}"),
        (b"[1,[2],3]", "/1", b"[1,3]"),
        (b"[1, 2]", "/0", b"[ 2]"),
        (b"[1]", "/0", b"[]"),
        (b'{"a\\"b":1,"c":{}}', '/a"b', b'{"c":{}}'),
        (b'{"a\\\\":1,"c":{}}', "/a\\", b'{"c":{}}'),
        (b'{"x":{"a":[1]}}', "/x/a", b'{"x":{}}'),
    ],
)
def test_a_value_goes_with_its_key_and_its_comma(body: bytes, pointer: str, left: bytes) -> None:
    assert removed(body, values_of(body), pointer) == left


@pytest.mark.parametrize(
    ("body", "pointer", "key"),
    [(b'{"a":1}', "/a", b'"a"'), (b'{"a\\"\\\\\\"" \n:\t1}', '/a"\\"', b'"a\\"\\\\\\""'), (b'{"":1}', "/", b'""')],
)
def test_the_key_of_a_value(body: bytes, pointer: str, key: bytes) -> None:
    start, end = key_span(body, values_of(body)[pointer][0])
    assert body[start:end] == key


def test_a_member_is_added_first() -> None:
    assert added(b'{"a":1}', values_of(b'{"a":1}'), "", "b", b"2") == b'{"b":2,"a":1}'
    assert added(b"{ }", values_of(b"{ }"), "", 'q"', b"2") == b'{"q\\"":2 }'
    assert added(b'[{"a":1}]', values_of(b'[{"a":1}]'), "/0", "b", b"2") == b'[{"b":2,"a":1}]'
    assert added(b"[1]", values_of(b"[1]"), "", "b", b"2") is None
    assert added(b"{}", values_of(b"{}"), "/none", "b", b"2") is None


def test_only_members_of_objects_are_members() -> None:
    body = b'{"a":[1,{"b":2}]}'
    values = values_of(body)
    assert [pointer for pointer in values if is_member(body, values, pointer)] == ["/a", "/a/1/b"]
    assert not is_member(body, values, "/none")


def test_text_is_put_at_the_end_of_a_string() -> None:
    values = values_of(REPLY)
    assert put_in_text(REPLY, values, None, b"!") == REPLY.replace(b'"}],', b'!"}],')
    assert put_in_text(REPLY, values, "/result/content/0/type", b"!") == REPLY.replace(b':"text"', b':"text!"')
    assert put_in_text(REPLY, values, "/id", b"!") is None
    only_outside = b'{"id":"q","result":{"n":1}}'
    assert put_in_text(only_outside, values_of(only_outside), None, b"!") == b'{"id":"q!","result":{"n":1}}'
    assert put_in_text(b"[1]", values_of(b"[1]"), None, b"!") is None


def test_pointers_inside_in_the_order_of_the_text() -> None:
    values = values_of(REQUEST)
    assert under(values, "/params") == [
        "/params/name", "/params/count", "/params/deep", "/params/deep/a", "/params/deep/a/0", "/params/deep/a/1",
    ]  # fmt: skip
    assert value_at(REQUEST, values, "/params/deep") == {"a": [1, "x"]}


def test_the_seed_draws() -> None:
    class At:
        def __init__(self, place: float) -> None:
            self.place = place

        def random(self) -> float:
            return self.place

    assert [drawn(["a", "b", "c"], At(place)) for place in (0.0, 0.34, 0.99)] == ["a", "b", "c"]
    assert drawn([], At(0.5)) is None


def test_a_message_beside_another_speaks_its_dialect() -> None:
    assert message_like(NOTICE[:-1], {"method": "x"}) == b'{"jsonrpc":"2.0","method":"x"}'
    assert message_like(REPLY[:-1], {"method": "\u2028"}) == b'{"method":"\\u2028"}'


def test_keys_of_pointers() -> None:
    assert key_of("/a/b~1c~0d") == "b/c~d"


json = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("a\"\\ é/~", max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('a"\\é/~', max_size=3), inner, max_size=3),
    max_leaves=12,
)


def without(value: Any, parts: list[str]) -> Any:
    if isinstance(value, list):
        index = int(parts[0])
        inner = [without(value[index], parts[1:])] if len(parts) > 1 else []
        return value[:index] + inner + value[index + 1 :]
    if len(parts) > 1:
        return {**value, parts[0]: without(value[parts[0]], parts[1:])}
    return {key: item for key, item in value.items() if key != parts[0]}


@given(json, st.data())
def test_changes_mean_what_they_say(value: Any, data: st.DataObject) -> None:
    body = text(value)
    values = values_of(body)
    pointers = [pointer for pointer in values if pointer]
    if not pointers:
        return
    pointer = data.draw(st.sampled_from(pointers))
    parts = [key_of("/" + part) for part in pointer[1:].split("/")]
    assert loads(removed(body, values, pointer).decode()) == without(value, parts)
    other = replaced(body, values, pointer, b"[7]")
    assert value_at(other, values_of(other), pointer) == [7]
    if is_member(body, values, pointer):
        start, end = key_span(body, values[pointer][0])
        assert loads(body[start:end].decode()) == parts[-1]
        assert body[:start] + text("new") + body[end:] == renamed(body, values, pointer, "new")
