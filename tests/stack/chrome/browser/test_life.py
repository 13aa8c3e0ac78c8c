"""The connection's life in a real Chromium: one host, a hello first, and a new attempt after every loss."""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.stack.chrome.browser.bridge import HELLO, PROTOCOL, check
from tests.stack.chrome.browser.chrome import ID, Chrome, running

pytestmark = pytest.mark.engine("chromium", stands_for=("browser", "extension", "page"))
PAGE = "<title>Life</title><button onclick='document.title += 1'>Press</button>"


def kill_worker(chrome: Chrome) -> None:
    """Stop the service worker as the browser does when it is idle."""
    (target,) = [each["targetId"] for each in chrome.browser.targets("service_worker") if ID in each["url"]]
    chrome.browser.call("Target.closeTarget", {"targetId": target})


def wake(chrome: Chrome) -> None:
    """An event that the extension listens to: a tab is shown."""
    chrome.browser.call("Page.bringToFront", session=chrome.show(chrome.pages.url("/none")))


def test_a_killed_worker_comes_back_with_a_new_hello_and_old_references_are_stale(own: Chrome) -> None:
    own.grant("http://a.test/*")
    session, tab = own.tab(own.pages.put("/life", PAGE))
    first = own.connection
    reference = own.snapshot(tab).ref_of("button", "Press")
    kill_worker(own)
    assert first.ended()
    wake(own)
    again = own.greet()
    assert again.hello["instance"] != first.hello["instance"]
    assert again.refused("activate", ref=reference).reason == "stale_snapshot"
    assert again.refused("activate", ref={**reference, "instance": again.hello["instance"]}).reason == "stale_snapshot"
    assert own.js(session, "document.title") == "Life"
    again.ask("activate", ref=own.snapshot(tab).ref_of("button", "Press"))
    assert own.js(session, "document.title") == "Life1"


def test_a_killed_host_is_started_again_without_the_user(own: Chrome) -> None:
    hellos = [own.connection.hello]
    for _ in range(3):
        own.connection.close()
        hellos.append(own.greet().hello)
    assert len({each["instance"] for each in hellos}) == 1
    assert own.connection.ask("status")["instance"] == hellos[0]["instance"]


def test_the_host_ends_with_the_browser(own: Chrome) -> None:
    connection = own.connection
    own.browser.kill()
    assert connection.ended()


WRONG: dict[str, Any] = {
    "another protocol": {**HELLO, "protocol": 2},
    "another type": {"v": 1, "type": "ping", "n": 1},
    "a field more": {**HELLO, "page": "please"},
    "a request first": {
        "v": 1,
        "type": "request",
        "id": "r1",
        "verb": "list_targets",
        "deadline_ms": 1000,
        "params": {},
    },
    "a refusal": {"v": 1, "type": "refused", "reason": "protocol_mismatch", "message": "too old"},
    "no object": "hello",
}


@pytest.mark.claim("CHR-HOST-05", tooth="each of six wrong answers, and then the right one")
def test_nothing_is_said_before_the_right_hello() -> None:
    with running(greet=False) as chrome:
        for name, answer in WRONG.items():
            connection = chrome.bridge.accept()
            check("hello_extension", connection.read())
            connection.send(answer)
            assert connection.read() is None, name
            reason = chrome.js(
                chrome.window(), "chrome.runtime.sendMessage({ask: 'state', tab_id: 1}).then((all) => all)"
            )
            assert reason["ok"] is False or reason["answer"]["reason"] == "protocol_mismatch", name
        chrome.greet()
        assert chrome.connection.ask("status")["version"] == "0.1.0"


@pytest.mark.claim("CHR-HOST-05", tooth="the reason shown where the host was not found at all")
def test_only_the_one_host_name_is_asked_for_and_its_lack_is_told() -> None:
    with running(greet=False) as chrome:
        chrome.greet()
        worker = chrome.worker()
        code = """(async () => { const asked = []; const real = chrome.runtime.connectNative;
          chrome.runtime.connectNative = (name) => { asked.push(name); return real.call(chrome.runtime, name) };
          globalThis.asked = asked; })()"""
        chrome.js(worker, code)
        manifest = os.path.join(chrome.browser.profile, "NativeMessagingHosts", f"{PROTOCOL['host_name']}.json")
        os.rename(manifest, manifest + ".gone")
        chrome.connection.close()
        told = """new Promise((resolve) => { const look = async () => {
          const [tab] = await chrome.tabs.query({active: true});
          const said = await chrome.runtime.sendMessage({ask: 'state', tab_id: tab.id});
          const told = said.answer.reason === 'native_host_not_registered';
          told ? resolve(said.answer.state) : setTimeout(look, 50) }; look() })"""
        assert chrome.js(chrome.window(), told) == "disconnected"
        os.rename(manifest + ".gone", manifest)
        chrome.greet()
        assert set(chrome.js(worker, "asked")) == {PROTOCOL["host_name"]}


@pytest.mark.claim("CHR-PRO-02", tooth="one request that fits, among those that do not")
def test_unknown_verbs_fields_and_code_are_refused(own: Chrome) -> None:
    own.grant("http://a.test/*")
    session, tab = own.tab(own.pages.put("/life", PAGE))
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("snapshot", {"tab_id": tab, "selector": "button"}), ("snapshot", {"tab_id": "1"}), ("snapshot", {}),
        ("activate", {"ref": {"node": "0:1"}}), ("status", {"code": "alert(1)"}), ("set_value", {"value": 1}),
        ("select_target", {"title": 3}), ("list_targets", {"all": True}),
    ]  # fmt: skip
    for verb, params in wrong:
        assert own.connection.refused(verb, **params).reason == "invalid_message", verb
    for message in ({"verb": "evaluate"}, {"code": "1"}, {"deadline_ms": 0}, {"deadline_ms": 70_000}):
        request = {
            "v": 1,
            "type": "request",
            "id": "x1",
            "verb": "status",
            "deadline_ms": 1000,
            "params": {},
            **message,
        }
        own.connection.send(request)
        with pytest.raises(Exception, match="invalid_message"):
            own.connection.finish("x1")
    assert own.connection.ask("status")["version"] == "0.1.0"
    assert own.js(session, "document.title") == "Life"
    own.connection.send({"v": 1, "type": "run", "code": "document.title = 1"})
    assert own.connection.ended()
    own.greet()


def test_a_connection_that_ends_cancels_what_was_under_way(own: Chrome) -> None:
    own.grant("http://a.test/*")
    session, tab = own.tab(own.pages.put("/life", "<button onclick='document.title = 1'>Press</button>"))
    seen = own.snapshot(tab)
    busy = own.browser.begin(session, "{ const end = Date.now() + 800; while (Date.now() < end); }")
    own.connection.begin("snapshot", tab_id=tab)
    own.connection.close()
    own.greet()
    own.browser.value(busy)
    assert own.connection.ask("status")["instance"] == seen.result["target"]["instance"]
    assert own.connection.answers == {}
