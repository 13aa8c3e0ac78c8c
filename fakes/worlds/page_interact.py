"""The steps of page_interactions as Safari carries them out: what each finds, does, and says where it fails.

Source: trailcam facts on Safari MCP, 1.6 (failure texts are WebKit's). A step that fails is no error of the call; the
texts say why, and nothing has happened.
"""

from __future__ import annotations

from fakes.worlds.page_content import node_of
from fakes.worlds.page_live import inner_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from fakes.worlds.page import Node
    from fakes.worlds.safari import Safari
    from fakes.worlds.safari_windows import Document, Tab

    Place = tuple[Document, Node | None]

# fmt: off
KEYS = {
    "\n": "Enter", "Return": "Enter",
    "Left": "ArrowLeft", "Right": "ArrowRight", "Up": "ArrowUp", "Down": "ArrowDown",
}
"""Name that the driver takes -> the key's own."""
NAMED_KEYS = frozenset((
    "Enter", "Tab", "Escape", "Backspace", "Delete", "Space", "Home", "End", "PageUp", "PageDown",
    "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown",
))
# fmt: on
"""Names that are one key. Any other text of more than one letter is typed letter by letter: `cmd+k` too."""


class Failed(Exception):
    """A step did nothing. reason: the driver's text."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def interact(world: Safari, p: int, tab: Tab, step: dict[str, Any]) -> None:
    """Carry out one step. Raises Failed. step: checked members of the tool's schema."""
    STEPS[step["type"]](world, p, tab, step)


def _target(tab: Tab, uid: str) -> tuple[Document, Node]:
    """The node of a number, where it can be acted on. Raises Failed."""
    found = node_of(tab.document, uid)
    if found is None:
        raise Failed(f"Failed to resolve nodeIdentifier {uid}")
    document, node = found
    if not node.connected:
        raise Failed("Target has been disconnected from the DOM")
    if not node.rendered:
        raise Failed("Target is not rendered (possibly display: none)")
    if not node.visible:
        raise Failed("Target is hidden via CSS visibility")
    return document, node


def _at_point(world: Safari, tab: Tab, point: dict[str, Any]) -> tuple[Document, Node]:
    page = tab.document.page
    x, y = point.get("x", 0) + page.scroll[0], point.get("y", 0) + page.scroll[1]
    return tab.document, page.layout(world.viewport[0]).under(x, y) or page.body


def _with_text(document: Document, root: Node, text: str) -> Node | None:
    """The innermost visible node with that text in it."""
    found = None
    for node in root.walk():
        if node.visible and text.lower() in inner_text(node).lower():
            found = node
    return found


def _place(world: Safari, tab: Tab, step: dict[str, Any], missing: str) -> tuple[Document, Node]:
    if step.get("point") is not None:
        return _at_point(world, tab, step["point"])
    text = step.get("text")
    if step.get("node") is not None:
        document, node = _target(tab, step["node"])
        if not text:
            return document, node
        inner = _with_text(document, node, text)
        if inner is None:
            raise Failed(f"'{text}' not found inside the target node")
        return document, inner
    if text:
        found = _with_text(tab.document, tab.document.page.body, text)
        if found is None:
            raise Failed(f"'{text}' not found inside the target node")
        return tab.document, found
    raise Failed(missing)


def _click(world: Safari, p: int, tab: Tab, step: dict[str, Any]) -> None:
    document, node = _place(world, tab, step, "Missing location and nodeIdentifier")
    _point(world, p, tab, document, node, "click")


def _hover(world: Safari, p: int, tab: Tab, step: dict[str, Any]) -> None:
    document, node = _place(world, tab, step, "Missing location and nodeIdentifier")
    _point(world, p, tab, document, node, "hover")


def _point(world: Safari, p: int, tab: Tab, document: Document, node: Node, verb: str) -> None:
    """Behind the lock screen the pointer reaches no page, and the driver calls it done all the same."""
    if world.locked:
        world.note("feigned", p=p, verb=verb, target=world.target(tab, document, node), why="the screen is locked")
    else:
        world.act(p, tab, document, node, verb, None)


def _type(world: Safari, p: int, tab: Tab, step: dict[str, Any]) -> None:
    """Pastes plain text: no event of a key. Then Return, where asked."""
    if step.get("node") is None:
        raise Failed("Missing nodeIdentifier")
    document, node = _target(tab, step["node"])
    if not node.editable:
        raise Failed(f"{step['node']} cannot be edited (requires text field or contentEditable)")
    replaced = bool(step.get("replaceAll"))
    text = step.get("value") or step.get("text") or ""
    n = world.effect(p, "type", world.target(tab, document, node), text, replaced=replaced)
    world.perform(document, node, "replace" if replaced else "type", text, f"effect:{n}")
    if step.get("pressReturn") and document.alive:
        world.act(p, tab, document, None, "keyPress", "Enter")


def _key(world: Safari, p: int, tab: Tab, step: dict[str, Any]) -> None:
    """One effect, whatever was typed: the value is what the client asked for."""
    value = step.get("value") or step.get("text") or ""
    if not value:
        raise Failed("Missing nodeIdentifier and/or text")
    document: Document = tab.document
    if step.get("node") is not None:
        document, node = _target(tab, step["node"])
        document.page.focus = node
    n = world.effect(p, "keyPress", world.target(tab), value)
    for key in keys_of(value):
        if document.alive:
            world.perform(document, None, "keyPress", key, f"effect:{n}")


def keys_of(value: str) -> list[str]:
    """The keys that a keyPress presses: one, or for a name that is none its letters."""
    key = KEYS.get(value, value)
    return [key] if key in NAMED_KEYS else list(value)


def _scroll(world: Safari, p: int, tab: Tab, step: dict[str, Any]) -> None:
    delta = step.get("scrollDelta")
    node = None
    document: Document = tab.document
    if step.get("node") is not None:
        document, node = _target(tab, step["node"])
    if delta is None:
        if not step.get("scrollToVisible") or node is None:
            raise Failed("No scrollable area found")
        box = document.page.layout(world.viewport[0]).boxes.get(node, (0.0, 0.0, 0.0, 0.0))
        delta = {"x": box[0] - document.page.scroll[0], "y": box[1] - document.page.scroll[1]}
        node = None
    world.act(p, tab, document, node, "scroll", [delta.get("x", 0), delta.get("y", 0)])


def _select_text(world: Safari, p: int, tab: Tab, step: dict[str, Any]) -> None:
    document, node = _place(world, tab, step, "Missing nodeIdentifier and/or text")
    world.act(p, tab, document, node, "selectText", step.get("value") or step.get("text"))


def _select_menu_item(world: Safari, p: int, tab: Tab, step: dict[str, Any]) -> None:
    """On a native select the popup opens and nothing is chosen (Safari 27.0); the driver calls it done."""
    if step.get("node") is None:
        raise Failed("Missing nodeIdentifier")
    document, node = _target(tab, step["node"])
    value = "" if node.tag == "select" and world.native_menus else step.get("value") or step.get("text")
    world.act(p, tab, document, node, "selectMenuItem", value)


def _highlight(world: Safari, p: int, tab: Tab, step: dict[str, Any]) -> None:
    document, node = _place(world, tab, step, "Missing nodeIdentifier and/or text")
    world.act(p, tab, document, node, "highlightText", step.get("text"))


STEPS: dict[str, Callable[[Safari, int, Tab, dict[str, Any]], None]] = {
    "click": _click,
    "type": _type,
    "keyPress": _key,
    "scroll": _scroll,
    "selectText": _select_text,
    "selectMenuItem": _select_menu_item,
    "hover": _hover,
    "highlightText": _highlight,
}
"""Type of a step -> what carries it out."""
