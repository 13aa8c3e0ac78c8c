"""Where the nodes of a page lie, and what lies at a point: a plain layout, exact where a definition gives places.

Text and controls are lines of their own, one below the other; a node with `at` lies there and moves nothing. Real
engines lay out otherwise: boxes of nodes without `at` are plausible and not compared with them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fakes.worlds.page import Node

LINE = 20.0
MARGIN = 8.0
CONTROLS = frozenset(("input", "textarea", "select", "button", "img", "canvas", "video", "iframe"))
SIZES = {"iframe": (300.0, 150.0), "img": (100.0, 100.0), "canvas": (300.0, 150.0), "textarea": (180.0, 40.0)}
FIELD = (150.0, 20.0)
LETTER = 8.0

Box = tuple[float, float, float, float]
"""x, y, width, height on the page."""


class Layout:
    """Boxes of the rendered nodes of one body at one moment. order: from the lowest to the uppermost."""

    def __init__(self, body: Node, width: float) -> None:
        self.boxes: dict[Node, Box] = {}
        self.order: list[Node] = []
        self._width = width
        self._y = MARGIN
        if body.rendered:
            self._lay(body, MARGIN)
        self.height = max([self._y + MARGIN, *(y + height for _, y, _, height in self.boxes.values())])

    def _lay(self, node: Node, x: float) -> Box | None:
        """Lay out a node in one that has a box."""
        if node.taken_out:
            return None
        self.order.append(node)
        before = self._y
        parts: list[Box] = []
        if node.at:
            self._y = node.at[1]
            x = node.at[0]
        for child in () if node.tag in CONTROLS and node.tag != "button" else node.content():
            if isinstance(child, str):
                if child.strip():
                    parts.append((x, self._y, min(LETTER * len(child.strip()), self._width - x), LINE))
                    self._y += LINE
            else:
                box = self._lay(child, x)
                if box is not None and not child.at:
                    parts.append(box)
        if node.tag in CONTROLS and not parts:
            width, height = SIZES.get(node.tag, FIELD)
            parts.append((x, self._y, width, height))
            self._y += height
        if node.at:
            left, top, width, height = node.at
            self._y = before
            box = (left, top, width, height)
        else:
            box = union(parts) or (x, self._y, self._width - 2 * x if node.tag == "body" else 0.0, 0.0)
        self.boxes[node] = box
        return box

    def centre(self, node: Node) -> tuple[float, float]:
        x, y, width, height = self.boxes[node]
        return x + width / 2, y + height / 2

    def under(self, x: float, y: float) -> Node | None:
        """The uppermost visible node at a point of the page; the body where nothing else is there."""
        for node in sorted(self.order, key=_level)[::-1]:
            if node.visible and inside(self.boxes[node], x, y):
                return node
        return self.order[0] if self.order else None

    def size(self, given: list[float]) -> tuple[float, float]:
        """Width and height of the whole page."""
        return (given[0], given[1]) if len(given) == 2 else (self._width, self.height)


def _level(node: Node) -> int:
    """How high it lies: overlays over what has a place, that over the flow of the page."""
    line = list(node.line())
    return 2 if any(each.overlay for each in line) else int(any(each.at for each in line))


def union(boxes: list[Box]) -> Box | None:
    if not boxes:
        return None
    left = min(box[0] for box in boxes)
    top = min(box[1] for box in boxes)
    right = max(box[0] + box[2] for box in boxes)
    bottom = max(box[1] + box[3] for box in boxes)
    return left, top, right - left, bottom - top


def inside(box: Box, x: float, y: float) -> bool:
    left, top, width, height = box
    return left <= x < left + width and top <= y < top + height


def overlaps(box: Box, view: Box) -> bool:
    """Whether any of a box lies in a view."""
    return (
        box[0] < view[0] + view[2]
        and view[0] < box[0] + max(box[2], 1)
        and box[1] < view[1] + view[3]
        and view[1] < box[1] + max(box[3], 1)
    )

