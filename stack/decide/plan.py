"""A run: the legs of a plan in their order, and the proof at the end.

Separate from a leg, which knows nothing of the others. A leg that does not end as done ends the plan; no later one is
asked. A plan that is done and has something to expect is done only where the page shows it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from stack.contract import Content, Host, Json, Outcome, Reply
from stack.decide import model as models
from stack.decide.answer import Decision
from stack.decide.leg import End, Leg
from stack.decide.port import Driver
from stack.decide.settings import Model, Options
from stack.decide.space import Space
from stack.decide.transcript import Line
from stack.errors import StackError

NOT_PROVEN: Final = "not_proven"
FAILED: Final = "failed"
AS_ASKED: Final = frozenset({str(End.DONE), str(End.PROPOSED)})
"""Ends of a run that did what it was asked: with leave to act all of it, without it as far as an action to propose."""


@dataclass
class Run:
    """What came of a run. ended: an End, `not_proven` or `failed`; proven: None where nothing was expected; error: of
    a run that failed."""

    legs: list[Leg] = field(default_factory=list)
    ended: str = FAILED
    proven: bool | None = None
    error: StackError | None = None

    @property
    def done(self) -> bool:
        return self.ended == End.DONE

    @property
    def work(self) -> int:
        return sum(leg.work for leg in self.legs)

    def shown(self) -> dict[str, Json]:
        """As a value: how it ended, and each leg with its transcript."""
        legs: list[Json] = [
            {
                "goal": leg.goal,
                "ended": FAILED if leg.end is None else leg.end.value,
                "work": leg.work,
                "looks": leg.looks,
                "transcript": [dict(line.shown()) for line in leg.lines],
            }
            for leg in self.legs
        ]
        return {"ended": str(self.ended), "proven": self.proven, "legs": legs}


def nothing(_: object) -> None:
    """Listens to nothing."""


async def run(
    host: Host,
    driver: Driver,
    model: Model,
    options: Options,
    *,
    on_leg: Callable[[Leg], None] = nothing,
    on_line: Callable[[Line], None] = nothing,
) -> Run:
    """Run the plan over this driver. Never raises a StackError: that is `error` of what is returned."""

    async def decide(body: bytes, space: Space) -> Decision:
        return await models.decide(host, model, body, space)

    ran = Run()
    try:
        for goal in options.plan:
            leg = Leg(goal, driver, decide, options, model.name, on_line)
            ran.legs.append(leg)
            on_leg(leg)
            end = await leg.run()
            if end is not End.DONE:
                ran.ended = end
                return ran
        if options.expect is not None:
            ran.proven = options.expect.search(await driver.text()) is not None
        ran.ended = NOT_PROVEN if ran.proven is False else End.DONE
    except StackError as error:
        ran.error = error
    return ran


def reply(ran: Run) -> Reply:
    """A run as the reply of the tool that ran it. One that ended otherwise than it was asked has its end as code, and
    as its outcome what became of the page: what was done before stays done, and where nothing was, it is refused."""
    structured = {**ran.shown(), **outcome(ran)}
    content = (Content({"type": "text", "text": json.dumps(structured)}),)
    if ran.error is None and str(ran.ended) in AS_ASKED:
        return Reply("done", None, content, structured)
    code = str(ran.ended) if ran.error is None else ran.error.code
    known: Outcome = "refused" if ran.error is None else ran.error.outcome
    return Reply("done" if known == "refused" and ran.work else known, code, content, structured, is_error=True)


def outcome(ran: Run) -> Mapping[str, Json]:
    """The error of a run that failed, as members of its value; nothing where it did not."""
    error = ran.error
    return {} if error is None else {"error": {"code": error.code, "seen": error.seen, "outcome": error.outcome}}
