"""The textTree of a page: one item a line, tabs for depth, as Safari's MCP server writes it.

Source: trailcam facts on Safari MCP, 1.5. An item whose only child is a text has it on its own line.
"""

from __future__ import annotations

from fakes.worlds.page_content import clickable, control_type, escaped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fakes.worlds.page_content import Extraction, Item
    from fakes.worlds.page_layout import Box

AROUND_LINKS = 5
"""Words that a cut leaves on either side of a link."""


def text_tree(extraction: Extraction) -> str:
    """The whole text, without a newline at its end."""
    lines: list[str] = []
    _write(extraction, extraction.root, 0, lines)
    kept = [line for n, line in enumerate(lines) if line.strip() and (n == 0 or line != lines[n - 1])]
    return "\n".join(kept)


def _write(extraction: Extraction, item: Item, depth: int, lines: list[str]) -> None:
    only = item.children[0] if len(item.children) == 1 else None
    merged = only if only is not None and only.type == "text" and item.type != "root" else None
    lines.append("\t" * depth + _line(extraction, item, merged))
    if merged is not None:
        return
    for place, child in enumerate(item.children):
        if child.type == "text":
            beside = [other.type == "link" for other in item.children[max(0, place - 1) : place + 2]]
            lines.append("\t" * (depth + 1) + _text(extraction, child, any(beside)))
        else:
            _write(extraction, child, depth + 1, lines)


def _line(extraction: Extraction, item: Item, merged: Item | None) -> str:
    words = [item.type]
    node = item.node
    if node is not None and item.type != "root":
        kind = control_type(node)
        if kind is not None and kind != item.type:
            words.append(kind)
        if clickable(node) and item.type == node.tag and item.type not in ("button", "input", "textarea", "select"):
            words.append("clickable")
    if item.uid:
        words.append(f"uid={item.uid}")
    if extraction.options["includeRects"] and item.box is not None and (item.uid or not item.children):
        words.append(rect(item.box))
    words += item.words
    if item.type == "option":
        words.append(f"'{escaped(item.text)}'")
    if merged is not None:
        words.append(_text(extraction, merged, False, with_rect=False))
    return " ".join(words)


def _text(extraction: Extraction, item: Item, beside_link: bool, with_rect: bool = True) -> str:
    text = f"'{escaped(truncated(item.text, extraction.options['maxWordsPerParagraph'], beside_link))}'"
    if with_rect and extraction.options["includeRects"] and item.box is not None:
        return f"{text} {rect(item.box)}"
    return text


def rect(box: Box) -> str:
    x, y, width, height = (round(each) for each in box)
    return f"[{x},{y};{width}×{height}]"


def truncated(text: str, limit: object, beside_link: bool) -> str:
    """At most `limit` words; five at either end where a link is beside the text, since they say what it is."""
    words = text.split(" ")
    if not isinstance(limit, int) or limit <= 0 or len(words) <= limit:
        return text
    if beside_link and limit >= 2 * AROUND_LINKS:
        return " ".join([*words[: limit - AROUND_LINKS], "…", *words[-AROUND_LINKS:]])
    return " ".join(words[:limit]) + "…"
