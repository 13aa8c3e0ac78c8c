"""What a page does: the effects of its handlers, carried out one after the other on a document.

A dialog stops the list; what is left of it goes on when the dialog is answered. The world is what navigations, tabs
and dialogs are asked of (`Browser`), so that this module knows pages only.
"""

from __future__ import annotations

from fakes.worlds import page_settings as keys
from fakes.worlds.page import Names, NoNode, build, definition_of, element

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Protocol

    from fakes.worlds.page import Node
    from fakes.worlds.safari_windows import Document
    from harness.wire.jsontext import Json

    class Browser(Protocol):
        """What effects ask of the world. by: whose doing it is, as the record says it."""

        def go(self, document: Document, url: str, by: str) -> None: ...
        def reload(self, document: Document, by: str) -> None: ...
        def push(self, document: Document, url: str, by: str) -> None: ...
        def back(self, document: Document, by: str) -> None: ...
        def popup(self, document: Document, url: str, by: str) -> None: ...
        def close_page(self, document: Document, by: str) -> None: ...
        def dialog(
            self, document: Document, kind: str, text: str, by: str, closed: Callable[[bool, str], None]
        ) -> None: ...
        def log(self, document: Document, level: str, text: str, line: int) -> None: ...
        def fetch(self, document: Document, request: dict[str, Any]) -> None: ...
        def after(self, document: Document, ms: float, work: Callable[[], None]) -> None: ...
        def changed(self, by: str, **what: Json) -> None: ...
        def load_frames(self, document: Document, nodes: Sequence[Node]) -> None: ...


def run(browser: Browser, document: Document, effects: Sequence[dict[str, Any]], by: str) -> None:
    """Carry out effects until the end of the list, an uncaught error, or a dialog, which goes on with the rest."""
    for place, effect in enumerate(effects):
        if not document.alive:
            return
        name = next(name for name in effect if name in keys.EFFECTS)
        if name in ("alert", "confirm", "prompt"):
            browser.dialog(document, name, effect[name], by, _closer(browser, document, effects, place, by))
            return
        if name == "throw":
            browser.log(document, "error", f"Error: {effect[name]}", 1)
            return
        try:
            DO[name](browser, document, effect, by)
        except NoNode as problem:  # the page's own mistake, as a page would make it
            browser.log(document, "error", f"Error: no node {problem.name}", 1)
            return


def _closer(
    browser: Browser, document: Document, effects: Sequence[dict[str, Any]], place: int, by: str
) -> Callable[[bool, str], None]:
    effect = effects[place]

    def closed(accepted: bool, text: str) -> None:
        run(browser, document, [*effect.get("then" if accepted else "else", []), *effects[place + 1 :]], by)

    return closed


def _set(browser: Browser, document: Document, effect: dict[str, Any], by: str) -> None:
    given = effect["set"]
    node = document.page.find(given["node"])
    what: dict[str, Json] = {"document": document.key, "node": node.name}
    if "text" in given:
        for child in [each for each in node.children if not isinstance(each, str)]:
            _leave(document, child)
        node.children = [given["text"]] if given["text"] else []
        what["text"] = given["text"]
    if "value" in given:
        node.value = what["value"] = given["value"] or ""
    if "hidden" in given:
        node.hidden = what["hidden"] = given["hidden"]
    if "checked" in given:
        node.checked = what["checked"] = bool(given["checked"])
    for name, value in given.get("attributes", {}).items():
        if value is None:
            node.attributes.pop(name, None)
        else:
            node.attributes[name] = "" if value is True else str(value)
        what[f"@{name}"] = value
    browser.changed(by, **what)


def _remove(browser: Browser, document: Document, effect: dict[str, Any], by: str) -> None:
    node = document.page.find(effect["remove"])
    _siblings(node).remove(node)
    _leave(document, node)
    browser.changed(by, document=document.key, removed=node.name)


def _siblings(node: Node) -> list[Node | str]:
    assert node.parent is not None, "the body has no siblings: definitions name no other root"
    return node.parent.children if node in node.parent.children else node.parent.shadow


def _leave(document: Document, node: Node) -> None:
    for each in node.walk(shadow=True):
        for frame in each.frame.frames() if each.frame is not None else ():
            frame.alive = False
    node.drop()
    if document.page.focus is not None and not document.page.focus.connected:
        document.page.focus = None


def _insert(browser: Browser, document: Document, effect: dict[str, Any], by: str) -> None:
    given = effect["insert"]
    parent = document.page.find(given["into"])
    node = build(element(given["element"], "insert", Names(document.page.names())), parent)
    at = given.get("at")
    parent.children.insert(len(parent.children) if at is None else at, node)
    browser.changed(by, document=document.key, inserted=node.name)
    browser.load_frames(document, [node])


def _put(browser: Browser, document: Document, old: Node, given: dict[str, Any], by: str) -> None:
    siblings = _siblings(old)
    siblings[siblings.index(old)] = node = build(given, old.parent)
    _leave(document, old)
    browser.changed(by, document=document.key, replaced=old.name, node=node.name)
    browser.load_frames(document, [node])


def _replace(browser: Browser, document: Document, effect: dict[str, Any], by: str) -> None:
    given = effect["replace"]
    old = document.page.find(given["node"])
    names = document.page.names() - {node.name for node in old.walk(shadow=True)}
    _put(browser, document, old, element(given["element"], "replace", Names(names)), by)


def _rerender(browser: Browser, document: Document, effect: dict[str, Any], by: str) -> None:
    old = document.page.find(effect["rerender"])
    _put(browser, document, old, definition_of(old), by)


def _timer(browser: Browser, document: Document, effect: dict[str, Any], by: str) -> None:
    browser.after(document, effect["after_ms"], lambda: run(browser, document, effect.get("do", []), "page"))


def _focus(browser: Browser, document: Document, effect: dict[str, Any], by: str) -> None:
    document.page.focus = document.page.find(effect["focus"])


def _title(browser: Browser, document: Document, effect: dict[str, Any], by: str) -> None:
    document.page.title = effect["title"]
    browser.changed(by, document=document.key, title=effect["title"])


def _console(browser: Browser, document: Document, effect: dict[str, Any], by: str) -> None:
    given = effect["console"]
    browser.log(document, given.get("level", "info"), given["text"], given.get("line", 1))


def _download(browser: Browser, document: Document, effect: dict[str, Any], by: str) -> None:
    browser.changed(by, document=document.key, downloaded=effect["download"])


DO: dict[str, Callable[[Browser, Document, dict[str, Any], str], None]] = {
    "set": _set,
    "remove": _remove,
    "insert": _insert,
    "replace": _replace,
    "rerender": _rerender,
    "navigate": lambda browser, document, effect, by: browser.go(document, effect["navigate"], by),
    "reload": lambda browser, document, effect, by: browser.reload(document, by),
    "push": lambda browser, document, effect, by: browser.push(document, effect["push"], by),
    "back": lambda browser, document, effect, by: browser.back(document, by),
    "open": lambda browser, document, effect, by: browser.popup(document, effect["open"], by),
    "close": lambda browser, document, effect, by: browser.close_page(document, by),
    "console": _console,
    "fetch": lambda browser, document, effect, by: browser.fetch(document, effect["fetch"]),
    "title": _title,
    "focus": _focus,
    "after_ms": _timer,
    "download": _download,
    "prevent": lambda browser, document, effect, by: None,
}
"""Effect -> what carries it out. Dialogs and `throw` end the list, and are handled in `run`."""
