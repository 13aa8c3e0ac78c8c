"""Each echo of thread/start is compared, exactly and with its type."""

from __future__ import annotations

from typing import Any

import pytest

from stack.computer_use.attestation import ROWS, asked_for, attest, is_ephemeral
from stack.errors import SetupError
from tests.stack.scripted_server import thread_result


def test_the_thread_that_was_asked_for_passes() -> None:
    attest(thread_result("/w"), "/w")
    assert is_ephemeral(thread_result("/w"))


WRONG: dict[tuple[str, ...], list[Any]] = {
    ("thread", "ephemeral"): [False, 1, "true", None],
    ("thread", "path"): ["", "/x", False],
    ("thread", "turns"): [[{}], None, {}, ()],
    ("thread", "status"): [{"type": "active"}, {}, None, {"type": "idle", "more": 1}],
    ("approvalPolicy",): ["on-request", "Never", None, {"granular": {}}],
    ("sandbox",): [{"type": "readOnly"}, "dangerFullAccess", {"type": "dangerFullAccess", "more": 1}, None],
    ("modelProvider",): ["openai", None],
    ("cwd",): ["/", "/w/", None],
    ("instructionSources",): [["/AGENTS.md"], None, "", {}],
}


@pytest.mark.claim("CUA-RUN-03", "CUA-RUN-07")
@pytest.mark.parametrize(("place", "value"), [(place, value) for place, values in WRONG.items() for value in values])
def test_another_value_is_refused_with_its_place(place: tuple[str, ...], value: Any) -> None:
    result = thread_result("/w")
    (result["thread"] if len(place) == 2 else result)[place[-1]] = value
    with pytest.raises(SetupError) as caught:
        attest(result, "/w")
    assert "/" + "/".join(place) in str(caught.value)
    assert caught.value.code == {row[0]: row[2] for row in ROWS}[place]


@pytest.mark.claim("CUA-RUN-03", "CUA-RUN-07")
@pytest.mark.parametrize("place", [row[0] for row in ROWS] + [("thread", "id"), ("thread",)])
def test_a_missing_value_is_refused(place: tuple[str, ...]) -> None:
    result = thread_result("/w")
    del (result["thread"] if len(place) == 2 else result)[place[-1]]
    with pytest.raises(SetupError):
        attest(result, "/w")


@pytest.mark.parametrize("result", [None, [], "x", {"thread": []}, {"thread": {"id": ""}}])
def test_what_is_no_result_at_all_is_refused(result: Any) -> None:
    with pytest.raises(SetupError):
        attest(result, "/w")
    assert not is_ephemeral(result)


def test_every_row_has_wrong_values_here() -> None:
    assert {row[0] for row in ROWS} == set(WRONG)


@pytest.mark.claim("CUA-RUN-02")
def test_what_is_asked_for() -> None:
    assert asked_for("/w", "s") == {
        "cwd": "/w",
        "approvalPolicy": "never",
        "sandbox": "danger-full-access",
        "ephemeral": True,
        "serviceName": "s",
    }
