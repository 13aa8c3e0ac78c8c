"""How a session begins: a window that is lent, or one that is opened and then owned.

Separate from the session, because nothing here happens again later: after this no call takes an address. A new window
is told from the user's own by an address that nobody can guess, never by being in front. What fails after it was made
closes it again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final
from urllib.parse import urlsplit

import anyio

from stack.contract import Host, Json
from stack.errors import CallError, StackError
from stack.safari_jxa.bridge import Bridge
from stack.safari_jxa.errors import BridgeCallError, BridgeError, BridgeTimeout, SafariError
from stack.safari_jxa.page import reply_of
from stack.safari_jxa.scope import Held, Scope
from stack.safari_jxa.session import NONCE_CHARACTERS, Session
from stack.safari_jxa.settings import Settings
from stack.safari_jxa.windows import Box, windows

SCHEMES: Final = frozenset({"http", "https"})
MARKER: Final = "about:blank#trailcam-"
ERROR_PAGES: Final = ("safari-resource:", "about:")
USABLE: Final = frozenset({"interactive", "complete"})
_URL_CHARACTERS: Final = 8192


class Opening:
    """Begins sessions on one bridge. again: gives another bridge to the same Safari, for the end of a session."""

    def __init__(self, host: Host, settings: Settings, bridge: Bridge, again: Callable[[], Awaitable[Bridge]]) -> None:
        self._host = host
        self._settings = settings
        self._bridge = bridge
        self._again = again

    async def attach(self, window: int) -> Session:
        """Take an existing window, with the tab that it shows now. CallError where there is none of this id."""
        where: dict[str, Json] = {"pid": self._bridge.pid, "window": window}
        try:
            seen = await self._bridge.request("look", where)
        except BridgeCallError as error:
            if error.scope:
                gone = f"window {window} is not there (Safari answered {error.number})"
                raise CallError("no_such_window", gone) from None
            raise
        tabs, position, visible = seen.get("tabs"), seen.get("position"), seen.get("visible")
        if not isinstance(tabs, int) or not isinstance(position, int) or visible not in ([], [position]):
            raise CallError("no_such_window", f"window {window} does not say which of its tabs it shows")
        scope = Scope(Held.LENT, self._bridge.pid, window, tabs, position, "", "")
        reply = await self._bind(scope)
        if reply is None:
            raise BridgeError("page_unreadable", "the page gave no answer that can be read")
        return self._session(scope, reply)

    async def open(self, url: str, bounds: Box | None) -> Session:
        """Make a window, place it, load the URL, and bind its document. CallError, SafariError."""
        check_url(url)
        marker = MARKER + self._host.token(NONCE_CHARACTERS)
        window = await self._make(marker)
        scope = Scope(Held.OWNED, self._bridge.pid, window, 1, 0, "", "")
        where: dict[str, Json] = {"pid": scope.pid, "window": window}
        try:
            if bounds is not None:
                await self._bridge.request("place", {**where, "bounds": list(bounds)})
            await self._bridge.request("go", {**where, "url": url})
            return self._session(scope, await self._loaded(scope, url))
        except BaseException as error:
            with anyio.CancelScope(shield=True):
                await self.discard(scope, error)
            raise

    async def _make(self, marker: str) -> int:
        """The id of a new window. Where the reply is lost it is looked for by its marker, once, and not made again."""
        try:
            made = (await self._bridge.request("open", {"pid": self._bridge.pid, "marker": marker})).get("window")
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):  # taken back: what it may have made is found, and closed
                await self._unmake(marker)
            raise
        except (BridgeTimeout, BridgeCallError) as error:
            if isinstance(error, BridgeCallError) and error.outcome == "refused":
                raise
            made = await self._find(marker)
        except BridgeError as error:
            seen = f"the bridge failed while it opened a window: {error.seen}"
            raise SafariError("open_failed", seen, outcome="unknown") from error
        if not isinstance(made, int):
            raise SafariError("open_failed", "the new window was not found by its address", outcome="unknown")
        return made

    async def _unmake(self, marker: str) -> None:
        """Close the window with this address, if there is one. SafariError where that is not known."""
        window = await self._find(marker)
        if window is not None:
            await self.discard(Scope(Held.OWNED, self._bridge.pid, window, 1, 0, "", ""))

    async def discard(self, scope: Scope, why: BaseException | None = None) -> None:
        """Close a new window that is not to be used. SafariError where it may have been left, so that nobody takes
        the call for one without effect."""
        closed = await self._session(scope, {}).close()
        if closed.window != "closed":
            seen = f"the new window is {closed.window}: {closed.why}"
            if isinstance(why, StackError):
                seen = f"{seen}; before, {why.code}: {why.seen}"
            raise SafariError("open_failed", seen, outcome="unknown") from why

    async def _find(self, marker: str) -> int | None:
        """The window with this address; None where there is none. SafariError where nobody can say: then one may have
        been left."""
        try:
            listed = await windows(self._bridge, titles=True)
        except SafariError as error:
            seen = f"a new window can't be looked for: {error.seen}"
            raise SafariError("open_failed", seen, outcome="unknown") from error
        found = (row["window"] for row in listed if isinstance(row, dict) and row["url"] == marker)
        return next((window for window in found if isinstance(window, int)), None)

    async def _loaded(self, scope: Scope, url: str) -> Mapping[str, Json]:
        """The reply of a document of the new window that is not the empty one any more, and can be used."""
        deadlines = self._settings.deadlines
        with anyio.move_on_after(deadlines.load / 1000):
            while True:
                reply = await self._bind(scope)
                if reply is not None and reply["ready"] in USABLE and not str(reply["url"]).startswith(ERROR_PAGES):
                    return reply
                await anyio.sleep(deadlines.poll / 1000)
        raise SafariError("page_not_loaded", f"the page had not loaded within {deadlines.load} ms")

    async def _bind(self, scope: Scope) -> Mapping[str, Json] | None:
        """What the document says of itself, with our state installed in it; None where it does not answer yet."""
        argument: Json = {"op": "bind", "epoch": self._host.token(NONCE_CHARACTERS)}
        result = await self._bridge.request("read", {**scope.params(), "argument": argument})
        tabs = result.get("tabs")
        if not isinstance(tabs, int):
            raise BridgeError("page_unreadable", "the bridge did not say what its guard saw")
        scope.check_guard(tabs, result.get("lost") is True)
        reply = reply_of(result.get("value"))
        if reply is None or not all(isinstance(reply.get(name), str) for name in ("url", "epoch", "ready")):
            return None
        return reply

    def _session(self, scope: Scope, reply: Mapping[str, Json]) -> Session:
        scope.url, scope.epoch = str(reply.get("url", "")), str(reply.get("epoch", ""))
        return Session(self._host, self._settings, self._bridge, scope, self._again)


def check_url(url: str) -> None:
    """An address that a window may be opened at: never a program, a file, or a password. CallError."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in SCHEMES and bool(parts.hostname) and parts.username is None and parts.password is None
        good = good and len(url) <= _URL_CHARACTERS and not any(ord(c) <= 32 or ord(c) == 127 for c in url)
    except ValueError:
        good = False
    if not good:
        raise CallError("invalid_arguments", "the url is not an http or https address without a user name in it")
