"""Who answers an elicitation of an MCP server: the policy of the thread, as a table. Nothing here is scripted.

Source: trailcam facts on codex app-server, section 5 (the matrix, measured on both versions for every cell).
"""

from __future__ import annotations

from fakes.fronts.codex_arguments import SANDBOXES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.wire.jsontext import Json

NO_STANDARD = "data did not match any variant of untagged enum ElicitRequestParamsWire"
SIMPLE = ("string", "number", "integer", "boolean")
FORWARD, ACCEPT, DECLINE = "forward", "accept", "decline"
KINDS = ("empty", "fields", "url", "openai/form", "openaiForm")
"""empty and fields: a standard form without and with properties. openaiForm: openai/elicitation/create."""

ROWS: tuple[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[bool, ...], str], ...] = (
    (("never",), ("danger-full-access",), ("empty",), (False, True), ACCEPT),
    (("never",), ("danger-full-access",), ("fields",), (True,), FORWARD),
    (("never",), ("danger-full-access",), ("fields",), (False,), DECLINE),
    (("never",), ("danger-full-access",), ("url", "openai/form", "openaiForm"), (False, True), DECLINE),
    (("never",), ("read-only", "workspace-write"), KINDS, (False, True), DECLINE),
    (("granular off",), SANDBOXES, KINDS, (False, True), DECLINE),
    (("on-request", "untrusted", "granular on"), SANDBOXES, KINDS, (False, True), FORWARD),
)
"""(policies, sandboxes, kinds, standard input, who answers). standard input: the client announced the extension
openai/standard-form-input and the thread's source is a user, on a version that heeds it."""

POLICY_NAMES = ("never", "on-request", "untrusted", "granular on", "granular off")


def policy_name(policy: Json) -> str:
    """The policy of a thread as the rows name it."""
    if isinstance(policy, dict):
        granular = policy.get("granular")
        allowed = isinstance(granular, dict) and granular.get("mcp_elicitations") is True
        return "granular on" if allowed else "granular off"
    return str(policy)


def who_answers(policy: Json, sandbox: str, kind: str, standard_input: bool) -> str:
    """FORWARD, ACCEPT or DECLINE. Exactly one row fits every input (a test enumerates them)."""
    name = policy_name(policy)
    for policies, sandboxes, kinds, inputs, answer in ROWS:
        if name in policies and sandbox in sandboxes and kind in kinds and standard_input in inputs:
            return answer
    raise LookupError(f"saw {name}, {sandbox}, {kind}; expected a row of the elicitation table for it; add one")


def kind_of(method: str, params: Mapping[str, Json]) -> str:
    """The kind of an MCP server's request that `misfit` has passed."""
    if method == "openai/form":
        return "openai/form"
    if method == "openai/elicitation/create":
        return "openaiForm"
    if params.get("mode") == "url":
        return "url"
    schema = params["requestedSchema"]
    assert isinstance(schema, dict)
    return "fields" if schema["properties"] else "empty"


def misfit(method: str, params: Json) -> str | None:
    """What the params of an MCP server's request lack, as the reader of the newer version says it; None where they fit.

    A standard form is read whole (its properties must be of simple types); of the other two only the members are.
    """
    members = params if isinstance(params, dict) else {}
    if method == "elicitation/create":
        return None if _standard(members) else NO_STANDARD
    for name in ("mode", "message", "requestedSchema") if method != "openai/form" else ("message", "requestedSchema"):
        if name not in members:
            return f"missing field `{name}`"
        if name == "mode" and members[name] != "form":
            return f"unknown variant `{members[name]}`, expected `form`"
    return None


def _standard(members: Mapping[str, Json]) -> bool:
    if not isinstance(members.get("message"), str):
        return False
    if members.get("mode") == "url":
        return isinstance(members.get("url"), str) and isinstance(members.get("elicitationId"), str)
    schema = members.get("requestedSchema")
    if members.get("mode", "form") != "form" or not isinstance(schema, dict) or schema.get("type") != "object":
        return False
    properties = schema.get("properties")
    return isinstance(properties, dict) and all(
        isinstance(each, dict) and each.get("type") in SIMPLE for each in properties.values()
    )
