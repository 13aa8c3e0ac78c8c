"""The other formats of get_page_content: json, html, markdown and plainText, over the same items as textTree.

Source: trailcam facts on Safari MCP, 1.5; how html looks in detail is not known, and is our own.
"""

from __future__ import annotations

from fakes.worlds.page_tree import text_tree, truncated
from harness.wire.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from fakes.worlds.page_content import Extraction, Item
    from harness.wire.jsontext import Json

VERSION = 2
"""Version of the output, which the root of the JSON format names."""
VOID = ("input", "img", "br", "hr")


def as_json(extraction: Extraction) -> str:
    tree = _members(extraction, extraction.root)
    return dumps({**tree, "version": VERSION}, ascii_only=False)


def _members(extraction: Extraction, item: Item) -> dict[str, Json]:
    members: dict[str, Json] = {"type": item.type}
    if item.type == "text":
        members["content"] = _cut(extraction, item)
        return members
    if item.node is not None:
        members["nodeName"] = item.node.tag
    if item.uid:
        members["uid"] = int(item.uid) if item.uid.isdigit() else item.uid
    if extraction.options["includeRects"] and item.box is not None:
        members["rect"] = dict(zip(("x", "y", "width", "height"), item.box, strict=True))
    members.update(item.facts)
    if item.type == "option":
        members["content"] = item.text
    if item.children:
        members["children"] = [_members(extraction, child) for child in item.children]
    return members


def as_html(extraction: Extraction) -> str:
    return "".join(_tag(extraction, child) for child in extraction.root.children)


def _tag(extraction: Extraction, item: Item) -> str:
    if item.type == "text":
        return _safe(_cut(extraction, item))
    assert item.node is not None
    tag = item.node.tag
    words = [f" uid={item.uid}"] if item.uid else []
    if item.type == "link" and "url" in item.facts:
        words.append(f' href="{_safe(str(item.facts["url"]))}"')
    inner = _safe(item.text) + "".join(_tag(extraction, child) for child in item.children)
    return f"<{tag}{''.join(words)}>" + ("" if tag in VOID else f"{inner}</{tag}>")


def _safe(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def as_markdown(extraction: Extraction) -> str:
    """Headings carry no level; a link's text that its URL contains is left out."""
    lines: list[str] = []
    _mark(extraction, extraction.root, lines, "")
    return "\n".join(lines)


def _mark(extraction: Extraction, item: Item, lines: list[str], prefix: str) -> None:
    if item.type == "text":
        lines.append(prefix + _cut(extraction, item))
    elif item.type == "link":
        lines.append(prefix + _link(extraction, item))
    elif item.type == "image":
        lines.append(f"{prefix}![{item.facts.get('alt', '')}]()")
    else:
        for child in item.children:
            _mark(extraction, child, lines, f"{prefix}- " if item.type == "list-item" else prefix)


def _link(extraction: Extraction, item: Item) -> str:
    text = _inner(extraction, item)
    url = str(item.facts.get("url", ""))
    return f"<{url}>" if text and text in url else f"[{text}]({url})"


def _inner(extraction: Extraction, item: Item) -> str:
    if item.type == "text":
        return _cut(extraction, item)
    return " ".join(_inner(extraction, child) for child in item.children)


def as_plain_text(extraction: Extraction) -> str:
    lines: list[str] = []
    _plain(extraction, extraction.root, lines)
    return "\n".join(lines)


def _plain(extraction: Extraction, item: Item, lines: list[str]) -> None:
    if item.type == "text":
        lines.append(_cut(extraction, item))
    for child in item.children:
        _plain(extraction, child, lines)


def _cut(extraction: Extraction, item: Item) -> str:
    return truncated(item.text, extraction.options["maxWordsPerParagraph"], False)


FORMATS: dict[str, Callable[[Extraction], str]] = {
    "textTree": text_tree,
    "text": text_tree,
    "json": as_json,
    "html": as_html,
    "markdown": as_markdown,
    "plainText": as_plain_text,
}
"""Format -> what writes it. `text` is another name for textTree."""
