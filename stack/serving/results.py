"""Replies, listings and errors in the shape of MCP.

A Reply is always a result: what the stack refused is a tool result with isError, which a model reads, and not an error
of the protocol. How the call ran stands beside it in `_meta`, under one key of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import mcp_types as types
from mcp import MCPError

from stack.contract import Json, Reply, Tool
from stack.errors import ADVICE, StackError

META: Final = "trailcam/call"
"""The key in `_meta`: {outcome, code, advice, evidence}."""


def result_of(reply: Reply) -> dict[str, Json]:
    """tools/call's result: content, structuredContent, isError and _meta as they came, and META beside the latter."""
    how: dict[str, Json] = {
        "outcome": reply.outcome,
        "code": reply.code,
        "advice": ADVICE.get(reply.code) if reply.code is not None else None,
        "evidence": dict(reply.evidence),
    }
    meta = reply.meta if isinstance(reply.meta, dict) else {}  # MCP has objects alone there
    result: dict[str, Json] = {"content": [dict(content.block) for content in reply.content]}
    if reply.structured is not None:
        result["structuredContent"] = reply.structured
    return {**result, "isError": reply.is_error, "_meta": {**meta, META: how}}


def listing_of(tools: Sequence[Tool]) -> dict[str, Json]:
    """tools/list's result, whole."""
    return {
        "tools": [
            {
                "name": tool.name,
                "description": tool.description,
                "inputSchema": dict(tool.input_schema),
                "annotations": dict(tool.annotations),
            }
            for tool in tools
        ]
    }


def listing_error(error: StackError) -> MCPError:
    """What a client is told where the tools can't be listed: a listing has no place for a refusal but this."""
    return MCPError(types.INTERNAL_ERROR, str(error), {"code": error.code, "advice": error.advice})
