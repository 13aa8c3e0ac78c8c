"""What a page's definition may say: tables of keys, their kinds and meanings. Data only.

The same definition serves the model and, rendered by page_html, a real engine.
"""

from __future__ import annotations

from fakes.settings import REQUIRED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fakes.settings import Table

PAGE_KEYS: Table = {
    "title": ("text", "", "title of the document"),
    "body": ("list", [], "elements and texts of the body"),
    "commit_ms": ("number", 5, "from the request to the new document in the tab"),
    "load_ms": ("number", 30, "from the new document to its load event"),
    "status": ("int", 200, "HTTP status"),
    "mime": ("text", "text/html", "type of the response"),
    "redirect": ("text or null", None, "URL that the server answers with, in place of a page"),
    "fails": ("text or null", None, "host, refused or certificate: the load ends on the browser's error page"),
    "console": ("list", [], "messages of the console at load: {level, text, line}"),
    "requests": ("list", [], "further requests at load: {url, method, status, mime, body, duration_ms}"),
    "timers": ("list", [], "what the page does by itself: {after_ms, do}"),
    "on": ("object", {}, "handlers of the document: load (effects), key (name of a key -> effects)"),
    "size": ("list", [], "width and height of the whole page; what its elements take where absent"),
}
ELEMENT_KEYS: Table = {
    "id": ("text or null", None, "name of the node in the world record; unique in its page; n1, n2, ... where absent"),
    "tag": ("text", "div", "tag"),
    "attributes": ("object", {}, "attributes; true for one without a value"),
    "text": ("text", "", "text before its children"),
    "children": ("list", [], "elements and texts in it"),
    "shadow": ("list", [], "elements and texts of its open shadow root"),
    "hidden": ("text or null", None, "display or visibility: not rendered, or rendered and not seen"),
    "at": ("list", [], "place on the page: x, y, width, height; below the one before it where absent"),
    "overlay": ("bool", False, "whether it lies over everything else at its place"),
    "value": ("text or null", None, "value of a field or select"),
    "checked": ("bool", False, "whether a checkbox or radio button is on"),
    "on": ("object", {}, "handlers: click, type, hover, change, submit (effects), key (name of a key -> effects)"),
}
TIMER_KEYS: Table = {
    "after_ms": ("number", REQUIRED, "from the new document on"),
    "do": ("list", REQUIRED, "effects"),
}
MESSAGE_KEYS: Table = {
    "level": ("debug|info|warn|error", "info", "level"),
    "text": ("text", REQUIRED, "text"),
    "line": ("int", 1, "line of the source"),
}
REQUEST_KEYS: Table = {
    "url": ("text", REQUIRED, "URL, which the page may give relative to itself"),
    "method": ("text", "GET", "method"),
    "status": ("int", 200, "status of the response"),
    "mime": ("text", "application/json", "type of the response"),
    "body": ("text", "", "body of the response"),
    "duration_ms": ("number", 12, "how long it took"),
}
HIDDEN = (None, "display", "visibility")
FAILURES = (None, "host", "refused", "certificate")
PAGE_EVENTS = ("load", "key")
NODE_EVENTS = ("click", "type", "hover", "change", "submit", "key")

EFFECTS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "set": ("object", (), "{node, text, value, hidden, checked, attributes}: change it; an attribute null goes"),
    "remove": ("text", (), "node: it leaves the document"),
    "insert": ("object", (), "{into, element, at}: a new element as a child; at the end where no place is given"),
    "replace": ("object", (), "{node, element}: another element in its place"),
    "rerender": ("text", (), "node: replaced by one that looks the same and is another DOM node, as are those in it"),
    "navigate": ("text", (), "URL: the tab goes there"),
    "reload": ("bool", (), "true: the tab loads its URL again"),
    "push": ("text", (), "URL: history.pushState, the document stays"),
    "back": ("bool", (), "true: one step back in the history"),
    "open": ("text", (), "URL: a new tab (window.open, target=_blank)"),
    "close": ("bool", (), "true: the tab closes (window.close)"),
    "alert": ("text", ("then", "else"), "text of a dialog; what follows waits until it is closed"),
    "confirm": ("text", ("then", "else"), "text of a dialog; then or else by its answer"),
    "prompt": ("text", ("then", "else"), "text of a dialog; then or else by its answer"),
    "console": ("object", (), "{level, text, line}: a message of the console"),
    "throw": ("text", (), "an uncaught error; the handler ends with it"),
    "fetch": ("object", (), "{url, method, ...}: a request"),
    "title": ("text", (), "the document's title"),
    "focus": ("text", (), "node that gets the focus"),
    "after_ms": ("number", ("do",), "a timer: do, after so long"),
    "download": ("text", (), "name of a file that lands in the downloads, silently"),
    "prevent": ("bool", (), "true: no default action (preventDefault)"),
}
"""Name -> (kind of its value, further members, meaning). An effect has exactly one name among its members."""
SET_KEYS: Table = {
    "node": ("text", REQUIRED, "node"),
    "text": ("text or null", None, "its whole content becomes this text"),
    "value": ("text or null", None, "its value"),
    "hidden": ("any", "", "display, visibility, or null to show it"),
    "checked": ("any", None, "true or false"),
    "attributes": ("object", {}, "attributes"),
}
INSERT_KEYS: Table = {
    "into": ("text", REQUIRED, "node; `body` for the body"),
    "element": ("object", REQUIRED, "the element"),
    "at": ("int or null", None, "place among the children, from 0"),
}
REPLACE_KEYS: Table = {
    "node": ("text", REQUIRED, "node"),
    "element": ("object", REQUIRED, "the element"),
}
