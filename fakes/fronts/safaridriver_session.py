"""One automation session of safaridriver: its window, which tab is active, and what the client has set.

A process has one session, a session one window. It lists its own tabs and those that its pages opened, nobody else's.
"""

from __future__ import annotations

from harness.faults.steps import Until, Wait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from fakes.worlds.safari import Safari
    from fakes.worlds.safari_windows import Tab, Window
    from harness.faults.steps import Handler
    from harness.wire.jsontext import Json

SHORTEST_MS = 0.01
"""No wait is shorter: the world's clock counts microseconds, and a wait that it does not see would not end."""


class ToolError(Exception):
    """A tool failed: a result with isError. text: without the prefix."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class DriverSession:
    """See the module. name: of the client, which the window's banner shows."""

    def __init__(self, world: Safari, p: int, settings: Mapping[str, Any]) -> None:
        self.world = world
        self.p = p
        self.settings = settings
        self.name = ""
        self.window: Window | None = None
        self.active: Tab | None = None
        self.seen: set[Tab] = set()
        """Tabs that were there when a tab was last chosen: while a page has opened others no tab is active."""
        self.options: dict[str, Json] = {}
        """Of the last get_page_content: what navigations and interactions answer with."""
        self.armed: dict[Tab, int] | None = None
        """Tab -> how many of its requests were there before recording began; None before the first look."""
        self.told: dict[str, dict[str, Json]] = {}
        """Reference that the client was given -> what it stood for then."""
        self.media = ""
        self.files = 0

    def tabs(self) -> list[Tab]:
        """Its tabs; none before the first one, and none of others ever."""
        window = self.window
        return [] if window is None or window.closed else list(window.tabs)

    def tab(self, handle: str) -> Tab:
        """Raises ToolError where no tab of the session has that handle."""
        for tab in self.tabs():
            if tab.handle == handle:
                return tab
        raise ToolError(f"No tab with handle '{handle}'")

    def current(self) -> Tab:
        """The tab that tools without a handle work on. Raises ToolError."""
        if self.active is None or self.active.closed:
            raise ToolError("No active tab")
        return self.active

    def chosen(self, handle: Any) -> Tab:
        """The tab of an optional handle."""
        return self.tab(handle) if handle is not None else self.current()

    def choose(self, tab: Tab) -> None:
        self.active = tab
        self.seen = set(self.tabs())

    def is_active(self, tab: Tab) -> bool:
        """What list_tabs says. After a page opened a tab by itself it says so of none (trailcam facts, 1.4)."""
        return tab is self.active and all(other in self.seen for other in self.tabs())

    def loopback_lost(self) -> bool:
        return bool(self.settings["loopback"] == "lost")

    # Waiting

    def unblocked(self, tab: Tab) -> Handler:
        """Until no dialog of the tab is open: its page does nothing before."""
        if not tab.dialogs or tab.closed:
            return
        self.world.blocked(self.p, tab.key)
        while tab.dialogs and not tab.closed:
            yield Until(f"dialog:{tab.key}")
            self.world.advance()
        self.world.unblocked(self.p, tab.key)

    def loaded(self, tab: Tab, within_ms: float = float("inf")) -> Handler:
        """Until the tab has loaded, is closed, or the time is over. A page that never loads is waited for for ever."""
        end = self.world.now_ms() + within_ms
        while tab.loading and not tab.closed:
            if tab.dialogs:
                yield from self.unblocked(tab)
                continue
            left = end - self.world.now_ms()
            due = self.world.next_due()
            if left <= 0 or due is None:
                return
            yield Wait(max(SHORTEST_MS, min(left, due)))
            self.world.advance()

    def rested(self, tab: Tab, ms: float) -> Handler:
        """A rest of so long in which the page goes on."""
        yield Wait(ms)
        self.world.advance()
        yield from self.unblocked(tab)
