"""Roles, accessible names and hidden controls of nodes of the model: what a driver's page program sees of an element.

The short form of "Accessible Name and Description Computation 1.2" and of HTML's own labels: enough for pages that are
written for scenarios. Pages with generated content, slots or SVG are a matter for an engine.
"""

from __future__ import annotations

from fakes.worlds.page import FIELDS, Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CONTENT_ROLES = frozenset([
    "button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link", "menuitem", "menuitemcheckbox",
    "menuitemradio", "option", "radio", "row", "rowheader", "switch", "tab", "tooltip", "treeitem",
])  # fmt: skip
"""Roles that are named by their content."""
TAG_ROLES = {
    "article": "article", "aside": "complementary", "button": "button", "details": "group", "dialog": "dialog",
    "fieldset": "group", "figure": "figure", "h1": "heading", "h2": "heading", "h3": "heading", "h4": "heading",
    "h5": "heading", "h6": "heading", "li": "listitem", "main": "main", "nav": "navigation", "ol": "list",
    "option": "option", "output": "status", "p": "paragraph", "progress": "progressbar", "summary": "button",
    "table": "table", "td": "cell", "textarea": "textbox", "th": "columnheader", "tr": "row", "ul": "list",
}  # fmt: skip
INPUT_ROLES = {
    "button": "button", "checkbox": "checkbox", "email": "textbox", "image": "button", "number": "spinbutton",
    "radio": "radio", "range": "slider", "reset": "button", "search": "searchbox", "submit": "button", "tel": "textbox",
    "text": "textbox", "url": "textbox",
}  # fmt: skip
BUTTON_DEFAULTS = {"submit": "Submit", "reset": "Reset"}


def tidy(text: str) -> str:
    """White space collapsed and trimmed."""
    return " ".join(text.split())


def role(node: Node) -> str:
    """The role that is written, or the one of the tag; an empty text for none."""
    for token in node.attributes.get("role", "").lower().split():
        return token
    tag = node.tag
    if tag in ("a", "area"):
        return "link" if "href" in node.attributes else "generic"
    if tag == "img":
        return "none" if node.attributes.get("alt") == "" else "img"
    if tag == "select":
        return "listbox" if "multiple" in node.attributes else "combobox"
    if tag == "input":
        return INPUT_ROLES.get(node.type, "")
    if node.attributes.get("contenteditable", "false").lower() != "false":
        return TAG_ROLES.get(tag, "textbox")
    return TAG_ROLES.get(tag, "")


def hidden(node: Node) -> bool:
    """Whether nobody sees it, or nobody is told of it."""
    return not node.visible or any(each.attributes.get("aria-hidden", "").lower() == "true" for each in node.line())


def disabled(node: Node) -> bool:
    """Whether it, what it labels, or what it is in takes no input."""
    control = labelled(node)
    if control is not None:
        return disabled(control)
    return (node.disabled and node.tag in ("button", "fieldset", *FIELDS, "option")) or any(
        "inert" in each.attributes or each.attributes.get("aria-disabled") == "true" for each in node.line()
    )


def labelled(node: Node) -> Node | None:
    """The control of a label; None for any other node."""
    if node.tag != "label":
        return None
    wanted = node.attributes.get("for")
    if wanted is not None:
        return next((each for each in _root(node).walk() if each.attributes.get("id") == wanted), None)
    return next((each for each in node.walk() if each.tag in ("button", *FIELDS) and each.type != "hidden"), None)


def labels(node: Node) -> Iterator[Node]:
    """The labels of a control, in the order of the page."""
    for each in _root(node).walk():
        if each.tag == "label" and labelled(each) is node:
            yield each


def _root(node: Node) -> Node:
    return list(node.line())[-1]


def name(node: Node) -> str:
    """Accessible name."""
    return tidy(_name(node, referred=False))


def _name(node: Node, *, referred: bool) -> str:
    attributes = node.attributes
    if not referred and "aria-labelledby" in attributes:
        found = {each.attributes.get("id"): each for each in _root(node).walk()}
        words = [_name(found[id], referred=True) for id in attributes["aria-labelledby"].split() if id in found]
        if any(words):
            return " ".join(word for word in words if word)
    if attributes.get("aria-label", "").strip():
        return attributes["aria-label"]
    given = _native(node)
    if given.strip():
        return given
    if referred or role(node) in CONTENT_ROLES:
        text = content(node)
        if text.strip():
            return text
    return attributes.get("title") or attributes.get("placeholder") or ""


def _native(node: Node) -> str:
    """The name that HTML gives."""
    if node.tag == "input" and node.type in ("button", *BUTTON_DEFAULTS):
        return node.attributes.get("value") or BUTTON_DEFAULTS.get(node.type, "")
    if node.tag in ("img", "area") or (node.tag == "input" and node.type == "image"):
        return node.attributes.get("alt", "")
    if node.tag in ("button", *FIELDS):
        words = [tidy(content(label, but=node)) for label in labels(node)]
        if any(words):
            return " ".join(word for word in words if word)
    caption = {"fieldset": "legend", "table": "caption", "figure": "figcaption"}.get(node.tag)
    child = next((each for each in node.children if isinstance(each, Node) and each.tag == caption), None)
    return content(child) if child is not None else ""


def content(node: Node, but: Node | None = None) -> str:
    """The text in a node, with what stands for its images and controls. but: a control that is left out."""
    parts: list[str] = []
    for child in node.content():
        if isinstance(child, str):
            parts.append(child)
        elif child is but or hidden(child) or child.tag in ("script", "style"):
            continue
        elif child.tag == "br":
            parts.append(" ")
        elif child.attributes.get("aria-label", "").strip() or child.tag == "img":
            parts.append(f" {_name(child, referred=False)} ")
        elif child.tag in FIELDS:
            parts.append(f" {'' if child.type == 'password' else child.value} ")
        else:
            inner = content(child, but)
            parts.append(inner if child.tag in ("a", "b", "i", "em", "span", "strong", "code") else f" {inner} ")
    return "".join(parts)
