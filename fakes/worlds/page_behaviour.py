"""What a page does when somebody clicks, types, presses a key, hovers or scrolls: handlers first, then defaults.

Handlers of a node and of those that it is in are run from the inside out, as events bubble; `prevent` in any of them
takes the default away. A disabled control has neither.
"""

from __future__ import annotations

from fakes.worlds.page import FIELDS, PRESSED, TOGGLES, Node, option_value
from fakes.worlds.page_effects import run
from fakes.worlds.page_url import form_text, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from fakes.worlds.page_effects import Browser
    from fakes.worlds.safari_windows import Document
    from harness.wire.jsontext import Json

    Effects = list[dict[str, Any]]
CONTROLS = ("button", *FIELDS)
FOCUSABLE = ("a", *CONTROLS)


def behave(browser: Browser, document: Document, node: Node | None, verb: str, value: Json, by: str) -> None:
    """What follows from an action. node: what it was done to, None for the document. Unknown verbs do nothing here."""
    if verb in BEHAVIOURS:
        BEHAVIOURS[verb](browser, document, node or document.page.body, value, by)


def bubbling(node: Node, event: str) -> Effects:
    return [effect for each in node.line() for effect in each.on.get(event, [])]


def _prevented(effects: Effects) -> bool:
    return any("prevent" in effect for effect in effects)


def _click(browser: Browser, document: Document, node: Node, value: Json, by: str) -> None:
    control = node.nearest(*CONTROLS)
    if control is not None and control.disabled:
        return
    label = node.nearest("label")
    focused = node.nearest(*FOCUSABLE)
    if focused is not None or node.editable:
        document.page.focus = focused or node
    effects = bubbling(node, "click")
    if _prevented(effects):
        run(browser, document, effects, by)
        return
    if control is not None and control.tag == "input" and control.type in TOGGLES:
        _toggle(browser, document, control, by)
        effects = effects + control.on.get("change", [])
    run(browser, document, effects + _default_of_click(document, node), by)
    if label is not None and control is None and document.alive:
        _click_labelled(browser, document, label, by)


def _click_labelled(browser: Browser, document: Document, label: Node, by: str) -> None:
    name = label.attributes.get("for")
    inner = [each for each in label.walk() if each.tag in CONTROLS]
    named = [each for each in document.page.walk() if name is not None and each.attributes.get("id") == name]
    for control in (named or inner)[:1]:
        _click(browser, document, control, None, by)


def _toggle(browser: Browser, document: Document, control: Node, by: str) -> None:
    if control.type == "radio":
        name = control.attributes.get("name")
        for other in document.page.walk():
            if name is not None and other.type == "radio" and other.attributes.get("name") == name:
                other.checked = False
        control.checked = True
    else:
        control.checked = not control.checked
    browser.changed(by, document=document.key, node=control.name, checked=control.checked)


def _default_of_click(document: Document, node: Node) -> Effects:
    """Default actions of a click, as effects."""
    link = node.nearest("a", "area")
    if link is not None and "href" in link.attributes:
        url = resolve(document.url, link.attributes["href"])
        if url.startswith("javascript:"):
            return []
        return [{"open" if link.attributes.get("target", "").lower() == "_blank" else "navigate": url}]
    control = node.nearest("button", "input")
    if control is not None and control.type in ("submit", "image"):
        return submission(document, control)
    summary = node.nearest("summary")
    if summary is not None and summary.parent is not None and summary.parent.tag == "details":
        opened = "open" in summary.parent.attributes
        return [{"set": {"node": summary.parent.name, "attributes": {"open": None if opened else True}}}]
    return []


def submission(document: Document, control: Node) -> Effects:
    """What submitting the form of a control does."""
    form = control.nearest("form")
    if form is None:
        return []
    effects: Effects = list(form.on.get("submit", []))
    if _prevented(effects) or (effects and "action" not in form.attributes):
        return effects
    url = resolve(document.url, form.attributes.get("action", ""))
    if form.attributes.get("method", "get").lower() == "get":
        pairs = [f"{form_text(name)}={form_text(text)}" for name, text in _successful(form, control)]
        url = url.partition("#")[0].partition("?")[0] + "?" + "&".join(pairs)
    return [*effects, {"navigate": url}]


def _successful(form: Node, by: Node) -> list[tuple[str, str]]:
    """Names and values of the fields that a submission sends."""
    found = []
    for field in form.walk():
        name = field.attributes.get("name")
        if name is None or field.tag not in CONTROLS or field.disabled:
            continue
        if field.tag != "select" and field.tag != "textarea" and field.type in PRESSED and field is not by:
            continue
        if field.tag == "input" and field.type in TOGGLES:
            if field.checked:
                found.append((name, field.attributes.get("value", "on")))
        else:
            found.append((name, field.value))
    return found


def _write(browser: Browser, document: Document, node: Node, text: str, by: str) -> None:
    if node.tag in FIELDS:
        node.value = text
    else:
        node.children = [text] if text else []
    secret = node.tag == "input" and node.type == "password"
    browser.changed(by, document=document.key, node=node.name, value="" if secret else text)
    run(browser, document, bubbling(node, "type"), by)


def current(node: Node) -> str:
    """The text in something editable."""
    return node.value if node.tag in FIELDS else node.text()


def _type(browser: Browser, document: Document, node: Node, value: Json, by: str) -> None:
    document.page.focus = node
    if not (node.disabled or "readonly" in node.attributes):
        _write(browser, document, node, current(node) + str(value), by)


def _replace(browser: Browser, document: Document, node: Node, value: Json, by: str) -> None:
    document.page.focus = node
    if not (node.disabled or "readonly" in node.attributes):
        _write(browser, document, node, str(value), by)


def _fill(browser: Browser, document: Document, node: Node, value: Json, by: str) -> None:
    document.page.focus = node
    if not (node.disabled or "readonly" in node.attributes):
        _write(browser, document, node, str(value), by)
        if document.alive:
            run(browser, document, bubbling(node, "change"), by)


def _key(browser: Browser, document: Document, node: Node, value: Json, by: str) -> None:
    page = document.page
    target = page.focus or page.body
    key = str(value)
    effects = [effect for each in target.line() for effect in each.on.get("key", {}).get(key, [])]
    effects += page.definition["on"].get("key", {}).get(key, [])
    run(browser, document, effects, by)
    if _prevented(effects) or not document.alive or not target.connected:
        return
    if key == "Enter" and target.tag in ("a", "button"):
        _click(browser, document, target, None, by)
    elif key == "Enter" and target.tag == "input":
        run(browser, document, submission(document, target), by)
    elif target.editable and not target.disabled and "readonly" not in target.attributes:
        text = current(target)
        if len(key) == 1:
            _write(browser, document, target, text + key, by)
        elif key == "Enter":
            _write(browser, document, target, text + "\n", by)
        elif key == "Backspace" and text:
            _write(browser, document, target, text[:-1], by)


def _hover(browser: Browser, document: Document, node: Node, value: Json, by: str) -> None:
    run(browser, document, bubbling(node, "hover"), by)


def _scroll(browser: Browser, document: Document, node: Node, value: Json, by: str) -> None:
    assert isinstance(value, list)
    place = document.page.scroll if node is document.page.body else node.scroll
    place[:] = [max(0.0, place[0] + value[0]), max(0.0, place[1] + value[1])]
    browser.changed(by, document=document.key, node=node.name, scroll=list(place))


def _select(browser: Browser, document: Document, node: Node, value: Json, by: str) -> None:
    """A select takes the option with that value; another value changes nothing."""
    if node.disabled or value not in [option_value(option) for option in node.options()]:
        return
    node.value = str(value)
    browser.changed(by, document=document.key, node=node.name, value=node.value)
    run(browser, document, [*bubbling(node, "type"), *bubbling(node, "change")], by)


BEHAVIOURS: dict[str, Callable[[Browser, Document, Node, Json, str], None]] = {
    "click": _click,
    "type": _type,
    "replace": _replace,
    "fill": _fill,
    "keyPress": _key,
    "hover": _hover,
    "scroll": _scroll,
    "select": _select,
    "selectText": _select,
    "selectMenuItem": _select,
}
"""Verb -> what the page does."""
