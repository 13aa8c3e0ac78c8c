"""Runs walker.js in a page, and finds again what it has shown. Separate from the engine, which knows no elements.

A reading is what walker.js says in its head comment. References are numbers of one document: those of another one, and
of an element that has left the page, are refused as gone.
"""
from __future__ import annotations

from fakes.engines.webdriver import DriverError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from fakes.engines.webkit import WebKit

FILE = __file__.removesuffix(".py") + ".js"
FIND = """
const kept = window[Symbol.for("reader")];
const held = kept && kept.id === arguments[0] ? kept.nodes.get(arguments[1]) : undefined;
const element = held && held.deref();
if (!element || !element.isConnected) return null;
"""
"""Begins a script that is given (document, reference) and goes on with `element`."""
PLACE = FIND + """
const shown = element.getClientRects().length > 0;
if (!shown) return {why: "not rendered"};
if (getComputedStyle(element).visibility !== "visible") return {why: "not visible"};
element.scrollIntoView({block: "nearest", inline: "nearest", behavior: "instant"});
let x = 0, y = 0;
for (let view = element.ownerDocument.defaultView; view !== view.parent; view = view.parent) {
  const frame = view.frameElement.getBoundingClientRect();
  x += frame.x + view.frameElement.clientLeft;
  y += frame.y + view.frameElement.clientTop;
}
const rect = element.getBoundingClientRect();
x += rect.x + rect.width / 2;
y += rect.y + rect.height / 2;
let hit = document.elementFromPoint(x, y);
for (let inner; hit; hit = inner) {
  if (hit.shadowRoot) inner = hit.shadowRoot.elementFromPoint(x, y);
  else break;
  if (!inner || inner === hit) break;
}
const frame = element.ownerDocument !== document;
return {x, y, hit: frame || (!!hit && (element === hit || element.contains(hit) || hit.contains(element)))};
"""
READING = "// The reading."
"""Before this line walker.js only makes the map of references."""
LOOK = "return {id: kept.id, url: location.href, title: document.title, ready: document.readyState};"
_SOURCE: list[str] = []


def source() -> str:
    """The text of walker.js, read once."""
    if not _SOURCE:
        with open(FILE, encoding="utf-8") as file:
            _SOURCE.append(file.read())
    return _SOURCE[0]


def look(engine: WebKit, handle: str) -> dict[str, Any]:
    """A page in short: `{id, url, title, ready}`. Costs a tenth of a reading."""
    kept = source().partition(READING)[0]
    found: dict[str, Any] = engine.evaluate(handle, kept + LOOK)
    return found


def read(engine: WebKit, handle: str) -> dict[str, Any]:
    """What a page is now."""
    reading: dict[str, Any] = engine.evaluate(handle, source())
    return reading


def place(engine: WebKit, handle: str, document: str, ref: int) -> dict[str, Any]:
    """Where an element can be clicked, after it was scrolled into view: `{x, y, hit}` (hit: whether it, and nothing
    over it, lies there), or `{why}`. Raises DriverError with `stale element reference` where it is gone."""
    found: dict[str, Any] = on(engine, handle, document, ref, PLACE.removeprefix(FIND))
    return found


def on(engine: WebKit, handle: str, document: str, ref: int, body: str, *more: Any) -> Any:
    """What a function body gives that goes on with `element`; arguments[2] and on are `more`. None counts as gone, so
    the body has to give something else. Raises DriverError with `stale element reference`."""
    found = engine.evaluate(handle, FIND + body, document, ref, *more)
    if found is None:
        raise DriverError("stale element reference", f"reference {ref} of document {document}")
    return found
