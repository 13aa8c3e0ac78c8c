"""The identity, byte for byte, and yet it fires."""
from __future__ import annotations

from pathlib import Path

import pytest

from harness.faults.catalogue import no_op
from harness.faults.describe import DOCUMENT
from harness.faults.steps import Raw
from tests.harness.faults.catalogue.struck import NO_JSON, REPLY, REQUEST, at_moment, back, deliver, native, strike


@pytest.mark.parametrize("raw", [REQUEST, REPLY, NO_JSON, native(b"{}"), b"", b"\xff\x00\n"])
@pytest.mark.claim("HAR-FLT-01")
def test_every_byte_stays_on_every_way(raw: bytes) -> None:
    assert back("no_op", raw) == [Raw(raw)]
    frame = deliver(REQUEST)
    steps, only = strike("no_op", [frame], {})
    assert steps == [frame]
    assert only.fired
    assert at_moment("no_op") == []


def test_the_how_to_starts_from_it() -> None:
    page = (DOCUMENT.parent / "adding-a-fault.md").read_text(encoding="utf-8")
    source = Path(no_op.__file__).read_text(encoding="utf-8")
    assert source.partition("from __future__")[2] in page
