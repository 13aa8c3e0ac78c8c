"""What a user's hand does in an engine for each verb: real gestures where Safari sends real events, and the page's own
ways where it goes by them (pasted text, chosen options, scrolling).

Source: trailcam facts on Safari MCP, 1.6: `type` pastes and sends no keys; a click goes to the centre of the element,
and straight to the element where something else lies there.
"""

from __future__ import annotations

from fakes.engines import gestures, walker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from fakes.engines.webkit import WebKit
    from harness.wire.jsontext import Json

    Target: TypeAlias = "tuple[WebKit, str, str, int | None]"
    """The engine, the window, the document, and the element's reference; None for the document itself."""

DISPATCH = """
const type = arguments[2];
if (type === "click") element.click();
else element.dispatchEvent(new MouseEvent(type, {bubbles: type !== "mouseenter"}));
return true;
"""
PASTE = """
if (element.disabled || element.readOnly) return true;
element.focus();
const field = "selectionStart" in element || element.localName === "textarea" || element.localName === "input";
const whole = arguments[3];
if (field) {
  if (whole) element.select();
  else try {
    element.setSelectionRange(element.value.length, element.value.length);
  } catch (refused) { element.select(); }
} else {
  const range = element.ownerDocument.createRange();
  range.selectNodeContents(element);
  if (!whole) range.collapse(false);
  const selection = element.ownerDocument.defaultView.getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}
const text = arguments[2];
element.ownerDocument.execCommand(text || !whole ? "insertText" : "delete", false, text);
if (arguments[4]) element.dispatchEvent(new Event("change", {bubbles: true}));
return true;
"""
CHOOSE = """
const option = [...(element.options || [])].find((each) => each.value === arguments[2]);
if (!option || element.disabled) return true;
element.value = option.value;
for (const type of ["input", "change"]) element.dispatchEvent(new Event(type, {bubbles: true}));
return true;
"""
SCROLL = """
const fits = (each) => each.scrollHeight <= each.clientHeight && each.scrollWidth <= each.clientWidth;
let goal = element;
while (goal && fits(goal)) goal = goal.parentElement;
(goal || document.scrollingElement).scrollBy({left: arguments[2], top: arguments[3], behavior: "instant"});
return true;
"""
SCROLL_PAGE = "document.scrollingElement.scrollBy({left: arguments[0], top: arguments[1], behavior: 'instant'});"
FOCUS = "element.focus(); return true;"


def act(target: Target, verb: str, value: Json, focus: int | None = None) -> None:
    """Do it. focus: reference of the element that gets the focus before a key. Unknown verbs do nothing. Raises
    DriverError: `stale element reference` where the element has left the page."""
    engine, handle, document, _ = target
    if focus is not None:
        walker.on(engine, handle, document, focus, FOCUS)
    if verb in HANDS:
        HANDS[verb](target, value)


def _at_element(make: Callable[[float, float], list[dict[str, Any]]], otherwise: str) -> Callable[[Target, Json], None]:
    def hand(target: Target, value: Json) -> None:
        engine, handle, document, ref = target
        if ref is None:
            return
        place = walker.place(engine, handle, document, ref)
        if place.get("hit"):
            engine.perform(handle, make(place["x"], place["y"]))
        else:
            walker.on(engine, handle, document, ref, DISPATCH, otherwise)

    return hand


def _paste(whole: bool, change: bool) -> Callable[[Target, Json], None]:
    def hand(target: Target, value: Json) -> None:
        engine, handle, document, ref = target
        if ref is not None:
            walker.on(engine, handle, document, ref, PASTE, str(value), whole, change)

    return hand


def _choose(target: Target, value: Json) -> None:
    engine, handle, document, ref = target
    if ref is not None:
        walker.on(engine, handle, document, ref, CHOOSE, value)


def _press(target: Target, value: Json) -> None:
    engine, handle, _, _ = target
    engine.perform(handle, gestures.press(str(value)))


def _scroll(target: Target, value: Json) -> None:
    engine, handle, document, ref = target
    assert isinstance(value, list)
    if ref is None:
        engine.evaluate(handle, SCROLL_PAGE, *value)
    else:
        walker.on(engine, handle, document, ref, SCROLL, *value)


HANDS: dict[str, Callable[[Target, Json], None]] = {
    "click": _at_element(gestures.click, "click"),
    "hover": _at_element(gestures.hover, "mouseenter"),
    "type": _paste(whole=False, change=False),
    "replace": _paste(whole=True, change=False),
    "fill": _paste(whole=True, change=True),
    "select": _choose,
    "selectText": _choose,
    "selectMenuItem": _choose,
    "keyPress": _press,
    "scroll": _scroll,
}
"""Verb -> what is done."""
