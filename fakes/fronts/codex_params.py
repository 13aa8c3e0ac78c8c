"""The members that each method reads, and the errors for bad ones, in the words of the real server's reader.

Members are read in the order in which they stand; what is missing is said after that, in the order of the table.
Members that no table has are ignored, and flagged as a violation. Source: the schemas that the binaries generate, and
their answers to bad parameters (tapes s02, s11, s18, s20, s49).
"""

from __future__ import annotations

from fakes.fronts.codex_arguments import unexpected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    from fakes.fronts.codex_profiles import Profile
    from harness.wire.jsontext import Json

    Members: TypeAlias = Mapping[str, tuple[str, bool, bool]]

CAPABILITIES: Members = {
    "experimentalApi": ("a boolean", False, False),
    "requestAttestation": ("a boolean", False, False),
    "mcpServerOpenaiFormElicitation": ("a boolean", False, False),
    "optOutNotificationMethods": ("a sequence", False, True),
}
NEWER_CAPABILITIES: Members = {
    "extensions": ("a map", False, True),
    "explicitGatewayOauth": ("a boolean", False, False),
    "requiredHumanApproval": ("a boolean", False, False),
}
CLIENT: Members = {
    "name": ("a string", True, False),
    "title": ("a string", False, True),
    "version": ("a string", True, False),
}
PARAMS: dict[str, Members] = {
    "initialize": {
        "clientInfo": ("struct ClientInfo", True, False),
        "capabilities": ("struct InitializeCapabilities", False, True),
    },
    "thread/start": {
        "model": ("a string", False, True),
        "modelProvider": ("a string", False, True),
        "serviceTier": ("a string", False, True),
        "cwd": ("a string", False, True),
        "approvalPolicy": ("a policy", False, True),
        "approvalsReviewer": ("a string", False, True),
        "sandbox": ("a sandbox", False, True),
        "config": ("a map", False, True),
        "serviceName": ("a string", False, True),
        "baseInstructions": ("a string", False, True),
        "developerInstructions": ("a string", False, True),
        "personality": ("a string", False, True),
        "ephemeral": ("a boolean", False, True),
        "sessionStartSource": ("a string", False, True),
        "threadSource": ("a string", False, True),
    },
    "mcpServerStatus/list": {
        "cursor": ("a string", False, True),
        "limit": ("u32", False, True),
        "detail": ("a detail", False, True),
        "threadId": ("a string", False, True),
    },
    "mcpServer/tool/call": {
        "threadId": ("a string", True, False),
        "server": ("a string", True, False),
        "tool": ("a string", True, False),
        "arguments": ("anything", False, True),
        "_meta": ("anything", False, True),
    },
    "thread/unsubscribe": {"threadId": ("a string", True, False)},
    "thread/loaded/list": {"cursor": ("a string", False, True), "limit": ("u32", False, True)},
    "turn/start": {"threadId": ("a string", True, False), "input": ("a sequence", True, False)},
}
"""Method -> member -> (kind, required, may be null)."""
NEWER_PARAMS: dict[str, Members] = {
    "mcpServerStatus/list": {
        "serverName": ("a string", False, True),
        "environmentId": ("a string", False, True),
    },
    "mcpServer/tool/call": {"environmentId": ("a string", False, True)},
}
"""Members that only the newer version reads; the older one ignores them."""
EXPERIMENTAL = {
    "thread/start": [
        "allowProviderModelFallback",
        "dynamicTools",
        "environments",
        "experimentalRawEvents",
        "historyMode",
        "mockExperimentalField",
        "multiAgentMode",
        "permissions",
        "runtimeWorkspaceRoots",
        "selectedCapabilityRoots",
    ]
}
"""Method -> members that need the capability experimentalApi. The newer version has daybreakEnabled and projectId too;
they are not modelled and count as unknown."""
VARIANTS = {
    "a policy": ("untrusted", "on-request", "granular", "never"),
    "a sandbox": ("read-only", "workspace-write", "danger-full-access"),
    "a detail": ("full", "toolsAndAuthOnly"),
}
KINDS: dict[str, Any] = {
    "a string": str,
    "a boolean": bool,
    "a sequence": list,
    "a map": dict,
    "u32": int,
    "struct ClientInfo": dict,
    "struct InitializeCapabilities": dict,
    "struct GranularApprovalConfig": dict,
}


class Checked:
    """error: why the request is invalid, or None. unknown: members that nobody reads. gated: the first member that
    needs the capability experimentalApi, with its method, or None."""

    __slots__ = ("error", "unknown", "gated")

    def __init__(self, error: str | None, unknown: list[str], gated: str | None = None) -> None:
        self.error = error
        self.unknown = unknown
        self.gated = gated


def check(method: str, value: Mapping[str, Json], profile: Profile) -> Checked:
    """Look at the params of a request."""
    if method not in PARAMS:
        return Checked(None, [])
    params = value.get("params")
    if params is None:
        return Checked("missing field `params`", [])
    if not isinstance(params, dict):
        name = "".join(part[:1].upper() + part[1:] for part in method.split("/")) + "Params"
        if isinstance(params, list) and method == "thread/start":
            elements = f"expected struct {name} with {profile.thread_params} elements"
            return Checked(f"invalid length {len(params)}, {elements}", [])
        return Checked(f"invalid type: {unexpected(params)}, expected struct {name}", [])
    members = {**PARAMS[method], **(NEWER_PARAMS.get(method, {}) if profile.extensions else {})}
    gated = EXPERIMENTAL.get(method, [])
    error = _members(params, members)
    unknown = [name for name in params if name not in members and name not in gated]
    if error is None and method == "initialize":
        error = _initialize(params, profile, unknown)
    return Checked(error, unknown, _gated(method, params, gated))


def _initialize(params: Mapping[str, Json], profile: Profile, unknown: list[str]) -> str | None:
    client = params["clientInfo"]
    capabilities = params.get("capabilities") or {}
    assert isinstance(client, dict) and isinstance(capabilities, dict)
    known = {**CAPABILITIES, **(NEWER_CAPABILITIES if profile.extensions else {})}
    unknown += [f"clientInfo.{name}" for name in client if name not in CLIENT]
    unknown += [f"capabilities.{name}" for name in capabilities if name not in known]
    return _members(client, CLIENT) or _members(capabilities, known)


def _gated(method: str, params: Mapping[str, Json], gated: list[str]) -> str | None:
    for name in gated:
        if params.get(name) is not None:
            return f"{method}.{name}"
    if isinstance(params.get("approvalPolicy"), dict):
        return "askForApproval.granular"
    return None


def _members(params: Mapping[str, Json], members: Members) -> str | None:
    for name, value in params.items():
        if name in members:
            kind, _, nullable = members[name]
            if not (value is None and nullable):
                error = _misfit(kind, value)
                if error:
                    return error
    for name, (_, required, _) in members.items():
        if required and name not in params:
            return f"missing field `{name}`"
    return None


def _misfit(kind: str, value: Json) -> str | None:
    if kind == "anything":
        return None
    if kind in VARIANTS:
        return _variant(kind, value)
    fits = isinstance(value, KINDS[kind]) and (kind == "a boolean" or not isinstance(value, bool))
    if fits and kind == "u32" and isinstance(value, int) and not 0 <= value < 2**32:
        return f"invalid value: integer `{value}`, expected u32"
    return None if fits else f"invalid type: {unexpected(value)}, expected {kind}"


def _variant(kind: str, value: Json) -> str | None:
    if kind == "a policy" and isinstance(value, dict) and list(value) == ["granular"]:
        return _granular(value["granular"])
    variant = next(iter(value)) if isinstance(value, dict) and len(value) == 1 else value
    if not isinstance(variant, str):
        return f"invalid type: {unexpected(value)}, expected string or map"
    known = VARIANTS[kind]
    if variant in known and variant != "granular":
        return None
    listed = [f"`{each}`" for each in known]
    expected = " or ".join(listed) if len(listed) == 2 else f"one of {', '.join(listed)}"
    return f"unknown variant `{variant}`, expected {expected}"


def _granular(granular: Json) -> str | None:
    if not isinstance(granular, dict):
        return f"invalid type: {unexpected(granular)}, expected struct GranularApprovalConfig"
    missing = [name for name in ("sandbox_approval", "rules", "mcp_elicitations") if name not in granular]
    return f"missing field `{missing[0]}`" if missing else None
