"""What is found out and cleaned up after a call: focus, processes, folders, lease."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from tests.stack.one_call import CALL, one
from tests.stack.scripted_programs import LsAppInfo, event_line
from tests.stack.scripted_server import (
    DONE,
    AppServer,
    asks,
    exits,
    refusal,
    reply,
    text,
)

OTHER, FINDER = "ASN:0x0-0xa40a4:", "ASN:0x0-0x39039:"
FOCUS: list[tuple[LsAppInfo, bool | None]] = [
    (LsAppInfo(), True),
    (LsAppInfo(events=[(500, event_line(FINDER, "com.apple.finder", OTHER))]), True),
    (LsAppInfo(events=[(500, event_line(OTHER, "com.apple.TextEdit"))]), False),
    (LsAppInfo(events=[(500, event_line(OTHER, None))]), False),
    (LsAppInfo(events=[(0, event_line(OTHER, "com.apple.TextEdit"))]), True),
    (LsAppInfo(events=[(500, event_line("ASN:0x0-0x1:", None))]), None),
    (LsAppInfo(events=[(500, b"rubbish\n")]), None),
    (LsAppInfo(events=[(500, event_line(OTHER, "com.apple.TextEdit")[:50])]), None),
    (LsAppInfo(events=[(500, b"x" * 70_000)]), None),
    (LsAppInfo(fronts=[FINDER, OTHER]), False),
    (LsAppInfo(fronts=[""]), None),
    (LsAppInfo(fronts=[FINDER, ""]), None),
    (LsAppInfo(fronts=[FINDER, "hang"]), None),
]


@pytest.mark.claim("CUA-FOC-01", "CUA-FOC-02")
@pytest.mark.parametrize("macos", [26, 27])
@pytest.mark.parametrize(("fronts", "finding"), FOCUS)
def test_whether_the_front_application_stayed_in_front(fronts: LsAppInfo, finding: bool | None, macos: int) -> None:
    fresh = LsAppInfo(fronts.fronts, fronts.events)
    fresh.macos = macos
    answer = one(AppServer({CALL: [1000.0, DONE]}), fronts=fresh, cleanup="unknown")
    assert answer.evidence["backgroundPreserved"] is finding
    assert answer.outcome == "done"


@pytest.mark.claim("CUA-FOC-01")
def test_events_in_one_large_chunk_and_late_ones_count() -> None:
    chunk = event_line(OTHER, "com.apple.TextEdit") + event_line(FINDER, "com.apple.finder") * 400
    large = one(AppServer({CALL: [1000.0, DONE]}), fronts=LsAppInfo(events=[(500, chunk)]), cleanup="unknown")
    assert large.evidence["backgroundPreserved"] is False
    late = [(1050.0 + 100, event_line(OTHER, "com.apple.TextEdit"))]
    answer = one(AppServer({CALL: [1000.0, DONE]}), fronts=LsAppInfo(events=late), cleanup="unknown")
    assert answer.evidence["backgroundPreserved"] is False


@pytest.mark.claim("CUA-FOC-02")
def test_a_listener_that_died_or_never_started_finds_nothing() -> None:
    dead = LsAppInfo(events=[(500, b"")])
    dead.dies = True
    answer = one(AppServer({CALL: [1000.0, DONE]}), fronts=dead, cleanup="unknown")
    assert answer.evidence["backgroundPreserved"] is None
    missing = one(AppServer(), set_up=lambda host: host.fails.add("start lsappinfo"), cleanup="unknown")
    assert (missing.outcome, missing.evidence["backgroundPreserved"]) == ("done", None)


@pytest.mark.claim("CUA-FOC-01")
def test_a_failed_call_has_its_finding_too() -> None:
    seen = LsAppInfo(events=[(500, event_line(OTHER, "com.apple.TextEdit"))])
    answer = one(AppServer({CALL: [1000.0, refusal(-10005, "cgWindowNotFound")]}), fronts=seen)
    assert answer.evidence["backgroundPreserved"] is False


def _orphan(server: AppServer) -> None:
    server.orphans = True
    server.rows[CALL] = [exits(1)]


def _stubborn(server: AppServer) -> None:
    server.at_end = [math.inf]


CLEANUPS: list[tuple[str, Callable[[AppServer], None], set[str], str]] = [
    ("processes can't be listed", lambda server: None, {"tree"}, "start_failed"),
    ("a private folder could not be removed", lambda server: None, {"remove_folder"}, "cleanup_unverified"),
    ("the lease was not seen to be released", lambda server: None, {"release"}, "cleanup_unverified"),
    ("a child was orphaned by an early exit", _orphan, set(), "connection_closed"),
]


@pytest.mark.claim("CUA-CLN-02", "CUA-AUD-02")
@pytest.mark.parametrize(("problem", "change", "fails", "code"), CLEANUPS)
def test_a_cleanup_that_can_not_be_verified_fails_the_call(
    problem: str, change: Callable[[AppServer], None], fails: set[str], code: str
) -> None:
    server = AppServer({CALL: [reply({"content": text("no"), "isError": True})]})
    change(server)
    if code == "cleanup_unverified":
        server.rows[CALL] = [asks(0), DONE]  # done, with a question left open: the sequence ends
    answer = one(server, set_up=lambda host: host.fails.update(fails), cleanup=False)
    assert answer.code == code
    problems = answer.evidence["cleanupProblems"]
    assert isinstance(problems, list)
    assert problem in problems


@pytest.mark.claim("CUA-CLN-01")
def test_an_app_server_that_does_not_end_by_itself_is_ended_by_number() -> None:
    server = AppServer()
    _stubborn(server)
    assert one(server, "list_apps", {}).code is None


@pytest.mark.claim("CUA-CLN-02")
def test_a_process_that_can_not_be_killed_is_not_waited_for() -> None:
    server = AppServer()
    server.orphans = True
    answer = one(server, "list_apps", {}, cleanup=False)
    assert (answer.outcome, answer.code) == ("done", "cleanup_unverified")
    assert answer.evidence["cleanupProblems"] == ["a process still runs after it was killed"]


@pytest.mark.claim("CUA-FOC-02", "CUA-CLN-02")
def test_a_listener_that_can_not_be_ended_is_a_problem() -> None:
    fronts = LsAppInfo()
    fronts.stubborn = {9, 15}
    answer = one(AppServer({CALL: [refusal(-10005, "cgWindowNotFound")]}), fronts=fronts, cleanup=False)
    assert answer.code == "window_not_found"
    assert answer.evidence["cleanupProblems"] == ["focus listener: a process still runs after it was killed"]
