"""Replies in the shape of MCP."""

from __future__ import annotations

import pytest

from stack.contract import Content, Reply, Tool
from stack.errors import ADVICE, CallError
from stack.serving.results import META, listing_error, listing_of, result_of


@pytest.mark.claim("CUA-RES-02")
@pytest.mark.parametrize("code", [None, *ADVICE])
def test_every_code_brings_its_advice(code: str | None) -> None:
    result = result_of(Reply("unknown", code, evidence={"directCalls": 1}))
    assert result["_meta"] == {
        META: {
            "outcome": "unknown",
            "code": code,
            "advice": None if code is None else ADVICE[code],
            "evidence": {"directCalls": 1},
        }
    }


def test_what_is_not_there_is_not_made_up() -> None:
    result = result_of(Reply("done", content=(Content({"type": "text", "text": ""}),), meta="no object"))
    assert set(result) == {"content", "isError", "_meta"}
    assert isinstance(result["_meta"], dict) and set(result["_meta"]) == {META}


def test_the_programs_own_meta_stays_beside_ours() -> None:
    result = result_of(Reply("done", structured=[], meta={"a": None, META: "another's"}, is_error=True))
    assert (result["structuredContent"], result["isError"]) == ([], True)
    assert isinstance(result["_meta"], dict) and result["_meta"]["a"] is None
    assert isinstance(result["_meta"][META], dict)


def test_a_listing_keeps_the_order_and_an_error_its_code() -> None:
    tools = [Tool(name, "", {"type": "object"}) for name in ("b", "a")]
    listed = listing_of(tools)["tools"]
    assert listed == [
        {"name": name, "description": "", "inputSchema": {"type": "object"}, "annotations": {}} for name in ("b", "a")
    ]
    error = listing_error(CallError("stack_closed", "closed")).error
    assert error.data == {"code": "stack_closed", "advice": ADVICE["stack_closed"]}
