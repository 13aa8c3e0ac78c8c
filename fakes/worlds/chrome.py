"""Browsers and what is in them: windows, tabs, documents, permissions, the worker, and what really happened.

Ground truth of the Chrome system. In the world record a browser is named by its number, a tab by its id, a document by
its key (`d1`, `d2`, … in the order of loading), a node by the name that the run sheet gives it. `shown.ref` is
`sN/NODE`, N counting the snapshots of the run and NODE being the id in it. Windows of other applications, and where
the pointer comes down, are here too, because a real click has to land on the page that is really there. `TAB/NODE` is
shown too: the same node by its tab, for a caller that can't count the snapshots of a run in which some get lost.
"""

from __future__ import annotations

from fakes.settings import REQUIRED, SettingsProblem, read
from fakes.worlds.chrome_pages import Document, page_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from fakes.settings import Table
    from fakes.worlds.chrome_pages import Node
    from harness.serve.machine import Record
    from harness.wire.jsontext import Json

PAGES: dict[str, Json] = {
    "shop": {
        "url": "https://shop.test/",
        "title": "Shop",
        "nodes": [
            {"id": "heading", "role": "heading", "name": "Shop", "bounds": [10, 10, 300, 30]},
            {"id": "search", "role": "searchbox", "name": "Search", "value": "", "bounds": [10, 50, 200, 30],
             "actions": ["activate", "focus", "set_value", "scroll_into_view"], "does": "focus"},
            {"id": "buy", "role": "button", "name": "Buy", "bounds": [10, 100, 80, 30],
             "actions": ["activate", "focus", "scroll_into_view"]},
            {"id": "dead", "role": "button", "name": "Sold out", "bounds": [100, 100, 80, 30],
             "actions": ["activate", "focus", "scroll_into_view"], "does": "nothing"},
            {"id": "news", "role": "checkbox", "name": "Newsletter", "states": {"checked": "false"},
             "bounds": [10, 140, 20, 20], "actions": ["activate", "focus", "set_value", "scroll_into_view"],
             "does": "toggle"},
            {"id": "cart", "role": "link", "name": "Cart", "bounds": [10, 180, 60, 20],
             "actions": ["activate", "focus", "scroll_into_view"], "does": "navigate", "goes": "cart"},
            {"id": "pay", "role": "button", "name": "Pay", "bounds": [200, 100, 80, 30],
             "actions": ["activate", "focus", "scroll_into_view"], "does": "trusted"},
            {"id": "password", "role": "textbox", "name": "Password", "value": "secret", "sensitive": True,
             "bounds": [10, 220, 200, 30], "actions": ["activate", "focus", "set_value"], "does": "focus"},
        ],
    },
    "cart": {
        "url": "https://shop.test/cart",
        "title": "Cart",
        "nodes": [
            {"id": "empty", "role": "button", "name": "Buy", "bounds": [10, 100, 80, 30],
             "actions": ["activate", "focus", "scroll_into_view"]},
        ],
    },
    "bank": {
        "url": "https://bank.test/",
        "title": "Bank",
        "nodes": [{"id": "transfer", "role": "button", "name": "Buy", "actions": ["activate"]}],
    },
}  # fmt: skip
ORIGIN = "chrome-extension://fjpkpadlhgllicceinkhebmbjnpekjje/"
KEYS: Table = {
    "pages": ("object", {}, "page -> what is on it, beside shop, cart and bank"),
    "browsers": ("list", [{}], "browsers that run, each a process"),
    "front": ("text", "browser 0", "what is in front: `browser N`, or the name of another application"),
    "unit": ("point|pixel", "point", "unit of places on the screen"),
}
BROWSER_KEYS: Table = {
    "name": ("text", "chrome", "brave, chrome, chromium, edge, other or vivaldi"),
    "profiles": ("int", 1, "profiles with the extension: each has a host of its own, and the first has the windows"),
    "allowed": ("texts", ["https://shop.test"], "sites that the user has allowed; * for all"),
    "tabs": ("list", [{"id": 101, "page": "shop"}, {"id": 102, "page": "bank"}], "its tabs"),
    "active": ("int", 101, "the active tab of window 11"),
    "registered": ("text", "well", "how the native host is registered: well, forbidden, or one of the nine causes"),
    "extension": ("bool", True, "whether the extension is installed"),
    "worker": ("persistent|idle", "persistent", "whether an open port keeps the worker alive"),
    "origin": ("text", ORIGIN, "origin of the extension that starts the host"),
    "takes": ("ours|anything", "ours", "whether its extension is ours, or one that takes whatever a host says"),
    "protocol": ("list", [1, 1], "lowest and highest protocol that the extension speaks"),
}
TAB_KEYS: Table = {
    "id": ("int", REQUIRED, "its id"),
    "page": ("text", REQUIRED, "page that is loaded in it"),
    "window": ("int", 11, "its window"),
}
GIVES_UP = 3
VIEWPORT = (800, 600)
OUTER = (820, 700)
SCREEN = (40, 60)


class Tab:
    """One tab. cached: documents in the back/forward cache, the latest last."""

    def __init__(self, id: int, window: int, document: Document) -> None:
        self.id = id
        self.window = window
        self.document = document
        self.cached: list[Document] = []


class Profile:
    """One profile with the extension. p: of the channel that is open to the host; instance: of the worker; events:
    what is still to be sent to the host; orders: what is to become of the channel."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.channel: int | None = None
        self.worker = False
        self.instance = ""
        self.starts = 0
        self.hosts = 0
        """Hosts that have been started and are not seen to have ended."""
        self.connected = False
        self.connections = 0
        """How often a host has greeted it."""
        self.opening = False
        """Whether a host is being started for it."""
        self.failures = 0
        self.gave_up = False
        self.errors: list[str] = []
        """Texts of `runtime.lastError` at the ends of its ports."""
        self.delivered: list[Json] = []
        """What its hosts have said."""
        self.orders: list[str] = []
        self.events: list[dict[str, Json]] = []

    def refused(self) -> None:
        """A host that could be started was none of ours. After three in a row the extension gives up in this fake."""
        self.failures += 1
        self.gave_up = self.failures >= GIVES_UP

    @property
    def host(self) -> str:
        """Name of the host that it has, or had last, in the world record."""
        return f"host {self.number}.{self.starts}"


class Browser:
    """One browser process. p: its number in the run, once it runs."""

    def __init__(self, number: int, values: Mapping[str, Any], world: Chrome) -> None:
        self.number = number
        self.p: int | None = None
        self.running = False
        self.closing = False
        self.values = values
        self.allowed: list[str] = list(values["allowed"])
        self.profiles = [Profile(each) for each in range(int(values["profiles"]))]
        self.tabs: dict[int, Tab] = {}
        self.active: dict[int, int] = {}
        for given in values["tabs"]:
            row = read(given, TAB_KEYS, f"world.browsers {number} tabs")
            self.tabs[row["id"]] = Tab(row["id"], row["window"], world.load(row["page"]))
            self.active.setdefault(row["window"], row["id"])
        if values["active"] in self.tabs:
            self.active[self.tabs[values["active"]].window] = values["active"]
        self.focused = next(iter(self.active), 0)

    def allows(self, document: Document) -> bool:
        return "*" in self.allowed or document.origin() in self.allowed

    def tab(self, id: int) -> Tab:
        """ValueError where there is none."""
        if id not in self.tabs:
            raise ValueError(f"saw tab {id}; expected one of {sorted(self.tabs)}")
        return self.tabs[id]

    def front(self) -> Tab | None:
        """The active tab of the focused window."""
        return self.tabs.get(self.active.get(self.focused, -1))


class Chrome:
    """See the module. Built with the stage as its record, and the run sheet's `world`."""

    def __init__(self, record: Record, settings: Mapping[str, Json]) -> None:
        values = read(dict(settings), KEYS, "world")
        self._record = record
        self._serial = 0
        self._snapshots = 0
        pages: dict[str, Json] = {**PAGES, **values["pages"]}
        self.pages = {name: page_values(page, name) for name, page in pages.items()}
        self.unit: str = values["unit"]
        self.front: str = values["front"]
        self.steals: str | None = None
        """Application that comes to the front whenever a browser is asked to."""
        self.closed: set[int] = set()
        """Tabs that there were."""
        self.moves: list[float] | None = None
        """How far everything on a page moves after it was next located."""
        self.browsers = [
            Browser(number, read(given, BROWSER_KEYS, f"world.browsers {number}"), self)
            for number, given in enumerate(values["browsers"])
        ]

    # What machines wait for and tell

    @property
    def settled(self) -> bool:
        """Whether every browser that is to run runs, and every extension in it is connected or has found no host."""
        return all(
            browser.running
            and (not browser.values["extension"] or all(p.connected or p.gave_up for p in browser.profiles))
            for browser in self.browsers
        )

    def now_ms(self) -> float:
        return self._record.now_ms()

    def wake(self, key: str) -> None:
        self._record.wake(key)

    def note(self, e: str, **fields: Json) -> int:
        return self._record.record(e, **fields)

    def pid_of(self, browser: Browser) -> int:
        """The number by which the system knows a browser's process; 0 where it does not run."""
        return self._record.pid_of(browser.p) if browser.p is not None else 0

    def changed(self, by: str, **what: Json) -> int:
        return self._record.record("changed", what=what, by=by)

    def next_browser(self, p: int) -> Browser:
        """The browser that a new process is: one that was not started yet, or else one that runs no more."""
        rows = [each for each in self.browsers if each.p is None] or [
            each for each in self.browsers if not each.running
        ]
        browser = rows[0] if rows else self.browsers[0]
        browser.p = p
        return browser

    # Documents

    def load(self, page: str) -> Document:
        """A new load of a page, with its frames."""
        if page not in self.pages:
            raise SettingsProblem(
                f"page {page!r}", f"one of {', '.join(sorted(self.pages))}", "name a page of the world"
            )
        self._serial += 1
        document = Document(f"d{self._serial}", self._serial, page, self.pages[page])
        for frame, inner in self.pages[page]["frames"].items():
            document.frames[int(frame)] = self.load(str(inner))
        return document

    def what(self, browser: Browser, tab: Tab, frame: int, document: Document, node: Node) -> dict[str, Json]:
        """What an identifier of a node stands for."""
        return {"window": f"{browser.number}/{tab.window}", "tab": str(tab.id), "frame": str(frame),
                "document": document.key, "node": node.id}  # fmt: skip

    def next_snapshot(self) -> int:
        self._snapshots += 1
        return self._snapshots

    def shown(self, p: int, snapshot: int, id: str, what: Mapping[str, Json]) -> None:
        for ref in (f"s{snapshot}/{id}", f"{what['tab']}/{id}"):
            self._record.record("shown", p=p, ref=ref, what=dict(what))

    def effect(self, p: int, verb: str, target: Mapping[str, Json], value: Json = None) -> int:
        return self._record.record("effect", p=p, verb=verb, target=dict(target), value=value)

    def refused(self, p: int, verb: str, why: str) -> None:
        self._record.record("refused", p=p, verb=verb, why=why)

    def disconnected(self, browser: Browser, profile: Profile) -> None:
        """The channel of a profile is closed, however that came: what it was asked last it may not have answered."""
        self._record.record("unsaid", p=profile.channel, why="the connection is closed")
        self._record.record("freed", p=profile.channel, what="child", id=profile.host)
        profile.channel = None
        profile.connected = False
        profile.events.clear()
        self.wake(f"browser:{browser.p}")

    # What happens by itself

    def tell(self, browser: Browser, event: str, **data: Json) -> None:
        """The extension of each profile hears of something, and tells its host."""
        for profile in browser.profiles:
            if profile.connected:
                profile.events.append({"v": 1, "type": "event", "event": event, "data": dict(data)})
                self.wake(f"channel:{profile.channel}")

    def navigate(self, browser: Browser, tab: Tab, page: str, by: str) -> None:
        """Another document in a tab; the one before goes into the back/forward cache."""
        new = self.load(page)
        tab.cached.append(tab.document)
        tab.document = new
        self.changed(by, tab=str(tab.id), document=tab.document.key)
        self.tell(browser, "tab_navigated", tab_id=tab.id, frame_id=0, document_id=tab.document.id)

    def order(self, browser: Browser, order: str) -> None:
        """Something becomes of each channel of a browser, or of its worker: see `fakes/fronts/chrome.py`."""
        browser.closing = browser.closing or order == "close browser"
        for profile in browser.profiles:
            profile.orders.append(order)
            self.wake(f"channel:{profile.channel}")
        self.wake(f"browser:{browser.p}")

    def process_ended(self, p: int) -> None:
        """A browser's process is gone: with it every channel, and its windows."""
        for browser in self.browsers:
            if browser.p == p and browser.running:
                browser.running = False
                self.order(browser, "browser gone")
            for profile in browser.profiles:
                if profile.channel == p:
                    self.disconnected(browser, profile)

    def change(self, by: str, **what: Json) -> None:
        """The world changes by itself; keys are those of `CHANGES`. Nothing comes of one that is about a tab that has
        been closed since. Raises ValueError for any other key, or a bad value."""
        from fakes.worlds.chrome_changes import CHANGES, TabClosed

        for key in what:
            if key not in CHANGES:
                raise ValueError(f"saw change {key!r}; expected one of {', '.join(sorted(CHANGES))}")
        for key, value in what.items():
            try:
                CHANGES[key][0](self, by, value)
            except TabClosed:
                self.changed(by, nothing=key)
            except (KeyError, TypeError, IndexError, SettingsProblem) as error:
                raise ValueError(f"saw {value!r} for change {key!r}: {CHANGES[key][1]}") from error
