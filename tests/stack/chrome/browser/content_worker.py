"""Cases of those parts of the worker that only ask the browser: the browser is played by the case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

RULES = """[[{ const: 1 }, 1, 2], [{ enum: ["a"] }, "a", "b"], [{ maxLength: 2 }, "ab", "abc"],
  [{ minLength: 2 }, "ab", "a"], [{ maximum: 2 }, 2, 3], [{ minimum: 2 }, 2, 1], [{ maxItems: 1 }, [1], [1, 2]],
  [{ minItems: 1 }, [1], []], [{ pattern: "^a$" }, "a", "b"], [{ type: "integer" }, 1, "1"]]"""
STORES = ("chromewebstore.google.com", "chrome.google.com", "microsoftedge.microsoft.com", "addons.opera.com")
SITES = """const { Sites, Deadline } = worker({
    permissions: { contains: async () => ALLOWED, getAll: async () => ({}) } });
  const sites = new Sites(); const deadline = new Deadline(5000), url = "http://a.test/x";"""
NOT, ALLOWED = SITES.replace("ALLOWED", "false"), SITES.replace("ALLOWED", "true")
TAB = """const { openTab, Deadline } = worker({ tabs: { get: GET },
  extension: { isAllowedIncognitoAccess: async () => false } });"""
FRAME = """const { topOf, placeOf, Deadline } = worker({ webNavigation: { getFrame: async () => FRAME,
  getAllFrames: async () => [{ frameId: 0, parentFrameId: -1, documentId: "D", documentLifecycle: "active",
    url: "http://a.test/" }] } });"""
TOP = """await why(() => topOf(1, new Deadline(5000)))"""
ASK = """const asked = []; const { Injection, Deadline } = worker({
  webNavigation: { getFrame: async () => ({ documentLifecycle: LIFE }) },
  tabs: { get: async () => ({}) },
  scripting: { executeScript: async ({ args: [request] }) => { asked.push(request); return ANSWER } } });
  const place = { tabId: 1, frameId: 0, documentId: "D", governing: "http://a.test/", url: URL };
  const injection = new Injection({ check: async () => {} });
  const said = await why(() => injection.ask(place, { operation: "hello" }, new Deadline(5000)));"""
GIVEN = """const { Requests } = worker({}); const status = { instance: "0".repeat(32) };
  let doing = async () => ({ bad: 1 }); const requests = new Requests({ status: (...given) => doing(...given) });
  const ask = (id = "a", params = {}) => requests.answer({ id, verb: "status", params, deadline_ms: 5000 });"""
TARGETS = """const rows = ROWS; const { Targets, Failure, Deadline } = worker({
  tabs: { query: async () => rows,
    get: async (id) => rows.find((each) => each.id === id) ?? Promise.reject(new Error("no")) },
  windows: { getAll: async () => [] },
  extension: { isAllowedIncognitoAccess: async () => false },
  webNavigation: { getFrame: async ({ tabId }) => ({ documentId: "D", url: `http://a.test/${tabId}` }),
    getAllFrames: async () => FRAMES.map((id) => ({ frameId: id, documentId: `D${id}`, documentLifecycle: "active",
      url: "http://a.test/", parentFrameId: id ? 0 : -1 })) } });
  const targets = new Targets({ check: async (id) => {
      if (id === 2) throw new Failure("site_permission_required", "no") } },
    { ask: async ({ documentId }, { operation }) => {
      if (operation === "marks" && FAILS && documentId === "D4") throw new Failure(FAILS, "no");
      if (operation === "marks") return { marks: [] };
      if (TITLED) throw new Failure(TITLED, "no"); return { title: "T", url: "u" } } },
    { instance: "0", browser: { name: "chrome" } });
  const deadline = new Deadline(5000); const shown = async () => (await targets.list(deadline)).targets;"""


MARKS = """const { marksOf, Failure, Deadline } = worker({}); const asked = [];
  const ANSWERS = { 1: [[4, 1], [5, 3]], 2: [[4, 1]] };
  const injection = { ask: async (place) => {
    const said = ANSWERS[asked.push(place)] ?? []; if (said instanceof Error) throw said; return { marks: said } } };
  const places = (count) => Array.from({ length: count }, (_, at) => ({ documentId: `D${at}` }));
  const marks = (count) => marksOf(places(count), injection, new Deadline(5000));"""


def asking(answer: str, life: str = '"active"', url: str = '"http://a.test/x"') -> str:
    return ASK.replace("ANSWER", answer).replace("LIFE", life).replace("URL", url)


def targets(rows: str, titled: str = "null", frames: str = "[]", fails: str = "null") -> str:
    words = {"ROWS": rows, "TITLED": titled, "FRAMES": frames, "FAILS": fails}
    text = TARGETS
    for word, value in words.items():
        text = text.replace(word, value)
    return text


def frame(given: str) -> str:
    return FRAME.replace("FRAME", given)


TWO = "[{ id: 1, windowId: 5 }, { id: 3, windowId: 5 }]"
RESULT = '[{ documentId: "D", frameId: 0, result: RESULT }]'
SENDER = """const { answerWindow } = worker({
    runtime: { id: "me", getURL: (path) => `chrome-extension://me/${path}` } });
  const own = { id: "me", url: "chrome-extension://me/popup.html" }, done = [];
  const doing = { leave: async () => done.push(1) };
  const ask = (message, sender = own) => answerWindow(message, sender, () => {}, doing);"""

WORKER: Mapping[str, tuple[str, str, Any]] = {
    "rules of the schema": (
        "",
        f"""const {{ fault }} = worker({{}});
        return {RULES}.map(([rule, good, bad]) => [fault(rule, good), fault(rule, bad)])""",
        [[None, "/"]] * 10,
    ),
    "a rule nobody checks": (
        "",
        """const { fault, definition } = worker({});
        return [await why(() => fault({ odd: 1 }, 1)), await why(() => definition('x'))]""",
        ["Error: the schema has odd, which is not checked", "Error: the schema has no x"],
    ),
    **{
        f"the store {host}": ("", f"return worker({{}}).refusal('https://{host}/x', false)", "restricted_page")
        for host in STORES
    },
    "what has the address of its page": (
        "",
        """const { inherits } = worker({});
        return ['about:x', 'blob:x', 'data:x', 'javascript:x', 'http:x', ''].map(inherits)""",
        [True, True, True, True, False, True],
    ),
    "an address that is none": (
        "",
        "const { parsed, refusal } = worker({}); return [parsed('x') === null, refusal('x', false)]",
        [True, "unsupported_scheme"],
    ),
    "a site that is not allowed": (
        "",
        f"{NOT} return await why(() => sites.check(1, url, deadline))",
        "site_permission_required",
    ),
    "a site that is allowed": ("", f"{ALLOWED} return await sites.refusal(1, url, deadline)", None),
    "a tab that is lent": (
        "",
        f"""{NOT} sites.lend(1, url); const before = await sites.refusal(1, url, deadline);
        await sites.revoke(1, url); return [before, await sites.refusal(1, url, deadline)]""",
        [None, "site_permission_required"],
    ),
    "everything taken back": (
        "",
        f"""{NOT} sites.lend(1, url); await sites.revokeAll();
        return await sites.refusal(1, url, deadline)""",
        "site_permission_required",
    ),
    "frames that say what they hold": (
        "",
        f"""{MARKS} ANSWERS[2] = [[4, 1], [6, 2]]; const {{ marks: {{ key, rows }}, silent }} = await marks(2);
        return [key % 2 !== 0, rows, silent.size]""",
        [True, [[6, 2], [5, 3], [4, 1]], 0],
    ),
    "one frame, which is not asked": ("", f"{MARKS} return [(await marks(1)).marks.rows, asked.length]", [[], 0]),
    "a frame that says nothing": (
        "",
        f"""{MARKS} ANSWERS[1] = new Failure("timed_out", "no");
        const {{ marks: {{ rows }}, silent }} = await marks(2);
        return [rows, [...silent].map(([id, each]) => [id, each.reason])]""",
        [[[4, 1]], [["D0", "timed_out"]]],
    ),
    "a frame whose request is taken back": (
        "",
        f"""{MARKS} ANSWERS[1] = new Failure("cancelled", "no"); return await why(() => marks(2))""",
        "cancelled",
    ),
    "a frame that breaks": (
        "",
        f"""{MARKS} ANSWERS[1] = new Error("broken"); return await why(() => marks(2))""",
        "Error: broken",
    ),
    "more frames than are asked": ("", f"{MARKS} await marks(70); return asked.length", 64),
    "a call that does not end": (
        "",
        "const { Deadline } = worker({}); return await why(() => new Deadline(20).limit(never(), 'x'))",
        "timed_out",
    ),
    "a call after it was taken back": (
        "",
        """const { Deadline } = worker({}); const deadline = new Deadline(5000); deadline.cancel();
        return await why(() => deadline.limit(Promise.resolve(1), 'x'))""",
        "cancelled",
    ),
    "a call that ended leaves no clock": (
        "",
        """const { Deadline } = worker({}); let count = 0; const own = clearTimeout;
        globalThis.clearTimeout = (id) => { count += 1; own(id) };
        try { await new Deadline(5000).limit(Promise.resolve(1), 'x') } finally { globalThis.clearTimeout = own }
        return count""",
        1,
    ),
    "a pause ends": ("", "const { Deadline } = worker({}); return await why(() => new Deadline(2000).pause(5))", None),
    **{
        f"a tab that {what}": (
            "",
            f"{TAB.replace('GET', get)} return await why(() => openTab(1, new Deadline(50)))",
            reason,
        )
        for what, get, reason in (
            ("is open", "async () => ({})", None),
            ("is not told", "never", "timed_out"),
            ("is not there", "async () => { throw new Error() }", "tab_not_found"),
            ("nobody may see", "async () => ({ incognito: true })", "tab_not_found"),
            ("was discarded", "async () => ({ discarded: true })", "frame_not_accessible"),
            ("is not loaded", "async () => ({ status: 'unloaded' })", "frame_not_accessible"),
        )
    },
    "a tab without a document": ("", f"{frame('null')} return {TOP}", "restricted_page"),
    "an error page": ("", f"{frame('({ errorOccurred: true })')} return {TOP}", "restricted_page"),
    **{
        f"a frame that is {what}": (
            "",
            f"""{frame(given)} const ref = {{ tab_id: 1, frame_id: {id}, document_id: "D" }};
            return await why(() => placeOf(ref, new Deadline(5000)))""",
            reason,
        )
        for what, given, id, reason in (
            ("shown", '({ documentLifecycle: "active" })', 0, None),
            ("gone", "null", 0, "stale_snapshot"),
            ("kept", '({ documentLifecycle: "cached" })', 0, "stale_snapshot"),
            ("another", '({ documentLifecycle: "active" })', 4, "stale_snapshot"),
        )
    },
    "what the browser says": (
        "",
        """const { meant } = worker({});
        return ["No tab with id: 7.", "No document with id A", "Frame is showing error page",
        "Cannot access contents of url x", "Cannot access contents of the page", "Cannot access a x", "x"]
          .map((text) => meant(new Error(text)).reason)""",
        [
            "tab_not_found",
            "stale_snapshot",
            "restricted_page",
            "site_permission_required",
            "frame_not_accessible",
            "restricted_page",
            "no_result",
        ],
    ),
    **{
        f"a page that {what}": ("", f"{asking(RESULT.replace('RESULT', result))} return said", reason)
        for what, result, reason in (
            ("answers", "{ v: 1 }", None),
            ("has no program", "{ v: 1, absent: true }", "stale_snapshot"),
            ("refuses", '{ v: 1, reason: "not_actionable" }', "not_actionable"),
            ("gives nothing", "null", "no_result"),
            ("gives something else", "{ v: 2 }", "no_result"),
        )
    },
    "an answer from another document": (
        "",
        f"""{asking('[{ documentId: "E", frameId: 0, result: { v: 1 } }]')} return said""",
        "stale_snapshot",
    ),
    "a document that is kept": (
        "",
        f"""{asking(RESULT.replace("RESULT", "{ v: 1 }"), '"cached"')} return [said, asked.length]""",
        ["stale_snapshot", 0],
    ),
    "a call that the browser refuses": (
        "",
        f"""{asking('Promise.reject(new Error("No tab with id: 1"))')} return said""",
        "tab_not_found",
    ),
    "the origin that is asked for": (
        "",
        f"""{asking(RESULT.replace("RESULT", "{ v: 1 }"))} return asked[0].origin""",
        "http://a.test",
    ),
    "no origin for a file": (
        "",
        f"""{asking(RESULT.replace("RESULT", "{ v: 1 }"), url='"file:///x"')} return asked[0].origin""",
        None,
    ),
    "a request that does not fit": (
        "",
        f"{GIVEN} return (await ask('a', {{ code: 1 }})).error.detail.path",
        "params/code",
    ),
    "an answer that does not fit": ("", f"{GIVEN} return (await ask()).error.reason", "no_result"),
    "a request under way": (
        "",
        f"""{GIVEN} doing = never; ask(); const said = await ask(); return said.error.message""",
        "a request with this id is under way",
    ),
    "too many requests": (
        "",
        f"""{GIVEN} doing = never; for (let at = 0; at < 32; at += 1) ask(`r${{at}}`);
        return (await ask('more')).error.message""",
        "too many requests are under way",
    ),
    "a request that is over": ("", f"{GIVEN} await ask(); return requests.running.size", 0),
    "a request that is taken back": (
        "",
        f"""{GIVEN} let go; doing = () => new Promise((done) => {{ go = done }}); const said = ask();
        const cancelled = requests.cancel({{ id: 'a' }}); go({{}}); return [cancelled, (await said).error.reason]""",
        [{"cancelled": True}, "cancelled"],
    ),
    "the end takes all back": (
        "",
        f"""{GIVEN} let go; doing = () => new Promise((done) => {{ go = done }}); const said = ask();
        requests.end(); go({{}}); return (await said).error.reason""",
        "cancelled",
    ),
    "tabs as they are listed": (
        "",
        f"""{targets("[{ id: 1, windowId: 5 }, { id: 2, windowId: 5 }, { id: 4, incognito: true }]")}
        return (await shown()).map(({{ tab_id, state, reason, title = null }}) => [tab_id, state, reason, title])""",
        [[1, "enabled", None, "T"], [2, "site_denied", "site_permission_required", None]],
    ),
    **{
        f"the title around a frame that is {reason}": (
            "",
            f"""{targets("[{ id: 1 }]", frames="[0, 4]", fails=repr(reason))}
            return (await shown()).map(({{ reason, title = null }}) => [reason, title])""",
            [wanted],
        )
        for reason, wanted in (("timed_out", ["timed_out", None]), ("site_permission_required", [None, "T"]))
    },
    "a tab of which nothing is told": (
        "",
        f"""{targets("[{ id: 1 }]", "'timed_out'")} const [row] = await shown();
        return [row.state, row.reason, row.title ?? null]""",
        ["enabled", "timed_out", None],
    ),
    "a tab whose site was taken back meanwhile": (
        "",
        f"""{targets("[{ id: 1 }]", "'site_permission_required'")} const [row] = await shown();
        return [row.state, row.reason]""",
        ["site_denied", "site_permission_required"],
    ),
    "a listing that is taken back": (
        "",
        f"""{targets("[{ id: 1 }]", "'cancelled'")} return await why(shown)""",
        "cancelled",
    ),
    "a listing that is taken back before a tab": (
        "",
        f"""{targets("[{ id: 1 }]")}
        targets.sites.check = async () => {{ throw new Failure("cancelled", "no") }}; return await why(shown)""",
        "cancelled",
    ),
    "a tab in another window": (
        "",
        f"{targets(TWO)} return await why(() => targets.select({{ tab_id: 1, window_id: 6 }}, deadline))",
        "tab_not_found",
    ),
    "a title that no tab has": (
        "",
        f"{targets(TWO)} return await why(() => targets.select({{ title: 'X' }}, deadline))",
        "tab_not_found",
    ),
    "a title that two tabs have": (
        "",
        f"{targets(TWO)} return await why(() => targets.select({{ title: 'T' }}, deadline))",
        "ambiguous_target",
    ),
    "who asks the window's questions": (
        "",
        f"""{SENDER} return [ask({{ ask: "leave" }}), ask({{ ask: "leave" }}, {{ id: "me", url: "http://a.test/" }}),
        ask({{ ask: "odd" }}), ask({{ ask: "leave", more: 1 }}), done.length]""",
        [True, False, False, False, 1],
    ),
}
