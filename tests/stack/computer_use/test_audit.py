"""The audit's records have nothing of the content, whatever is put into them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stack.computer_use.audit import FLAGS, NUMBERS, VERSIONS, append, record, version
from stack.computer_use.pinned import PINNED
from stack.contract import Json
from stack.errors import SetupError
from tests.stack.staging import play, staged

SECRET = "canary 7f3a"
VALUES = st.one_of(st.just(SECRET), st.none(), st.booleans(), st.integers(), st.lists(st.just(SECRET), max_size=2))


@pytest.mark.claim("CUA-AUD-01")
@given(
    st.dictionaries(st.sampled_from([*NUMBERS, *FLAGS, *VERSIONS, "app", "official", SECRET]), VALUES),
    st.sampled_from([SECRET, "click"]),
    st.sampled_from([SECRET, "done", "unknown"]),
    st.sampled_from([SECRET, None, "app_busy"]),
)
def test_no_text_of_the_content_reaches_a_record(evidence: dict[str, Any], tool: str, outcome: str, code: str) -> None:
    line = record("call", "2026-01-01", evidence, tool=tool, outcome=outcome, code=code, tools=PINNED)
    assert SECRET.encode() not in line
    assert line.isascii()
    assert line.endswith(b"\n")
    members = json.loads(line)
    assert set(members) == {"v", "event", "date", "tool", "outcome", "code", *NUMBERS, *FLAGS, *VERSIONS}
    for name in NUMBERS:
        value = evidence.get(name)
        counts = isinstance(value, int) and not isinstance(value, bool)
        assert members[name] == (value if counts else "unknown")


@pytest.mark.claim("CUA-AUD-01")
def test_a_record_keeps_what_it_may() -> None:
    evidence: dict[str, Json] = {
        "directCalls": 1,
        "durationMs": 2.5,
        "cleanupVerified": True,
        "brokerVersion": "0.171.0",
    }
    line = record("call", "d", evidence, tool="click", outcome="done", code="app_busy", tools=PINNED)
    members = json.loads(line)
    assert (members["tool"], members["outcome"], members["code"]) == ("click", "done", "app_busy")
    assert (members["directCalls"], members["durationMs"], members["cleanupVerified"]) == (1, 2.5, True)
    assert (members["brokerVersion"], members["clientBuild"]) == ("0.171.0", "unknown")


@pytest.mark.parametrize("text", ["0.171.0", "26.1", "1.2.3-beta+4", "a"])
def test_versions_pass(text: str) -> None:
    assert version(text) == text


@pytest.mark.parametrize("text", ["", " 1", "1 2", "x" * 33, "é", "1\n", None, 3, "-1"])
def test_what_is_no_version_is_unknown(text: Any) -> None:
    assert version(text) == "unknown"


def test_a_record_that_can_not_be_written_is_an_error() -> None:
    async def main() -> None:
        async with staged() as (host, _):
            append(host, b'{"a":1}\n')
            assert host.audit == [{"a": 1}]
            host.fails.add("append_private")
            with pytest.raises(SetupError, match="state_unwritable"):
                append(host, b"{}\n")

    play(main)
