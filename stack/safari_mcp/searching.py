"""Searching the web by DuckDuckGo's HTML page: one page in a tab of its own, which is closed again whatever happens.

Only the tab that its own create answer named is ever closed, on the connection that made it. The page is read by a
fixed program; what it gives is checked again here, since a page can say anything.
Source: trailcam facts, pi-safari 0.2.0 (URL parameters, regions, limits).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias
from urllib.parse import quote

import anyio

from stack.contract import Json
from stack.errors import ProtocolError, StackError
from stack.safari_mcp import pinned
from stack.safari_mcp.addresses import page_url
from stack.safari_mcp.loading import create, load, load_deadline
from stack.safari_mcp.operation import Operation
from stack.safari_mcp.page_programs import PageAnswer
from stack.safari_mcp.results import UNTRUSTED
from stack.safari_mcp.tabs import Target

Cleanup: TypeAlias = Literal[
    "closed", "already-absent", "failed", "unidentified", "skipped-retired-epoch", "not-needed"
]
REGIONS: Final = ("wt-wt", "us-en", "uk-en", "ca-en", "au-en", "de-de", "fr-fr", "in-en", "jp-jp")
TIMES: Final = ("any", "d", "w", "m", "y")
RESULTS: Final = 5
RESULTS_MAX: Final = 10
QUERY_MAX: Final = 500
CONTAINERS: Final = 100
LENGTHS: Final[Mapping[str, int]] = {"title": 300, "url": 2048, "snippet": 600}
PROVIDER: Final = "https://html.duckduckgo.com/html/"
NOTHING: Final = (
    "No result was recognised. That is no proof that nothing matches: the page can be a challenge or a block, or have "
    "another markup than the known ones."
)
_LEFT: Final[Mapping[Cleanup, bool]] = {
    "closed": False, "already-absent": False, "not-needed": False,
    "failed": True, "unidentified": True, "skipped-retired-epoch": True,
}  # fmt: skip
"""Whether a tab of the search may be left."""


def search_url(arguments: Mapping[str, Json]) -> str:
    """The page that is searched with."""
    query, region = str(arguments["query"]), str(arguments.get("region", REGIONS[0]))
    time = str(arguments.get("time", TIMES[0]))
    limit = "" if time == TIMES[0] else f"&df={time}"
    return f"{PROVIDER}?q={quote(query, safe='')}&kl={region}{limit}"


class Search:
    """One search. cleanup: what became of its tab."""

    def __init__(self, operation: Operation) -> None:
        self.cleanup: Cleanup = "not-needed"
        self._operation = operation
        self._target: Target | None = None

    async def run(self, arguments: Mapping[str, Json]) -> dict[str, Json]:
        """Search, close the tab, and answer. A StackError keeps its code, and says besides what became of the tab."""
        try:
            found = await self._find(search_url(arguments), arguments.get("maxResults", RESULTS))
        except StackError as error:
            await self._clean_up()
            seen = f"{error.seen}; cleanup: {self.cleanup}"
            raise type(error)(error.code, seen, official=error.official) from error
        except anyio.get_cancelled_exc_class():
            await self._clean_up()
            raise
        await self._clean_up()
        return {**found, "cleanup": {"status": self.cleanup}, "note": UNTRUSTED}

    async def _find(self, url: str, limit: Json) -> dict[str, Json]:
        until = load_deadline(self._operation)
        self.cleanup = "unidentified"
        try:
            self._target = await create(self._operation, url)
        finally:
            if self._target is None and self._operation.outcome == "refused":
                self.cleanup = "not-needed"
        await load(self._operation, self._target, url, until)
        answer = await self._operation.evaluate("search", {"limit": limit, "containers": CONTAINERS})
        await self._operation.check_listed(self._target)
        if answer.url != url:
            raise ProtocolError("page_malformed", "the page of results is another one than the one that was opened")
        return read_results(answer, url, limit)

    async def _clean_up(self) -> None:
        """Close the search's own tab, within a time of its own, also where the search was given up."""
        if self._target is not None:
            await self._close(self._target)
        goes_with_its_driver = self.cleanup == "skipped-retired-epoch" and self._operation.misspoke
        self._operation.outcome = "unknown" if _LEFT[self.cleanup] and not goes_with_its_driver else "refused"
        self._operation.evidence["cleanup"] = self.cleanup

    async def _close(self, target: Target) -> None:
        self.cleanup = "failed"
        if not self._operation.live:
            self.cleanup = "skipped-retired-epoch"
            return
        with anyio.move_on_after(self._operation.settings.deadlines.cleanup / 1000, shield=True):
            try:
                if all(tab.handle != target.handle for tab in await self._operation.tabs()):
                    self.cleanup = "already-absent"
                    return
                await self._operation.change(pinned.CLOSE_TAB, {"handle": target.handle})
                self.cleanup = "closed"
            except StackError:
                return  # what went wrong first stays the cause; that the tab may be left is what `failed` says


def read_results(answer: PageAnswer, url: str, limit: Json) -> dict[str, Json]:
    """Ranked rows of a page's answer. ProtocolError(page_malformed) where it is not what the program gives."""
    rows, truncated = answer.data.get("results"), answer.data.get("truncated")
    if not isinstance(rows, list) or not isinstance(limit, int) or len(rows) > limit or not isinstance(truncated, bool):
        raise ProtocolError("page_malformed", "the page program search answered something that is not its own")
    ranked: list[Json] = []
    seen: set[str] = set()
    for row in rows:
        kept = _row(row)
        if kept["url"] in seen:
            raise ProtocolError("page_malformed", "the page program search answered one URL twice")
        seen.add(kept["url"])
        ranked.append({"rank": len(ranked) + 1, **kept})
    found: dict[str, Json] = {"results": ranked, "searchUrl": url, "truncated": truncated}
    return found if ranked else {**found, "empty": NOTHING}


def _row(row: Json) -> dict[str, str]:
    kept: dict[str, str] = {}
    for name, longest in LENGTHS.items():
        value = row.get(name) if isinstance(row, dict) else None
        if not isinstance(value, str) or len(value) > longest:
            raise ProtocolError("page_malformed", f"the page program search answered a row without a {name} in bounds")
        kept[name] = value
    page_url(kept["url"])
    return kept
