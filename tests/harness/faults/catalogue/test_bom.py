"""A byte order mark before the message."""
from __future__ import annotations

from tests.harness.faults.catalogue.struck import REPLY, native, written


def test_it_stands_before_the_message_and_inside_the_framing() -> None:
    assert written("bom", REPLY) == b"\xef\xbb\xbf" + REPLY
    assert written("bom", native(b"{}")) == native(b"\xef\xbb\xbf{}")
