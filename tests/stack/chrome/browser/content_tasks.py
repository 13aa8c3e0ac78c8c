"""Cases of what the worker does with one document, in actions and snapshots: the pages and the time are played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ACTIONS = """const { Actions, Failure, Navigations } = worker({ tabs: { get: async (id) => ({ id, windowId: 5 }),
    getZoom: async () => 1 }, webNavigation: {
      getFrame: async ({ documentId }) => ({ documentId, documentLifecycle: "active" }),
      getAllFrames: async () => frames } });
  const active = { documentLifecycle: "active", url: "http://a.test/" };
  let frames = [{ frameId: 0, parentFrameId: -1, documentId: "D", ...active }];
  const asked = [], says = {
    act: () => ({ effect: [] }), observe: () => ({ effect: [] }),
    locate: () => ({ part: { x: 1, y: 2, w: 3, h: 4 }, view: {} }), expect: () => ({}), announce: () => ({}) };
  const sites = { check: async () => {} }, navigations = new Navigations();
  const injection = { sites, ask: async (place, request) => {
    asked.push(request.operation); return says[request.operation](request) } };
  let turns = 0; const deadline = { limit: (call) => call, pause: async () => {
    turns += 1; if (turns > 50) throw new Failure("timed_out", "no end") } };
  const nonces = new Map([["D", "N"], ["E", "N"]]);
  const actions = new Actions(injection, { nonces }, navigations, { instance: "I" });
  const ref = { instance: "I", tab_id: 1, frame_id: 0, document_id: "D", nonce: "N", generation: 1, node: "0:1" };
  const said = async (verb = "activate", more = {}) => {
    try { return (await actions.perform(verb, { ref: { ...ref, ...more } }, deadline)).effect }
    catch (error) { return error.reason ? `${error.reason}: ${error.message}` : error.name } };
  const fails = (reason) => { throw new Failure(reason, reason) };"""
INNER = """frames.push({ frameId: 4, parentFrameId: 0, documentId: "E", ...active });
  const inner = { ref: { ...ref, frame_id: 4, document_id: "E" } };"""
ENOUGH = (
    ("focus", "focus"), ("focus", "already"), ("scroll_into_view", "scroll"), ("scroll_into_view", "already"),
    ("set_value", "value"), ("set_value", "state"), ("set_value", "already"), ("set_value", "content"),
    ("activate", "content"),
)  # fmt: skip
NOTHING = "no_observed_effect: nothing was seen to change"
UNSAFE = "stale_snapshot: the reference is of another run of the browser's extension"
UNKNOWN = "stale_snapshot: no snapshot of this document is good now"
GONE = "no_observed_effect: the node is gone, and nothing else was seen to change"
TRUSTED = "needs_trusted_input: the element answers to the user's own input only"

SNAPSHOTS = """const { Snapshots, Failure, BOUNDS } = worker({ tabs: { get: async (id) => ({ id, windowId: 5 }) },
    webNavigation: { getFrame: async () => frames[0] ?? ({ documentId: "D0" }), getAllFrames: async () => frames } });
  const framed = (id, more = {}) => ({ frameId: id, parentFrameId: id ? 0 : -1, documentId: `D${id}`,
    documentLifecycle: "active", url: "http://a.test/", ...more });
  let frames = [framed(0), framed(4)];
  const taken = { viewport: {}, scroll: {}, nodes: [], over: [], closed: false, url: "u", title: "t" };
  let says = () => ({ nonce: "N", generation: 1, taken });
  let marked = () => ({ marks: [] });
  const asked = async (place, { operation }) => (operation === "marks" ? marked(place) : says(place));
  const snapshots = new Snapshots({ ask: asked }, { check: async () => {} },
    { instance: "I", browser: { name: "chrome" } });
  const deadline = { at: 1, left: 1, limit: (call) => call };
  const take = (more = {}) => snapshots.take({ tab_id: 1, ...more }, deadline);
  const read = async () => (await take()).frames.map(({ frame_id, read, reason = null }) => [frame_id, read, reason]);
  const fails = (reason) => { throw new Failure(reason, reason) };"""

TASKS: Mapping[str, tuple[str, str, Any]] = {
    **{
        f"{verb} with the effect {effect}": (
            "",
            f"""{ACTIONS} says.act = says.observe = () => ({{ effect: ["{effect}"] }}); return await said("{verb}")""",
            [effect],
        )
        for verb, effect in ENOUGH
    },
    **{
        f"{verb} with another effect": (
            "",
            f"""{ACTIONS} says.act = says.observe = () => ({{ effect: ["{effect}"] }}); return await said("{verb}")""",
            NOTHING,
        )
        for verb, effect in (("focus", "content"), ("scroll_into_view", "focus"), ("set_value", "focus"))
    },
    "an action without an effect": ("", f"{ACTIONS} return [await said(), await said('focus')]", [NOTHING, NOTHING]),
    "a reference of another run": (
        "",
        f"{ACTIONS} return [await said('activate', {{ instance: 'J' }}), asked]",
        [UNSAFE, []],
    ),
    "a reference of another snapshot": (
        "",
        f"{ACTIONS} return [await said('activate', {{ nonce: 'M' }}), asked]",
        [UNKNOWN, []],
    ),
    "an action is not watched when it is over": (
        "",
        f"{ACTIONS} await said(); await said('focus'); return navigations.watches.size",
        0,
    ),
    "an effect is looked for no longer than it takes": (
        "",
        f"{ACTIONS} says.act = says.observe = () => ({{ effect: ['content'] }}); await said(); return asked",
        ["act", "observe", "observe"],
    ),
    "a page that goes away under an action": (
        "",
        f"""{ACTIONS} says.act = () => ({{ effect: ['content'] }}); says.observe = () => fails("stale_snapshot");
        return await said()""",
        ["content"],
    ),
    "an action of which nothing is told": (
        "",
        f"{ACTIONS} says.observe = () => fails('timed_out'); return await said()",
        "timed_out: timed_out",
    ),
    "an action that leads to another page": (
        "",
        f"""{ACTIONS} says.act = () => {{
          for (const each of navigations.watches) each.began = true; return {{ effect: [] }} }};
        deadline.pause = async () => {{ turns += 1; if (turns === 3) for (const each of navigations.watches) {{
          each.committed = {{ frameId: 0, documentId: "F" }} }} }}; return [await said(), turns]""",
        [["navigation"], 3],
    ),
    "a node that is gone after an action": (
        "",
        f"{ACTIONS} says.locate = () => fails('stale_snapshot'); return await said()",
        GONE,
    ),
    "a node that is nowhere to be seen": (
        "",
        f"""{ACTIONS} says.act = says.observe = () => ({{ effect: [], trusted: true }});
        says.locate = () => fails('not_actionable'); return await said()""",
        NOTHING,
    ),
    "a node that nobody could look for": (
        "",
        f"{ACTIONS} says.locate = () => {{ throw new RangeError() }}; return await said()",
        "RangeError",
    ),
    "what wants the user's own input": (
        "",
        f"{ACTIONS} says.act = says.observe = () => ({{ effect: [], trusted: true }}); return await said()",
        TRUSTED,
    ),
    "a place in a frame": (
        "",
        f"""{ACTIONS} {INNER} const part = {{ x: 11, y: 12, w: 3, h: 4 }};
        says.child = () => ({{ part, offset: {{ x: 10, y: 10 }}, view: {{}} }});
        const {{ rectangle }} = await actions.locate(inner, deadline);
        return [rectangle.x, rectangle.frame_offset.y]""",
        [11, 10],
    ),
    "a place in a frame whose page is gone": (
        "",
        f"""{ACTIONS} {INNER} const all = frames; says.locate = () => {{ frames = all.slice(1);
          return {{ part: {{}}, view: {{}} }} }}; return await why(() => actions.locate(inner, deadline))""",
        "frame_not_accessible",
    ),
    "a place in a frame that says nothing": (
        "",
        f"""{ACTIONS} {INNER} says.child = () => fails('frame_not_accessible');
        return [await why(() => actions.locate(inner, deadline)), turns]""",
        ["frame_not_accessible", 10],
    ),
    "a place in a frame that refuses": (
        "",
        f"""{ACTIONS} {INNER} says.child = () => fails('not_actionable');
        return [await why(() => actions.locate(inner, deadline)), turns]""",
        ["not_actionable", 0],
    ),
    "all frames of a page": ("", f"{SNAPSHOTS} return await read()", [[0, True, None], [4, True, None]]),
    "nothing is good when all is forgotten": (
        "",
        f"""{SNAPSHOTS} await take(); const before = snapshots.nonces.size; snapshots.forget();
        return [before, snapshots.nonces.size]""",
        [2, 0],
    ),
    "a snapshot of a document that is gone": (
        "",
        f"{SNAPSHOTS} return await why(() => take({{ document_id: 'X' }}))",
        "stale_snapshot",
    ),
    "a snapshot of a tab that shows nothing any more": (
        "",
        f"{SNAPSHOTS} frames = []; return await why(take)",
        "stale_snapshot",
    ),
    "more frames than are read": (
        "",
        f"""{SNAPSHOTS} for (let id = 5; frames.length < BOUNDS.frames + 2; id += 1) frames.push(framed(id));
        const {{ coverage, reasons, frames: found }} = await take(); return [coverage, reasons, found.length]""",
        ["truncated", [{"reason": "bound", "bound": "frames", "frame_id": 0}], 64],
    ),
    "a frame with an error page": (
        "",
        f"{SNAPSHOTS} frames[1].errorOccurred = true; return await read()",
        [[0, True, None], [4, False, "frame_not_accessible"]],
    ),
    "a frame that does not say what it holds": (
        "",
        f"""{SNAPSHOTS} marked = (place) => (place.frameId ? fails("timed_out") : {{ marks: [] }});
        return await read()""",
        [[0, True, None], [4, False, "timed_out"]],
    ),
    "a page that does not say what it holds": (
        "",
        f"""{SNAPSHOTS} marked = (place) => (place.frameId ? {{ marks: [] }} : fails("timed_out"));
        return await why(take)""",
        "timed_out",
    ),
    "a frame that is not allowed": (
        "",
        f"""{SNAPSHOTS} const own = says; says = (place) => (place.frameId ? fails("site_permission_required") : own());
        const {{ coverage, reasons }} = await take(); return [await read(), coverage, reasons]""",
        [
            [[0, True, None], [4, False, "site_permission_required"]],
            "partial",
            [{"reason": "site_permission_required", "frame_id": 4}],
        ],
    ),
    "a page that is not read": (
        "",
        f"{SNAPSHOTS} says = () => fails('no_result'); return await why(take)",
        "no_result",
    ),
    "a snapshot that is taken back": (
        "",
        f"""{SNAPSHOTS} const own = says; says = (place) => (place.frameId ? fails("cancelled") : own());
        return await why(take)""",
        "cancelled",
    ),
    "the oldest of many documents is forgotten": (
        "",
        f"""{SNAPSHOTS} const refer = (id) => snapshots.reference({{ documentId: id }}, {{ nonce: "N" }});
        for (let id = 0; id < 4096; id += 1) refer(id); refer(0); refer("new");
        return [snapshots.nonces.size, snapshots.nonces.has(0), snapshots.nonces.has(1)]""",
        [4096, True, False],
    ),
    "no more reasons than the protocol has": (
        "",
        f"""{SNAPSHOTS} const result = {{ coverage: "complete", reasons: [] }}, other = {{ ...result, reasons: [] }};
        for (let at = 0; at < 300; at += 1) {{ snapshots.partial(result, {{}}); snapshots.over(other, "nodes") }}
        return [result.reasons.length, result.coverage, other.reasons.length, other.coverage]""",
        [256, "partial", 256, "truncated"],
    ),
}
