"""What the page program of stack/safari_jxa sees of a page, on the model: text, actions of five kinds, and guards.

Written from the program's description, and as strict as it is: a control is offered where the program offers it, and
a guard differs where the program's does. Guards are opaque to the driver, so that only their equality has to agree;
texts, labels and refusals are compared with a real engine by scenarios that run on both.
"""

from __future__ import annotations

from fakes.worlds.page import FIELDS, TOGGLES, Node, option_value
from fakes.worlds.page_names import disabled, hidden, labelled, name, role, tidy
from fakes.worlds.programs import digest_of
from fakes.worlds.safari_windows import DEFAULT_BOUNDS
from harness.wire.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fakes.worlds.page_layout import Layout
    from fakes.worlds.safari import Safari
    from fakes.worlds.safari_windows import Document, Tab
    from harness.wire.jsontext import Json

TEXT_LIMIT, LABEL_LIMIT, AROUND_LIMIT, ACTION_LIMIT = 6000, 200, 300, 500
CLICKED = frozenset([
    "button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "option",
    "treeitem", "combobox", "gridcell", "slider", "spinbutton",
])  # fmt: skip
WRITTEN = frozenset([
    "text", "search", "email", "url", "tel", "number", "date", "time", "month", "week", "datetime-local",
])  # fmt: skip
PRESSED = frozenset(["button", "submit", "reset", "image", "checkbox", "radio", "color"])
SECRET = frozenset(("current-password", "new-password", "one-time-code"))
NEAR = ("li", "tr", "dt", "dd", "p", "label", "article", "figure")
NEAR_ROLES = ("row", "listitem", "option", "article")
WIDE = ("html", "body", "main", "form")
FLAGS = ("aria-checked", "aria-selected", "aria-expanded", "aria-pressed", "aria-disabled", "href")


class State:
    """What the program keeps on a document. numbers: node -> its number; secret: nodes that were a password once."""

    def __init__(self, epoch: str) -> None:
        self.epoch = epoch
        self.numbers: dict[Node, int] = {}
        self._nodes: list[Node] = []
        self.records: dict[str, dict[str, Json]] = {}
        self.secret: set[Node] = set()

    def number(self, node: Node) -> int:
        if node not in self.numbers:
            self._nodes.append(node)
            self.numbers[node] = len(self._nodes)
        return self.numbers[node]

    def node(self, number: Json) -> Node | None:
        """The element with that number, where it still is in the document."""
        if not isinstance(number, int) or not 0 < number <= len(self._nodes):
            return None
        node = self._nodes[number - 1]
        return node if node.connected else None


def digest(*parts: Json) -> str:
    return digest_of(dumps(list(parts)))[:16]


class View:
    """One look at a tab's document. What it has worked out it keeps: nothing in it lasts longer than a step."""

    def __init__(self, world: Safari, tab: Tab, document: Document, state: State) -> None:
        self.state = state
        self.document = document
        self.page = document.page
        self.width, self.height = viewport(world, tab)
        self.layout: Layout = self.page.layout(self.width)
        self._fields: dict[Node | None, list[tuple[Node, Json]]] | None = None
        self._actions: list[dict[str, Any]] | None = None
        self._names: dict[Node, str] = {}
        self._text: str | None = None
        self.nodes = [node for node in self.page.walk(shadow=True) if node is not self.page.body]
        for node in self.nodes:
            self.forbidden(node)

    # What an element is

    def forbidden(self, node: Node) -> bool:
        """Whether its value is the user's alone."""
        control = labelled(node)
        if control is not None:
            return self.forbidden(control)
        if node.tag not in ("input", "textarea"):
            return False
        if node.type == "password" or SECRET & set(node.attributes.get("autocomplete", "").lower().split()):
            self.state.secret.add(node)
        return (node.tag == "input" and node.type in ("file", "hidden")) or node in self.state.secret

    def kinds(self, node: Node) -> list[str]:
        """The kinds of action that it offers, by what it is alone."""
        tag = node.tag
        if tag == "select":
            return ["select"]
        if tag == "label":
            control = labelled(node)
            return ["click"] if control is not None and hidden(control) else []
        if editable(node):
            return ["fill", "click"]
        if tag == "input":
            return ["click"] if node.type in PRESSED else []
        if tag == "textarea":
            return []
        if tag in ("button", "summary") or (tag in ("a", "area") and "href" in node.attributes):
            return ["click"]
        return ["click"] if role(node) in CLICKED or "onclick" in node.attributes else []

    def point(self, node: Node) -> tuple[float, float] | None:
        """The centre, on the page, of the part of its box that is inside of the viewport."""
        box = self.layout.boxes.get(node)
        if box is None:
            return None
        left, top = self.page.scroll
        x1, x2 = max(box[0], left), min(box[0] + box[2], left + self.width)
        y1, y2 = max(box[1], top), min(box[1] + box[3], top + self.height)
        return ((x1 + x2) / 2, (y1 + y2) / 2) if x2 - x1 >= 1 and y2 - y1 >= 1 else None

    def covered(self, node: Node, point: tuple[float, float]) -> bool:
        hit = self.layout.under(*point)
        return hit is None or not any(each is node or labelled(each) is node for each in hit.line())

    def value(self, node: Node, kind: str) -> str:
        if kind == "fill":
            return (node.value if node.tag in FIELDS else node.text())[:LABEL_LIMIT]
        if node.tag == "input" and node.type in TOGGLES:
            return str(node.checked).lower()
        return node.attributes.get("aria-checked", "")

    # What an observation has

    def actions(self) -> list[dict[str, Any]]:
        if self._actions is None:
            self._actions = self._found()
        return self._actions

    def _found(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for node in self.nodes:
            found += self._offered(node)
        found = [{"id": f"e{n}", **action} for n, action in enumerate(found[:ACTION_LIMIT], 1)]
        scroll = self.scroll()
        if scroll["y"] + self.height < scroll["height"] - 1:
            found.append({"id": "scroll-down", "kind": "scroll", "label": "Scroll down"})
        if scroll["y"] > 0:
            found.append({"id": "scroll-up", "kind": "scroll", "label": "Scroll up"})
        return [*found, {"id": "wait", "kind": "wait", "label": "Wait for the page to update"}]

    def _offered(self, node: Node) -> list[dict[str, Any]]:
        kinds = self.kinds(node)
        if not kinds or self.forbidden(node) or disabled(node) or hidden(node):
            return []
        if node.tag != "select" and self.point(node) is None:
            return []
        control = labelled(node)
        label = tidy(node.text() if control is not None else self.name(node))[:LABEL_LIMIT]
        x, y, width, height = self.layout.boxes[node]
        shown: dict[str, Any] = {
            "node": self.state.number(node),
            "role": role(control or node),
            "rect": {
                "x": round(x - self.page.scroll[0], 1), "y": round(y - self.page.scroll[1], 1),
                "w": round(width, 1), "h": round(height, 1),
            },
        }  # fmt: skip
        if kinds != ["select"]:
            return [{"kind": kind, "label": label, **shown, "value": self.value(node, kind)} for kind in kinds]
        return [
            {
                "kind": "select",
                "label": tidy(f"{label}: {option_label(option)}")[:LABEL_LIMIT],
                **shown,
                "value": option_value(option),
                "option": place,
            }
            for place, option in enumerate(node.options())
            if not option.disabled and "hidden" not in option.attributes
        ]

    def name(self, node: Node) -> str:
        if node not in self._names:
            self._names[node] = name(node)
        return self._names[node]

    def text(self) -> str:
        if self._text is None:
            lines = [tidy(line) for line in self.page.text().split("\n")]
            self._text = "\n".join(line for line in lines if line)[:TEXT_LIMIT]
        return self._text

    def scroll(self) -> dict[str, Any]:
        _, height = self.layout.size(self.page.definition["size"])
        return {"y": round(self.page.scroll[1]), "height": round(max(height, self.height))}

    # Guards

    def route(self) -> str:
        return self.document.url.partition("#")[0].partition("?")[0]

    def viewport(self) -> str:
        return f"{round(self.width)}x{round(self.height)}"

    def content(self) -> dict[str, Json]:
        """The guard of the page as a whole."""
        shown = [[each["id"], each["kind"], each["label"], each.get("value")] for each in self.actions()]
        return {
            "route": self.route(),
            "viewport": self.viewport(),
            "fields": self.fields(None),
            "content": digest(self.page.title, self.text(), shown, self.scroll()),
        }

    def guard(self, node: Node) -> dict[str, Json]:
        """The guard of one element."""
        return {"fields": self.fields(node), "target": self.target(node), "around": around(node)}

    def fields(self, node: Node | None) -> str:
        """The fields of the same form, or those of no form; without an element all there are."""
        if self._fields is None:
            self._fields = {}
            for each in self.nodes:
                if each.tag in FIELDS and not (each.tag == "input" and each.type == "hidden"):
                    self._fields.setdefault(each.nearest("form"), []).append((each, self.field(each)))
        if node is None:
            return digest(*(field for some in self._fields.values() for _, field in some))
        return digest(*(field for each, field in self._fields.get(node.nearest("form"), ()) if each is not node))

    def field(self, node: Node) -> Json:
        """What stands in a field; of a secret one only whether there is anything."""
        value = str(bool(node.value)) if self.forbidden(node) else node.value
        return [node.type, node.attributes.get("name", ""), value, node.checked]

    def target(self, node: Node) -> str:
        own = labelled(node) or node
        options: list[Json] = [
            [option_label(each), option_value(each), each.disabled, option_value(each) == own.value]
            for each in (own.options() if own.tag == "select" else ())
        ]
        inside: Json = self.field(own) if own.tag in FIELDS else own.text() if editable(own) else ""
        flags: list[Json] = [own.attributes.get(flag) for flag in FLAGS]
        readonly = "readonly" in own.attributes
        return digest(node.tag, role(own), self.name(own), inside, disabled(node), readonly, flags, options)


def viewport(world: Safari, tab: Tab) -> tuple[float, float]:
    """Width and height of a page in a tab: what the world says, and as much more or less as its window has."""
    width, height = world.viewport
    if tab.window.session is None:
        width += tab.window.bounds[2] - DEFAULT_BOUNDS[2]
        height += tab.window.bounds[3] - DEFAULT_BOUNDS[3]
    return max(width, 1.0), max(height, 1.0)


def editable(node: Node) -> bool:
    if node.tag in ("input", "textarea") and "readonly" in node.attributes:
        return False
    if node.tag == "input":
        return node.type in WRITTEN
    return node.editable and node.attributes.get("aria-readonly") != "true"


def option_label(option: Node) -> str:
    return option.attributes.get("label") or tidy(option.text())


def around(node: Node) -> str:
    """The text of the nearest row, item or paragraph around an element."""
    parent = node.parent
    near = parent
    for each in parent.line() if parent is not None else ():
        if each.tag in NEAR or each.attributes.get("role") in NEAR_ROLES:
            near = each
            break
    if near is None or near.tag in WIDE:
        return digest("")
    return digest(tidy(near.text())[:AROUND_LIMIT])
