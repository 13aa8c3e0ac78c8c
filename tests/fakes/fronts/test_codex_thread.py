"""What thread/start answers: the policy that the thread really has, and what requirements took away."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from fakes.fronts.codex_profiles import VERSIONS, Profile
from fakes.fronts.codex_thread import SHAPES, Policy, Refused, policy, result, uuid4, uuid7

FULL = {"approvalPolicy": "never", "sandbox": "danger-full-access"}
BOTH = {"approval": ["on-request"], "sandbox": ["read-only"]}


def test_ids_look_like_what_they_are() -> None:
    rng = Random("x")
    for number in range(50):
        assert re.fullmatch(r"019b76da-a8[0-9a-f]{2}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", uuid7(rng, number))
        assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", uuid4(rng))


POLICIES: tuple[tuple[dict[str, Any], dict[str, Any], Any, str, bool], ...] = (
    ({}, {}, "on-request", "read-only", False),
    (FULL, {}, "never", "danger-full-access", True),
    ({}, {"approval_policy": "never", "sandbox_mode": "workspace-write"}, "never", "workspace-write", True),
    (FULL, {"approval_policy": "untrusted", "sandbox_mode": "read-only"}, "never", "danger-full-access", True),
)


@pytest.mark.parametrize(("params", "config", "approval", "sandbox", "explicit"), POLICIES)
def test_the_call_goes_before_the_configuration(
    params: dict[str, Any], config: dict[str, Any], approval: Any, sandbox: str, explicit: bool
) -> None:
    held = policy(params, config, None, Profile("0.171.0"))
    assert (held.approval, held.sandbox, held.explicit, held.warnings) == (approval, sandbox, explicit, [])


def test_requirements_downgrade_and_only_a_warning_says_so() -> None:
    held = policy(FULL, {}, BOTH, Profile("0.171.0"))
    assert (held.approval, held.sandbox) == ("on-request", "read-only")
    assert ["`approval_policy`" in held.warnings[0], "`permission_profile`" in held.warnings[1]] == [True, True]
    assert policy({"sandbox": "read-only"}, {}, BOTH, Profile("0.171.0")).warnings == []


def test_a_forbidden_sandbox_with_never_is_refused() -> None:
    with pytest.raises(Refused, match="failed to load configuration"):
        policy(FULL, {}, {"sandbox": ["read-only"]}, Profile("0.171.0"))


@pytest.mark.parametrize("version", VERSIONS)
def test_the_result_has_the_members_of_its_version(version: str) -> None:
    profile = Profile(version)
    held = Policy("never", "danger-full-access", True, [])
    made: Any = result(profile, "id", {"ephemeral": True, "cwd": "sub"}, {}, held, home="/h", cwd="/w", client="c")
    assert list(made["thread"]) == SHAPES[profile.thread_shape]
    assert (made["cwd"], made["thread"]["path"], made["model"]) == ("/w/sub", None, profile.model)
    assert ("disabledPluginIds" in made) is (version == "0.171.0")
    kept: Any = result(profile, "id", {}, {}, held, home="/h", cwd="/w", client="c")
    assert kept["thread"]["path"] == "/h/sessions/2026/01/01/rollout-2026-01-01T00-00-00-id.jsonl"
    assert kept["cwd"] == "/w"
