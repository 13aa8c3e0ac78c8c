"""The start of a frame without its end."""
from __future__ import annotations

from tests.harness.faults.catalogue.struck import REPLY, leaves, native, written


def test_the_rest_is_gone_with_the_newline() -> None:
    assert written("truncate", REPLY) == REPLY[: len(REPLY) // 2]
    assert written("truncate", REPLY, bytes=1) == b"{"
    assert written("truncate", native(b"{}"), bytes=5) == native(b"{}")[:5]


def test_a_frame_that_is_shorter_stays() -> None:
    assert leaves("truncate", REPLY, bytes=len(REPLY))
