"""The elicitation matrix: one row for every input, and what is no elicitation at all."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from fakes.fronts.codex_arguments import SANDBOXES
from fakes.fronts.codex_elicitation import (
    KINDS,
    NO_STANDARD,
    POLICY_NAMES,
    ROWS,
    kind_of,
    misfit,
    policy_name,
    who_answers,
)

INPUTS = list(product(POLICY_NAMES, SANDBOXES, KINDS, (False, True)))
VALUES: dict[str, Any] = {
    "granular on": {"granular": {"mcp_elicitations": True}},
    "granular off": {"granular": {"mcp_elicitations": False}},
}


@pytest.mark.parametrize(("policy", "sandbox", "kind", "standard_input"), INPUTS)
def test_exactly_one_row_fits(policy: str, sandbox: str, kind: str, standard_input: bool) -> None:
    fitting = [
        row for row in ROWS
        if policy in row[0] and sandbox in row[1] and kind in row[2] and standard_input in row[3]
    ]  # fmt: skip
    assert len(fitting) == 1
    assert who_answers(VALUES.get(policy, policy), sandbox, kind, standard_input) == fitting[0][4]


def test_an_input_without_a_row_is_an_error_and_no_guess() -> None:
    with pytest.raises(LookupError, match="expected a row"):
        who_answers("sometimes", "read-only", "empty", False)


def test_policies_have_names() -> None:
    assert policy_name("never") == "never"
    assert policy_name({"granular": {}}) == policy_name({}) == "granular off"
    assert {policy_name(value) for value in VALUES.values()} == set(VALUES)


FORM: dict[str, Any] = {"message": "m", "requestedSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}
PARAMS: tuple[tuple[str, Any, str | None], ...] = (
    ("elicitation/create", FORM, None),
    ("elicitation/create", {**FORM, "mode": "form"}, None),
    ("elicitation/create", {"mode": "url", "message": "m", "url": "u", "elicitationId": "e"}, None),
    ("elicitation/create", {"mode": "url", "message": "m", "url": "u"}, NO_STANDARD),
    ("elicitation/create", {**FORM, "mode": "openai/form"}, NO_STANDARD),
    ("elicitation/create", {**FORM, "message": None}, NO_STANDARD),
    ("elicitation/create", {"message": "m", "requestedSchema": {"type": "object"}}, NO_STANDARD),
    ("elicitation/create", {"message": "m", "requestedSchema": {"properties": {}}}, NO_STANDARD),
    (
        "elicitation/create",
        {"message": "m", "requestedSchema": {"type": "object", "properties": {"a": 1}}},
        NO_STANDARD,
    ),
    ("elicitation/create", None, NO_STANDARD),
    ("openai/form", {"message": "m", "requestedSchema": {"type": "object"}}, None),
    ("openai/form", {"requestedSchema": {}}, "missing field `message`"),
    ("openai/form", [], "missing field `message`"),
    ("openai/elicitation/create", {**FORM, "mode": "form"}, None),
    ("openai/elicitation/create", FORM, "missing field `mode`"),
    ("openai/elicitation/create", {"mode": "url"}, "unknown variant `url`, expected `form`"),
)


@pytest.mark.parametrize(("method", "params", "why"), PARAMS)
def test_params_that_can_not_be_read_are_named(method: str, params: Any, why: str | None) -> None:
    assert misfit(method, params) == why


@pytest.mark.parametrize(
    ("method", "params", "kind"),
    [
        ("elicitation/create", FORM, "fields"),
        ("elicitation/create", {"requestedSchema": {"properties": {}}}, "empty"),
        ("elicitation/create", {"mode": "url"}, "url"),
        ("openai/form", {}, "openai/form"),
        ("openai/elicitation/create", {"mode": "form"}, "openaiForm"),
    ],
)
def test_each_request_has_its_kind(method: str, params: Any, kind: str) -> None:
    assert kind_of(method, params) == kind
