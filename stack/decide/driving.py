"""The loop's port over a stack's own tools: the same for one in this process and one behind a session's socket.

Separate from the port, because the loop does not know of tools. `ask` calls one tool; what it answers is read strictly.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from stack.contract import Json, Reply
from stack.decide.port import Acted, Action, Failed, Page
from stack.errors import ProtocolError

Ask = Callable[[str, Mapping[str, Json]], Awaitable[Reply]]


def check(reply: Reply) -> Mapping[str, Json]:
    """What a call answered. Raises Failed where it has a code."""
    structured = reply.structured if isinstance(reply.structured, dict) else {}
    if reply.code is not None:
        part = structured.get("reason", structured.get("part"))
        seen = next((content.text for content in reply.content if content.text), reply.code)
        shown = _page(structured.get("seen"))  # the page that came with a refusal; what is none is left out
        raise Failed(reply.code, seen, reply.outcome, part if isinstance(part, str) else None, shown)
    return structured


def page_of(value: Mapping[str, Json]) -> Page:
    """The page that `observe` answered. ProtocolError where it is none."""
    page = _page(value)
    if page is None:
        raise ProtocolError("invalid_result", "what observe answered is no observation")
    return page


def _page(value: Json | Mapping[str, Json]) -> Page | None:
    """The page that a tool's value is; None where it is none."""
    given = value if isinstance(value, Mapping) else {}
    number, actions = given.get("observation"), given.get("actions")
    texts = [given.get(name) for name in ("url", "title", "text", "fingerprint")]
    if not isinstance(number, int) or not isinstance(actions, list) or not all(isinstance(t, str) for t in texts):
        return None
    url, title, text, fingerprint = (str(each) for each in texts)
    listed = tuple(action for action in actions if isinstance(action, dict))
    return Page(number, url, title, text, listed, fingerprint)


class ToolDriver:
    """See the module."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def observe(self) -> Page:
        return page_of(check(await self._ask("observe", {})))

    async def act(self, action: Action, page: Page, text: str | None) -> Acted:
        arguments: dict[str, Json] = {"observation": page.number, "action": dict(action)}
        if text is not None:
            arguments["text"] = text
        return Acted(check(await self._ask("act", arguments)).get("changed") is True)

    async def text(self) -> str:
        return str(check(await self._ask("text", {})).get("text", ""))
