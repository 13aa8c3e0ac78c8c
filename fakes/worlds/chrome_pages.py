"""Documents of the fake browser: what is on them, what their nodes do, and how an extension's snapshot shows them.

A page is what the run sheet describes; a document is one load of it, with an identity of its own and a state that
actions and changes alter. Separate from the browser's windows and tabs, which hold documents.
"""

from __future__ import annotations

from fakes.settings import REQUIRED, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from fakes.settings import Table
    from harness.wire.jsontext import Json

NODE_KEYS: Table = {
    "id": ("text", REQUIRED, "name of the node in the world record"),
    "role": ("text", REQUIRED, "its role"),
    "name": ("text", "", "its accessible name"),
    "description": ("text", "", "its description"),
    "value": ("text or null", None, "its value"),
    "sensitive": ("bool", False, "a field whose value never leaves the page"),
    "states": ("object", {}, "checked, expanded, disabled, …"),
    "actions": ("texts", [], "what it offers: activate, focus, set_value, scroll_into_view"),
    "bounds": ("list", [10, 10, 80, 20], "x, y, w, h in its frame"),
    "hidden": ("bool", False, "not to be seen, so not in a snapshot"),
    "does": (
        "nothing|toggle|content|focus|navigate|same_document|new_tab|trusted|trusted_nothing",
        "content",
        "what activating it does; `trusted` ones heed real clicks alone",
    ),
    "goes": ("text or null", None, "page that it leads to, or address for same_document"),
    "drops_value": ("bool", False, "the page does not keep a value that is set"),
}
PAGE_KEYS: Table = {
    "url": ("text", REQUIRED, "its address"),
    "title": ("text", "", "its title"),
    "nodes": ("list", [], "its nodes, in reading order"),
    "frames": ("object", {}, "frame id -> page in that frame"),
    "hang": ("bool", False, "an alert is open, or the page is busy: nothing answers"),
    "silent": ("bool", False, "what is injected gives nothing back"),
    "error": ("bool", False, "an error page of the browser"),
    "content_type": ("text", "text/html", "application/pdf for the viewer"),
    "zoom": ("number", 1, "page zoom"),
    "scroll": ("list", [0, 0], "how far it is scrolled"),
}
REDACTED = "[redacted]"
ACTIONS = ("activate", "focus", "set_value", "scroll_into_view")
TEXTS = ("name", "description", "value")
SEEN = ("role", "name", "description", "value", "sensitive", "states", "actions", "hidden")


class Node:
    """One element of one document."""

    def __init__(self, given: Json, where: str) -> None:
        values = read(given, NODE_KEYS, where)
        self.id: str = values["id"]
        self.role: str = values["role"]
        self.name: str = values["name"]
        self.description: str = values["description"]
        self.value: str | None = values["value"]
        self.sensitive: bool = values["sensitive"]
        self.states: dict[str, Json] = dict(values["states"])
        self.actions: list[str] = list(values["actions"])
        self.bounds: list[float] = list(values["bounds"])
        self.hidden: bool = values["hidden"]
        self.does: str = values["does"]
        self.goes: str | None = values["goes"]
        self.drops_value: bool = values["drops_value"]

    def fingerprint(self) -> tuple[str, str, bool, tuple[str, ...]]:
        """What has to be as it was shown before an action."""
        return self.role, self.name, bool(self.states.get("disabled")), tuple(self.actions)

    def shown(self, id: str, frame: int, ancestry: list[int]) -> dict[str, Json]:
        """As the extension's snapshot has it."""
        x, y, w, h = self.bounds
        node: dict[str, Json] = {
            "id": id, "frame_id": frame, "frame_ancestry": ancestry, "parent": None, "role": self.role,
            "name": self.name, "description": self.description, "value": None if self.sensitive else self.value,
            "states": dict(self.states), "actions": list(self.actions),
            "bounds": {"space": "frame_css_px", "x": x, "y": y, "w": w, "h": h},
        }  # fmt: skip
        if self.sensitive:
            node["sensitive"] = True
        return node


class Document:
    """One load of a page. key: in the world record; id, nonce: as the browser and the extension have them.

    shown: node id of the latest snapshot -> (node, its fingerprint then). frames: frame id -> its document.
    """

    def __init__(self, key: str, serial: int, page: str, values: Mapping[str, Any]) -> None:
        self.key = key
        self.id = f"{0xD0C0000 + serial:032X}"
        self.nonce = f"{0xABCDEF00 + serial:032x}"
        self.page = page
        self.url: str = values["url"]
        self.title: str = values["title"]
        self.nodes = [Node(each, f"page {page}") for each in values["nodes"]]
        self.hang: bool = values["hang"]
        self.silent: bool = values["silent"]
        self.error: bool = values["error"]
        self.content_type: str = values["content_type"]
        self.zoom: float = values["zoom"]
        self.scroll: list[float] = list(values["scroll"])
        self.generation = 0
        self.shown: dict[str, tuple[Node, Any]] = {}
        self.frames: dict[int, Document] = {}
        self.crashed = False
        self.view: dict[str, Json] = {}
        """What is other around it than its page says."""
        self.changes = 0
        """How often activating something has changed its content."""

    def node(self, key: str) -> Node:
        """The node of that name. ValueError where there is none."""
        for node in self.nodes:
            if node.id == key:
                return node
        raise ValueError(f"saw node {key!r}; expected one of {', '.join(node.id for node in self.nodes)}")

    def clean(self, text: str) -> str:
        """A text of the page without what its sensitive fields hold."""
        for value in [node.value for node in self.nodes if node.sensitive and node.value]:
            text = text.replace(value, REDACTED)
        return text

    def origin(self) -> str:
        return origin({"url": self.url})

    def snapshot(
        self, frame: int, ancestry: list[int], *, keeps: bool = False
    ) -> list[tuple[str, Node, dict[str, Json]]]:
        """(id, node, as it is shown) of what can be seen; references to it are of a new generation from here on, or
        those from before stay good."""
        self.generation += not keeps
        before = self.shown
        self.shown = {}
        rows = []
        for number, node in enumerate((node for node in self.nodes if not node.hidden), 1):
            id = f"{frame}:{number}"
            self.shown[id] = node, node.fingerprint()
            shown = node.shown(id, frame, ancestry)
            texts = {name: self.clean(text) for name in TEXTS if isinstance(text := shown[name], str)}
            rows.append((id, node, {**shown, **texts}))
        if keeps:
            self.shown = before
        return rows


def origin(page: Mapping[str, Any]) -> str:
    """Scheme and host of a page's address."""
    scheme, _, rest = str(page["url"]).partition("://")
    return f"{scheme}://{rest.partition('/')[0]}"


def page_values(given: Json, name: str) -> dict[str, Any]:
    """The keys of one page."""
    return read(given, PAGE_KEYS, f"world.pages.{name}")


RESTRICTED = {
    "chrome": "restricted_page",
    "devtools": "restricted_page",
    "chrome-extension": "restricted_page",
    "file": "unsupported_scheme",
    "data": "unsupported_scheme",
    "view-source": "unsupported_scheme",
}
"""Scheme -> why its pages are not read."""
STORES = ("https://chromewebstore.google.com", "https://chrome.google.com")


def restriction(document: Document) -> str | None:
    """Why the extension may not see a document whoever allows it; None where it may."""
    scheme = document.url.partition(":")[0]
    if document.origin() in STORES or document.content_type == "application/pdf":
        return "restricted_page"
    return RESTRICTED.get(scheme)
