"""A version where none belongs."""
from __future__ import annotations

import pytest

from tests.harness.faults.catalogue.struck import NO_JSON, NOTICE, REPLY, leaves, written


def test_it_is_the_first_member() -> None:
    assert written("extra_version", REPLY) == b'{"jsonrpc":"2.0",' + REPLY[1:]


@pytest.mark.parametrize("raw", [NOTICE, NO_JSON, b"{}\n", b"[]\n"])
def test_what_has_one_or_is_no_message_stays(raw: bytes) -> None:
    assert leaves("extra_version", raw)
