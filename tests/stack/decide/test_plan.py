"""Legs in their order, and the proof at the end."""

from __future__ import annotations

from typing import Any

import pytest

from stack.contract import Host
from stack.decide import plan
from stack.decide.answer import Decision
from stack.decide.leg import End
from stack.decide.port import Failed
from stack.decide.settings import Model, Options, options_from
from stack.decide.space import Space
from tests.stack.decide.deciding import Driven, Script, page, play

BUY: Any = ("CLICK", "3")
DONE: Any = ("DONE", None, {"visible": 0.9})


def ran(
    monkeypatch: pytest.MonkeyPatch, steps: Any, driver: Driven | None = None, **given: Any
) -> tuple[plan.Run, Script]:
    """A run with a model that decides from a script."""
    script = Script(steps)

    async def decide(host: Host, model: Model, body: bytes, space: Space) -> Decision:
        return await script.decide(body, space)

    monkeypatch.setattr("stack.decide.model.decide", decide)
    options: Options = options_from({"plan": ["a", "b"], "execute": True, **given})

    async def main() -> plan.Run:
        return await plan.run(None, driver or Driven(), Model("http://127.0.0.1:1"), options)  # type: ignore[arg-type]

    return play(main), script


@pytest.mark.claim("JXA-RUN-06", tooth="a leg that can't finish")
def test_legs_run_in_order_and_the_first_that_does_not_finish_ends_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, _ = ran(monkeypatch, [BUY, DONE, DONE])
    assert ([leg.goal for leg in whole.legs], whole.ended, whole.done, whole.proven) == (["a", "b"], "done", True, None)
    cut, script = ran(monkeypatch, [BUY, ("BLOCKED", None)])
    assert ([leg.goal for leg in cut.legs], cut.ended, cut.done) == (["a"], "blocked", False)
    assert not any(b'"goal":"b"' in sent for sent in script.bodies)


@pytest.mark.claim("JXA-RUN-06", tooth="a text that does not have what was expected")
@pytest.mark.parametrize(
    ("expect", "proven", "ended"), [("for [2-3] adults", True, "done"), ("for 3", False, "not_proven")]
)
def test_what_is_expected_is_looked_for_in_the_text_at_the_end(
    monkeypatch: pytest.MonkeyPatch, expect: str, proven: bool, ended: str
) -> None:
    found, _ = ran(monkeypatch, [DONE], expect=expect)
    assert (found.proven, found.ended, found.done) == (proven, ended, proven)


def test_a_plan_that_did_not_finish_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = ran(monkeypatch, [("CLICK", "3", {"sure": 0.1})], expect="adults")
    assert (found.proven, found.ended) == (None, End.UNSURE)


def test_an_error_is_part_of_what_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = Failed("delivery_unknown", "who knows", "unknown")
    found, _ = ran(monkeypatch, [BUY], Driven(pages=[page()], acts=[True, lost]))
    assert (found.ended, found.work) == (plan.FAILED, 1)
    assert plan.outcome(found) == {"error": {"code": "delivery_unknown", "seen": "who knows", "outcome": "unknown"}}
    shown = found.shown()
    assert shown["legs"][0]["ended"] == "failed"  # type: ignore[index,call-overload]
    assert plan.outcome(plan.Run()) == {}


ENDS: list[tuple[plan.Run, int, tuple[str, str | None]]] = [
    (plan.Run(ended=End.DONE, proven=True), 1, ("done", None)),
    (plan.Run(ended=End.DONE), 0, ("done", None)),
    (plan.Run(ended=End.PROPOSED), 0, ("done", None)),
    (plan.Run(ended=plan.NOT_PROVEN, proven=False), 1, ("done", "not_proven")),
    (plan.Run(ended=plan.NOT_PROVEN, proven=False), 0, ("refused", "not_proven")),
    *[(plan.Run(ended=end), 0, ("refused", end.value)) for end in End if end not in (End.DONE, End.PROPOSED)],
    (plan.Run(ended=End.BLOCKED), 2, ("done", "blocked")),
    (plan.Run(error=Failed("scope_lost", "gone", "refused")), 0, ("refused", "scope_lost")),
    (plan.Run(error=Failed("scope_lost", "gone", "refused")), 1, ("done", "scope_lost")),
    (plan.Run(error=Failed("delivery_unknown", "who knows", "unknown")), 1, ("unknown", "delivery_unknown")),
]


@pytest.mark.claim("JXA-RUN-06", tooth="a run that did not reach its end is no call without an error")
@pytest.mark.parametrize(("ran", "work", "expected"), ENDS)
def test_a_run_that_did_not_do_what_it_was_asked_says_so(
    monkeypatch: pytest.MonkeyPatch, ran: plan.Run, work: int, expected: tuple[str, str | None]
) -> None:
    monkeypatch.setattr(plan.Run, "work", work)
    answered = plan.reply(ran)
    assert (answered.outcome, answered.code) == expected
    assert answered.is_error == (answered.code is not None)
    assert answered.structured == {**ran.shown(), **plan.outcome(ran)}
