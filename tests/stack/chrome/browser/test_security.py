"""Who can't command the bridge, in a real Chromium: a page, another extension, a content script that lies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.stack.chrome.browser.chrome import ID, Chrome
from tests.stack.chrome.browser.pages import html

pytestmark = pytest.mark.engine("chromium", stands_for=("browser", "extension", "page"))
COMMANDS = [
    {"ask": "leave"},
    {"ask": "disconnect"},
    {"ask": "lend", "tab_id": 1},
    {"ask": "state", "tab_id": 1},
    {"v": 1, "type": "request", "id": "r1", "verb": "list_targets", "deadline_ms": 1000, "params": {}},
]
HOSTILE = html("security-hostile").replace("COMMANDS", json.dumps(COMMANDS)).replace("ID", ID)


@pytest.mark.claim("CHR-SEC-01", tooth="the extension's own window, whose message is answered")
def test_a_page_can_t_command_the_bridge(own: Chrome) -> None:
    own.grant("http://a.test/*")
    session, tab = own.tab(own.pages.put("/hostile", HOSTILE))
    own.snapshot(tab)
    heard = own.js(session, "new Promise((resolve) => setTimeout(() => resolve(heard), 200))")
    assert set(heard) <= {"no way", None}
    assert own.js(session, "typeof globalThis.trailcamAgent") == "undefined"
    assert own.connection.ask("status")["state"] in ("enabled", "site_denied", "unsupported")
    answer = own.js(own.window(), f"chrome.runtime.sendMessage({{ask: 'state', tab_id: {tab}}})")
    assert answer["answer"]["state"] == "enabled"


@pytest.mark.claim("CHR-SEC-01", tooth="the same messages from the extension's own window, which are answered")
def test_a_content_script_can_t_command_the_bridge(own: Chrome) -> None:
    """A page that took over our content script's world would have no more than this: messages, which nobody answers."""
    own.grant("http://a.test/*")
    _, tab = own.tab(own.pages.put("/plain", "<button>Press</button>"))
    own.snapshot(tab)
    given = f"target: {{ tabId: {tab} }}, args: [{json.dumps(COMMANDS)}]"
    code = f"""chrome.scripting.executeScript({{ {given}, func: async (all) => {{
      const seen = [];
      for (const each of all) seen.push(await Promise.race([
        chrome.runtime.sendMessage(each).then((answer) => answer ?? null, (error) => String(error)),
        new Promise((resolve) => setTimeout(() => resolve("silence"), 150))]));
      return seen; }} }}).then((results) => results[0].result)"""
    answers = own.js(own.worker(), code)
    assert all(
        each in (None, "silence") or "Receiving end" in each or "message port closed" in each for each in answers
    )
    assert own.snapshot(tab).names() == ["Press"]


OTHER = {
    "manifest_version": 3,
    "name": "Hostile neighbour",
    "version": "1",
    "permissions": ["nativeMessaging", "management"],
}
# Held by a global name: a promise that only the inspector waits for may be collected.
ATTACK = """globalThis.attack = (async () => {
  const seen = [];
  const said = [(answer) => answer ?? null, (error) => String(error)];
  const ask = (each) => chrome.runtime.sendMessage("ID", each).then(...said);
  for (const each of COMMANDS) seen.push(await ask(each));
  seen.push(await new Promise((resolve) => {
    const port = chrome.runtime.connect("ID");
    port.onMessage.addListener((answer) => resolve(answer));
    port.onDisconnect.addListener(() => resolve(chrome.runtime.lastError.message));
  }));
  seen.push(await new Promise((resolve) => {
    const port = chrome.runtime.connectNative("com.trailcam.browser_host");
    port.onMessage.addListener((answer) => resolve(answer));
    port.onDisconnect.addListener(() => resolve(chrome.runtime.lastError.message));
  }));
  return seen;
})()""".replace("COMMANDS", json.dumps(COMMANDS)).replace("ID", ID)


@pytest.mark.claim("CHR-SEC-01", tooth="our own extension, which the same host lets in")
def test_another_extension_can_t_command_the_bridge_or_reach_the_host(own: Chrome, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps(OTHER))
    (tmp_path / "page.html").write_text("<!doctype html><title>Neighbour</title>")
    other = own.load(tmp_path)
    answers = own.js(own.show(f"chrome-extension://{other}/page.html"), ATTACK)
    assert answers[-1] == "Access to the specified native messaging host is forbidden."
    assert all("Receiving end does not exist" in each for each in answers[:-1])
    assert own.connection.ask("status")["version"] == "0.1.0"


@pytest.mark.claim("CHR-SEC-01", tooth="eval in the worker, which the browser refuses")
def test_nothing_is_made_into_code(own: Chrome) -> None:
    with pytest.raises(Exception, match="unsafe-eval"):
        own.browser.value(
            own.browser.send(
                "Runtime.evaluate",
                {"expression": "new Function('return 1')()", "allowUnsafeEvalBlockedByCSP": False},
                own.worker(),
            )
        )
