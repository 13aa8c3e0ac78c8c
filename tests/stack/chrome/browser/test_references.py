"""References in a real Chromium: bound to one document and one snapshot, and good for nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.stack.chrome.browser.chrome import Chrome, Snapshot
from tests.stack.chrome.browser.pages import html

pytestmark = pytest.mark.engine("chromium", stands_for=("browser", "extension", "page"))
COUNTS = html("references-counts")
SAVED = "document.getElementById('n').textContent"


def page(chrome: Chrome, path: str) -> str:
    return chrome.pages.put(path, COUNTS.replace("TITLE", path))


def refused(chrome: Chrome, reference: dict[str, Any]) -> str:
    return chrome.connection.refused("activate", ref=reference).reason


@pytest.mark.claim("CHR-REF-01", tooth="each part of a reference changed alone; the unchanged one acts")
def test_every_part_of_a_reference_counts(chrome: Chrome) -> None:
    session, tab = chrome.tab(page(chrome, "/parts"))
    other, other_tab = chrome.tab(page(chrome, "/other-parts"))
    good = chrome.snapshot(tab).ref_of("button", "Save")
    else_ = chrome.snapshot(other_tab).ref_of("button", "Save")
    assert good["node"] == else_["node"]
    changes = {
        "instance": "0" * 32, "tab_id": other_tab, "document_id": else_["document_id"], "nonce": "0" * 32,
        "generation": good["generation"] + 1, "node": "0:4000", "frame_id": 1,
    }  # fmt: skip
    assert set(changes) == set(good)
    for field, value in changes.items():
        assert refused(chrome, {**good, field: value}) == "stale_snapshot", field
    assert refused(chrome, {**else_, "tab_id": tab}) == "stale_snapshot"
    assert (chrome.js(session, SAVED), chrome.js(other, SAVED)) == ("0", "0")
    chrome.connection.ask("activate", ref=good)
    assert (chrome.js(session, SAVED), chrome.js(other, SAVED)) == ("1", "0")


CHANGES = {
    "role": "b.setAttribute('role', 'link')",
    "name": "b.textContent = 'Delete'",
    "disabled": "b.disabled = true",
    "hidden": "b.style.display = 'none'",
    "unseen": "b.style.visibility = 'hidden'",
    "for nobody": "document.body.setAttribute('aria-hidden', 'true')",
    "inert": "b.inert = true",
    "gone": "b.remove()",
    "replaced by its like": "b.outerHTML = b.outerHTML",
    "moved out": "new DocumentFragment().append(b)",
}


@pytest.mark.claim("CHR-REF-01", "CHR-REF-02", tooth="a change that leaves the node what it was, after which it acts")
@pytest.mark.parametrize("change", CHANGES)
def test_a_node_that_changed_is_stale(chrome: Chrome, change: str) -> None:
    session, tab = chrome.tab(page(chrome, "/changes"))
    reference = chrome.snapshot(tab).ref_of("button", "Save")
    chrome.js(session, f"{{ const b = document.getElementById('b'); {CHANGES[change]} }}")
    assert refused(chrome, reference) == "stale_snapshot"
    assert chrome.js(session, SAVED) == "0"


def test_a_node_that_only_moved_is_the_same(chrome: Chrome) -> None:
    session, tab = chrome.tab(page(chrome, "/moved"))
    reference = chrome.snapshot(tab).ref_of("button", "Save")
    chrome.js(session, "document.body.style.paddingTop = '100px'")
    assert chrome.connection.ask("activate", ref=reference)["effect"] == ["content"]


@pytest.mark.claim("CHR-REF-02", tooth="the new snapshot's reference, which acts")
def test_an_older_snapshot_and_a_reloaded_document_are_stale(chrome: Chrome) -> None:
    session, tab = chrome.tab(page(chrome, "/reload"))
    first = chrome.snapshot(tab).ref_of("button", "Save")
    second = chrome.snapshot(tab).ref_of("button", "Save")
    assert second["document_id"] == first["document_id"]
    assert refused(chrome, first) == "stale_snapshot"
    chrome.browser.call("Page.reload", session=session)
    chrome.loaded(session)
    assert refused(chrome, second) == "stale_snapshot"
    assert chrome.js(session, SAVED) == "0"
    chrome.connection.ask("activate", ref=chrome.snapshot(tab).ref_of("button", "Save"))
    assert chrome.js(session, SAVED) == "1"


@pytest.mark.claim("CHR-REF-02", tooth="the same look without `keeps`, after which the reference is stale")
def test_a_look_that_keeps_leaves_references_good_and_gives_none(chrome: Chrome) -> None:
    page = "<p>a</p><button onclick='document.title += 1'>Press</button>"
    session, tab = chrome.tab(chrome.pages.put("/keeps", page))
    reference = chrome.snapshot(tab).ref_of("button", "Press")
    chrome.js(session, "document.querySelector('p').remove()")
    look = chrome.connection.ask("snapshot", tab_id=tab, keeps=True)
    assert [node["name"] for node in look["nodes"]] == ["Press"]
    assert [frame.get("ref") for frame in look["frames"]] == [None]
    chrome.connection.ask("activate", ref=reference)
    assert chrome.js(session, "document.title") == "1"
    chrome.snapshot(tab)
    assert chrome.connection.refused("activate", ref=reference).reason == "stale_snapshot"


@pytest.mark.claim("CHR-REF-02", tooth="the grant given back, which does not bring the old reference back")
def test_revocation_makes_references_stale_for_good(chrome: Chrome) -> None:
    session, tab = chrome.tab(page(chrome, "/revoked"))
    reference = chrome.snapshot(tab).ref_of("button", "Save")
    chrome.revoke("http://a.test/*")
    try:
        assert refused(chrome, reference) == "site_permission_required"
        chrome.connection.event("permission_revoked")
    finally:
        chrome.grant("http://a.test/*")
    assert refused(chrome, reference) == "stale_snapshot"
    assert chrome.js(session, SAVED) == "0"


INJECTED = """chrome.scripting.executeScript({target: {tabId: TAB, documentIds: [DOCUMENT]}, func: () => {
  document.title = "wrong page"; return location.href }}).then((results) => results[0], (error) => String(error))"""


def inject(chrome: Chrome, tab: int, document: str) -> Any:
    """What the browser does with a bare injection: the trap itself."""
    code = INJECTED.replace("TAB", str(tab)).replace("DOCUMENT", json.dumps(document))
    return chrome.js(chrome.window(), code)


@pytest.mark.claim(
    "CHR-REF-04", tooth="a bare injection into the cached document, which lands in the page that replaced it"
)
@pytest.mark.parametrize("host", ["a.test", "b.test"])
def test_a_cached_document_gets_no_command(chrome: Chrome, host: str) -> None:
    chrome.grant("http://b.test/*")
    session, tab = chrome.tab(page(chrome, "/first"))
    reference = chrome.snapshot(tab).ref_of("button", "Save")
    page(chrome, "/second")
    chrome.js(session, f"void (location.href = {json.dumps(chrome.pages.url('/second', host))})")
    chrome.loaded(session)
    chrome.snapshot(tab)
    for verb in ("activate", "focus", "scroll_into_view", "locate"):
        assert chrome.connection.refused(verb, ref=reference).reason == "stale_snapshot", verb
    assert chrome.connection.refused("set_value", ref=reference, value="x").reason == "stale_snapshot"
    assert (
        chrome.connection.refused("snapshot", tab_id=tab, document_id=reference["document_id"]).reason
        == "stale_snapshot"
    )
    assert chrome.js(session, SAVED) == "0"
    assert chrome.js(session, "document.title") == "/second"
    trapped = inject(chrome, tab, reference["document_id"])
    assert trapped["documentId"] != reference["document_id"]
    assert chrome.js(session, "document.title") == "wrong page"
    chrome.browser.begin(session, "history.back()")  # the page may be gone before it answers
    chrome.browser.wait(
        lambda event: event["method"] == "Page.frameNavigated" and event.get("sessionId") == session
        and event["params"].get("type") == "BackForwardCacheRestore", "the page out of the cache",
    )  # fmt: skip
    assert refused(chrome, reference) == "stale_snapshot"
    assert chrome.js(session, SAVED) == "0"
    again = chrome.snapshot(tab).ref_of("button", "Save")
    assert again["document_id"] == reference["document_id"]
    chrome.connection.ask("activate", ref=again)
    assert chrome.js(session, SAVED) == "1"


TRAPPED = """{ const real = chrome.webNavigation.getFrame;
  chrome.webNavigation.getFrame = (about) => about.documentId === DOCUMENT
    ? Promise.resolve({ documentLifecycle: "active", documentId: DOCUMENT, frameId: 0, url: URL }) : real(about);
  const all = chrome.webNavigation.getAllFrames;
  chrome.webNavigation.getAllFrames = async (about) => (await all(about)).map((frame) =>
    frame.frameId === 0 ? { ...frame, documentId: DOCUMENT } : frame); }"""


@pytest.mark.claim("CHR-REF-04", tooth="the look-up before the injection, taken out of the running worker")
def test_the_nonce_and_the_answers_document_hold_without_the_look_up(own: Chrome) -> None:
    own.grant("http://a.test/*")
    session, tab = own.tab(page(own, "/first"))
    reference = own.snapshot(tab).ref_of("button", "Save")
    page(own, "/second")
    own.js(session, f"void (location.href = {json.dumps(own.pages.url('/second'))})")
    own.loaded(session)
    second = own.snapshot(tab).ref_of("button", "Save")
    lie = TRAPPED.replace("DOCUMENT", json.dumps(reference["document_id"])).replace(
        "URL", json.dumps(own.pages.url("/first"))
    )
    own.js(own.worker(), lie)
    assert refused(own, reference) == "stale_snapshot"
    assert own.js(session, SAVED) == "0"
    assert (
        own.connection.refused("activate", ref={**second, "document_id": reference["document_id"]}).reason
        == "stale_snapshot"
    )
    assert own.js(session, SAVED) == "0"


SINGLE = html("references-single")


@pytest.mark.claim("CHR-REF-05", tooth="the address before the navigation")
def test_a_navigation_in_the_same_document_is_announced_and_changes_the_address(chrome: Chrome) -> None:
    _, tab = chrome.tab(chrome.pages.put("/one", SINGLE))
    seen = chrome.snapshot(tab)
    document = seen.result["target"]["document_id"]
    done = chrome.connection.ask("activate", ref=seen.ref_of("button", "Next"))
    assert "same_document_navigation" in done["effect"]
    assert done["route"] == "chrome_dom"
    chrome.connection.event("same_document", tab_id=tab, document_id=document)
    after = chrome.snapshot(tab)
    assert after.result["target"]["url"] == chrome.pages.url("/two") != seen.result["target"]["url"]
    assert after.result["target"]["document_id"] == document
    done = chrome.connection.ask("activate", ref=after.ref_of("link", "Part"))
    assert "same_document_navigation" in done["effect"]
    chrome.connection.event("same_document", tab_id=tab)


ROWS = html("references-rows")


@pytest.mark.claim("CHR-REF-05", tooth="the list scrolled back, after which the row is what it was")
def test_a_row_that_a_list_used_again_is_stale(chrome: Chrome) -> None:
    session, tab = chrome.tab(chrome.pages.put("/rows", ROWS))
    seen = chrome.snapshot(tab)
    second = seen.ref(seen.all("button", "Delete")[1])
    chrome.js(session, "show(40)")
    assert refused(chrome, second) == "stale_snapshot"
    assert chrome.js(session, "document.getElementById('log').textContent") == ""
    chrome.js(session, "show(0)")
    chrome.connection.ask("activate", ref=second)
    assert chrome.js(session, "document.getElementById('log').textContent") == "Person 1"


TWINS = html("references-twins")


@pytest.mark.claim("CHR-REF-03", tooth="each of the three in turn, told apart by what it does")
def test_nodes_of_one_name_are_several_candidates(chrome: Chrome) -> None:
    session, tab = chrome.tab(chrome.pages.put("/twins", TWINS))
    seen = chrome.snapshot(tab)
    twins = seen.all("button", "OK")
    assert len({each["id"] for each in twins}) == 3
    for node in reversed(twins):
        chrome.connection.ask("activate", ref=seen.ref(node))
    assert chrome.js(session, "document.getElementById('log').textContent") == "210"


@pytest.mark.claim("CHR-REF-03", tooth="one title that only one tab has")
def test_a_request_that_fits_two_tabs_or_two_options_is_ambiguous(chrome: Chrome) -> None:
    options = "<select aria-label=S><option value=1>Same<option value=2>Same<option value=3>Other</select>"
    chrome.pages.put("/same", f"<title>Two of a kind</title>{options}")
    pair = [chrome.tab("/same") for _ in range(2)]
    failure = chrome.connection.refused("select_target", title="Two of a kind")
    assert failure.reason == "ambiguous_target"
    assert {each["tab_id"] for each in failure.detail["candidates"]} == {tab for _, tab in pair}
    assert chrome.connection.refused("select_target", title="No such title").reason == "tab_not_found"
    session, tab = pair[0]
    seen = chrome.snapshot(tab)
    choice = seen.ref_of("combobox", "S")
    assert chrome.connection.refused("set_value", ref=choice, value="Same").reason == "ambiguous_target"
    assert chrome.js(session, "document.querySelector('select').selectedIndex") == 0
    assert chrome.connection.ask("set_value", ref=choice, value="Other")["value_taken"] is True
    chrome.js(session, "document.title = 'One of a kind'")
    assert chrome.connection.ask("select_target", title="One of a kind")["target"]["tab_id"] == tab


def test_a_snapshot_of_a_test_refuses_two_nodes_where_one_is_meant() -> None:
    node = {"id": "0:1", "role": "button", "name": "OK", "frame_id": 0}
    with pytest.raises(ValueError, match="too many values"):
        Snapshot({"nodes": [node, node], "frames": []}).find("button", "OK")
