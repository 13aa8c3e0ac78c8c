"""The page program on real WebKit: what it offers, what its guards notice, what it does, and what it writes down."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from fakes.engines.webkit import WebKit
from tests.stack.safari_jxa.webkit_page import RealPage, found

pytestmark = [pytest.mark.engine("webkit"), pytest.mark.engine("xvfb")]

SHOP = """<!doctype html><title>Shop</title><meta charset=utf-8><body>
<form id=form><label>Name <input id=name></label><label>Mail <input id=mail type=email maxlength=20></label>
<input id=fixed aria-label=Fixed readonly value=x><input id=age type=number aria-label=Age></form>
<form id=other><input id=code aria-label=Code></form>
<input id=secret type=password aria-label=Password value=s3kr1t><input type=file aria-label=Papers>
<input id=pin aria-label=Pin autocomplete=one-time-code value=778899><input type=hidden value=h>
<select id=sort aria-label=Sort><option value=b>Best<option value=c>Cheap<option disabled>None</select>
<select id=tags aria-label=Tags multiple><option value=a>A<option value=b selected>B</select>
<ul><li>Tea <b id=price>10</b> <button id=buy type=button>Buy</button></li></ul>
<button id=gone style="display:none">Gone</button><button style="visibility:hidden">Unseen</button>
<button disabled>Off</button><fieldset disabled><button>Off too</button></fieldset>
<div inert><button>Inert</button></div>
<a id=link href="#there">Link</a><div id=pad role=button tabindex=0>Pad</div>
<input id=check type=checkbox aria-label=Check><div id=note contenteditable aria-label=Note role=textbox>old</div>
<label id=fancy><input type=checkbox style="display:none" id=inner>Fancy</label>
<p id=banner>no news</p><p id=emoji>\U0001f600 \u2028 \u00e9</p><div id=tall style="height:3000px"></div>
<button id=low>Low</button>
<script>
window.heard = [];
for (const name of ["pointerdown", "mousedown", "mouseup", "click", "input", "change"])
  document.addEventListener(name, (e) => heard.push([name, e.target.id, e.isTrusted]), true);
document.getElementById("buy").addEventListener("click", () => { document.title = "bought" });
document.getElementById("pad").addEventListener("click", (e) => { if (e.isTrusted) document.title = "trusted" });
class Card extends HTMLElement { connectedCallback() {
  this.attachShadow({mode: "open"}).innerHTML = "<button>Shadow</button>" } }
customElements.define("x-card", Card); document.body.prepend(document.createElement("x-card"));
</script>"""
BARE = "<!doctype html><title>Bare</title>"


@pytest.fixture(scope="module")
def engine() -> Iterator[WebKit]:
    pages: dict[str, Any] = {"http://shop.test/": {"body": SHOP}, "http://shop.test/bare": {"body": BARE}}
    made = WebKit(pages)
    made.start()
    yield made
    made.close()


@pytest.fixture(scope="module")
def window(engine: WebKit) -> RealPage:
    return RealPage(engine, "http://shop.test/")


@pytest.fixture
def page(window: RealPage) -> RealPage:
    """A document of its own in one window."""
    window.engine.go(window.handle, "http://shop.test/bare")
    window.engine.go(window.handle, "http://shop.test/")
    return window


def value(page: RealPage, name: str) -> Any:
    return page.script("return document.getElementById(arguments[0]).value", name)


def heard(page: RealPage) -> list[Any]:
    said = page.script("return window.heard")
    assert isinstance(said, list)
    return said


# What is offered


@pytest.mark.claim("JXA-OBS-02", "JXA-OBS-03", "JXA-OBS-04", tooth="controls that are hidden, disabled or secret")
def test_what_may_be_acted_on_is_offered_and_nothing_else(page: RealPage) -> None:
    seen = page.observe()
    offered = [(action["label"], action["kind"]) for action in seen["actions"]]
    assert offered == [
        ("Shadow", "click"), ("Name", "fill"), ("Name", "click"), ("Mail", "fill"), ("Mail", "click"),
        ("Age", "fill"), ("Age", "click"), ("Code", "fill"), ("Code", "click"), ("Sort: Best", "select"),
        ("Sort: Cheap", "select"), ("Tags: A", "select"), ("Tags: B", "select"), ("Buy", "click"), ("Link", "click"),
        ("Pad", "click"), ("Check", "click"), ("Note", "fill"), ("Note", "click"), ("Fancy", "click"),
        ("Scroll down", "scroll"), ("Wait for the page to update", "wait"),
    ]  # fmt: skip
    assert [action["id"] for action in seen["actions"]][:3] == ["e1", "e2", "e3"]
    buy = found(seen, "Buy")
    assert (buy["role"], buy["value"], set(buy["rect"])) == ("button", "", {"x", "y", "w", "h"})
    assert found(seen, "Sort: Cheap", "select")["option"] == 1
    assert found(seen, "Check")["value"] == "false"
    assert found(seen, "Note", "fill")["value"] == "old"
    nodes = {action["node"] for action in seen["actions"] if "node" in action}
    assert {str(node) for node in nodes} == set(seen["guards"])


@pytest.mark.claim("JXA-OBS-03", tooth="values of controls that nobody may read")
def test_secret_values_never_appear(page: RealPage) -> None:
    page.script("document.getElementById('secret').type = 'password'")
    for kind in ("password", "text"):  # a page that shows what was typed does not make it less secret
        page.observe()
        page.script("document.getElementById('secret').type = arguments[0]", kind)
        seen = page.observe()
        assert "s3kr1t" not in json.dumps(seen) and "778899" not in json.dumps(seen)
        assert not [action for action in seen["actions"] if action["label"] in ("Password", "Pin", "Papers")]


@pytest.mark.claim("JXA-BRG-07", tooth="characters that JavaScript or JSON treat specially")
def test_any_text_comes_back(page: RealPage) -> None:
    page.script("document.getElementById('emoji').textContent = 'a\\ud800b \\u{1f600} \\u2028 <\\/script>'")
    assert "a\ufffdb \U0001f600 </script>" in page.observe()["text"]


@pytest.mark.claim("JXA-OBS-01", tooth="a page with more text than fits")
def test_the_text_ends_at_6000_characters(page: RealPage) -> None:
    page.script("document.getElementById('banner').textContent = 'x'.repeat(9000)")
    assert len(page.observe()["text"]) == 6000


def test_a_page_without_a_body_is_observed(engine: WebKit) -> None:
    bare = RealPage(engine, "http://shop.test/bare")
    bare.script("document.body.remove()")
    assert (bare.observe()["text"], [a["id"] for a in bare.observe()["actions"]]) == ("", ["wait"])
    bare.close()


def test_what_is_over_the_bound_is_counted(page: RealPage) -> None:
    page.script("document.body.innerHTML = '<button style=\"position:absolute;top:0\">B</button>'.repeat(503)")
    seen = page.observe()
    assert (len([a for a in seen["actions"] if a["kind"] == "click"]), seen["left_out"]) == (500, 3)


def test_numbers_of_elements_stay(page: RealPage) -> None:
    one = found(page.observe(), "Buy")["node"]
    page.script("document.body.prepend(document.createElement('button'))")
    seen = page.observe()
    assert found(seen, "Buy")["node"] == one
    assert found(seen, "")["node"] > one


# What the guards notice


MOVES: list[tuple[str, str, str | None]] = [
    ("document.getElementById('buy').textContent = 'Sold out'", "Buy", "target"),
    ("document.getElementById('buy').setAttribute('aria-pressed', 'true')", "Buy", "target"),
    ("document.getElementById('buy').disabled = true", "Buy", "target"),
    ("document.getElementById('price').textContent = '99'", "Buy", "around"),
    ("document.getElementById('secret').value += 'x'", "Buy", None),
    ("document.getElementById('secret').value = ''", "Buy", "field"),
    ("document.getElementById('check').checked = true", "Buy", "field"),
    ("document.getElementById('mail').value = 'a@b'", "Name", "field"),
    ("document.getElementById('code').value = '1'", "Name", None),
    ("document.getElementById('name').value = 'x'", "Name", "target"),
    ("history.pushState(null, '', '/cart')", "Buy", "route"),
    ("history.pushState(null, '', '/?itinerary=1#x')", "Buy", None),
    ("document.getElementById('banner').textContent = 'news'", "Buy", None),
    ("document.getElementById('banner').textContent = 'news'", "Name", None),
    ("document.title = 'another'", "Name", None),
    ("document.getElementById('banner').textContent = 'news'", "Scroll down", "around"),
    ("document.title = 'another'", "Scroll down", "around"),
    ("scrollTo(0, 5)", "Scroll down", "around"),
    ("document.getElementById('name').value = 'x'", "Scroll down", "field"),
    ("document.getElementById('sort').options[1].textContent = 'Dear'", "Sort: Best", "target"),
]


@pytest.mark.parametrize(("move", "label", "part"), MOVES)
@pytest.mark.claim("JXA-ACT-02", "JXA-ACT-03", "JXA-ACT-04", "JXA-ACT-07", tooth="each way in which a page moves")
def test_a_page_that_moved_is_noticed_and_one_that_moved_elsewhere_is_not(
    page: RealPage, move: str, label: str, part: str | None
) -> None:
    seen = page.observe()
    kind = {"Name": "fill", "Scroll down": "scroll", "Sort: Best": "select"}.get(label, "click")
    action = found(seen, label, kind)
    page.script(move)
    text = "x" if kind == "fill" else None
    asked, done = page.fresh(seen, action), page.act(seen, action, text)
    if part is None:
        assert asked == {"status": "ok"}
        assert (done["status"], page.came) == ("finished", None)
    else:
        assert asked == done == {"status": "refused", "part": part}
        assert page.came == page.observe()  # what it shows now came with the refusal


def test_a_window_of_another_size_is_noticed(page: RealPage) -> None:
    seen = page.observe()
    request = page.request(seen, found(seen, "Buy"))
    request["guard"]["viewport"] = "1x1"
    assert page.ask("act", nonce="n", **request) == {"status": "refused", "part": "viewport"}


@pytest.mark.parametrize("epoch", ["e2", ""])
@pytest.mark.claim("JXA-SCP-01", tooth="another document")
def test_in_another_document_nothing_is_touched(page: RealPage, epoch: str) -> None:
    seen = page.observe()
    request = page.request(seen, found(seen, "Buy"))
    for op in ("act", "fresh", "resolve"):
        assert page.ask(op, epoch, nonce="n", **request) == {"status": "document"}
    assert page.ask("observe", epoch, rebind=None) == {"status": "document"}
    assert page.ask("resolve", nonce="n") == {"status": "ok", "phase": "void"}
    page.engine.reload(page.handle)
    assert page.ask("act", nonce="m", **request) == {"status": "document"}
    assert page.script("return Object.getOwnPropertySymbols(document).length") == 0
    assert heard(page) == []


def test_a_document_is_bound_once_and_rebound_where_it_may_be(page: RealPage) -> None:
    assert page.ask("bind")["epoch"] == "e1"
    assert page.ask("bind", "e2")["epoch"] == "e1"
    page.engine.reload(page.handle)
    seen = page.ask("observe", rebind="e3")
    assert (seen["epoch"], seen["rebound"]) == ("e3", True)
    assert page.ask("observe", "e3", rebind="e4")["rebound"] is False


# What stops an action


@pytest.mark.parametrize(
    ("change", "label", "reason"),
    [
        ("document.getElementById('buy').remove()", "Buy", "gone"),
        ("document.getElementById('buy').outerHTML = document.getElementById('buy').outerHTML", "Buy", "gone"),
        ("document.getElementById('buy').style.visibility = 'hidden'", "Buy", "read_only"),
        ("scrollTo(0, 2000)", "Buy", "out_of_view"),
        ("const d = document.createElement('div'); d.style.cssText = 'position:fixed;inset:0'; document.body.append(d)",
         "Buy", "covered"),
        ("document.getElementById('buy').style.pointerEvents = 'none'", "Buy", "covered"),
        ("document.getElementById('name').type = 'password'", "Name", "forbidden"),
        ("document.getElementById('name').setAttribute('autocomplete', 'new-password')", "Name", "forbidden"),
    ],
)  # fmt: skip
@pytest.mark.claim("JXA-ACT-05", "JXA-OBS-04", tooth="each thing that stops an action")
def test_what_stops_an_action_is_said(page: RealPage, change: str, label: str, reason: str) -> None:
    seen = page.observe()
    page.script(change)
    action = found(seen, label, "fill" if label == "Name" else "click")
    done = page.act(seen, action, "x" if label == "Name" else None)
    if reason == "forbidden":  # its value does not count any more, which is noticed first
        assert done in ({"status": "refused", "reason": reason}, {"status": "refused", "part": "target"})
    else:
        assert done == {"status": "refused", "reason": reason}
    assert heard(page) == []


@pytest.mark.claim("JXA-ACT-05", tooth="something that lies over it")
def test_a_select_is_driven_by_its_value_and_not_hit_tested(page: RealPage) -> None:
    seen = page.observe()
    page.script(
        "const d = document.createElement('div'); d.style.cssText = 'position:fixed;inset:0'; document.body.append(d)"
    )
    assert page.act(seen, found(seen, "Sort: Cheap", "select")) == {"status": "finished", "changed": True}
    assert value(page, "sort") == "c"
    assert heard(page) == [["input", "sort", False], ["change", "sort", False]]
    again = page.observe()
    assert page.act(again, found(again, "Tags: A", "select"))["status"] == "finished"
    assert page.script("return Array.from(document.getElementById('tags').selectedOptions, (o) => o.value)") == [
        "a",
        "b",
    ]


@pytest.mark.parametrize(
    ("label", "text", "status"),
    [
        ("Mail", "x" * 21, {"status": "refused", "reason": "rejected"}),
        ("Mail", "x" * 20, {"status": "finished", "changed": True}),
        ("Age", "old", {"status": "refused", "reason": "rejected"}),
        ("Age", "42", {"status": "finished", "changed": True}),
        ("Name", "two\nlines", {"status": "refused", "reason": "rejected"}),
    ],
)
def test_a_text_that_a_field_does_not_take_is_not_filled_in(page: RealPage, label: str, text: str, status: Any) -> None:
    seen = page.observe()
    assert page.act(seen, found(seen, label, "fill"), text) == status
    assert value(page, label.lower()) == (text if status["status"] == "finished" else "")


@pytest.mark.parametrize(
    "change", [{"kind": "upload"}, {"kind": None}, {"kind": "select"}, {"node": 999}, {"node": None}]
)
@pytest.mark.claim("JXA-OBS-04", tooth="actions that were never offered")
def test_a_forged_action_has_no_effect(page: RealPage, change: dict[str, Any]) -> None:
    seen = page.observe()
    request = page.request(seen, found(seen, "Buy"))
    request["action"] |= change
    assert page.ask("act", nonce="n", **request)["status"] in ("invalid", "refused")
    assert heard(page) == []


def test_a_request_that_is_none_is_answered(page: RealPage) -> None:
    page.observe()
    assert page.ask("constructor")["status"] == "invalid"
    assert page.ask("act", nonce="n")["status"] == "failed"


# What is done


@pytest.mark.claim("JXA-ACT-08", tooth="a page that heeds real clicks alone")
def test_actions_are_synthetic_and_a_page_may_ignore_them(page: RealPage) -> None:
    seen = page.observe()
    assert page.act(seen, found(seen, "Pad")) == {"status": "finished", "changed": False}
    assert page.act(seen, found(seen, "Buy")) == {"status": "finished", "changed": True}
    assert page.script("return document.title") == "bought"
    assert {trusted for _, _, trusted in heard(page)} == {False}
    assert [name for name, target, _ in heard(page) if target == "buy"] == [
        "pointerdown",
        "mousedown",
        "mouseup",
        "click",
    ]


@pytest.mark.parametrize("text", ["Lisbon", "", '"});alert(1);({ \u2028 \U0001f600'])
@pytest.mark.claim("JXA-BRG-04", "JXA-BRG-07", tooth="a text that looks like a program")
def test_a_fill_writes_its_text(page: RealPage, text: str) -> None:
    page.script("document.getElementById('name').value = 'old'")
    seen = page.observe()
    assert page.act(seen, found(seen, "Name", "fill"), text)["status"] == "finished"
    assert value(page, "name") == text
    assert [event for event in heard(page) if event[0] in ("input", "change")] == [
        ["input", "name", False],
        ["change", "name", False],
    ]
    again = page.observe()
    assert page.act(again, found(again, "Note", "fill"), text)["status"] == "finished"
    assert page.script("return document.getElementById('note').textContent") == text


def test_clicks_do_what_controls_do(page: RealPage) -> None:
    for label, script in (
        ("Check", "return document.getElementById('check').checked"),
        ("Fancy", "return document.getElementById('inner').checked"),
        ("Link", "return location.hash === '#there'"),
    ):
        seen = page.observe()
        assert page.act(seen, found(seen, label))["status"] == "finished"
        assert page.script(script) is True


def test_scrolling_goes_down_and_up(page: RealPage) -> None:
    seen = page.observe()
    assert page.act(seen, found(seen, "Scroll down", "scroll")) == {"status": "finished", "changed": True}
    down = page.observe()
    assert down["scroll"]["y"] > 0
    assert page.act(down, found(down, "Scroll up", "scroll"))["status"] == "finished"
    assert page.observe()["scroll"]["y"] == 0


# What is written down


@pytest.mark.claim("JXA-DLV-01", "JXA-DLV-02", "JXA-DLV-05", tooth="a request that comes twice, or too late")
def test_each_phase_is_read_back_and_a_nonce_runs_once(page: RealPage) -> None:
    seen = page.observe()
    buy = found(seen, "Buy")
    assert page.act(seen, buy, nonce="done") == {"status": "finished", "changed": True}
    assert page.act(seen, buy, nonce="done") == {"status": "repeated", "phase": "finished", "changed": True}
    assert page.ask("resolve", nonce="done") == {"status": "ok", "phase": "finished", "changed": True}
    assert len([event for event in heard(page) if event[0] == "click"]) == 1
    assert page.ask("resolve", nonce="late") == {"status": "ok", "phase": "void"}
    assert page.act(page.observe(), buy, nonce="late") == {"status": "void"}
    page.script("document.getElementById('buy').textContent = 'Sold out'")
    assert page.act(seen, buy, nonce="stale")["part"] == "target"
    assert page.ask("resolve", nonce="stale") == {"status": "ok", "phase": "refused", "part": "target"}
    assert len([event for event in heard(page) if event[0] == "click"]) == 1


def test_an_action_that_threw_has_only_started(page: RealPage) -> None:
    seen = page.observe()
    page.script("HTMLElement.prototype.focus = () => { throw new Error('no') }")
    assert page.act(seen, found(seen, "Name", "fill"), "x", nonce="n") == {"status": "failed", "message": "Error: no"}
    assert page.ask("resolve", nonce="n") == {"status": "ok", "phase": "started"}


@pytest.mark.claim("JXA-DLV-02", "JXA-DLV-05", tooth="records of which the oldest are forgotten")
def test_no_nonce_is_forgotten_while_its_document_lives(page: RealPage) -> None:
    seen = page.observe()
    link = found(seen, "Link")
    page.ask("resolve", nonce="void")
    first = page.act(seen, link, nonce="first")
    page.script("location.hash = ''")
    for number in range(70):
        page.act(seen, link, nonce=f"x{number}")
    assert page.act(seen, link, nonce="void") == {"status": "void"}
    assert first["status"] == "finished"
    assert page.act(seen, link, nonce="first") == {"status": "repeated", "phase": "finished", "changed": True}
    assert page.ask("resolve", nonce="first") == {"status": "ok", "phase": "finished", "changed": True}
