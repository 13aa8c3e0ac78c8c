"""The steps of a sheet on a small system (tests/harness/scenario/clerk.py): what a history has of each."""

from __future__ import annotations

from typing import Any

import pytest

from harness.problem import UsageProblem
from harness.scenario.runner import run
from tests.harness.scenario.clerk import call, clerk_sheet, lines, register


@pytest.fixture(autouse=True)
def clerk(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def played(*steps: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    """The history of a run with these steps."""
    return run(clerk_sheet(*steps, **more)).history


def test_a_call_is_asked_and_answered() -> None:
    history = played(call("greet", name="you"))
    asked, answered = lines(history, "asked")[0], lines(history, "answered")[0]
    assert (asked["tool"], asked["arguments"], asked["means"], asked["deadline_ms"]) == (
        "greet", {"name": "you"}, None, 9000,
    )  # fmt: skip
    assert answered["content"] == [{"type": "text", "text": "hello you"}]
    assert lines(history, "left")[0] == {**lines(history, "left")[0], "processes": [], "locks": [], "sockets": []}


def test_what_a_program_is_started_with_is_noted() -> None:
    launched = lines(played(call("work")), "launched")[0]
    assert launched["program"] == "clerk"
    assert launched["env"] == {"HOME": "/trailcam/state/desk"}
    assert launched["cwd"] == "/trailcam/state/desk"
    assert launched["folders"] == [{"path": "/trailcam/state/desk", "names": []}]


def test_calls_in_the_background_overlap_and_can_be_awaited() -> None:
    history = played(
        call("wait", "slow", background=True, ms=300), call("greet", "quick"), {"await": "slow"}, call("greet", "after")
    )
    order = [(line["e"], line["call"]) for line in history if line["e"] in ("asked", "answered")]
    assert order == [
        ("asked", 0), ("asked", 1), ("answered", 1), ("answered", 0), ("asked", 2), ("answered", 2),
    ]  # fmt: skip


def test_a_call_that_nobody_awaits_ends_with_the_run() -> None:
    assert lines(played(call("wait", "slow", background=True, ms=5000)), "answered")[0]["t"] == 5000


def test_a_cancelled_call_has_its_line() -> None:
    history = played(call("wait", "slow", background=True, ms=5000), {"wait_ms": 100}, {"cancel": "slow"})
    assert lines(history, "cancelled")[0]["call"] == 0
    assert lines(history, "answered")[0]["outcome"] == "unknown"
    assert lines(history, "answered")[0]["t"] == 100


def test_a_stack_that_raises_is_noted_and_not_answered() -> None:
    history = played(call("fail"), call("greet"))
    assert lines(history, "raised")[0]["error"] == "ZeroDivisionError: division by zero"
    assert [line["call"] for line in lines(history, "answered")] == [1]
    assert lines(played(call("fail_typed")), "raised")[0]["error"] == "ClerkError: no such form"


def test_events_answers_and_changes() -> None:
    history = played(
        {"answer": {"action": "accept"}}, call("ask"), {"change": {"number": 4}},
        {"tell": "task_end", "data": {"a": 1}}, call("ask"),
    )  # fmt: skip
    assert [line["answer"] for line in lines(history, "replied")] == [{"action": "accept"}, None]
    assert lines(history, "told")[0]["data"] == {"a": 1}
    assert run(clerk_sheet({"change": {"number": 4}})).world[0]["by"] == "user"


def test_lists_and_status_are_looked_at() -> None:
    history = played({"look": "tools"}, {"look": "status"}, call("strike"), {"look": "tools"})
    first, second = lines(history, "listed")
    assert first["tools"] == [{"name": "greet", "description": "Greets", "inputSchema": {}, "annotations": {}}]
    assert (second["tools"], second["error"]) == (None, "on strike")
    assert lines(history, "reported")[0]["status"] == {"open": True}


def test_several_stacks_share_locks_and_nothing_else() -> None:
    lock = call("lock")
    history = played(lock, {"open": "other"}, {**call("lock"), "on": "other"}, {"close": "other"}, {"open": "third"},
                     {**call("work"), "on": "third"})  # fmt: skip
    assert [line["outcome"] for line in lines(history, "answered")] == ["done", "refused", "done"]
    assert [line.get("stack") for line in lines(history, "asked")] == [None, "other", "third"]
    assert [(line["e"], line["stack"]) for line in history if line["e"] in ("opened", "closed")] == [
        ("opened", "other"), ("closed", "other"), ("opened", "third"), ("closed", "third"),
    ]  # fmt: skip
    assert lines(history, "launched")[0]["cwd"] == "/trailcam/state/third/desk"


def test_what_the_stack_wrote_is_noted_by_its_place() -> None:
    history = played(call("note", text="seen"), {"open": "other"}, {**call("note", text="too"), "on": "other"})
    assert [(line["place"], line["file"], line["text"]) for line in lines(history, "wrote")] == [
        ("log", "clerk.log", "seen\n"), ("log", "other/clerk.log", "too\n"),
    ]  # fmt: skip
    assert lines(history, "left")[0]["files"] == ["clerk.log", "other/clerk.log"]


def test_a_broken_stack_takes_the_stacks_place() -> None:
    history = played(call("greet"), broken={"broken": "answers", "with": {"outcome": "refused"}})
    assert lines(history, "answered")[0]["outcome"] == "refused"
    history = played(
        call("work"), broken={"broken": "starts_otherwise", "with": {"program": "clerk", "env": {"A": "1"}}}
    )
    assert lines(history, "launched")[0]["env"]["A"] == "1"


def test_canaries_keep_every_answer_whole() -> None:
    canary = [{"name": "x", "value": "hush-hush-1", "allowed": ["*"], "planted": "here"}]
    assert len(lines(played(call("long"), canaries=canary), "answered")[0]["content"][0]["text"]) == 100_000
    assert len(lines(played(call("long")), "answered")[0]["content"][0]["text"]) == 4096


def test_a_run_that_does_not_end_is_ended_and_says_so() -> None:
    history = played(call("wait", ms=10_000_000))
    assert lines(history, "told")[0]["event"] == "run_limit"
    assert lines(history, "left")[0]["t"] >= 3_600_000


def test_a_program_that_does_not_end_is_left() -> None:
    assert lines(played(call("abandon")), "left")[0]["processes"] == ["clerk"]


@pytest.mark.parametrize(
    ("steps", "more", "why"),
    [
        ([{"sing": 1}], {}, "the step {'sing': 1}"),
        ([{"change": {"letter": "a"}}], {}, "a change that the world refuses"),
        ([call("greet")], {"settings": {"mood": 1}}, "settings that the stack refuses"),
    ],
)
def test_what_no_compiled_sheet_has_is_refused(steps: list[Any], more: dict[str, Any], why: str) -> None:
    with pytest.raises(ExceptionGroup) as caught:
        played(*steps, **more)
    problem: Any = caught.value
    while isinstance(problem, ExceptionGroup):
        problem = problem.exceptions[0]
    assert isinstance(problem, UsageProblem)
    assert why in problem.seen


def test_an_interruption_cancels_everything_and_closes_all_stacks() -> None:
    history = played(
        {"open": "other"}, call("wait", "slow", background=True, ms=5000), call("greet", "over"), {"wait_ms": 100},
        {"interrupt": True},
    )  # fmt: skip
    told = next(line for line in lines(history, "told") if line["event"] == "interrupt")
    assert told["t"] == 100
    assert [line["call"] for line in lines(history, "cancelled")] == [0]  # the other had been answered
    assert lines(history, "answered")[-1]["outcome"] == "unknown"
    assert lines(history, "closed")[0]["stack"] == "other"
    assert lines(history, "left")[0]["t"] == 100


def test_a_client_takes_its_time_to_be_told() -> None:
    history = played(call("change"), told_ms=40)
    assert lines(history, "told")[0]["t"] == 40
