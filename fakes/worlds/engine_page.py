"""Documents whose pages are an engine's: nodes, boxes and texts as it says them, in the shapes of the model.

The front and everything on top of pages is the same over both. A node stays the same object while its element does, so
that a number that a client was given means what it meant; what has left the page is no longer connected.
"""

from __future__ import annotations

from fakes.worlds.page import TOGGLES, Node
from fakes.worlds.page_layout import Layout, inside
from fakes.worlds.page_live import Page
from fakes.worlds.safari_windows import Document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from fakes.worlds.page import Definition
    from fakes.worlds.page_layout import Box
    from fakes.worlds.safari_windows import Tab

PLAIN: Mapping[str, Any] = {
    "attributes": {}, "text": "", "hidden": None, "at": [], "overlay": False, "value": None, "checked": False, "on": {},
}  # fmt: skip
"""What a node is made with: all that is not so is filled in from the reading."""


HANDLED: list[Any] = [{"prevent": True}]
"""In place of effects, of which the model of an engine's page knows only that there are some."""


class EngineLayout(Layout):
    """Boxes as the engine has them. order: as the tree has it; at: what lies uppermost at a point of the page."""

    def __init__(self, boxes: dict[Node, Box], size: list[float], at: Callable[[float, float], Node | None]) -> None:
        self.boxes = boxes
        self.order = list(boxes)
        self.height = float(size[1])
        self._width = float(size[0])
        self._at = at

    def under(self, x: float, y: float) -> Node | None:
        return self._at(x, y)


class EnginePage(Page):
    """A page filled from readings (fakes.engines.walker). refs: reference of an element -> its node."""

    def __init__(self, definition: Definition) -> None:
        self._asked: Node | None = None
        super().__init__(definition)
        self.refs: dict[int, Node] = {}
        self.boxes: dict[Node, Box] = {}
        self.size: list[float] = [0, 0]
        self.said = ""
        self.at: Callable[[float, float], Node | None] = self._lowest
        self.frames: list[tuple[Node, dict[str, Any]]] = []
        """Iframes of the last reading, each with what is in it."""

    @property
    def focus(self) -> Node | None:
        """The node that has the focus. To set it asks for it: the next action gives it to the element first."""
        return self._focus

    @focus.setter
    def focus(self, node: Node | None) -> None:
        self._focus = self._asked = node

    def take_focus(self) -> int | None:
        """The reference of the node that somebody gave the focus to since the last reading."""
        asked, self._asked = self._asked, None
        return None if asked is None else self.ref_of(asked)

    def ref_of(self, node: Node) -> int | None:
        """The reference of a node's element; None where it has left the page."""
        return next((ref for ref, each in self.refs.items() if each is node), None)

    def fill(self, tree: dict[str, Any], text: str, title: str) -> None:
        """Take a reading over. Nodes that are not in it have left."""
        before = self.refs
        self.refs, self.boxes, self.frames = {}, {}, []
        self.said, self.title, self.focus = text, title, None
        self.body = self._node(tree, None, before)
        for ref, node in before.items():
            if ref not in self.refs:
                node.connected = False

    def _node(self, read: dict[str, Any], parent: Node | None, before: dict[int, Node]) -> Node:
        node = before.get(read["ref"])
        if node is None:
            name = read["name"] or ("body" if read["tag"] == "body" else f"{read['tag']}-{read['ref']}")
            node = Node({**PLAIN, "id": name, "tag": read["tag"]}, parent)
        self.refs[read["ref"]] = node
        node.parent, node.connected = parent, True
        node.attributes = {name: value for name, value in read["attributes"].items() if name != "style"}
        node.hidden = read["hidden"]
        node.on = dict.fromkeys(read.get("listens", ()), HANDLED)
        named = node.tag == "input" and node.type in TOGGLES  # their value is a name, and `on` where they have none
        node.value = node.attributes.get("value", "") if named else read.get("value", "")
        node.checked = read.get("checked", False)
        node.scroll = [float(each) for each in read.get("scrolls", (0, 0))[:2]]
        if read.get("focused"):
            self._focus = node
        x, y, width, height = read["box"]
        if node.hidden != "display":
            self.boxes[node] = (x, y, width, height)
        node.children = [each if isinstance(each, str) else self._node(each, node, before) for each in read["children"]]
        node.shadow = [
            each if isinstance(each, str) else self._node(each, node, before) for each in read.get("shadow", ())
        ]
        if "frame" in read:
            self.frames.append((node, read["frame"]))
        return node

    def text(self) -> str:
        return self.said

    def layout(self, width: float) -> Layout:
        return EngineLayout(self.boxes, self.size, self.at)

    def _lowest(self, x: float, y: float) -> Node | None:
        """Of a page in a frame: the last box at a point."""
        return next((node for node in reversed(self.boxes) if inside(self.boxes[node], x, y)), None)


class EngineDocument(Document):
    """A document that an engine may show. engine_id: its identity there, empty where no engine shows it. look: brings
    its page up to now, and is called whenever somebody asks for the page. age: of the last reading, as the world
    counts. body_ref: of a document in a frame, the reference of its body."""

    __slots__ = ("engine_id", "look", "age", "body_ref", "_page")

    def __init__(
        self, key: str, tab: Tab, url: str, definition: Definition, epoch: int, look: Callable[[EngineDocument], None]
    ) -> None:
        self.engine_id = ""
        self.age = -1
        self.body_ref = 0
        self.look = look
        super().__init__(key, tab, url, definition, epoch)

    @property
    def page(self) -> Page:
        self.look(self)
        return self._page

    @page.setter
    def page(self, page: Page) -> None:
        self._page = page

    @property
    def page_of_engine(self) -> EnginePage:
        """The page for whoever fills it; from the first call on it is the engine's."""
        if not isinstance(self._page, EnginePage):
            self._page = EnginePage(self._page.definition)
        return self._page
