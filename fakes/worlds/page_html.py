"""A page definition as HTML, so that a real engine shows the page that the model has.

Every element carries its name in `data-node`; what it does is data, which one fixed script (page_script.js) carries
out in the page. Not in the HTML, and a matter of who serves it: status, redirect, fails, commit_ms, load_ms. Not
expressible at all: `download` (nothing lands anywhere), the time of a timer (an engine has no virtual clock), and the
boxes of elements without `at` (an engine lays out by its own fonts).
"""

from __future__ import annotations

from fakes.worlds.page import Definition, option_value
from fakes.worlds.page_url import BLANK
from harness.wire.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fakes.worlds.page import Node
    from harness.wire.jsontext import Json

SCRIPT_PATH = __file__.rpartition("/")[0] + "/page_script.js"
VOID = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"))
STYLES = {"display": "display:none", "visibility": "visibility:hidden"}


def render(definition: Json, url: str = BLANK) -> str:
    """The whole document. definition: one page of a run sheet; url: where it stands, for errors. Raises
    SettingsProblem."""
    page = Definition(definition, f"world.pages[{url!r}]")
    return page_of(page)


def page_of(page: Definition) -> str:
    """The document of a page that has been read."""
    with open(SCRIPT_PATH, encoding="utf-8") as file:
        script = file.read()
    body = page.tree()
    data: dict[str, Json] = {
        "rows": {node.name: {"name": node.name, "on": node.on} for node in body.walk(shadow=True)},
        **{name: page[name] for name in ("console", "requests", "timers", "on")},
    }
    parts = "".join(_part(child) for child in body.children)
    call = f"{script.strip()}({_in_script(dumps(data))});"
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{escaped(page["title"])}</title></head>'
        f'<body data-node="body">{parts}<script>{call}</script></body></html>'
    )


def _in_script(text: str) -> str:
    """JSON that can't end the script that it stands in."""
    return text.replace("<", "\\u003c")


def _part(part: Node | str) -> str:
    return escaped(part) if isinstance(part, str) else _element(part)


def _element(node: Node) -> str:
    attributes = dict(node.attributes)
    attributes["data-node"] = node.name
    style = _style(node)
    if style:
        attributes["style"] = f"{style};{attributes['style']}" if "style" in attributes else style
    if node.tag == "input" and node.value:
        attributes["value"] = node.value
    if node.checked:
        attributes["checked"] = ""
    select = node.nearest("select")
    if node.tag == "option" and select is not None:
        attributes.pop("selected", None)
        if option_value(node) == select.value:
            attributes["selected"] = ""
    words = "".join(f' {name}="{escaped(value)}"' for name, value in attributes.items())
    if node.tag in VOID:
        return f"<{node.tag}{words}>"
    inner = escaped(node.value) if node.tag == "textarea" else "".join(map(_part, node.children))
    shadow = "".join(map(_part, node.shadow))
    if shadow:
        inner = f'<template shadowrootmode="open">{shadow}</template>{inner}'
    return f"<{node.tag}{words}>{inner}</{node.tag}>"


def _style(node: Node) -> str:
    parts: list[str] = []
    if node.hidden is not None:
        parts.append(STYLES[node.hidden])
    if node.at:
        x, y, width, height = node.at
        parts.append(f"position:absolute;left:{x}px;top:{y}px;width:{width}px;height:{height}px")
        parts.append("box-sizing:border-box;margin:0")
    if node.overlay:
        parts.append("z-index:1000" if node.at else "z-index:1000;position:relative")
    return ";".join(parts)


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
