"""What a snapshot says of a page in a real Chromium: everything that shows, in order, within bounds, and no secret."""

from __future__ import annotations

import json
import re

import pytest

from tests.stack.chrome.browser.bridge import PROTOCOL
from tests.stack.chrome.browser.chrome import Chrome
from tests.stack.chrome.browser.pages import html

pytestmark = pytest.mark.engine("chromium", stands_for=("browser", "extension", "page"))
BOUNDS = PROTOCOL["bounds"]

FORM = html("snapshots-form")
ORDER = [
    ("heading", "Order tea"), ("text", "Choose"), ("text", "one"), ("text", "."), ("link", "Help"), ("form", "Order"),
    ("label", "Name"), ("textbox", "Name"), ("text", "As on the letter box"), ("label", "Gift"), ("checkbox", "Gift"),
    ("combobox", "Kind"), ("option", "Green"), ("option", "Black"), ("textbox", "Note"), ("button", "Send"),
    ("button", "More"), ("listbox", "Cups"), ("option", "Small"), ("option", "Large"), ("button", "Far"),
]  # fmt: skip


@pytest.mark.claim("CHR-SNAP-01", "CHR-SNAP-06", tooth="the page with an element moved, which gives another order")
def test_a_form_in_reading_order_with_values_states_and_bounds(chrome: Chrome) -> None:
    session, tab = chrome.tab(chrome.pages.put("/form", FORM))
    seen = chrome.snapshot(tab)
    assert [(each["role"], each["name"]) for each in seen.nodes] == ORDER
    name = seen.find("textbox", "Name")
    assert (name["value"], name["description"], name["states"]) == ("Ann", "As on the letter box", {"required": True})
    assert seen.find("checkbox", "Gift")["states"] == {"checked": "true"}
    assert seen.find("combobox", "Kind")["value"] == "Black"
    assert seen.find("option", "Black")["states"] == {"selected": True}
    assert seen.find("textbox", "Note")["value"] == "two\nlines"
    assert seen.find("button", "Send")["states"] == {"disabled": True}
    assert seen.find("button", "Send")["actions"] == ["scroll_into_view"]
    assert seen.find("button", "More")["states"] == {"expanded": False, "focused": True}
    assert seen.find("link", "Help")["url"] == chrome.pages.url("/help")
    assert seen.find("heading", "Order tea")["level"] == 1
    assert seen.find("button", "Far")["bounds"] == {"space": "frame_css_px", "x": 30, "y": 900, "w": 50, "h": 20}
    assert seen.result["provider"] == "chrome_extension"
    assert seen.result["coverage"] == "complete"
    target = seen.result["target"]
    assert (target["title"], target["url"], target["tab_id"]) == ("Order", chrome.pages.url("/form"), tab)
    assert {each["frame_id"] for each in seen.nodes} == {0}
    assert all(each["frame_ancestry"] == [0] for each in seen.nodes)
    chrome.js(session, "document.body.prepend(document.querySelector('a'))")
    again = chrome.snapshot(tab)
    assert again.names()[0] == "Help"
    assert again.result["snapshot_id"] != seen.result["snapshot_id"]


SHADOWS = html("snapshots-shadows")


@pytest.mark.claim("CHR-SNAP-03", tooth="the same page without its closed root, which is complete")
def test_open_shadow_roots_are_read_and_closed_ones_are_told(chrome: Chrome) -> None:
    _, tab = chrome.tab(chrome.pages.put("/shadows", SHADOWS))
    seen = chrome.snapshot(tab)
    assert seen.names() == ["Inside", "Slotted", "Deep"]
    assert seen.result["coverage"] == "partial"
    assert seen.result["reasons"] == [{"reason": "closed_shadow_root", "frame_id": 0}]
    done = chrome.connection.ask("activate", ref=seen.ref_of("button", "Deep"))
    assert done["route"] == "chrome_dom"
    _, tab = chrome.tab_with(chrome.pages.url("/shadows#open"))
    assert chrome.snapshot(tab).result["coverage"] == "complete"


FRAMES = html("snapshots-frames")


@pytest.mark.claim("CHR-SNAP-03", "CHR-SNAP-06", tooth="the same page after its other site was allowed, which is read")
def test_child_frames_are_read_where_they_may_be(chrome: Chrome) -> None:
    chrome.pages.put("/inner", "<button>Inner</button><iframe srcdoc='<a href=#x>Innermost</a>'></iframe>")
    chrome.pages.put("/other", "<button>Other</button>")
    _, tab = chrome.tab(chrome.pages.put("/frames", FRAMES.replace("OTHER", chrome.pages.url("/other", "b.test"))))
    seen = chrome.snapshot(tab)
    assert seen.names("button") == ["Top", "Inner", "From srcdoc", "Sandboxed", "Inner"]
    assert "Other" not in json.dumps(seen.result)
    assert "b.test" not in json.dumps(seen.result)
    assert seen.result["coverage"] == "partial"
    (denied,) = [each for each in seen.result["frames"] if not each["read"]]
    assert denied["reason"] == "site_permission_required"
    assert {"reason": "site_permission_required", "frame_id": denied["frame_id"]} in seen.result["reasons"]
    for node in seen.all("link", "Innermost"):
        assert len(node["frame_ancestry"]) == 3
        assert node["id"].startswith(f"{node['frame_id']}:")
    documents = [each["ref"]["document_id"] for each in seen.result["frames"] if each["read"]]
    assert len(set(documents)) == len(documents) == 7
    chrome.grant("http://b.test/*")
    again = chrome.snapshot(tab)
    assert "Other" in again.names("button")
    assert [each for each in again.result["reasons"] if each["reason"] != "closed_shadow_root"] == []
    chrome.revoke("http://b.test/*")


CANARIES = {
    "password": "canary-passw0rd", "otp": "canary-482913", "card": "4111 1111 1111 1111", "cvc": "canary-cvc",
    "login": "canary-login", "new": "canary-new", "hidden": "canary-hidden", "shown": "canary-shown",
    "editable": "canary-editable", "masked": "canary-masked",
}  # fmt: skip
SECRETS = html("snapshots-secrets")


@pytest.mark.claim(
    "CHR-SNAP-05", "CHR-SNAP-07", tooth="a field like the others that is no secret, whose value is in the message"
)
def test_no_secret_leaves_the_page(chrome: Chrome) -> None:
    session, tab = chrome.tab(chrome.pages.put("/secrets", SECRETS))
    before = len(chrome.connection.seen)
    seen = chrome.snapshot(tab)
    said = chrome.connection.seen[before:].decode()
    leaked = [name for name, canary in CANARIES.items() if canary in said and name != "shown"]
    assert leaked == []
    assert "canary-cookie" not in said and "canary-storage" not in said and "canary-global" not in said
    assert "plain text" in said
    assert seen.find("textbox", "Password")["sensitive"] is True
    for name in ("Code", "Number", "Check digits", "Old", "New", "Typed", "Masked"):
        node = seen.find("textbox", name)
        assert (node["value"], node["sensitive"]) == (None, True), name
    assert seen.find("combobox", "Month")["sensitive"] is True
    assert seen.all("option", "07") == []
    assert seen.find("button", "Use")
    assert seen.find("checkbox", "Gift for people")
    assert [each for each in seen.nodes if each["value"] in ("4", "8", "2", "9")] == []
    assert chrome.js(session, "document.getElementById('shown').value") == CANARIES["shown"]


@pytest.mark.claim("CHR-SNAP-05", "CHR-SNAP-07", tooth="a field that never was a password, whose value is told")
def test_a_password_stays_one_when_its_type_changes_and_set_value_does_not_repeat_it(chrome: Chrome) -> None:
    page = "<input id=f type=password aria-label=Secret value=canary-first><input aria-label=Open>"
    session, tab = chrome.tab(chrome.pages.put("/toggle", page))
    chrome.snapshot(tab)
    chrome.js(session, "document.getElementById('f').type = 'text'")
    before = len(chrome.connection.seen)
    seen = chrome.snapshot(tab)
    assert seen.find("textbox", "Secret")["sensitive"] is True
    done = chrome.connection.ask("set_value", ref=seen.ref_of("textbox", "Secret"), value="canary-second")
    assert done["value_taken"] is True
    assert "value" not in done
    assert chrome.js(session, "document.getElementById('f').value") == "canary-second"
    assert b"canary" not in chrome.connection.seen[before:]
    told = chrome.connection.ask("set_value", ref=seen.ref_of("textbox", "Open"), value="open words")
    assert told["value"] == "open words"


TITLED = """<!doctype html><title>Card 4111 1111 1111 1111 of Ann</title>
<p>Repeats canary-shadow before its field</p><p>and canary-widget</p>
<div id=host></div><div role=textbox aria-label=Code data-testid=otp>canary-widget</div>
<input aria-label=Number value="4111 1111 1111 1111">
<script>host.attachShadow({mode: "open"}).innerHTML = "<input type=password value=canary-shadow>";
history.replaceState(0, "", "/titled?card=4111 1111 1111 1111&p=canary-shadow")</script>"""


@pytest.mark.claim("CHR-SNAP-05", tooth="the title's other words, which are told, and the secret itself in the browser")
def test_no_title_and_no_address_holds_a_secret(chrome: Chrome) -> None:
    session, tab = chrome.tab(chrome.pages.put("/titled", TITLED))
    before = len(chrome.connection.seen)
    (row,) = [each for each in chrome.connection.ask("list_targets")["targets"] if each["tab_id"] == tab]
    chosen = chrome.connection.ask("select_target", tab_id=tab)["target"]
    seen = chrome.snapshot(tab).result["target"]
    titles = {each["title"] for each in (row, chosen, seen)}
    assert titles == {"Card [redacted] of Ann"}
    assert len({each["url"] for each in (row, chosen, seen)}) == 1
    assert row["url"].startswith("http://a.test") and "/titled?card=" in row["url"]
    assert chrome.connection.ask("select_target", title="Card [redacted] of Ann")["target"]["tab_id"] == tab
    said = chrome.connection.seen[before:].decode()
    assert not re.search(r"4111|canary-(shadow|widget)", said)
    assert chrome.js(session, "document.title") == "Card 4111 1111 1111 1111 of Ann"


@pytest.mark.claim("CHR-SNAP-05", tooth="the page's other words, which are told, and the secrets in the browser")
def test_a_frame_does_not_repeat_a_secret_of_the_page_around_it_or_of_one_beside_it(chrome: Chrome) -> None:
    """Frames of one origin are one page."""
    repeats = "<p>You typed canary-around and canary-beside</p><button title=canary-around>Inner</button>"
    chrome.pages.put("/repeats", f"{repeats}<iframe src=/deeper></iframe>")
    chrome.pages.put("/deeper", "<p>Deeper: canary-around</p>")
    chrome.pages.put("/beside", "<input type=password value=canary-beside>")
    page = """<input type=password value=canary-around><iframe src=/repeats></iframe><iframe src=/beside></iframe>
      <p>Around: canary-beside</p><p>open words</p>"""
    session, tab = chrome.tab(chrome.pages.put("/around", page))
    before = len(chrome.connection.seen)
    seen = chrome.snapshot(tab)
    said = chrome.connection.seen[before:].decode()
    assert re.search("canary-(around|beside)", said) is None
    assert "open words" in said
    texts = [name for name in seen.names("text") if "[redacted]" in name]
    assert sorted(texts) == ["Around: [redacted]", "Deeper: [redacted]", "You typed [redacted] and [redacted]"]
    assert chrome.js(session, "frames[0].document.body.innerText.includes('canary-around')") is True


@pytest.mark.claim("CHR-SNAP-05", tooth="the same page while the frame's site is not allowed, which repeats it")
def test_a_frame_of_another_site_does_not_repeat_a_secret_and_nothing_repeats_one_of_it(own: Chrome) -> None:
    """Neither can look into the other, also where both were read. Of a frame that may not be read nobody can know."""
    own.grant("http://a.test/*")
    frame = """<input type=password value=canary-inside><p>You typed canary-outside</p>
      <button title=canary-outside>Inner</button><iframe sandbox srcdoc='<p>Deeper: canary-inside</p>'></iframe>"""
    own.pages.put("/frame", frame)
    page = f"""<title>Of canary-inside</title><input type=password value=canary-outside>
      <p>Outer: canary-inside</p><p>open words</p><a href=/x?p=canary-inside>Go</a>
      <iframe src={own.pages.url("/frame", "b.test")}></iframe>
      <script>history.replaceState(0, "", "/outer?p=canary-inside")</script>"""
    session, tab = own.tab(own.pages.put("/outer", page))
    denied = own.snapshot(tab)
    assert denied.result["target"]["title"] == "Of canary-inside"
    own.grant("http://b.test/*")
    before = len(own.connection.seen)
    (row,) = [each for each in own.connection.ask("list_targets")["targets"] if each["tab_id"] == tab]
    chosen = own.connection.ask("select_target", tab_id=tab)["target"]
    seen = own.snapshot(tab)
    said = own.connection.seen[before:].decode()
    assert re.search("canary-(in|out)side", said) is None
    assert {each["title"] for each in (row, chosen, seen.result["target"])} == {"Of [redacted]"}
    texts = [name for name in seen.names("text") if ":" in name or "typed" in name]
    assert sorted(texts) == ["Deeper: [redacted]", "Outer: [redacted]", "You typed [redacted]"]
    assert "open words" in said
    assert seen.find("button", "Inner")["description"] == "[redacted]"
    assert own.js(session, "document.title") == "Of canary-inside"


@pytest.mark.claim("CHR-SNAP-05", "CHR-PERM-05", tooth="the same tab once its site is allowed, which is called by it")
def test_a_tab_that_is_not_allowed_leaves_no_word(own: Chrome) -> None:
    """Its title and address say a secret that nothing but the tab itself could take out."""
    own.grant("http://a.test/*")
    page = "<title>Of canary-title</title><input type=password value=canary-value><p>canary-text</p>"
    _, hidden = own.tab_with(own.pages.url(own.pages.put("/canary-path", page), "b.test"))
    opener = f"<title>Open</title><iframe src={own.pages.url('/canary-path', 'b.test')}></iframe><button>Here</button>"
    session, tab = own.tab(own.pages.put("/open", opener))
    own.connection.ask("list_targets")
    assert own.connection.refused("select_target", title="Of canary-title").reason == "tab_not_found"
    for verb in ("snapshot", "select_target"):
        assert own.connection.refused(verb, tab_id=hidden).reason == "site_permission_required"
    here = own.snapshot(tab).ref_of("button", "Here")
    away = f"() => {{ location = {json.dumps(own.pages.url('/canary-path', 'b.test'))} }}"
    own.js(session, f"void document.querySelector('button').addEventListener('click', {away})")
    own.connection.finish_any(own.connection.begin("activate", ref=here))
    own.go(session, own.pages.url("/canary-path", "b.test"))
    assert own.connection.refused("snapshot", tab_id=tab).reason == "site_permission_required"
    own.connection.ask("list_targets")
    own.connection.ask("status")
    assert b"canary" not in own.connection.seen
    own.grant("http://b.test/*")
    rows = [each for each in own.connection.ask("list_targets")["targets"] if each["tab_id"] == hidden]
    assert [each["title"] for each in rows] == ["Of canary-title"]


@pytest.mark.claim("CHR-SNAP-05", tooth="the same tab after its dialog, whose title is told")
def test_of_a_page_that_does_not_answer_no_title_is_told(chrome: Chrome) -> None:
    session, tab = chrome.tab(chrome.pages.put("/silent", "<title>Silent</title><input type=password value=Silent>"))
    _, other = chrome.tab(chrome.pages.put("/other", "<title>Other</title>"))
    pending = chrome.browser.begin(session, "alert('Silent')")
    chrome.browser.wait(lambda event: event["method"] == "Page.javascriptDialogOpening", "a dialog")
    rows = {each["tab_id"]: each for each in chrome.connection.ask("list_targets")["targets"]}
    assert (rows[tab]["state"], rows[tab]["reason"], "title" in rows[tab], "url" in rows[tab]) == (
        "enabled", "timed_out", False, False,
    )  # fmt: skip
    assert rows[other]["title"] == "Other"
    silent = chrome.connection.ask("select_target", tab_id=tab)["target"]
    assert (silent["title"], silent["url"]) == ("", f"http://a.test:{chrome.pages.port}/")
    chrome.browser.call("Page.handleJavaScriptDialog", {"accept": True}, session)
    chrome.browser.value(pending)
    assert chrome.connection.ask("select_target", tab_id=tab)["target"]["title"] == "[redacted]"


def buttons(count: int) -> str:
    return "<!doctype html><title>Many</title>" + "".join(f"<button>b{number}</button>" for number in range(count))


@pytest.mark.claim("CHR-SNAP-04", tooth="one node, level, letter or byte more than the bound")
def test_bounds_of_nodes_depth_and_text(chrome: Chrome) -> None:
    hello = chrome.connection.hello["bounds"]
    assert hello == BOUNDS
    pages = {
        "nodes": (buttons(hello["nodes"]), buttons(hello["nodes"] + 1)),
        "depth": tuple(f"{'<div>' * levels}<p>x</p>" for levels in (hello["depth"] - 1, hello["depth"])),
        "text": tuple(f"<p>{'x' * letters}</p>" for letters in (hello["text"], hello["text"] + 1)),
    }
    for bound, (at, over) in pages.items():
        for page, coverage in ((at, "complete"), (over, "truncated")):
            _, tab = chrome.tab(chrome.pages.put(f"/{bound}-{coverage}", page))
            result = chrome.connection.ask("snapshot", tab_id=tab, deadline_ms=30_000)
            assert result["coverage"] == coverage, bound
            wanted = [] if coverage == "complete" else [{"reason": "bound", "bound": bound, "frame_id": 0}]
            assert result["reasons"] == wanted
            assert len(result["nodes"]) <= hello["nodes"]


@pytest.mark.claim("CHR-SNAP-04", tooth="one byte more than the bound")
def test_bound_of_bytes(chrome: Chrome) -> None:
    """Texts of a page are made so long that its nodes come to the bound exactly, then to one byte more."""
    page = "<!doctype html>" + "".join(f"<p id=p{number}>{'é' * 490}</p>" for number in range(1700))
    session, tab = chrome.tab(chrome.pages.put("/bytes", page))

    def size() -> int:
        result = chrome.connection.ask("snapshot", tab_id=tab, deadline_ms=30_000)
        assert result["coverage"] == "complete"
        return len(json.dumps(result["nodes"], ensure_ascii=False, separators=(",", ":")).encode())

    missing = BOUNDS["bytes"] - size()
    chrome.js(
        session,
        f"""let left = {missing - 40};
      for (const each of document.querySelectorAll("p")) {{
        const more = Math.min(left, 300); each.textContent += "x".repeat(more); left -= more; if (!left) break }}""",
    )
    rest = BOUNDS["bytes"] - size()
    assert 0 <= rest < 200
    chrome.js(session, f"void (document.getElementById('p1690').textContent += 'x'.repeat({rest}))")
    assert size() == BOUNDS["bytes"]
    chrome.js(session, "void (document.getElementById('p1690').textContent += 'x')")
    result = chrome.connection.ask("snapshot", tab_id=tab, deadline_ms=30_000)
    assert (result["coverage"], result["reasons"][0]["bound"]) == ("truncated", "bytes")


@pytest.mark.claim("CHR-SNAP-04", tooth="a page of ten thousand controls")
def test_ten_thousand_controls_are_cut_and_said_to_be(chrome: Chrome) -> None:
    _, tab = chrome.tab(chrome.pages.put("/10000", buttons(10_000)))
    before = len(chrome.connection.seen)
    result = chrome.connection.ask("snapshot", tab_id=tab, deadline_ms=30_000)
    assert result["coverage"] == "truncated"
    assert len(result["nodes"]) == BOUNDS["nodes"]
    assert len(chrome.connection.seen) - before <= BOUNDS["message_bytes"]


HOSTILE = html("snapshots-hostile")


@pytest.mark.claim("CHR-SEC-01", tooth="names that hide the DOM's own, and changed prototypes")
def test_a_page_that_hides_the_dom_is_read_all_the_same(chrome: Chrome) -> None:
    session = chrome.show(chrome.pages.url(chrome.pages.put("/hostile", HOSTILE)))
    listed = chrome.connection.ask("list_targets")["targets"]
    (tab,) = [each["tab_id"] for each in listed if each.get("url", "").endswith("/hostile")]
    seen = chrome.snapshot(tab)
    assert seen.names("textbox") == list("ABCDEFG")
    done = chrome.connection.ask("set_value", ref=seen.ref_of("textbox", "B"), value="b")
    assert done["value_taken"] is True
    assert chrome.js(session, "document.forms.f.elements[1].value") == "b"
