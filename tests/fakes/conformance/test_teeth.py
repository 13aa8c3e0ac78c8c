"""Every difference between the versions, taken back, is caught by a check; so are defects in what all versions share.

A check that nothing can turn proves nothing (HAR-FAKE-04): each row breaks the model in one way, and names the check
that must fail then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fakes.fronts import (
    codex,
    codex_calls,
    codex_elicitation,
    codex_inventory,
    codex_output,
    codex_questions,
    codex_server,
    codex_servers,
    codex_starting,
)
from fakes.fronts.codex_profiles import DIFFERENCES
from harness.faults.steps import Exit, Send
from harness.wire.jsontext import encode
from tests.fakes.conformance import checks_calls, checks_process, checks_questions, checks_thread, checks_wire
from tests.fakes.conformance.backs import Check, Model
from tests.fakes.conformance.checks_process import every_check
from tests.fakes.conformance.compare import differences
from tests.fakes.conformance.play import Player
from tests.fakes.conformance.recordings import recording

CHECKS: dict[str, Check] = {
    check.__name__.removeprefix("check_codex_"): check
    for check in every_check(checks_wire, checks_thread, checks_calls, checks_questions, checks_process)
}
TAKEN_BACK: dict[str, str] = {
    "errors_pass": "error_mapping",
    "stamps": "handshake",
    "environments": "elicitation_frame",
    "thread_shape": "thread_echo",
    "status_members": "inventory",
    "server_name": "inventory_by_name",
    "ready_reused": "inventory",
    "cursor_first": "inventory_pages",
    "auth_change": "experimental_capability",
    "openai_elicitation": "openai_forms",
    "bad_forms_named": "bad_elicitations",
    "standard_form_input": "standard_form_input",
    "extensions": "thread_echo",
    "line_limit_bytes": "large_results",
    "handshake_repeats": "required_server",
    "terminate_reaps": "sigterm",
    "cancels": "tool_timeout",
    "logs_error_replies": "elicitation_answers",
    "warns_of_config": "unknown_keys",
    "config_error": "command_line",
    "thread_params": "bad_params",
    "model": "default_model",
}
"""Difference -> the check that fails where the newer version behaves like the older."""


def fails(check: str) -> None:
    with pytest.raises((AssertionError, BaseExceptionGroup)) as raised:
        Model("0.171.0").check(CHECKS[check])
    if isinstance(raised.value, BaseExceptionGroup):
        assert raised.group_contains(AssertionError), raised.value


RECORDED = {"reload_announces": "s19_reload"}
"""Difference -> the recording that fails then, where the real program is not the same each time."""


def test_every_difference_has_a_check_or_a_recording() -> None:
    assert sorted([*TAKEN_BACK, *RECORDED]) == sorted(DIFFERENCES)


@pytest.mark.claim("HAR-FAKE-04", tooth="a difference between versions taken back")
@pytest.mark.parametrize("difference", RECORDED)
def test_a_difference_that_only_a_recording_shows_is_caught(difference: str, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = recording("0.171.0", RECORDED[difference])
    assert differences(recorded, Player(recorded, 1).run()) == []
    older, newer, meaning = DIFFERENCES[difference]
    monkeypatch.setitem(DIFFERENCES, difference, (newer, older, meaning))
    assert differences(recorded, Player(recorded, 1).run()) != []


@pytest.mark.claim("HAR-FAKE-04", tooth="a difference between versions taken back")
@pytest.mark.parametrize("difference", TAKEN_BACK)
def test_a_difference_that_is_taken_back_is_caught(difference: str, monkeypatch: pytest.MonkeyPatch) -> None:
    older, newer, meaning = DIFFERENCES[difference]
    monkeypatch.setitem(DIFFERENCES, difference, (newer, older, meaning))
    fails(TAKEN_BACK[difference])


def _text_ids(self: Any, value: dict[str, Any]) -> Any:
    yield Send(encode({**value, "id": str(value.get("id"))}) + b"\n")


def _result_first(self: Any, value: dict[str, Any]) -> Any:
    yield Send(encode(dict(sorted(value.items(), reverse=True))) + b"\n")


def _nothing(self: Any, *words: Any) -> Any:
    yield from ()


def _deaf(self: Any, *words: Any) -> Any:
    return b"", "", None


def _any_answer(self: Any, value: dict[str, Any], frame: Any) -> Any:
    if self.pending:
        yield from ANSWERED(self, {**value, "id": next(iter(self.pending))}, frame)


def _ends_with_3(self: Any, status: int) -> Any:
    yield Exit(3)


ANSWERED = codex_questions.Questions.answered
OPEN_ROWS = tuple((*row[:4], codex_elicitation.FORWARD) for row in codex_elicitation.ROWS)
DEFECTS: tuple[tuple[str, Any, str, Any, tuple[str, ...]], ...] = (
    ("ids come back as text", codex_output.Output, "_send", _text_ids, ("ids",)),
    ("members in another order", codex_output.Output, "_send", _result_first, ("handshake", "unknown_method")),
    ("every elicitation is forwarded", codex_elicitation, "ROWS", OPEN_ROWS, ("elicitation_matrix",)),
    ("any id answers a question", codex_questions.Questions, "answered", _any_answer, ("elicitation_ids",)),
    ("late notices are lost", codex_questions.Questions, "tell_late", _nothing, ("elicitation_order",)),
    ("a closed transport goes unnoticed", codex_calls.Calls, "fail_open", _nothing, ("transport_closed",)),
    ("the deadline never runs out", codex_calls.Calls, "_watch", _nothing, ("tool_timeout",)),
    ("the deadline runs while a user is asked", codex_server.Connection, "pause", lambda self, now: None,
     ("elicitation_stops_the_clock",)),
    ("servers are left at the end", codex_servers.Servers, "living", lambda self: [], ("end_of_stdin_reaps",)),
    ("the exit status is another", codex.AppServer, "_close", _ends_with_3, ("handshake", "bad_utf8_ends_it")),
    ("requests of the server are not answered", codex_server.Connection, "_asked", _deaf, ("misbehaving_server",)),
    ("results are passed unread", codex_server, "_good", lambda result: True, ("results_pass",)),
    ("nothing narrows the tools", codex_server.Spec, "offers", lambda self, tool: True, ("enabled_tools",)),
    ("keys are warned of that are known", codex_starting.Starting, "_ignored", lambda self, unknown: ["x"],
     ("unknown_keys",)),
    ("cursors are not read", codex_inventory, "_page", lambda params, total: (0, total, None), ("inventory_pages",)),
    ("a startup never times out", codex_server.Connection, "time_out", lambda self: None, ("startup_timeout",)),
    ("a failed start is called ready", codex_server.Connection, "fail",
     lambda self, reason: setattr(self, "status", "connected"), ("server_that_does_not_start",)),
)  # fmt: skip
"""(what is broken, where, its name, with what, the checks that must fail)."""


@pytest.mark.claim("HAR-FAKE-04", tooth="a defect of the model")
@pytest.mark.parametrize(("what", "owner", "name", "broken", "checks"), DEFECTS, ids=[row[0] for row in DEFECTS])
def test_a_defect_is_caught(
    what: str,
    owner: Any,
    name: str,
    broken: Callable[..., Any],
    checks: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(owner, name, broken)
    for check in checks:
        fails(check)
