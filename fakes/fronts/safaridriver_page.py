"""The tools about the page of a tab: content, navigation, interactions, scripts, pictures, viewport and media.

Source: trailcam facts on Safari MCP, 1.3, 1.4 and 1.6: a step that fails, and a navigation that ends on an error page,
are successful replies; a click that opens a dialog does not answer before the dialog is closed.
"""

from __future__ import annotations

from fakes.fronts.safaridriver_calls import Call, opened
from fakes.fronts.safaridriver_session import ToolError
from fakes.fronts.safaridriver_tools import INTERACTION, TAB_ARGUMENT, arguments_of
from fakes.worlds.page_diff import difference
from fakes.worlds.page_interact import Failed, interact
from fakes.worlds.page_programs import ScriptError, stateful
from fakes.worlds.safari_windows import Document, Tab
from harness.wire.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any

    from fakes.fronts.safaridriver_calls import Tool
    from harness.faults.steps import Step
    from harness.wire.jsontext import Json


def get_page_content(call: Call) -> Tool:
    session = call.session
    tab = session.current()
    yield from session.unblocked(tab)
    _refuse_closed(tab)
    session.options = {name: value for name, value in call.given.items() if name != "savePath"}
    return call.envelope(tab, call.given)


def navigate_to_url(call: Call) -> Tool:
    session = call.session
    handle = call.given.get(TAB_ARGUMENT[session.settings["profile"]])
    url = call.given["url"]
    if handle is None and (session.active is None or session.active.closed):
        tab = yield from opened(call, url)
    else:
        tab = session.chosen(handle)
        yield from session.unblocked(tab)
        yield call.before()
        _refuse_closed(tab)
        session.choose(tab)
        call.world.navigate(call.p, tab, url)
        yield call.after()
    if session.settings["navigates"] == "loaded":
        yield from session.loaded(tab)
    _refuse_closed(tab)
    call.shown(tab)
    return call.envelope(tab, session.options)


def page_interactions(call: Call) -> Tool:
    steps = [arguments_of(INTERACTION, step if isinstance(step, dict) else {}) for step in call.given["interactions"]]
    session = call.session
    tab = session.current()
    yield from session.unblocked(tab)
    _refuse_closed(tab)
    (before, _), document = call.extract(tab, session.options), tab.document
    reply: dict[str, Json] = {"requested": len(steps), "successful": 0}
    for number, step in enumerate(steps, 1):
        reason = yield from _step(call, tab, step)
        if reason is not None:
            reply["failureReason"] = reason
            break
        reply["successful"] = number
    if tab.closed:
        return dumps(reply, ascii_only=False)
    return _changes(call, tab, before, document, reply)


def _step(call: Call, tab: Tab, step: dict[str, Any]) -> Generator[Step, Any, str | None]:
    """One step, and the rest after it: why it failed, None where it did not."""
    session = call.session
    yield call.before(type=step["type"])
    if tab.closed:
        return "Browsing context has been detached"
    call.world.advance()
    try:
        interact(call.world, call.p, tab, step)
    except Failed as failed:
        call.world.refused(call.p, str(step["type"]), failed.reason)
        return failed.reason
    yield call.after(type=step["type"])
    yield from session.unblocked(tab)
    yield from session.rested(tab, session.settings["settle_ms"])
    yield from session.loaded(tab)
    return None


def _changes(call: Call, tab: Tab, before: str, document: Document, reply: dict[str, Json]) -> str:
    """The reply with what is different now; the whole page where it is another, or most of it changed."""
    after, extraction = call.extract(tab, call.session.options)
    different = difference(before, after)
    if tab.document is not document or different is None or call.given.get("fullText"):
        reply.update(url=tab.url, title=tab.title, content=call.content(tab, call.session.options))
    else:
        reply["diff"] = different
        call.show_nodes(tab, extraction, different)
    return call.perhaps_file(dumps(reply, ascii_only=False))


def evaluate_javascript(call: Call) -> Tool:
    session = call.session
    tab = session.current()
    yield from session.unblocked(tab)
    _refuse_closed(tab)
    document = _frame(tab.document, call.given.get("frameId"))
    text = stateful(call.given["expression"])
    if text is not None and document is tab.document:
        value = yield from _run(call, tab, text)
    else:
        try:
            value = call.world.evaluate(document, call.given["expression"])
        except ScriptError as problem:
            raise ToolError(problem.text) from None
    text = dumps(value, ascii_only=False)
    return dumps(text, ascii_only=False) if session.settings["double"] else text


def _run(call: Call, tab: Tab, text: str) -> Generator[Step, Any, Json]:
    """A program that keeps a state in its page and may act on it: what it does is an effect. Where it opens a dialog it
    does not come back before that is closed."""
    from fakes.worlds.safari_dictionary import AppleEventError
    from fakes.worlds.safari_javascript import evaluate, read_call

    program = read_call(text)
    if program.changing:
        yield call.before(op=program.op)
        _refuse_closed(tab)
    try:
        value = evaluate(call.world, call.told, call.p, tab, text)
    except AppleEventError:
        raise ToolError("this model runs no JavaScript, and knows no page program with that text") from None
    if program.changing:
        yield call.after(op=program.op)
    yield from call.session.unblocked(tab)
    return value


def _frame(document: Document, given: str | None) -> Document:
    if given is None:
        return document
    for each in document.frames():
        if each.frame_id is not None and f"{each.frame_id[0]}_{each.frame_id[1]}" == given:
            return each
    raise ToolError(f"No frame with id '{given}'")


def screenshot(call: Call) -> Tool:
    """`node` is a documented argument that does nothing."""
    tab = call.session.current()
    yield call.before()
    _refuse_closed(tab)
    path = call.given.get("savePath") or call.new_path("screenshot", "png")
    call.world.picture(call.p, tab, path, bool(call.given.get("full_page")))
    yield call.after()
    return f"Screenshot saved to '{path}'"


def set_viewport_size(call: Call) -> Tool:
    call.session.current()
    yield from ()
    call.world.resize(call.p, call.given["width"], call.given["height"])
    return f"Viewport size set to {call.given['width']}x{call.given['height']}"


def set_emulated_media(call: Call) -> Tool:
    tab = call.session.current()
    yield from ()
    call.session.media = call.given["media"]
    call.world.emulate(call.p, tab, call.session.media)
    return f"Emulated media set to '{call.session.media}'" if call.session.media else "Emulated media cleared"


def _refuse_closed(tab: Tab) -> None:
    """What the tab has become while the call waited."""
    if tab.closed:
        raise ToolError("No active tab")


