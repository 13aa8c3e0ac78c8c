"""One operation's way to the driver, and what is known of its effect at every point.

Every call of the driver goes through here, so that one place knows whether something that changes anything may have
been sent, and whether it was answered. From that alone the outcome follows: nothing sent, refused; sent and answered,
what the answer says; sent and not answered, unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stack.contract import Json, Outcome, Permit
from stack.errors import CallError, OfficialError, ProtocolError, SetupError
from stack.safari_mcp import page_programs, pinned
from stack.safari_mcp.connection import Connection
from stack.safari_mcp.drivers import Drivers
from stack.safari_mcp.page_programs import PageAnswer
from stack.safari_mcp.settings import Settings
from stack.safari_mcp.tabs import Tab, Target, read_tabs
from stack.safari_mcp.wire import parse_json


class Operation:
    """One operation, during its turn. outcome: of what it was to change, as far as is known now. evidence: what its
    reply says about how it ran, whatever came of it. lost: the code where time runs out now."""

    def __init__(self, drivers: Drivers, connection: Connection, settings: Settings, permit: Permit | None) -> None:
        self.settings = settings
        self.outcome: Outcome = "refused"
        self.evidence: dict[str, Json] = {}
        self.lost = "operation_timeout"
        self._drivers = drivers
        self._connection = connection
        self._permit = permit

    @property
    def epoch(self) -> str:
        return self._connection.epoch

    @property
    def live(self) -> bool:
        return self._connection.live

    @property
    def misspoke(self) -> bool:
        return self._connection.misspoke

    def check_permit(self) -> None:
        """Raises StackError where leave for a restricted action has ended."""
        if self._permit is not None:
            self._permit.check()

    async def _call(self, tool: str, arguments: Mapping[str, Json]) -> tuple[str, ...]:
        return await self._connection.call(tool, arguments)

    async def change(self, tool: str, arguments: Mapping[str, Json]) -> tuple[str, ...]:
        """Call a tool that changes something, once. From its first byte on the outcome is unknown until it is answered;
        an answer that says that it failed is a refusal."""

        def last_look() -> None:
            self.check_permit()
            self.outcome = "unknown"

        try:
            texts = await self._connection.call(tool, arguments, last_look)
        except (OfficialError, SetupError):
            self.outcome = "refused"
            raise
        self.outcome = "done"
        return texts

    async def run_once(self, expression: str) -> str:
        """Run a program that changes the page, once; what it answered. From its first byte on the outcome is unknown,
        whatever the driver says of it: a script that failed may have acted before. Whoever reads the answer sets it."""

        def last_look() -> None:
            self.check_permit()
            self.outcome = "unknown"

        return "\n".join(await self._connection.call(pinned.EVALUATE, {"expression": expression}, last_look))

    async def look(self, expression: str) -> str:
        """Run a program that only looks; what it answered."""
        return "\n".join(await self._call(pinned.EVALUATE, {"expression": expression}))

    async def tabs(self) -> Sequence[Tab]:
        """The tabs that the driver lists now."""
        return read_tabs(_json(pinned.LIST_TABS, await self._call(pinned.LIST_TABS, {})))

    async def select(self, target: Target) -> None:
        """Make a listed tab the driver's current one. CallError(stale_target, target_gone)."""
        await self.check_listed(target)
        await self._call(pinned.SWITCH_TAB, {"handle": target.handle})

    async def check_listed(self, target: Target) -> Tab:
        """The row of a target. CallError(target_gone): no other tab is taken for it."""
        self._drivers.check(target)
        for tab in await self.tabs():
            if tab.handle == target.handle:
                return tab
        raise CallError("target_gone", "the tab is no longer listed")

    async def page(self) -> str:
        """The URL of the driver's current tab."""
        info = _json(pinned.PAGE_INFO, await self._call(pinned.PAGE_INFO, {}))
        url = info.get("url") if isinstance(info, dict) else None
        if not isinstance(url, str):
            raise ProtocolError("driver_malformed", "page_info answered without a URL")
        return url

    async def evaluate(self, name: str, data: Mapping[str, Json]) -> PageAnswer:
        """Run one of the fixed page programs in the driver's current tab."""
        texts = await self._call(pinned.EVALUATE, {"expression": page_programs.expression(name, data)})
        return page_programs.read_answer(name, "\n".join(texts))

    async def observe(self, tool: str, arguments: Mapping[str, Json]) -> tuple[str, ...]:
        """Call an optional tool that only looks."""
        return await self._call(tool, arguments)


def _json(tool: str, texts: tuple[str, ...]) -> Json:
    try:
        return parse_json("\n".join(texts))
    except ValueError as error:
        raise ProtocolError("driver_malformed", f"{tool} answered no JSON ({error})") from None


def created_handle(texts: tuple[str, ...]) -> Json:
    """The handle in an answer to create_tab; None where there is none."""
    try:
        made = parse_json("\n".join(texts))
    except ValueError:
        return None
    return made.get("handle") if isinstance(made, dict) else None
