"""A message without its version."""
from __future__ import annotations

from tests.harness.faults.catalogue.struck import NOTICE, REPLY, leaves, written


def test_the_member_and_its_comma_are_gone() -> None:
    assert written("missing_version", NOTICE) == NOTICE.replace(b'"jsonrpc":"2.0",', b"")
    assert written("missing_version", b'{"id":1, "result":2, "jsonrpc" : "2.0"}\n') == b'{"id":1, "result":2}\n'
    assert written("missing_version", b'{ "jsonrpc": "2.0" }\n') == b"{  }\n"


def test_where_there_is_none_nothing() -> None:
    assert leaves("missing_version", REPLY)
