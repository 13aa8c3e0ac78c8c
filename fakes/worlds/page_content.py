"""What Safari's text extraction takes out of a page: a tree of items, which page_tree and page_formats write.

Source: trailcam facts on Safari MCP, 1.5, which follow WebKit's TextExtraction. Items are made only for what is
rendered; generic containers without role, label or handler give their children to what is around them.
"""

from __future__ import annotations

from fakes.worlds.page import FIELDS, PRESSED, TOGGLES, Node, option_value
from fakes.worlds.page_layout import overlaps
from fakes.worlds.page_url import origin, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fakes.worlds.page_layout import Box, Layout
    from fakes.worlds.safari_windows import Document
    from harness.wire.jsontext import Json

TYPES = {
    "a": "link",
    "ul": "list",
    "ol": "list",
    "li": "list-item",
    "article": "article",
    "section": "section",
    "nav": "navigation",
    "blockquote": "block-quote",
    "button": "button",
    "canvas": "canvas",
    "form": "form",
    "select": "select",
    "option": "option",
    "img": "image",
    "iframe": "iframe",
}
"""Tag -> type of its item; others have their tag."""
NAMED = frozenset(
    ("h1", "h2", "h3", "h4", "h5", "h6", "label", "summary", "details", "table", "tr", "td", "th", "dialog", "fieldset")
)
"""Tags without a type of their own that are items all the same."""
INTERACTIVE_ROLES = frozenset(
    ("button", "link", "checkbox", "radio", "tab", "menuitem", "option", "switch", "textbox", "combobox", "slider")
)
SPEAKING_VALUES = (*TOGGLES, "submit", "button", "range", "reset")
"""Types of an input whose value is shown."""
URL_LIMIT = 150
DEFAULTS: dict[str, Json] = {
    "format": "textTree",
    "includeAccessibilityAttributes": True,
    "includeURLs": True,
    "shortenURLs": True,
    "includeRects": False,
    "includeEventListeners": False,
    "includeSelectOptions": False,
    "includeSubframes": False,
    "maxWordsPerParagraph": 15,
    "nodeIds": "interactive",
    "region": "viewport",
}
"""Options of get_page_content with the defaults that the tool's description gives."""


class Item:
    """One item. words: what stands between type and text, in order. facts: the same as members, for JSON. text: of a
    text item. uid: as the client sees it, empty for none."""

    __slots__ = ("type", "node", "uid", "box", "words", "facts", "text", "children", "document")

    def __init__(self, type: str, node: Node | None, document: Document, text: str = "") -> None:
        self.type = type
        self.node = node
        self.document = document
        self.uid = ""
        self.box: Box | None = None
        self.words: list[str] = []
        self.facts: dict[str, Json] = {}
        self.text = text
        self.children: list[Item] = []


class Extraction:
    """The items of a document for the options of one call. shown: every (uid, document, node) that got a number."""

    def __init__(self, document: Document, options: Mapping[str, Json], viewport: tuple[float, float]) -> None:
        self.options = {**DEFAULTS, **options}
        self.shown: list[tuple[str, Document, Node]] = []
        self._viewport = viewport
        self.root = self._document(document, "root")

    def _document(self, document: Document, type: str) -> Item:
        layout = document.page.layout(self._viewport[0])
        root = Item(type, document.page.body, document)
        root.box = layout.boxes.get(document.page.body)
        view = (*document.page.scroll, *self._viewport)
        if document.host is not None or self.options["region"] == "entire_page":
            view = (0.0, 0.0, float("inf"), float("inf"))
        root.children = self._children(document.page.body, document, layout, (view[0], view[1], view[2], view[3]))
        return root

    def _children(self, node: Node, document: Document, layout: Layout, view: Box) -> list[Item]:
        items: list[Item] = []
        for child in node.content():
            if isinstance(child, str):
                text = " ".join(child.split())
                box = layout.boxes.get(node)
                if text and node.visible and (box is None or overlaps(box, view)):
                    item = Item("text", None, document, text)
                    item.box = box
                    items.append(item)
            elif child.rendered:
                items.extend(self._element(child, document, layout, view))
        return items

    def _element(self, node: Node, document: Document, layout: Layout, view: Box) -> list[Item]:
        if node.tag in ("input", "textarea", "select", "img", "canvas", "iframe", "option"):
            children: list[Item] = []
        else:
            children = self._children(node, document, layout, view)
        box = layout.boxes.get(node)
        type = type_of(node)
        if type is None or not node.visible:
            return children
        if not children and (box is None or not overlaps(box, view)):
            return []
        item = Item(type, node, document)
        item.box = box
        item.children = children
        if node.tag == "select" and self.options["includeSelectOptions"]:
            item.children = [self._option(option, document) for option in node.options()]
        self._number(item, node, document)
        describe(item, self.options)
        if node.tag == "iframe" and node.frame is not None:
            self._frame(item, node, document)
        return [item]

    def _option(self, option: Node, document: Document) -> Item:
        item = Item("option", option, document, option.text())
        if option.parent is not None and option_value(option) == option.parent.value:
            item.words.append("selected")
            item.facts["selected"] = True
        return item

    def _frame(self, item: Item, node: Node, document: Document) -> None:
        frame: Document = node.frame
        if origin(frame.url) != origin(document.url):
            item.words.append(f"origin={origin(frame.url)}")
            item.facts["origin"] = origin(frame.url)
        elif self.options["includeSubframes"]:
            item.children = self._document(frame, "root").children

    def _number(self, item: Item, node: Node, document: Document) -> None:
        if self.options["format"] in ("markdown", "plainText") or not NUMBERED[str(self.options["nodeIds"])](node):
            return
        item.uid = uid_of(document, node)
        self.shown.append((item.uid, document, node))


def uid_of(document: Document, node: Node) -> str:
    """The node's number, given on first sight: `N` in the main document, `H_L_N` in a frame."""
    if not node.uid:
        document.tab.next_uid += 1
        node.uid = document.tab.next_uid
        document.page.nodes[node.uid] = node
    if document.frame_id is None:
        return str(node.uid)
    return f"{document.frame_id[0]}_{document.frame_id[1]}_{node.uid}"


def node_of(document: Document, uid: str) -> tuple[Document, Node] | None:
    """What a number stands for in a tab's document or in its frames; None where it stands for nothing there."""
    *frame, number = uid.split("_")
    if not all(part.isascii() and part.isdigit() for part in (*frame, number)):
        return None
    wanted = None if not frame else tuple(int(part) for part in frame)
    for each in document.frames():
        if each.frame_id == wanted:
            node = each.page.nodes.get(int(number))
            return None if node is None else (each, node)
    return None


def editable(node: Node) -> bool:
    return node.editable or node.tag == "select"


def interactive(node: Node) -> bool:
    """Whether a node is one that somebody would use."""
    return (
        (node.tag in ("a", "area") and "href" in node.attributes)
        or node.tag in ("button", "summary", *FIELDS)
        or node.attributes.get("role") in INTERACTIVE_ROLES
        or node.editable
        or clickable(node)
    )


def clickable(node: Node) -> bool:
    return "click" in node.on or "onclick" in node.attributes


NUMBERED: dict[str, Callable[[Node], bool]] = {
    "none": lambda node: False,
    "editable": editable,
    "interactive": interactive,
    "allContainers": lambda node: True,
}
"""nodeIds -> whether a node's item gets a number."""


def type_of(node: Node) -> str | None:
    """The type word of a node's item; None where it has no item of its own."""
    if node.overlay:
        return "overlay"
    if node.tag == "a" and "href" not in node.attributes:
        return "a" if clickable(node) else None
    if node.tag in TYPES:
        return TYPES[node.tag]
    if node.tag in ("input", "textarea"):
        return node.tag
    if node.editable:
        return "contentEditable"
    if node.tag in NAMED or clickable(node):
        return node.tag
    if any(name in ("role", "title") or name.startswith("aria-") for name in node.attributes):
        return node.tag
    return None


def describe(item: Item, options: Mapping[str, Json]) -> None:
    """Fill in the words and facts of an element's item, in their order."""
    node = item.node
    assert node is not None
    attributes = node.attributes
    if "role" in attributes:
        _say(item, "role", attributes["role"])
    if "title" in attributes:
        _say(item, "title", attributes["title"])
    if options["includeAccessibilityAttributes"]:
        _accessibility(item, node)
    for name in ("class", "id"):
        words = [word for word in attributes.get(name, "").split() if is_word(word)]
        if words:
            _say(item, name, " ".join(words))
    if options["includeEventListeners"] and node.on:
        _say(item, "events", ",".join(sorted(node.on)))
    if node.tag in FIELDS:
        _field(item, node)
    elif node.disabled and node.tag == "button":
        _flag(item, "disabled")
    if item.type == "link" and options["includeURLs"]:
        url = resolve(item.document.url, attributes["href"])
        _say(item, "url", shortened(url) if options["shortenURLs"] else url)
    if node.tag == "img" and attributes.get("alt"):
        _say(item, "alt", attributes["alt"])
    if node is item.document.page.focus:
        _flag(item, "focused")


def _accessibility(item: Item, node: Node) -> None:
    first = next((child.text for child in item.children if child.type == "text"), "")
    for name in sorted(node.attributes):
        value = node.attributes[name]
        if name.startswith("aria-") and value != "false" and not (name == "aria-label" and value in first):
            _say(item, name.removeprefix("aria-"), value)


def _field(item: Item, node: Node) -> None:
    attributes = node.attributes
    if "autocomplete" in attributes:
        _say(item, "autocomplete", attributes["autocomplete"])
    for name, holds in (("readonly", "readonly" in attributes), ("disabled", node.disabled), ("checked", node.checked)):
        if holds:
            _flag(item, name)
    for name in ("placeholder", "pattern", "name"):
        if attributes.get(name):
            _say(item, name, attributes[name])
    if node.tag == "input" and node.type in SPEAKING_VALUES and node.value:
        _say(item, "value", node.value)
    if node.tag == "select":
        _say(item, "selected", node.value)
    for name in ("minlength", "maxlength"):
        if attributes.get(name):
            _say(item, name, attributes[name])
    if "required" in attributes:
        _flag(item, "required")
    if node.tag == "input" and node.type == "password":
        _flag(item, "secure")


def control_type(node: Node) -> str | None:
    """The type word that stands second: of an input that is more than a text field."""
    return node.type if node.tag == "input" and node.type not in ("text", *PRESSED[3:]) else None


def _say(item: Item, name: str, value: str) -> None:
    item.words.append(f"{name}={quoted(value)}")
    item.facts[name] = value


def _flag(item: Item, name: str) -> None:
    item.words.append(name)
    item.facts[name] = True


def quoted(value: str) -> str:
    """A value is in single quotes only where it has a space in it."""
    return f"'{escaped(value)}'" if " " in value else escaped(value)


def escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")


def shortened(url: str) -> str:
    """A URL of over 150 characters without its middle."""
    if len(url) <= URL_LIMIT:
        return url
    half = (URL_LIMIT - 1) // 2
    return f"{url[:half]}…{url[-half:]}"


def is_word(text: str) -> bool:
    """Whether a class or id reads like a word or words, as Safari's dictionary would have it: letters, with a vowel in
    each part. The dictionary itself is not here."""
    parts = text.replace("_", "-").split("-")
    return all(
        3 <= len(part) <= 20 and part.isascii() and part.isalpha() and any(v in "aeiouy" for v in part.lower())
        for part in parts
    )
