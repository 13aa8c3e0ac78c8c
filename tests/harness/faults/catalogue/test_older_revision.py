"""Another revision than was asked for."""
from __future__ import annotations

import pytest

from harness.faults.steps import Raw
from tests.harness.faults.catalogue.struck import NO_JSON, REPLY, REQUEST, back, leaves


def test_only_the_revision_changes() -> None:
    raw = b'{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}\n'
    assert back("older_revision", raw) == [Raw(raw.replace(b"2025-11-25", b"2024-11-05"))]
    assert back("older_revision", raw, revision="1999-01-01") == [Raw(raw.replace(b"2025-11-25", b"1999-01-01"))]


@pytest.mark.parametrize("raw", [REPLY, REQUEST, NO_JSON])
def test_other_replies_have_none(raw: bytes) -> None:
    assert leaves("older_revision", raw)
