"""Reads pages of an engine into documents: their nodes, and documents for the frames in them.

Separate from the world over the engine, which knows tabs and what becomes of them.
"""

from __future__ import annotations

from fakes.engines import walker
from fakes.engines.webdriver import DriverError, element
from fakes.worlds.engine_page import EngineDocument, EnginePage
from fakes.worlds.page_programs import ScriptError
from fakes.worlds.page_url import BLANK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from fakes.engines.webkit import WebKit
    from fakes.worlds.safari_browsing import Browsing
    from fakes.worlds.safari_windows import Document
    from harness.wire.jsontext import Json

FIRST_FRAME = 5
"""Frames are numbered from the one after it, as on the model."""
AT_POINT = """
let hit = document.elementFromPoint(arguments[0] - scrollX, arguments[1] - scrollY);
while (hit && hit.shadowRoot && hit.shadowRoot.elementFromPoint(arguments[0] - scrollX, arguments[1] - scrollY)) {
  const inner = hit.shadowRoot.elementFromPoint(arguments[0] - scrollX, arguments[1] - scrollY);
  if (inner === hit) break;
  hit = inner;
}
const kept = window[Symbol.for("reader")];
return hit && kept ? kept.refs.get(hit) || null : null;
"""
IN_FRAME = """
const run = element.contentWindow.eval("(async function () {" + arguments[2] + "\\n})");
return [await run()];
"""


def read_page(world: Browsing, engine: WebKit, document: EngineDocument, handle: str) -> None:
    """Bring the page of a window's document up to now. Where a dialog is in the way, or the document is just going,
    what was read before stays."""
    try:
        reading = walker.read(engine, handle)
    except DriverError:
        return
    if reading["id"] != document.engine_id or reading["tree"] is None:
        return
    page = document.page_of_engine
    page.size, page.scroll = reading["size"], [float(each) for each in reading["scroll"]]
    page.fill(reading["tree"], reading["text"], reading["title"])
    page.at = lambda x, y: page.refs.get(engine.evaluate(handle, AT_POINT, x, y) or 0)
    _frames(world, document, page)


def _frames(world: Browsing, document: EngineDocument, page: EnginePage) -> None:
    """Documents for the iframes of a reading; one that is still the same keeps its document."""
    for node, read in page.frames:
        frame = node.frame
        if frame is None or frame.url != read["url"] or frame.body_ref != _body_ref(read):
            world.frames += 1
            frame = world.document(document.tab, read["url"], world.pages.look_up(BLANK), document.epoch)
            assert isinstance(frame, EngineDocument)
            frame.host, frame.frame_id = node, (FIRST_FRAME + world.frames, 1)
            frame.body_ref = _body_ref(read)
            frame.ready = read.get("ready", "complete")
            node.frame = frame
        if read.get("tree") is not None:
            frame.page_of_engine.fill(read["tree"], "", read["title"])
            _frames(world, frame, frame.page_of_engine)


def _body_ref(read: Mapping[str, Any]) -> int:
    return int(read["tree"]["ref"]) if read.get("tree") else 0


def evaluate_at_top(engine: WebKit, handle: str, script: str, leaves: bool) -> Any:
    """The value of a function body in the document that a window shows. leaves: another one is on its way, and the one
    that is there may go in the middle of it: then nobody has its value, and it is asked of the one that came, as if
    that had come a moment before. Raises DriverError."""
    try:
        return engine.evaluate(handle, script)
    except DriverError as error:
        if not leaves or error.code != "no such frame":
            raise
    return engine.evaluate(handle, script)


def evaluate_in_frame(engine: WebKit, handle: str, top: EngineDocument, document: Document, script: str) -> Any:
    """The value of a function body in a frame of the same origin. Raises ScriptError where the frame is gone."""
    assert document.host is not None
    above = top.owner(document.host)
    page = None if above is None else above.page
    ref = page.ref_of(document.host) if isinstance(page, EnginePage) else None
    if ref is None:
        raise ScriptError("Browsing context has been detached")
    return walker.on(engine, handle, top.engine_id, ref, IN_FRAME, script)[0]


def plain(value: Any) -> Json:
    """References to elements and windows are nothing to a client: empty objects, as JSON has them."""
    if element(value) is not None:
        return {}
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    return value  # type: ignore[no-any-return]
