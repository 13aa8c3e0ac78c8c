"""What the user has allowed, and nothing else, in a real Chromium: per site, per tab, taken back, and shown."""

from __future__ import annotations

import json

import pytest

from tests.stack.chrome.browser.bridge import check
from tests.stack.chrome.browser.chrome import ID, ORIGIN, Chrome

pytestmark = pytest.mark.engine("chromium", stands_for=("browser", "extension", "page"))
PAGE = "<title>Private page</title><button onclick='document.title = 1'>Press</button>"
INSIDE = "typeof globalThis.trailcamAgent"


def isolated(chrome: Chrome, session: str) -> list[str]:
    """The names of the isolated worlds that extensions have in a page: one for each that was injected."""
    chrome.browser.call("Runtime.enable", session=session)
    chrome.browser.settle()
    found = [
        event["params"]["context"] for event in chrome.browser.events
        if event["method"] == "Runtime.executionContextCreated" and event.get("sessionId") == session
    ]  # fmt: skip
    return [each["name"] for each in found if each["origin"].startswith("chrome-extension://")]


@pytest.mark.claim("CHR-PERM-05", "CHR-PERM-01", tooth="the same tab allowed, which is listed and read")
def test_a_site_that_was_not_allowed_gives_nothing(own: Chrome) -> None:
    session, tab = own.tab(own.pages.put("/private", PAGE))
    asked = {"tab_id": tab}
    reference = {
        "instance": own.connection.hello["instance"], "tab_id": tab, "frame_id": 0, "document_id": "A" * 32,
        "nonce": "0" * 32, "generation": 1, "node": "0:1",
    }  # fmt: skip
    document = own.js(
        own.window(), f"chrome.webNavigation.getFrame({{tabId: {tab}, frameId: 0}}).then((frame) => frame.documentId)"
    )
    assert own.connection.refused("snapshot", **asked).reason == "site_permission_required"
    assert own.connection.refused("select_target", **asked, front=True).reason == "site_permission_required"
    assert (
        own.connection.refused("activate", ref={**reference, "document_id": document}).reason
        == "site_permission_required"
    )
    listed = own.connection.ask("list_targets")["targets"]
    (row,) = [each for each in listed if each["tab_id"] == tab]
    assert (row["state"], row["reason"]) == ("site_denied", "site_permission_required")
    assert set(row) == {"window_id", "tab_id", "active", "focused", "state", "reason"}
    assert isolated(own, session) == []
    assert b"Private page" not in own.connection.seen and b"/private" not in own.connection.seen
    own.grant("http://a.test/*")
    (row,) = [each for each in own.connection.ask("list_targets")["targets"] if each["tab_id"] == tab]
    assert (row["state"], row["title"], row["url"]) == ("enabled", "Private page", own.pages.url("/private"))
    assert own.snapshot(tab).names() == ["Press"]
    assert isolated(own, session) != []


@pytest.mark.claim(
    "CHR-PERM-01", "CHR-PERM-02", tooth="the content program that is still there, and answers the browser"
)
def test_revocation_holds_from_that_instant_although_the_old_script_is_there(own: Chrome) -> None:
    own.grant("http://a.test/*")
    session, tab = own.tab(own.pages.put("/private", PAGE))
    reference = own.snapshot(tab).ref_of("button", "Press")
    world = next(
        event["params"]["context"]["uniqueId"] for event in contexts(own, session)
        if event["params"]["context"]["origin"].startswith(ORIGIN[:-1])
    )  # fmt: skip
    before = len(own.connection.seen)
    own.revoke("http://a.test/*")
    for verb, params in (
        ("snapshot", {"tab_id": tab}),
        ("activate", {"ref": reference}),
        ("locate", {"ref": reference}),
    ):
        assert own.connection.refused(verb, **params).reason == "site_permission_required"
    (row,) = [each for each in own.connection.ask("list_targets")["targets"] if each["tab_id"] == tab]
    assert "url" not in row and "title" not in row
    own.connection.event("permission_revoked")
    assert b"Press" not in own.connection.seen[before:] and b"private" not in own.connection.seen[before:]
    still = own.browser.call("Runtime.evaluate", {"expression": INSIDE, "uniqueContextId": world}, session)
    assert still["result"]["value"] == "object"
    assert own.js(session, "document.title") == "Private page"


def contexts(chrome: Chrome, session: str) -> list[dict]:  # type: ignore[type-arg]
    chrome.browser.call("Runtime.enable", session=session)
    chrome.browser.settle()
    return [
        each for each in chrome.browser.events
        if each["method"] == "Runtime.executionContextCreated" and each.get("sessionId") == session
    ]  # fmt: skip


@pytest.mark.claim("CHR-PERM-01", tooth="the permission taken away while the page answers")
def test_an_answer_that_comes_after_the_revocation_is_thrown_away(own: Chrome) -> None:
    own.grant("http://a.test/*")
    session, tab = own.tab(own.pages.put("/private", PAGE))
    own.snapshot(tab)
    busy = own.browser.begin(session, "{ const end = Date.now() + 1500; while (Date.now() < end); }")
    before = len(own.connection.seen)
    id = own.connection.begin("snapshot", tab_id=tab)
    own.revoke("http://a.test/*")
    own.browser.value(busy)
    with pytest.raises(Exception, match="site_permission_required"):
        own.connection.finish(id)
    assert b"Press" not in own.connection.seen[before:]


STATES = {"unsupported": "no", "site_denied": "ask", "enabled": "on", "disconnected": "off"}


def look(chrome: Chrome, worker: str, tab: int, state: str) -> None:
    """Waits until the button beside a tab says a state."""
    text = f"""new Promise(async (resolve) => {{
      for (let tries = 0; tries < 200; tries += 1) {{
        const now = await chrome.action.getBadgeText({{tabId: {tab}}});
        if (now === {json.dumps(STATES[state])}) return resolve([now, await chrome.action.getTitle({{tabId: {tab}}})]);
        await new Promise((next) => setTimeout(next, 25));
      }}
      resolve([await chrome.action.getBadgeText({{tabId: {tab}}}), "timed out"]);
    }})"""
    seen, title = chrome.js(worker, text)
    assert seen == STATES[state]
    assert title.startswith("Trailcam: ")


@pytest.mark.claim("CHR-PERM-02", tooth="each state in turn, by what the user does in the window")
def test_the_button_and_the_window_show_four_states_and_leave_in_one_step(own: Chrome) -> None:
    own.grant("http://a.test/*", "http://b.test/*")
    own.revoke("http://b.test/*")
    worker = own.worker()
    session, tab = own.tab(own.pages.put("/private", PAGE))
    look(own, worker, tab, "enabled")
    own.go(session, own.pages.url("/private", "b.test"))
    look(own, worker, tab, "site_denied")
    own.go(session, "chrome://version")
    look(own, worker, tab, "unsupported")
    own.go(session, own.pages.url("/private"))
    look(own, worker, tab, "enabled")
    window = own.show(f"{ORIGIN}popup.html#tab={tab}")
    own.browser.call("Page.bringToFront", session=session)
    waits = """new Promise((resolve) => {
      const look = () => document.body.dataset.state === STATE ? resolve(1) : setTimeout(look, 20);
      look(); })"""
    own.js(window, waits.replace("STATE", '"enabled"'))
    assert own.js(window, "document.getElementById('state').textContent") == "Connected. This site can be read and used"
    own.js(window, "document.getElementById('leave').click()", gesture=True)
    own.js(window, waits.replace("STATE", '"disconnected"'))
    assert own.connection.ended()
    assert own.js(window, "chrome.permissions.getAll().then((all) => all.origins)") == []
    look(own, worker, tab, "disconnected")
    assert own.js(worker, "chrome.alarms.get('off').then((alarm) => alarm !== undefined)") is True
    own.js(window, "document.getElementById('connect').click()", gesture=True)
    own.greet()
    assert own.connection.refused("snapshot", tab_id=tab).reason == "site_permission_required"


@pytest.mark.claim("CHR-PERM-01", tooth="a navigation to another site, which ends the loan")
def test_a_tab_is_lent_by_the_extensions_button_and_until_it_leaves_the_site(own: Chrome) -> None:
    own.pages.put("/private", PAGE)
    session, tab = own.tab("/private")
    own.browser.call("Page.bringToFront", session=session)
    window = own.show(f"{ORIGIN}popup.html#tab={tab}", background=True)
    page = own.browser.call("Target.getTargetInfo", session=session)["targetInfo"]["url"]
    tabs = [each["targetId"] for each in own.browser.targets("tab") if each["url"] == page]
    own.browser.call("Extensions.triggerAction", {"id": ID, "targetId": tabs[0]})
    own.js(window, f"chrome.runtime.sendMessage({{ask: 'lend', tab_id: {tab}}})")
    assert own.snapshot(tab).names() == ["Press"]
    own.go(session, own.pages.url("/private", "b.test"))
    assert own.connection.refused("snapshot", tab_id=tab).reason == "site_permission_required"
    own.go(session, own.pages.url("/private"))
    assert own.connection.refused("snapshot", tab_id=tab).reason == "site_permission_required"


@pytest.mark.claim("CHR-PERM-03", tooth="the same window once the user has switched the extension on there")
def test_incognito_windows_give_nothing_until_switched_on_and_allowed(own: Chrome) -> None:
    own.pages.put("/private", PAGE)
    url = json.dumps(own.pages.url("/private"))
    own.js(own.window(), f"chrome.windows.create({{incognito: true, url: {url}}}).then(() => 1)")
    hidden = {each["tab_id"] for each in own.connection.ask("list_targets")["targets"]}
    own.reload(incognitoAccess=True)
    denied = [each for each in own.connection.ask("list_targets")["targets"] if each["state"] == "site_denied"]
    assert len(denied) == 1
    tab = denied[0]["tab_id"]
    assert tab not in hidden
    assert own.connection.refused("snapshot", tab_id=tab).reason == "site_permission_required"
    assert b"/private" not in own.connection.seen
    own.grant("http://a.test/*")
    assert own.snapshot(tab).names() == ["Press"]


@pytest.mark.claim("CHR-PERM-03", "CHR-ERR-02", tooth="the browser's switch for files, and then the permission")
def test_files_give_nothing_until_switched_on_and_allowed(own: Chrome, folder: object) -> None:
    file = folder / "page.html"  # type: ignore[operator]
    file.write_text(PAGE)
    own.reload(fileAccess=False)
    _, tab = own.tab_with(file.as_uri())
    assert own.connection.refused("snapshot", tab_id=tab).reason == "unsupported_scheme"
    own.reload(fileAccess=True)
    (row,) = [each for each in own.connection.ask("list_targets")["targets"] if each["tab_id"] == tab]
    assert row["state"] == "site_denied"
    assert own.connection.refused("snapshot", tab_id=tab).reason == "site_permission_required"
    own.grant("file:///*")
    assert own.snapshot(tab).names() == ["Press"]


@pytest.mark.claim("CHR-SEC-02", tooth="a request, after which the same text does leave")
def test_without_a_request_nothing_of_a_page_leaves(own: Chrome) -> None:
    own.grant("http://a.test/*")
    page = """<title>Chatty words</title><p>Chatty words</p><input value="Chatty words">
    <script>for (let at = 0; at < 5; at += 1) { history.pushState(0, "", "/chatty?words=" + at); location.hash = at }
    document.cookie = "chatty=words"; window.postMessage("chatty words", "*"); console.log("chatty words")</script>"""
    session, tab = own.tab(own.pages.put("/chatty", page))
    own.js(session, "void (document.title = 'Chatty words again')")
    own.go(session, own.pages.url("/chatty", "b.test"))
    own.connection.event("same_document", tab_id=tab)
    own.connection.ask("status")
    assert b"hatty" not in own.connection.seen
    for event in own.connection.events:
        check("event", event)
    own.go(session, own.pages.url("/chatty"))
    own.snapshot(tab)
    assert b"Chatty words" in own.connection.seen
