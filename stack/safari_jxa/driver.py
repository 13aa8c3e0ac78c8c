"""The driver: the tools of one Safari stack as calls, each of which gives a Reply, whatever happened.

One session at a time, one bridge for as long as it lives. What the session raises becomes an outcome and a code here;
leaving the stack, by an exception too, ends the session, and with it a window that it opened.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Final

import anyio
from anyio.abc import TaskGroup

from stack.contract import Caller, Content, Host, Json, Outcome, Reply, StackEvent, Tool
from stack.errors import CallError, StackError
from stack.safari_jxa.bridge import Bridge
from stack.safari_jxa.catalogue import TOOLS, check
from stack.safari_jxa.errors import Blocked, BridgeCallError, ScopeLost, StalePage
from stack.safari_jxa.opening import Opening, check_url
from stack.safari_jxa.page import Observation
from stack.safari_jxa.session import Closed, Session
from stack.safari_jxa.settings import Settings
from stack.safari_jxa.windows import box_of, displays, placement, windows
from stack.tasks import task_group

ENDS_SESSIONS: Final[frozenset[StackEvent]] = frozenset({"task_end", "session_switch"})
"""Events after which nothing of a session may be used again."""
MOVED: Final[Mapping[bool, str]] = {True: "the page has changed", False: "nothing changed"}
"""What an action is said to have done at once; a page may still change later."""
Run = Callable[["SafariJxa", Mapping[str, Json]], Awaitable[Mapping[str, Json]]]


@asynccontextmanager
async def open(host: Host, settings: Settings) -> AsyncIterator[SafariJxa]:
    """A Safari stack; when the context ends, so do its session and its bridge."""
    async with task_group() as tasks:
        stack = SafariJxa(host, settings, tasks)
        try:
            yield stack
        finally:
            with anyio.CancelScope(shield=True):
                await stack.aclose()
            tasks.cancel_scope.cancel()


class SafariJxa:
    """The Stack of this system; `session` is the live one, for code that asks in Python."""

    def __init__(self, host: Host, settings: Settings, tasks: TaskGroup) -> None:
        self.session: Session | None = None
        self._host = host
        self._settings = settings
        self._tasks = tasks
        self._bridge: Bridge | None = None
        self._calls: set[anyio.CancelScope] = set()
        self._turn = anyio.Lock(fast_acquire=True)
        self._starting = anyio.Lock(fast_acquire=True)
        self._closed = False
        self._beginning = False

    # In Python

    async def bridge(self) -> Bridge:
        """The bridge that is used now; started where there is none that can be asked, or one that no session needs has
        left a question without an answer, or has lost its Safari."""
        async with self._starting:
            bridge = self._bridge
            if bridge is None or not bridge.usable or ((bridge.silent or bridge.lost) and self._free_now()):
                if bridge is not None:
                    await bridge.end()
                bridge = self._bridge = await Bridge.start(self._host, self._settings, self._tasks)
            return bridge

    async def attach(self, window: int) -> Session:
        """A session on a window of the user's. CallError where a session is live; else as Opening.attach."""
        async with self._turn:
            self._free()
            opening = await self._opening()
            with self._begins():
                self.session = await opening.attach(window)
            return self.session

    async def open(
        self, url: str, *, display: int | None = None, bounds: Json = None, side: str | None = None
    ) -> Session:
        """A session on a window of its own. bounds: [x, y, width, height]. As Opening.open."""
        async with self._turn:
            self._free()
            check_url(url)
            box = box_of(bounds)
            if bounds is not None and box is None:
                raise CallError("invalid_arguments", "bounds are not x, y and a width and height above 0")
            where = placement(await displays(await self.bridge()), display, box, side)
            opening = await self._opening()  # the last thing before it begins: until then its bridge may be replaced
            with self._begins():
                self.session = await opening.open(url, where)
            return self.session

    async def windows(self, *, titles: bool = False) -> list[Json]:
        """Every window of this Safari."""
        async with self._aside() as bridge:
            return await windows(bridge, titles=titles)

    async def displays(self) -> list[Json]:
        """Every display."""
        async with self._aside() as bridge:
            return [display.shown() for display in await displays(bridge)]

    async def close(self) -> Closed:
        """End the session. CallError where there was none."""
        if self.session is None:
            raise CallError("no_session", "no session has been opened")
        return await self.session.close()

    async def aclose(self) -> None:
        """End everything, and take no call any more."""
        self._closed = True
        if self.session is not None:
            await self.session.close()
        if self._bridge is not None:
            await self._bridge.end()

    def _free_now(self) -> bool:
        return not self._beginning and not self._in_session()

    @contextmanager
    def _begins(self) -> Iterator[None]:
        """A session begins on the bridge, which nobody may end meanwhile."""
        self._beginning = True
        try:
            yield
        finally:
            self._beginning = False

    def _in_session(self) -> bool:
        return self.session is not None and self.session.status()["state"] != "closed"

    def _free(self) -> None:
        if self.session is not None and self._in_session():
            raise CallError("session_open", f"a session on window {self.session.scope.window} is open")

    async def _opening(self) -> Opening:
        return Opening(self._host, self._settings, await self.bridge(), self.bridge)

    @asynccontextmanager
    async def _aside(self) -> AsyncIterator[Bridge]:
        """The bridge for what is no session's. Where an open session's own is silent, another one for this call: a
        session that waits for Safari is kept, and does not keep anybody from looking."""
        bridge = await self.bridge()
        if not bridge.silent:
            yield bridge
            return
        bridge = await Bridge.start(self._host, self._settings, self._tasks)
        try:
            yield bridge
        finally:
            with anyio.CancelScope(shield=True):
                await bridge.end()

    def _live(self) -> Session:
        if self.session is None:
            raise CallError("no_session", "no session has been opened")
        return self.session

    # As a Stack

    async def tools(self) -> Sequence[Tool]:
        """The ten tools."""
        return TOOLS

    async def tell(self, event: StackEvent, data: Json) -> None:
        """task_end and session_switch end the session; cancel takes back every call in flight."""
        if event == "cancel":
            for scope in tuple(self._calls):
                scope.cancel()
        elif event in ENDS_SESSIONS and self.session is not None:
            await self.session.close()

    async def status(self) -> Mapping[str, Json]:
        """The session's state, and what stands for policy here. Sends nothing."""
        return {
            "system": "safari-jxa",
            "session": None if self.session is None else self.session.status(),
            "tools": [tool.name for tool in TOOLS],
            "changesSettings": False,
        }

    async def call(self, tool: str, arguments: Mapping[str, Json], caller: Caller) -> Reply:
        """Run one tool; see the port for taking a call back."""
        began = anyio.current_time()
        scope = anyio.CancelScope()
        self._calls.add(scope)
        try:
            with scope:
                reply = await self._run(tool, arguments)
        except anyio.get_cancelled_exc_class():
            reply = _taken_back()  # the caller's next checkpoint raises
        finally:
            self._calls.discard(scope)
        if scope.cancelled_caught:
            reply = _taken_back()
        evidence: Mapping[str, Json] = {"durationMs": round((anyio.current_time() - began) * 1000, 3)}
        return Reply(reply.outcome, reply.code, reply.content, reply.structured, reply.is_error, evidence=evidence)

    async def _run(self, tool: str, arguments: Mapping[str, Json]) -> Reply:
        try:
            if self._closed:
                raise CallError("stack_closed", "the stack has been closed")
            check(tool, arguments)
            structured = await CALLS[tool](self, arguments)
        except StackError as error:
            return _failed(error, error.outcome)
        unknown = structured.get("closed") == "unknown"
        content = (Content({"type": "text", "text": json.dumps(structured, ensure_ascii=False)}),)
        if unknown:
            return Reply("unknown", "delivery_unknown", content, dict(structured), is_error=True)
        return Reply("done", None, content, dict(structured))

    def _page(self, arguments: Mapping[str, Json]) -> Observation:
        number = arguments["observation"]
        assert isinstance(number, int)
        return self._live().observed(number)


def _taken_back() -> Reply:
    return _failed(CallError("cancelled", "the call was taken back before anything was dispatched"), "refused")


def _failed(error: StackError, outcome: Outcome) -> Reply:
    """The reply of an error: its outcome and code, and what of it a program may want to read."""
    details: dict[str, Json] = {"error": error.code}
    if isinstance(error, StalePage):
        details["part"] = error.part
        details["seen"] = None if error.seen_now is None else error.seen_now.shown()
    if isinstance(error, Blocked):
        details["reason"] = error.reason
    if isinstance(error, ScopeLost):
        details["cause"] = error.cause
    if isinstance(error, BridgeCallError):
        details |= {"number": error.number, "scope": error.scope}
    if error.official is not None:
        details["official"] = error.official.text
    content = (Content({"type": "text", "text": str(error)}),)
    return Reply(outcome, error.code, content, details, is_error=True)


async def _windows(stack: SafariJxa, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
    return {"windows": await stack.windows(titles=arguments.get("titles") is True)}


async def _displays(stack: SafariJxa, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
    return {"displays": await stack.displays()}


async def _open(stack: SafariJxa, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
    display, side = arguments.get("display"), arguments.get("side")
    assert display is None or isinstance(display, int)
    session = await stack.open(
        str(arguments["url"]), display=display, bounds=arguments.get("bounds"), side=None if side is None else str(side)
    )
    return session.status()


async def _attach(stack: SafariJxa, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
    window = arguments["window"]
    assert isinstance(window, int)
    return (await stack.attach(window)).status()


async def _observe(stack: SafariJxa, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
    return (await stack._live().observe()).shown()


def _given(arguments: Mapping[str, Json]) -> str | dict[str, Json]:
    action = arguments["action"]
    assert isinstance(action, str | dict)
    return action


async def _act(stack: SafariJxa, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
    text = arguments.get("text")
    assert text is None or isinstance(text, str)
    session = stack._live()
    acted = await session.act(_given(arguments), stack._page(arguments), text)
    return {"changed": acted.changed, "moved": MOVED[acted.changed], "landed": acted.landed}


async def _fresh(stack: SafariJxa, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
    found = await stack._live().fresh(_given(arguments), stack._page(arguments))
    return {"fresh": found.fresh, "part": found.part, "reason": found.reason}


async def _text(stack: SafariJxa, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
    return {"text": await stack._live().text()}


async def _status(stack: SafariJxa, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
    return stack._live().status()


async def _close(stack: SafariJxa, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
    closed = await stack.close()
    return {"closed": closed.window, "why": closed.why}


CALLS: Final[Mapping[str, Run]] = {
    "windows": _windows,
    "displays": _displays,
    "open": _open,
    "attach": _attach,
    "observe": _observe,
    "act": _act,
    "fresh": _fresh,
    "text": _text,
    "status": _status,
    "close": _close,
}
"""Tool -> what it does."""
