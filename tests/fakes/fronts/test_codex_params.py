"""The reader of params: kinds, required members, what is unknown and what is gated."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.fronts.codex_params import KINDS, NEWER_PARAMS, PARAMS, VARIANTS, check
from fakes.fronts.codex_profiles import Profile

OLDER, NEWER = Profile("0.144.2"), Profile("0.171.0")
GRANULAR = {"sandbox_approval": True, "rules": True, "mcp_elicitations": True}


@pytest.mark.parametrize(
    ("method", "params", "error"),
    [
        ("thread/start", [], "invalid length 0, expected struct ThreadStartParams with 27 elements"),
        ("thread/loaded/list", [], "invalid type: sequence, expected struct ThreadLoadedListParams"),
        ("thread/start", "x", 'invalid type: string "x", expected struct ThreadStartParams'),
        ("thread/start", {"sandbox": 3}, "invalid type: integer `3`, expected string or map"),
        ("thread/start", {"sandbox": {"read-only": 1}}, None),
        ("thread/start", {"approvalPolicy": {"granular": 3}},
         "invalid type: integer `3`, expected struct GranularApprovalConfig"),
        ("thread/start", {"approvalPolicy": {"granular": {"rules": True}}}, "missing field `sandbox_approval`"),
        ("thread/start", {"approvalPolicy": "granular"},
         "unknown variant `granular`, expected one of `untrusted`, `on-request`, `granular`, `never`"),
        ("thread/start", {"ephemeral": None, "model": None}, None),
        ("mcpServerStatus/list", {"limit": True}, "invalid type: boolean `true`, expected u32"),
        ("mcpServerStatus/list", {"limit": -1}, "invalid value: integer `-1`, expected u32"),
        ("mcpServerStatus/list", {"limit": 4294967296}, "invalid value: integer `4294967296`, expected u32"),
        ("mcpServer/tool/call", {"threadId": "t", "server": "s", "tool": "x", "arguments": [1], "_meta": 3}, None),
        ("initialize", {"clientInfo": 3}, "invalid type: integer `3`, expected struct ClientInfo"),
        ("initialize", {"clientInfo": {"name": "a", "version": "1"}, "capabilities": None}, None),
        ("nobody/knows", None, None),
    ],
)  # fmt: skip
def test_bad_params_are_said_in_the_readers_words(method: str, params: Any, error: str | None) -> None:
    assert check(method, {"params": params}, NEWER).error == error


def test_the_count_of_members_is_the_versions() -> None:
    assert check("thread/start", {"params": []}, OLDER).error == (
        "invalid length 0, expected struct ThreadStartParams with 25 elements"
    )


def test_what_nobody_reads_is_unknown() -> None:
    client = {"name": "a", "version": "1", "colour": 1}
    params = {"clientInfo": client, "capabilities": {"extensions": {}, "nope": 1}, "other": 1}
    newer = check("initialize", {"params": params}, NEWER)
    assert newer.unknown == ["other", "clientInfo.colour", "capabilities.nope"]
    older = check("initialize", {"params": params}, OLDER)
    assert "capabilities.extensions" in older.unknown
    listing = {"params": {"serverName": "x"}}
    assert check("mcpServerStatus/list", listing, OLDER).unknown == ["serverName"]
    assert check("mcpServerStatus/list", listing, NEWER).unknown == []


def test_experimental_members_are_gated_and_not_unknown() -> None:
    gated = check("thread/start", {"params": {"dynamicTools": [], "environments": None}}, NEWER)
    assert (gated.error, gated.unknown, gated.gated) == (None, [], "thread/start.dynamicTools")
    granular = check("thread/start", {"params": {"approvalPolicy": {"granular": GRANULAR}}}, NEWER)
    assert granular.gated == "askForApproval.granular"
    assert check("thread/start", {"params": {}}, NEWER).gated is None


def test_every_kind_in_the_tables_is_known() -> None:
    members = [member for table in (PARAMS, NEWER_PARAMS) for method in table.values() for member in method.values()]
    assert {kind for kind, _, _ in members} <= {*KINDS, *VARIANTS, "anything"}
