"""One leg: one goal. Ask, judge by the table, act or look again, until it ends; each end has a name.

Separate from the plan, which only puts legs in order. Work and looks have budgets of their own: a look spends no work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import anyio

from stack.contract import Json
from stack.decide.answer import Decision
from stack.decide.port import MOVED, UNREADABLE, Action, Driver, Page, part_of
from stack.decide.question import request
from stack.decide.rules import RULES, TAGS, Question, Row, Then, known
from stack.decide.settings import LOOKS, PAUSES_MS, WORK, Options
from stack.decide.space import Space, space_of
from stack.decide.transcript import Line, Tag
from stack.decide.watch import Watch
from stack.errors import StackError

Decide = Callable[[bytes, Space], Awaitable[Decision]]
"""Asks the model: the body of a request, and what it offers."""


class End(StrEnum):
    """How a leg ends."""

    DONE = "done"
    PROPOSED = "proposed"
    UNSURE = "unsure"
    DISPUTED = "disputed"
    NO_LITERAL = "no_literal"
    BLOCKED = "blocked"
    OUT_OF_WORK = "out_of_work"
    OUT_OF_LOOKS = "out_of_looks"


ENDS: Final[Mapping[Then, tuple[End, Tag]]] = {
    Then.ASK: (End.UNSURE, "ask"),
    Then.DONE: (End.DONE, "done"),
    Then.DOUBT: (End.DONE, "done"),
    Then.BLOCKED: (End.BLOCKED, "blocked"),
}
"""What ends a leg -> its end, and the tag of the last line."""
IN_PLAN: Final[Mapping[tuple[Then, bool], Then]] = {
    (Then.PASS, True): Then.DONE,
    (Then.PASS, False): Then.ASK,
    (Then.PASS_IN_DOUBT, True): Then.DOUBT,
    (Then.PASS_IN_DOUBT, False): Then.ASK,
}
"""What depends on whether this is a leg of a plan -> what it comes to."""


@dataclass
class Leg:
    """One leg that runs. on_line: told of each line as it is written."""

    goal: str
    driver: Driver
    decide: Decide
    options: Options
    model_name: str
    on_line: Callable[[Line], None]
    work: int = 0
    looks: int = 0
    lines: list[Line] = field(default_factory=list)
    end: End | None = None
    _asked: Counter[Question] = field(default_factory=Counter)
    _recent: list[dict[str, Json]] = field(default_factory=list)
    _began: float = 0.0
    _model_ms: float = 0.0

    async def run(self) -> End:
        """Until the leg ends. Raises StackError where the driver or the model fails; the lines stay."""
        page: Page | None = await self._look()
        while self.end is None:
            if self.work >= WORK or self.looks >= LOOKS:
                self.end = End.OUT_OF_WORK if self.work >= WORK else End.OUT_OF_LOOKS
            elif page is None:
                page = await self._pause(PAUSES_MS[0])  # it could not be read for the moment
            else:
                page = await self._attempt(page)
        return self.end

    async def _attempt(self, page: Page) -> Page | None:
        """One request, and what it leads to; the page to go on with."""
        self._began = anyio.current_time()
        decision, watched = await self._decided(page)
        row = RULES[known(decision, self.options, self.work > 0)]
        if self._asked[row.question] < row.looks:
            pause_ms = PAUSES_MS[self._asked[row.question]]
            self._asked[row.question] += 1
            self._line(TAGS[row.question], decision, _doubt(decision, row))
            return await self._pause(pause_ms)
        then = IN_PLAN.get((row.then, self.options.in_plan), row.then)
        if then is Then.ACT and decision.action is not None:
            return await self._act(decision, decision.action, page, watched)
        self._finish(then, decision, row)
        return page

    def _finish(self, then: Then, decision: Decision, row: Row) -> None:
        end, tag = ENDS[then]
        self.end = End.DISPUTED if row.question is Question.DISPUTE and end is End.UNSURE else end
        doubt = then is Then.DOUBT or self.end is not End.DONE
        self._line(tag, decision, _doubt(decision, row) if doubt else None)

    async def _decided(self, page: Page) -> tuple[Decision, Page | None]:
        """The decision, and the newest read of the page, where it was seen to move meanwhile."""
        space = space_of(page)
        body = request(space, page, self.goal, self._recent, self.model_name)
        watch = Watch(self.driver, page, self.options.steady_ms)
        decision: Decision | None = None
        error: StackError | None = None
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watch.run)
            try:
                decision = await self.decide(body, space)
            except StackError as failed:
                error = failed  # raised below, so that the group does not wrap it
            self._model_ms = 1000 * (anyio.current_time() - self._began)
            watch.stop()
        error = error or watch.error
        if error is not None or decision is None:
            assert error is not None
            raise error
        return decision, watch.moved

    async def _act(self, decision: Decision, action: Action, page: Page, watched: Page | None) -> Page | None:
        text: str | None = None
        if action["kind"] == "fill":
            values = literals(self.options, str(action["label"]))
            if len(values) != 1:
                self.end = End.NO_LITERAL
                self._line("ask", decision, f"{len(values) or 'no'} literals for this control")
                return page
            text = values[0]
        if action["kind"] == "wait":
            await self.driver.act(action, page, None)
            self._line("RELOOK", decision, "it chose to wait")
            return await self._looked()
        if not self.options.execute:
            self.end = End.PROPOSED
            self._line("would", decision, None, text)
            return page
        try:
            acted = await self.driver.act(action, page, text)
        except StackError as error:
            if error.code not in MOVED:
                raise
            return await self._moved(decision, part_of(error), getattr(error, "page", None) or watched)
        self.work += 1
        self._asked.clear()
        done: dict[str, Json] = {"operation": decision.operation, "label": action["label"], "changed": acted.changed}
        self._recent.append(done)
        self._line("did", decision, None if acted.changed else "nothing changed at once", text)
        return await self._look()

    async def _moved(self, decision: Decision, part: str, fresh: Page | None) -> Page | None:
        """A decision about a page that is not so any more: it costs a request. fresh: what the page shows now, which
        came with the refusal or was seen by the watch; without either the page is read again."""
        self._line("RESTALE", decision, part)
        await anyio.sleep(2 * self.options.steady_ms / 1000)
        if fresh is None:
            return await self._looked()
        self.looks += 1
        return fresh

    async def _pause(self, ms: float) -> Page | None:
        await anyio.sleep(ms / 1000)
        return await self._looked()

    async def _looked(self) -> Page | None:
        self.looks += 1
        return await self._look()

    async def _look(self) -> Page | None:
        """The page; None where it can't be read for the moment."""
        try:
            return await self.driver.observe()
        except StackError as error:
            if error.code in UNREADABLE:
                return None
            raise

    def _line(self, tag: Tag, decision: Decision, reason: str | None, typed: str | None = None) -> None:
        said = decision.operation if decision.action is None else str(decision.action["label"])
        step_ms = 1000 * (anyio.current_time() - self._began)
        line = Line(
            len(self.lines) + 1,
            tag,
            said,
            round(decision.sure, 4),
            None if decision.target is None else round(decision.target, 4),
            round(self._model_ms, 3),
            round(step_ms, 3),
            reason,
            typed,
        )
        self.lines.append(line)
        self.on_line(line)


def literals(options: Options, label: str) -> list[str]:
    """The different values that the caller has for a control of this label."""
    found = [text for part, text in options.literals if part.casefold() in label.casefold()]
    return list(dict.fromkeys(found))


def _doubt(decision: Decision, row: Row) -> str:
    if row.question is Question.DISPUTE:
        return f"the page does not show the outcome (P {decision.visible:.2f})"
    if row.question is Question.STUCK:
        return "it says that nothing helps"
    return "none of the targets" if decision.target == 0.0 and decision.action is None else "not sure enough"
