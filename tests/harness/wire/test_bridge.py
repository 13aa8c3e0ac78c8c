"""The dialect of our extension and its host: what a message's members say about it."""

from __future__ import annotations

from typing import Any

import pytest

from harness.wire import DIALECTS, codec

CASES: list[tuple[Any, tuple[str, str | None, Any]]] = [
    ({"type": "request", "id": "a", "verb": "snapshot"}, ("request", "snapshot", "a")),
    ({"type": "response", "id": "a", "ok": True}, ("reply", None, "a")),
    ({"type": "event", "event": "tab_closed"}, ("notice", "tab_closed", None)),
    ({"type": "hello"}, ("notice", "hello", None)),
    ({"type": "event", "event": 1}, ("notice", "event", None)),
    ({"type": "request", "id": 1, "verb": "snapshot"}, ("notice", "request", None)),
    ({"type": "request", "id": "a"}, ("notice", "request", None)),
    ({"type": "response"}, ("notice", "response", None)),
    ({"type": 1}, ("raw", None, None)),
    ([1], ("raw", None, None)),
]


@pytest.mark.parametrize(("value", "told"), CASES, ids=range(len(CASES)))
def test_kinds(value: Any, told: tuple[str, str | None, Any]) -> None:
    made = codec("bridge", "<<")
    (frame,) = made.feed(made.encode(value))
    assert (frame.kind, frame.method, frame.id) == told
    assert frame.value == value


def test_what_is_no_message_is_as_in_native_and_the_protocol_is_strict() -> None:
    (frame,) = codec("bridge", "<<").feed(b"\1\0\0\0{")
    assert frame.problem is not None
    assert (frame.kind, frame.problem.code) == ("raw", "not_json")
    assert [name for name, dialect in DIALECTS.items() if dialect.strict] == ["bridge"]
    assert DIALECTS["bridge"].limits == {">>": 1 << 20, "<<": 64 << 20}
