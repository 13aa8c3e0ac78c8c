"""What thread/start answers: the thread, the policy that it really has, and what was taken away by requirements.

Source: tapes s01, s15, s18 and s58 of both versions. A managed requirement can downgrade the policy while the call
succeeds; only the echo and a warning say so.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random
    from typing import Any

    from fakes.fronts.codex_profiles import Profile
    from fakes.fronts.codex_server import Connection
    from harness.wire.jsontext import Json

EPOCH_S = 1767225600
"""2026-01-01: the fake's clock stands still, so that equal runs give equal bytes."""

LEGACY = [
    "id",
    "extra",
    "sessionId",
    "forkedFromId",
    "parentThreadId",
    "preview",
    "ephemeral",
    "historyMode",
    "modelProvider",
    "createdAt",
    "updatedAt",
    "recencyAt",
    "status",
    "path",
    "cwd",
    "cliVersion",
    "source",
    "threadSource",
    "agentNickname",
    "agentRole",
    "gitInfo",
    "name",
    "turns",
]
PAGINATED = [
    "id",
    "environments",
    "extra",
    "sessionId",
    "forkedFromId",
    "attachedToThreadId",
    "parentThreadId",
    "preview",
    "ephemeral",
    "section",
    "sectionEnteredAt",
    "projectId",
    "historyMode",
    "modelProvider",
    "model",
    "reasoningEffort",
    "createdAt",
    "updatedAt",
    "recencyAt",
    "status",
    "path",
    "cwd",
    "cliVersion",
    "originator",
    "source",
    "canAcceptDirectInput",
    "threadSource",
    "agentNickname",
    "agentRole",
    "gitInfo",
    "name",
    "daybreakEnabled",
    "turns",
]
SHAPES = {"legacy": LEGACY, "paginated": PAGINATED}
"""Members of a thread by shape, in their order; those that are not filled in are null."""

SANDBOXES: dict[str, Json] = {
    "danger-full-access": {"type": "dangerFullAccess"},
    "read-only": {"type": "readOnly", "networkAccess": False},
    "workspace-write": {
        "type": "workspaceWrite",
        "writableRoots": [],
        "networkAccess": False,
        "excludeTmpdirEnvVar": False,
        "excludeSlashTmp": False,
    },
}
RUST_NAMES = {
    "never": "Never",
    "on-request": "OnRequest",
    "untrusted": "UnlessTrusted",
    "danger-full-access": "DangerFullAccess",
    "read-only": "ReadOnly",
    "workspace-write": "WorkspaceWrite",
}
"""How warnings name a value."""


def uuid7(rng: Random, number: int) -> str:
    """An id of a thread: the time stands still, the rest is drawn."""
    stamp = EPOCH_S * 1000 + number
    tail = rng.getrandbits(62)
    return (
        f"{stamp >> 16:08x}-{stamp & 0xFFFF:04x}-7{rng.getrandbits(12):03x}-"
        f"{0x8000 | tail >> 48:04x}-{tail & (1 << 48) - 1:012x}"
    )


def uuid4(rng: Random) -> str:
    tail = rng.getrandbits(62)
    return (
        f"{rng.getrandbits(32):08x}-{rng.getrandbits(16):04x}-4{rng.getrandbits(12):03x}-"
        f"{0x8000 | tail >> 48:04x}-{tail & (1 << 48) - 1:012x}"
    )


class Thread:
    """One thread: its policy, and a connection a configured server. user: its source is a user."""

    __slots__ = ("id", "policy", "sandbox", "user", "connections")

    def __init__(self, id: str, held: Policy, user: bool) -> None:
        self.id = id
        self.policy = held.approval
        self.sandbox = held.sandbox
        self.user = user
        self.connections: dict[str, Connection] = {}


class Refused(Exception):
    """thread/start fails with -32600 and this message."""


class Policy:
    """What the thread really has. explicit: the sandbox was asked for, so that no permission profile is active."""

    __slots__ = ("approval", "sandbox", "explicit", "warnings")

    def __init__(self, approval: Json, sandbox: str, explicit: bool, warnings: list[str]) -> None:
        self.approval = approval
        self.sandbox = sandbox
        self.explicit = explicit
        self.warnings = warnings


def policy(
    params: Mapping[str, Json], config: Mapping[str, Any], requirements: Mapping[str, Any] | None, profile: Profile
) -> Policy:
    """The policy from the call, the configuration and managed requirements `{approval: [...], sandbox: [...]}`.

    Raises Refused where a requirement forbids the sandbox and allows never.
    """
    approval: Json = params.get("approvalPolicy") or config.get("approval_policy") or "on-request"
    asked = params.get("sandbox") or config.get("sandbox_mode")
    sandbox = str(asked or "read-only")
    warnings: list[str] = []
    allowed = (requirements or {}).get("approval")
    if allowed is not None and approval not in allowed:
        warnings.append(_fallback("approval_policy", RUST_NAMES[allowed[0]], "approval_policy", str(approval), allowed))
        approval = allowed[0]
    allowed = (requirements or {}).get("sandbox")
    if allowed is not None and sandbox not in allowed:
        if approval == "never":
            raise Refused(
                f'failed to load configuration: `approval_policy = "never"` cannot be used because requirements do not '
                f'allow `sandbox_mode = "{sandbox}"`; Codex would fall back to {allowed[0]} permissions with approvals '
                "disabled. Choose an `approval_policy` based on what you need, such as `on-request`, or choose an "
                "allowed sandbox mode."
            )
        missing = ", missing_path_behavior: None" if profile.extensions else ""
        managed = (
            "Managed { file_system: Restricted { entries: [FileSystemSandboxEntry { path: Special { value: Root }, "
            f"access: Read{missing} }}], glob_scan_max_depth: None }}, network: Restricted }}"
        )
        warnings.append(_fallback("permission_profile", managed, "sandbox_mode", sandbox, allowed))
        sandbox = allowed[0]
    return Policy(approval, sandbox, asked is not None, warnings)


def _fallback(key: str, instead: str, inner: str, value: str, allowed: list[str]) -> str:
    names = ", ".join(RUST_NAMES[name] for name in allowed)
    return (
        f"Configured value for `{key}` is disallowed by requirements; falling back to required value {instead}. "
        f"Details: invalid value for `{inner}`: `{RUST_NAMES.get(value, value)}` is not in the allowed set [{names}] "
        "(set by /etc/codex/requirements.toml)"
    )


def result(
    profile: Profile,
    id: str,
    params: Mapping[str, Json],
    config: Mapping[str, Any],
    held: Policy,
    *,
    home: str,
    cwd: str,
    client: str,
) -> dict[str, Json]:
    """The result of thread/start. cwd: the working folder of the process; client: its name as initialize said it."""
    asked = params.get("cwd")
    where = cwd if asked is None else str(asked) if str(asked).startswith("/") else f"{cwd}/{asked}"
    provider = params.get("modelProvider") or config.get("model_provider") or "openai"
    model = params.get("model") or config.get("model") or profile.model
    ephemeral = params.get("ephemeral") is True
    values: dict[str, Json] = {
        "id": id,
        "environments": [{"environmentId": "local", "cwd": where, "runtimeWorkspaceRoots": [where]}],
        "sessionId": id,
        "preview": "",
        "ephemeral": ephemeral,
        "historyMode": profile.thread_shape,
        "modelProvider": provider,
        "model": model,
        "createdAt": EPOCH_S,
        "updatedAt": EPOCH_S,
        "recencyAt": EPOCH_S,
        "status": {"type": "idle"},
        "path": None if ephemeral else f"{home}/sessions/2026/01/01/rollout-2026-01-01T00-00-00-{id}.jsonl",
        "cwd": where,
        "cliVersion": profile.version,
        "originator": client,
        "source": "vscode",
        "canAcceptDirectInput": True,
        "threadSource": params.get("threadSource"),
        "turns": [],
    }
    thread: dict[str, Json] = {name: values.get(name) for name in SHAPES[profile.thread_shape]}
    return {
        "thread": thread,
        "model": model,
        "modelProvider": provider,
        "serviceTier": None,
        **({"disabledPluginIds": []} if profile.extensions else {}),
        "cwd": where,
        "runtimeWorkspaceRoots": [where],
        "instructionSources": [],
        "approvalPolicy": held.approval,
        "approvalsReviewer": "user",
        "sandbox": SANDBOXES[held.sandbox],
        "activePermissionProfile": None if held.explicit else {"id": f":{held.sandbox}", "extends": None},
        "reasoningEffort": None,
        "multiAgentMode": "explicitRequestOnly",
    }
