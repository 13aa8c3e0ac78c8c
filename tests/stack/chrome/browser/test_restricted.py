"""Pages that no extension may read, in a real Chromium: each gives its reason, no node, and no injection."""

from __future__ import annotations

import pytest

from tests.stack.chrome.browser.chrome import ORIGIN, Chrome

pytestmark = pytest.mark.engine("chromium", stands_for=("browser", "extension", "page"))
PDF = (
    b"%PDF-1.1\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj\ntrailer<</Root 1 0 R>>\n"
)
RESTRICTED = {
    "chrome://version": "restricted_page", "about:blank": "restricted_page", "chrome://extensions": "restricted_page",
    "data:text/html,<button>Data</button>": "unsupported_scheme", "view-source:chrome://version": "restricted_page",
    f"{ORIGIN}popup.html": "restricted_page", "devtools://devtools/bundled/inspector.html": "restricted_page",
}  # fmt: skip


@pytest.mark.claim("CHR-ERR-02", tooth="a page of a site in the same tab, which is read")
def test_restricted_pages_give_their_reason(chrome: Chrome) -> None:
    session, tab = chrome.tab(chrome.pages.put("/plain", "<button>Plain</button>"))
    for url, reason in RESTRICTED.items():
        chrome.go(session, url)
        failure = chrome.connection.refused("snapshot", tab_id=tab)
        assert failure.reason == reason, url
        (row,) = [each for each in chrome.connection.ask("list_targets")["targets"] if each["tab_id"] == tab]
        assert (row["state"], row["reason"], "url" in row) == ("unsupported", reason, False), url
        chrome.go(session, chrome.pages.url("/plain"))
        assert chrome.snapshot(tab).names() == ["Plain"]


@pytest.mark.claim("CHR-ERR-02", tooth="the same address as a page")
def test_documents_of_plugins_and_error_pages(chrome: Chrome) -> None:
    chrome.pages.put("/paper.pdf", PDF, "application/pdf")
    session, tab = chrome.tab(chrome.pages.put("/plain", "<button>Plain</button>"))
    chrome.go(session, chrome.pages.url("/paper.pdf"))
    assert chrome.connection.refused("snapshot", tab_id=tab).reason == "restricted_page"
    chrome.browser.call("Page.navigate", {"url": "http://a.test:1/"}, session)
    chrome.browser.wait(
        lambda event: event["method"] == "Page.frameNavigated" and event.get("sessionId") == session
        and event["params"]["frame"].get("unreachableUrl"), "an error page",
    )  # fmt: skip
    chrome.loaded(session)
    assert chrome.connection.refused("snapshot", tab_id=tab).reason == "restricted_page"


@pytest.mark.claim("CHR-ERR-02", tooth="the store's names under the test's own server, with permission")
def test_the_store_is_restricted_by_its_name(chrome: Chrome) -> None:
    """The browser resolves no outside name here, so the worker is asked about the addresses as it would see them."""
    worker = chrome.worker()
    hosts = ["chromewebstore.google.com", "chrome.google.com", "microsoftedge.microsoft.com"]
    lie = """chrome.webNavigation.realGetFrame ??= chrome.webNavigation.getFrame;
      chrome.webNavigation.getFrame = async () => (FRAME)"""
    _, tab = chrome.tab(chrome.pages.put("/plain", "<button>Plain</button>"))
    try:
        for host in hosts:
            frame = f'{{ documentId: "{"A" * 32}", documentLifecycle: "active", url: "https://{host}/detail/x" }}'
            chrome.js(worker, f"{lie.replace('FRAME', frame)}; 1")
            assert chrome.connection.refused("snapshot", tab_id=tab).reason == "restricted_page", host
    finally:
        chrome.js(worker, "void (chrome.webNavigation.getFrame = chrome.webNavigation.realGetFrame)")
    assert chrome.snapshot(tab).names() == ["Plain"]


@pytest.mark.claim("CHR-ERR-02")
def test_crashed_discarded_and_closed_tabs_are_not_called_forbidden(chrome: Chrome) -> None:
    session, tab = chrome.tab(chrome.pages.put("/plain", "<button>Plain</button>"))
    reference = chrome.snapshot(tab).ref_of("button", "Plain")
    chrome.browser.call("Inspector.enable", session=session)
    chrome.browser.send("Page.crash", session=session)
    chrome.browser.wait(lambda event: event["method"] == "Inspector.targetCrashed", "a crash")
    failure = chrome.connection.refused("snapshot", tab_id=tab)
    assert (failure.reason, failure.detail["state"]) == ("frame_not_accessible", "unloaded")
    assert chrome.connection.refused("activate", ref=reference).reason in ("frame_not_accessible", "stale_snapshot")
    _, sleeping = chrome.tab("/plain")
    chrome.tab("/plain")
    new = chrome.js(chrome.window(), f"chrome.tabs.discard({sleeping}).then((tab) => tab.id)")
    assert chrome.connection.refused("snapshot", tab_id=sleeping).reason == "tab_not_found"
    failure = chrome.connection.refused("snapshot", tab_id=new)
    assert (failure.reason, failure.detail["state"]) == ("frame_not_accessible", "discarded")
    chrome.js(chrome.window(), f"chrome.tabs.remove({new})")
    assert chrome.connection.refused("snapshot", tab_id=new).reason == "tab_not_found"
