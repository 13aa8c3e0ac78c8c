"""How each recorded session was made, where it was not made like the others: configuration, requirements, the helper.

The recordings do not say it themselves; it follows from the facts that they are the evidence for.
"""

from __future__ import annotations

from typing import Any

SERVER: dict[str, dict[str, Any]] = {
    "s07_slow_tooltimeout": {"tool_timeout_sec": 2},
    "s13_hang-at-start": {"startup_timeout_sec": 2},
    "s13_required": {"required": True},
    "s13_missing_cmd": {"command": "/nowhere/missing"},
    "s32_slow_user_vs_tool_timeout": {"tool_timeout_sec": 2},
    "s48_enabled_tools": {"enabled_tools": ["list_apps", "click"]},
}
"""Members of mcp_servers.computer-use."""
HELPER: dict[str, dict[str, Any]] = {
    "s13_crash-after-init": {"start": "exit after initialize"},
    "s13_exit-at-start": {"start": "exit"},
    "s13_hang-at-start": {"start": "hang"},
    "s13_required": {"start": "exit"},
    "s13_slowstart": {"start": "slow"},
    "s13_toolslist-error": {"start": "refuse tools"},
    "s52_stubborn_child_eof": {"stubborn": True},
    "s52_stubborn_child_15": {"stubborn": True},
    "s52_stubborn_child_9": {"stubborn": True},
    "s55_reject_experimental": {"start": "refuse experimental"},
}
"""Settings of the rig."""
REQUIREMENTS: dict[str, dict[str, Any]] = {
    "s58_requirements_both": {"approval": ["on-request"], "sandbox": ["read-only"]},
    "s58_requirements_sandbox": {"sandbox": ["read-only"]},
}
