"""What the user has allowed: the table of what ends it, and what begins it."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from stack.consent.grants import ENDINGS, Ending, Grants
from stack.contract import StackEvent
from stack.errors import CallError
from tests.stack.consent.rig import ALLOW, FRESH


def both() -> Grants:
    grants = Grants()
    grants.tell("grant", ALLOW)
    grants.task = "a task"
    return grants


def test_every_event_of_the_port_has_its_row() -> None:
    assert set(ENDINGS) == set(get_args(StackEvent))


@pytest.mark.parametrize(("event", "ending"), [*ENDINGS.items(), ("new kind", Ending(task=True, full=True))])
def test_what_an_event_ends(event: str, ending: Ending) -> None:
    grants = both()
    before = grants.generation
    grants.tell(event, ALLOW if event == "grant" else None)
    assert (grants.task is None, not grants.full) == (ending.task, ending.full)
    assert (grants.generation > before) == ending.task


@pytest.mark.claim("SAF-PERM-05", tooth="input that is queued, restored, a command, or nobody's")
@pytest.mark.parametrize(
    "data",
    [
        None, "put it into the basket", [], {}, {**FRESH, "source": "queued"}, {**FRESH, "source": "steering"},
        {**FRESH, "source": "restored"}, {**FRESH, "source": None}, {**FRESH, "interactive": False},
        {**FRESH, "interactive": 1}, {**FRESH, "text": ""}, {**FRESH, "text": " \n"}, {**FRESH, "text": None},
        {**FRESH, "text": "/compact"}, {**FRESH, "text": "  /safari-permissions allow"},
        {key: value for key, value in FRESH.items() if key != "source"},
    ],
)  # fmt: skip
def test_what_begins_no_task(data: Any) -> None:
    grants = Grants()
    grants.tell("user_input", FRESH)
    assert grants.task == FRESH["text"]
    grants.tell("user_input", data)
    assert grants.task is None
    assert not grants.full


@pytest.mark.claim("SAF-PERM-10", tooth="other words, and a grant from where no user is")
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (None, "consent_usage"), ("allow", "consent_usage"), ({}, "consent_usage"),
        ({"command": "ALLOW", "interactive": True}, "consent_usage"),
        ({"command": "allow ", "interactive": True}, "consent_usage"),
        ({"command": "allow"}, "consent_noninteractive"),
        ({"command": "allow", "interactive": "yes"}, "consent_noninteractive"),
    ],
)  # fmt: skip
def test_a_grant_that_is_none_changes_nothing(data: Any, code: str) -> None:
    for before in (Grants(), both()):
        kept = (before.generation, before.task, before.full)
        with pytest.raises(CallError, match=code):
            before.tell("grant", data)
        assert kept == (before.generation, before.task, before.full)
