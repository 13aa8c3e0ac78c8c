"""One page as it is now: its nodes by name and by number, its focus, its text. What one load of a definition makes."""

from __future__ import annotations

from fakes.worlds.page import NoNode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from fakes.worlds.page import Definition, Node
    from fakes.worlds.page_layout import Layout

BREAKS = {"p": 2, "br": 0, "td": 0, "th": 0}
# fmt: off
INLINE = frozenset((
    "a", "abbr", "b", "bdi", "bdo", "br", "button", "cite", "code", "data", "dfn", "em", "i", "img", "input", "kbd",
    "label", "mark", "meter", "output", "progress", "q", "s", "samp", "select", "small", "span", "strong", "sub",
    "sup", "textarea", "time", "tt", "u", "var", "video", "audio", "canvas", "iframe", "svg", "td", "th",
))
# fmt: on
"""Elements that start no line of their own (HTML, rendering of phrasing content)."""


class Page:
    """title, body, focus (the node that has it). nodes: number given to a client -> node."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.title: str = definition["title"]
        self.body = definition.tree()
        self.focus: Node | None = None
        self.nodes: dict[int, Node] = {}
        self.scroll = [0.0, 0.0]

    def walk(self, shadow: bool = False) -> Iterator[Node]:
        """Every node, the body first; those of shadow roots too where asked. Frames have pages of their own."""
        return self.body.walk(shadow)

    def find(self, name: str) -> Node:
        """The node of that name. Raises NoNode where it is not in the page now."""
        for node in self.body.walk(shadow=True):
            if node.name == name:
                return node
        raise NoNode(name)

    def names(self) -> set[str]:
        return {node.name for node in self.body.walk(shadow=True)}

    def select(self, selector: str) -> list[Node]:
        """querySelectorAll. Raises SelectorError."""
        from fakes.worlds.page_select import select  # a handshake needs neither selectors nor boxes

        return select(self.body, selector)

    def text(self) -> str:
        """innerText of the body."""
        return inner_text(self.body)

    def layout(self, width: float) -> Layout:
        from fakes.worlds.page_layout import Layout

        return Layout(self.body, width)


def inner_text(node: Node) -> str:
    """innerText of a rendered node: what is visible, white space collapsed, one line a block (HTML, innerText)."""
    if not node.rendered:
        return node.text()
    items: list[str | int] = []
    _collect(node, items)
    out: list[str] = []
    pending = 0
    for item in items:
        if isinstance(item, int):
            pending = max(pending, item)
        elif item == "\n" or item == "\t":
            out.append(item)
        else:
            out.append("\n" * pending if out else "")
            pending = 0
            out.append(item)
    return _collapsed("".join(out))


def _collect(node: Node, items: list[str | int]) -> None:
    for child in node.light():
        if isinstance(child, str):
            if node.visible and child:
                items.append(" ".join(f"|{child}|".split())[1:-1].replace("\n", " "))
            continue
        if not child.rendered:
            continue
        if child.tag == "br":
            items.append("\n")
            continue
        if child.tag in ("input", "textarea", "select", "iframe", "img", "canvas"):
            continue
        breaks = BREAKS.get(child.tag, 0 if child.tag in INLINE else 1)
        items.append(breaks)
        _collect(child, items)
        if child.tag in ("td", "th") and _later(child, ("td", "th")):
            items.append("\t")
        items.append(breaks)


def _later(node: Node, tags: tuple[str, ...]) -> bool:
    parent = node.parent
    if parent is None or node not in parent.children:
        return False
    after = parent.children[parent.children.index(node) + 1 :]
    return any(not isinstance(each, str) and each.tag in tags for each in after)


def _collapsed(text: str) -> str:
    """Runs of spaces are one; none stands at the edges of a line."""
    lines = []
    for line in text.split("\n"):
        while "  " in line:
            line = line.replace("  ", " ")
        lines.append(line.strip(" "))
    return "\n".join(lines).strip("\n")
