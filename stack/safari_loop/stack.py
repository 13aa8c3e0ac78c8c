"""A stack of Safari's MCP server with two tools more where it has a model: `observe`, what a page offers the loop, and
`run`, the loop over a tab.

Separate from the driver, which knows of no model. Everything else is the driver's own, and without a model all is.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import Any, Final

import anyio

from stack import decide, safari_mcp
from stack.contract import Caller, Content, Host, Json, Reply, StackEvent, Tool
from stack.decide.plan import reply
from stack.decide.schema import RUN
from stack.errors import CallError, StackError
from stack.safari_loop.settings import Settings, for_pages
from stack.safari_loop.tab import Tab, TabDriver
from stack.safari_mcp.arguments import check
from stack.safari_mcp.driver import SafariMcp
from stack.safari_mcp.listing import ANNOTATIONS, TOOLS
from stack.safari_mcp.tabs import Target

_TARGET: Final[dict[str, Any]] = {
    **TOOLS["close"].input_schema,
    "required": ["targetId", "epoch"],
}
"""The arguments that name a tab, as the driver's own tools take them."""
_PROPERTIES: Final[Mapping[str, Any]] = _TARGET["properties"]
OBSERVE: Final = Tool(
    "observe",
    "What the page of a tab offers the decision loop: its text and its actions. Changes nothing.",
    _TARGET,
    ANNOTATIONS["looks"],
)
LOOP: Final = Tool(
    "run",
    "Let a typed-choice model decide over a tab, one observed action at a time. Each action needs consent.",
    {**_TARGET, "properties": {**_PROPERTIES, **RUN}},
    ANNOTATIONS["changes"],
)


@asynccontextmanager
async def open(host: Host, settings: Settings) -> AsyncIterator[SafariLoop | SafariMcp]:
    """A stack; when the context ends, so does everything that it started."""
    model = settings.model
    safari = settings.safari if model is None else for_pages(settings.safari)
    async with safari_mcp.open(host, safari) as stack:
        yield stack if model is None else SafariLoop(host, stack, model)


class SafariLoop:
    """See the module."""

    def __init__(self, host: Host, safari: SafariMcp, model: decide.Model) -> None:
        self._host = host
        self._safari = safari
        self._model = model
        self._tabs: dict[Target, Tab] = {}
        self._using: Counter[Target] = Counter()
        self._runs: set[anyio.CancelScope] = set()

    async def tools(self) -> Sequence[Tool]:
        """The driver's tools, and two more."""
        return (*await self._safari.tools(), OBSERVE, LOOP)

    async def tell(self, event: StackEvent, data: Json) -> None:
        """As the driver. cancel takes runs back too, also while their model thinks."""
        await self._safari.tell(event, data)
        if event == "cancel":
            for scope in tuple(self._runs):
                scope.cancel()

    async def status(self) -> Mapping[str, Json]:
        """The driver's."""
        return await self._safari.status()

    async def call(self, tool: str, arguments: Mapping[str, Json], caller: Caller) -> Reply:
        """Run one tool."""
        if tool not in (OBSERVE.name, LOOP.name):
            return await self._safari.call(tool, arguments, caller)
        try:
            given = dict(arguments)
            named = {name: given.pop(name) for name in _PROPERTIES if name in given}
            check(_TARGET, named if tool == LOOP.name else {**arguments})
            target = Target(str(named["targetId"]), str(named["epoch"]))
            options = None if tool == OBSERVE.name else decide.options_from(given)
            with self._tab(target) as tab:
                return await (self._observe(tab) if options is None else self._run(tab, options, caller))
        except StackError as error:
            return _failed(error)

    @contextmanager
    def _tab(self, target: Target) -> Iterator[Tab]:
        """The tab as calls before know it; a tab that was never seen is not kept, nor what an older driver had. While
        another call uses it, it stays: what that comes to is what later ones are told."""
        self._tabs = {known: tab for known, tab in self._tabs.items() if known.epoch == self._safari.epoch}
        tab = self._tabs.setdefault(target, Tab(self._host, self._safari, target))
        self._using[target] += 1
        try:
            yield tab
        finally:
            self._using[target] -= 1
            if not self._using[target]:
                del self._using[target]
                if not tab.seen:
                    self._tabs.pop(target, None)

    async def _observe(self, tab: Tab) -> Reply:
        if tab.error is not None:
            return replace(_failed(tab.error), outcome="refused")
        shown = (await tab.observe()).shown()
        return Reply("done", None, (Content({"type": "text", "text": json.dumps(shown)}),), shown)

    async def _run(self, tab: Tab, options: decide.Options, caller: Caller) -> Reply:
        """See the port for taking a call back: what was done before stays done."""
        driver, over = TabDriver(tab, caller), tab.error
        scope = anyio.CancelScope()
        self._runs.add(scope)
        try:
            with scope:
                ran = await decide.run(self._host, driver, self._model, options)
                # A tab that is over raises its error again; this run has dispatched nothing.
                return reply(ran) if over is None else replace(reply(ran), outcome="refused")
        except anyio.get_cancelled_exc_class():
            pass  # said below; the caller's next checkpoint raises
        finally:
            self._runs.discard(scope)
        taken = _failed(CallError("cancelled", "the run was taken back while its model was thinking"))
        return replace(taken, outcome="done") if driver.acted else taken


def _failed(error: StackError) -> Reply:
    content = (Content({"type": "text", "text": str(error)}),)
    return Reply(error.outcome, error.code, content, {"error": error.code}, is_error=True)
