"""Every reason of the registry, reached by a server of the stack through its own host in a real Chromium."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from stack import chrome as stack
from stack.chrome import ipc
from stack.chrome.bridge import Bridge, BridgeError, connect
from stack.chrome.endpoint import endpoints
from stack.chrome.reasons import REASONS
from tests.stack.chrome.browser.chrome import Chrome
from tests.stack.chrome.browser.hosts import server
from tests.stack.chrome.browser.pages import html
from tests.stack.chrome.browser.test_hosts import Nobody
from tests.stack.chrome.browser.test_messages import ASK_MS, connected, hosted

pytestmark = pytest.mark.engine("chromium", stands_for=("browser", "extension", "page"))
PAGE = """<!doctype html><title>Reasons</title><p>Text</p><button>Idle</button>
<button onclick="this.append(1)">Works</button><iframe src="OTHER"></iframe>"""
BUSY = "{ const end = Date.now() + 2500; while (Date.now() < end); }"


async def refused(asking: Any) -> str:
    """The reason of what is refused; `done` where nothing is."""
    try:
        await asking
    except BridgeError as error:
        return error.reason
    return "done"


class Asker:
    """One server, what is in the browser, and what it is told."""

    def __init__(self, chrome: Chrome, profile: Path) -> None:
        self.chrome = chrome
        self.profile = profile
        self.told: dict[str, str] = {}
        self.bridge: Bridge

    async def ask(self, verb: str, ask_ms: int = ASK_MS, **params: Any) -> str:
        return await refused(self.bridge.request(verb, params, ask_ms))

    async def shown(self, tab: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """(a snapshot, name of a node -> the reference to it)."""
        seen = dict(await self.bridge.request("snapshot", {"tab_id": tab}, ASK_MS))
        frames = {each["frame_id"]: each["ref"] for each in seen["frames"] if each["read"]}
        return seen, {node["name"]: {**frames[node["frame_id"]], "node": node["id"]} for node in seen["nodes"]}

    async def targets(self) -> None:
        """What may not be seen, and what is not there."""
        pages, show = self.chrome.pages, self.chrome.tab_with
        pages.put("/twin", "<title>Twin</title>")
        _, forbidden = show(pages.url("/twin", "b.test"))
        _, own = show("chrome://version")
        _, data = show("data:text/html,<title>x</title>")
        session, gone = show(pages.url("/twin"))
        show(pages.url("/twin"))
        self.told["site_permission_required"] = await self.ask("snapshot", tab_id=forbidden)
        self.told["restricted_page"] = await self.ask("snapshot", tab_id=own)
        self.told["unsupported_scheme"] = await self.ask("snapshot", tab_id=data)
        self.told["ambiguous_target"] = await self.ask("select_target", title="Twin")
        self.told["tab_not_found"] = await self.ask("snapshot", tab_id=99_999_999)
        self.told["invalid_message"] = await self.ask("snapshot", tab_id=gone, code="1")
        self.chrome.browser.call("Inspector.enable", session=session)
        self.chrome.browser.send("Page.crash", session=session)
        self.chrome.browser.wait(lambda event: event["method"] == "Inspector.targetCrashed", "a crash")
        self.told["frame_not_accessible"] = await self.ask("snapshot", tab_id=gone)

    async def actions(self) -> None:
        """What can't be done, and of what nothing is seen."""
        chrome = self.chrome
        page = PAGE.replace("OTHER", chrome.pages.url("/twin", "b.test"))
        session, tab = chrome.tab(chrome.pages.put("/reasons", page))
        seen, refs = await self.shown(tab)
        assert (seen["coverage"], seen["reasons"][0]["reason"]) == ("partial", "site_permission_required")
        self.told["not_actionable"] = await self.ask("activate", ref=refs["Text"])
        self.told["no_observed_effect"] = await self.ask("activate", ref=refs["Idle"])
        assert await self.ask("activate", ref=refs["Works"]) == "done"
        busy = chrome.browser.begin(session, BUSY)
        self.told["timed_out"] = await self.ask("activate", 300, ref=refs["Idle"])
        with anyio.move_on_after(0.3):
            self.told["cancelled"] = await self.ask("snapshot", tab_id=tab)
        chrome.browser.value(busy)
        _, trusted = chrome.tab(chrome.pages.put("/trusted", html("actions-trusted")))
        _, there = await self.shown(trusted)
        self.told["needs_trusted_input"] = await self.ask("activate", ref=there["Play"])
        inside = "func: () => void (globalThis.trailcamAgent = { run: () => undefined })"
        done = f"chrome.scripting.executeScript({{ target: {{ tabId: {tab} }}, {inside} }}).then(() => 1)"
        chrome.js(chrome.window(), done)
        self.told["no_result"] = await self.ask("snapshot", tab_id=tab)
        chrome.go(session, chrome.pages.url("/twin"))
        self.told["stale_snapshot"] = await self.ask("activate", ref=refs["Works"])

    async def servers(self) -> None:
        """Who may not ask."""
        host = server(self.profile)
        (endpoint,) = endpoints(host)
        other = replace(endpoint, token="0" * len(endpoint.token))
        self.told["unauthorised"] = await refused(connect(host, other, "2" * 32, lambda event, data: None))
        async with connected(self.profile, "2" * 32) as second:
            self.told["claim_held"] = await refused(second.request("status", {}, ASK_MS))
        hello: Any = ipc.hello(endpoint.token, "3" * 32)
        hello["protocol"] = {"min": 98, "max": 99}
        async with await host.dial(endpoint.address) as stream:
            await stream.send(ipc.line(hello))
            self.told["protocol_mismatch"] = json.loads(await stream.receive())["reason"]

    async def ends(self) -> None:
        """What is not there any more, or never was."""
        self.chrome.browser.kill()
        with anyio.fail_after(20):
            while (reason := await self.ask("status")) == "done":
                continue
        self.told["bridge_disconnected"] = reason
        for browsers, reason in ((("chromium",), "extension_not_installed"), ((), "native_host_not_registered")):
            settings = stack.Settings(registered=partial(tuple, browsers))
            async with stack.open(server(self.profile), settings) as opened:
                reply = await opened.call("ax_targets", {}, Nobody())
                assert isinstance(reply.structured, dict)
                self.told[reason] = str(reply.structured["reason"])


async def asked(chrome: Chrome, profile: Path) -> dict[str, str]:
    asker = Asker(chrome, profile)
    async with connected(profile) as asker.bridge:
        steps: list[Callable[[], Any]] = [asker.targets, asker.actions, asker.servers, asker.ends]
        for step in steps:
            await step()
    return asker.told


@pytest.mark.claim("CHR-ERR-01", tooth="the same page allowed and the same button that works, which are no failures")
def test_every_reason_of_the_registry_is_reached_in_a_real_browser() -> None:
    with hosted() as (chrome, profile):
        told = anyio.run(asked, chrome, profile)
    assert told == {reason: reason for reason in REASONS}
