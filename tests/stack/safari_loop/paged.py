"""A scripted driver of Safari, whose one tab has a scripted page behind `evaluate_javascript`: for tests of the loop.

`Paged.answers` has, by op of the page program, what the driver answers in place of the page's own: steps of
tests/stack/scripted_safaridriver, or a function of the request that gives them.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from stack.contract import Json
from stack.safari_loop.tab import Tab
from stack.safari_mcp import pinned
from stack.safari_mcp.settings import Deadlines
from stack.safari_mcp.tabs import Target
from tests.stack.scripted_host import ScriptedHost
from tests.stack.scripted_safari import Safari
from tests.stack.scripted_safaridriver import SafariDriver, ScriptedGate, first_tab, staged, texts
from tests.stack.staging import play

SHORT = Deadlines(work=2_000)
LOST = [texts("null")]


def said(value: Json) -> list[Any]:
    """The driver's answer where the page program gives this."""
    return [texts(json.dumps(json.dumps(value)))]


@dataclass
class Paged:
    """page: what the program answers; heard: the requests of the program, in their order."""

    answers: dict[str, Any] = field(default_factory=dict)
    page: Safari = field(default_factory=Safari)
    heard: list[dict[str, Any]] = field(default_factory=list)

    def driver(self) -> SafariDriver:
        driver = SafariDriver()
        driver.answers[pinned.EVALUATE] = lambda params: self._evaluate(driver, params)
        driver.add()
        return driver

    def _evaluate(self, driver: SafariDriver, params: dict[str, Any]) -> Sequence[Any]:
        if "\n)(" not in params["arguments"]["expression"]:
            return [texts(driver._tool(pinned.EVALUATE, params["arguments"], "ready"))]
        request = json.loads(params["arguments"]["expression"].rpartition("\n)(")[2][:-1])
        self.heard.append(request)
        given = self.answers.get(request["op"])
        if given is None:
            return said(self.page.page(request))
        return given(request) if callable(given) else given  # type: ignore[no-any-return]

    def asked(self, op: str) -> list[dict[str, Any]]:
        return [request for request in self.heard if request["op"] == op]


def with_tab(
    paged: Paged, check: Callable[[Tab], Awaitable[None]], gate: ScriptedGate | None = None, more: Any = None
) -> SafariDriver:
    """Run a check with a tab of a staged stack; the driver. more: called with the host and the stack first."""

    async def main() -> SafariDriver:
        driver = paged.driver()
        async with staged(driver, gate=gate, deadlines=SHORT) as (host, stack):
            target = await first_tab(stack)
            if more is not None:
                await more(host, stack)
            await check(Tab(host, stack, Target(target["targetId"], target["epoch"])))
        return driver

    return play(main)


__all__ = ["LOST", "Paged", "ScriptedHost", "said", "with_tab"]
