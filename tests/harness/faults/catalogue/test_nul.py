"""A NUL byte inside a text."""
from __future__ import annotations

from harness.wire import codec
from tests.harness.faults.catalogue.struck import REPLY, native, written


def test_json_refuses_it() -> None:
    raw = written("nul", REPLY)
    assert raw == REPLY.replace(b'"}],', b'\0"}],')
    assert codec("jsonrpc", "<<").feed(raw)[0].problem is not None


def test_the_length_of_a_native_message_grows_with_it() -> None:
    assert written("nul", native(b'{"a":"b"}')) == native(b'{"a":"b\0"}')
