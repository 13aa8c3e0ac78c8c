"""Cases of the worker's connection to the host, of the whole worker, and of the window: browser and host are played."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.stack.chrome.browser.chrome import SOURCE

HELLO = '{ v: 1, type: "hello", role: "host", protocol: 1, version: "1.0" }'
PORT = f"""const browser = played(); const {{ HostPort }} = worker(browser.chrome); const clock = timed();
  const told = [], done = []; let answer = async () => ({{ v: 1, type: "pong", n: 7 }});
  const host = new HostPort(() => "hello", {{ request: (message) => {{ done.push(message.id); return answer() }},
    changed: () => {{}}, lost: () => told.push("lost") }});
  const hello = {HELLO}, {{ ports }} = browser, port = (at = 0) => ports[at];
  const request = {{ v: 1, type: "request", id: "r1", verb: "status", deadline_ms: 1000, params: {{}} }};
  const opened = () => {{ host.connect(); port().onMessage.tell(hello) }};"""
WHOLE = f"""const browser = played(); const {{ ports, chrome: api, alarms }} = browser;
  await worker(api).main(); await later();
  const open = async () => {{ await later(); ports.at(-1).onMessage.tell({HELLO}); await later(5) }};
  const window = {{ id: api.runtime.id, url: "chrome-extension://me/popup.html" }};
  const tell = (ask) => new Promise((reply) => api.runtime.onMessage.tell({{ ask }}, window, reply));
  const asks = async (verb, params) => {{ const port = ports.at(-1), id = `r${{port.posted.length}}`;
    port.onMessage.tell({{ v: 1, type: "request", id, verb, deadline_ms: 5000, params }});
    for (let at = 0; at < 100 && port.posted.at(-1).id !== id; at += 1) await later(5);
    return port.posted.at(-1) }};
  const events = () => ports.at(-1).posted.filter((each) => each.type === "event").map((each) => each.event);"""
POPUP = Path(SOURCE / "popup/popup.html").read_text(encoding="utf-8").partition("<main>")[2].partition("</main>")[0]
WINDOW = """const asked = []; let says = async () => ({ ok: true, answer: { state: "enabled", site: null } });
  const loaded = () => worker({ tabs: { query: async () => [{ id: 3 }] },
    runtime: { sendMessage: (message) => { asked.push(message.ask); return says(message) } } }).popup();
  const failed = []; addEventListener("unhandledrejection", (event) => {
    event.preventDefault(); failed.push(event.reason.message) }, { once: true });"""

PORTS: Mapping[str, tuple[str, str, Any]] = {
    "a connection": ("", f"{PORT} opened(); return [port().posted, host.open, clock.left()]", [["hello"], True, 0]),
    "one connection at a time": ("", f"{PORT} host.connect(); host.connect(); return ports.length", 1),
    "a host that says nothing": (
        "",
        f"{PORT} host.connect(); clock.run(5000); return [port().over, host.reason, clock.left()]",
        [True, "protocol_mismatch", 1],
    ),
    "a host that speaks otherwise": (
        "",
        f"""{PORT} host.connect(); port().onMessage.tell({{ ...hello, protocol: 2 }});
        return [port().over, host.open, host.port]""",
        [True, False, None],
    ),
    "connected anew before it was time": (
        "",
        f"{PORT} host.connect(); port().onDisconnect.tell(); host.connect(); return [ports.length, clock.left()]",
        [2, 1],
    ),
    "connected anew when it is time": (
        "",
        f"""{PORT} host.connect(); port().onDisconnect.tell(); const before = ports.length; clock.run(500);
        return [before, ports.length]""",
        [1, 2],
    ),
    "one attempt after each loss": (
        "",
        f"{PORT} host.connect(); port().onDisconnect.tell(); return clock.left()",
        1,
    ),
    "disconnected for good": (
        "",
        f"{PORT} opened(); host.disconnect(); return [port().over, host.port, host.open, told, clock.left()]",
        [True, None, False, ["lost"], 0],
    ),
    "disconnected before it is open": ("", f"{PORT} host.connect(); host.disconnect(); return clock.left()", 0),
    "nothing before the greeting": (
        "",
        f"""{PORT} host.connect(); host.send({{ v: 1, type: "ping", n: 1 }}); return port().posted""",
        ["hello"],
    ),
    "nothing that the protocol does not have": (
        "",
        f"{PORT} opened(); return [await why(() => host.send({{ secret: 1 }})), port().posted]",
        ["Error: a message that the schema does not have", ["hello"]],
    ),
    "what a host says that is no more": (
        "",
        f"""{PORT} opened(); host.drop(); host.connect(); port(1).onMessage.tell(hello); port().onMessage.tell(request);
        return [done, host.open]""",
        [[], True],
    ),
    "an answer for a host that is no more": (
        "",
        f"""{PORT} let go; answer = () => new Promise((each) => {{ go = each }}); opened();
        port().onMessage.tell(request); host.drop(); host.connect(); port(1).onMessage.tell(hello);
        go({{ v: 1, type: "pong", n: 7 }}); await later();
        return port(1).posted""",
        ["hello"],
    ),
    "a host that is no more can't be refused": (
        "",
        f"{PORT} opened(); host.refuse({{}}, 'protocol_mismatch'); return [host.open, port().over]",
        [True, False],
    ),
    "a host that is no more ends": (
        "",
        f"""{PORT} opened(); host.drop(); host.connect(); port(1).onMessage.tell(hello); port().onDisconnect.tell();
        return [host.open, told]""",
        [True, ["lost"]],
    ),
    "a host that breaks the protocol": (
        "",
        f"{PORT} opened(); port().onMessage.tell({{ odd: 1 }}); return [port().over, host.reason]",
        [True, "protocol_mismatch"],
    ),
    "a connection that lasted ends a row of failures": (
        "",
        f"""{PORT} host.failures = 4; opened(); host.openedAt -= 5000; port().onDisconnect.tell();
        const lasted = host.failures; host.failures = 4; host.connect(); port(1).onMessage.tell(hello);
        port(1).onDisconnect.tell();
        return [lasted, host.failures]""",
        [1, 5],
    ),
    "the user's one step ends the connection": (
        "",
        f"""{WHOLE} await open(); await tell("leave"); return [ports.length, ports[0].over, alarms.has("off")]""",
        [1, True, True],
    ),
    "nothing that was shown is good after a disconnection": (
        "",
        f"""{WHOLE} await open(); const {{ result }} = await asks("snapshot", {{ tab_id: 1 }});
        const ref = {{ ...result.frames[0].ref, node: "0:1" }}; const before = await asks("locate", {{ ref }});
        await tell("disconnect"); await tell("connect"); await open(); const after = await asks("locate", {{ ref }});
        return [before.ok, after.error?.message ?? null]""",
        [True, "no snapshot of this document is good now"],
    ),
    "the user connects again": (
        "",
        f"""{WHOLE} await open(); await tell("disconnect"); const gone = ports[0].over; await tell("connect");
        return [gone, ports.length, alarms.has("off")]""",
        [True, 2, False],
    ),
    "an alarm does not connect against the user's wish": (
        "",
        f"""{WHOLE} await open(); await tell("disconnect"); api.alarms.onAlarm.tell({{ name: "wake" }}); await later(5);
        return ports.length""",
        1,
    ),
    "navigations are told": (
        "",
        f"""{WHOLE} await open(); const at = {{ frameId: 0, documentId: "A".repeat(32), url: "http://a.test/" }};
        api.webNavigation.onCommitted.tell({{ ...at, tabId: -1 }}); const before = events();
        api.webNavigation.onCommitted.tell({{ ...at, tabId: 1 }}); await later(5); return [before, events()]""",
        [[], ["tab_navigated"]],
    ),
    "the window shows what it is told": (
        POPUP,
        f"{WINDOW} await loaded(); await later(5); return [by('state').textContent, failed]",
        ["Connected. This site can be read and used", []],
    ),
    "the window is told of a failure": (
        POPUP,
        f"""{WINDOW} await loaded(); await later(5); says = async () => ({{ ok: false, error: "E" }});
        by("leave").click(); await later(20); return [asked, failed]""",
        [["state", "leave"], ["E"]],
    ),
}
