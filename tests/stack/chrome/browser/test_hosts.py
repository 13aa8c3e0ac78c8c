"""The stack's own host under a real Chromium: none is left over, whatever ends first, and the whole of it works.

The extension is the package: its zip, unpacked. Restarts are counted in one browser, since each of them costs the start
of an interpreter; the extension waits longer after each host that lasted less than five seconds, so a killed host is
followed by a new worker, which begins anew.
"""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from fakes.fronts.chrome_host import NAME
from fakes.fronts.chrome_native import FORBIDDEN
from stack import chrome as stack
from stack.chrome.bridge import BridgeError, connect
from stack.chrome.endpoint import endpoints
from stack.chrome.process import REFUSED
from stack.chrome.registration import manifest
from tests.stack.chrome.browser.bridge import PROTOCOL
from tests.stack.chrome.browser.chrome import ID, ORIGIN, Chrome, built, running
from tests.stack.chrome.browser.hosts import IGNORES, counted, install, left, server, watched

pytestmark = pytest.mark.engine("chromium", stands_for=("browser", "extension", "page"))
ROUNDS, RESTARTS, HOST_KILLS, BROWSER_KILLS = 20, 5, 1, 10
"""In each of the rounds so many restarts of the worker and so many kills of the host: 100 and 20 in one browser."""
TURNS = 200
"""How often a new host is looked for, 50 ms apart: ten seconds and more."""
HELLO_OF_A_TEST = {
    "v": 1, "type": "hello", "role": "extension", "protocol": {"min": 1, "max": 1}, "version": "0.1.0", "id": ID,
    "instance": "0" * 32, "browser": {"name": "chromium", "version": "1"}, "capabilities": [],
    "bounds": PROTOCOL["bounds"],
}  # fmt: skip
ENDS_S = 2.0
"""The browser kills a host two seconds after the end of its input, so an earlier end is the host's own; on an idle
machine it comes within 50 ms."""
GONE_S = 10.0


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packaged extension, out of its zip."""
    folder = tmp_path_factory.mktemp("packaged")
    with zipfile.ZipFile(io.BytesIO((built() / "trailcam.zip").read_bytes())) as archive:
        archive.extractall(folder)
    return folder


@contextmanager
def hosted(extension: Path, runs: str | None = None) -> Iterator[tuple[Chrome, Path]]:
    """A browser with the package and a real host; with its profile's folder."""
    with running(extension=extension, install=install if runs is None else partial(install, runs=runs)) as chrome:
        yield chrome, Path(chrome.browser.profile)


def kill_worker(chrome: Chrome) -> None:
    (target,) = [each["targetId"] for each in chrome.browser.targets("service_worker") if ID in each["url"]]
    chrome.browser.call("Target.closeTarget", {"targetId": target})


@pytest.fixture(scope="module")
def lasting(unpacked: Path) -> Iterator[tuple[Chrome, Path, set[int]]]:
    """One browser for all rounds, and the hosts that it has had."""
    with hosted(unpacked) as (chrome, profile):
        chrome.connected()
        yield chrome, profile, set()


def the_new(chrome: Chrome, profile: Path, seen: set[int]) -> set[int]:
    """The one host that runs now, which has not been seen before. For a moment after its host has gone the extension
    still says that it is connected, so it is asked again until there is one."""
    hosts: set[int] = set()
    for _ in range(TURNS):
        chrome.connected()
        hosts = counted(profile)
        if hosts:
            break
        chrome.js(chrome.window(), "new Promise((soon) => setTimeout(soon, 50))")
    assert len(hosts) == 1
    assert not hosts & seen
    seen |= hosts
    return hosts


@pytest.mark.claim("CHR-LIFE-01", tooth="a host that ignores the end of its input, which is counted")
@pytest.mark.parametrize("number", range(ROUNDS))
def test_no_host_is_left_after_restarts_of_the_worker_and_kills_of_the_host(
    lasting: tuple[Chrome, Path, set[int]], number: int
) -> None:
    chrome, profile, seen = lasting
    hosts = the_new(chrome, profile, seen) if not seen else counted(profile)
    for restart in range(RESTARTS):
        if restart * HOST_KILLS % RESTARTS == 0:
            with watched(hosts) as handles:
                for pid in hosts:
                    os.kill(pid, signal.SIGKILL)
                assert left(handles, GONE_S) == set()
            hosts = the_new(chrome, profile, seen)
        with watched(hosts) as handles:
            kill_worker(chrome)
            assert left(handles, GONE_S) == set()
        hosts = the_new(chrome, profile, seen)
    assert counted(profile) == hosts


@pytest.mark.claim("CHR-LIFE-01", tooth="a host that ignores the end of its input, which is counted")
@pytest.mark.parametrize("number", range(BROWSER_KILLS))
def test_no_host_is_left_after_a_kill_of_the_browser(unpacked: Path, number: int) -> None:
    with hosted(unpacked) as (chrome, profile):
        chrome.connected()
        hosts = counted(profile)
        assert len(hosts) == 1
        with watched(hosts) as handles:
            chrome.browser.kill()
            assert left(handles, GONE_S) == set()
        assert counted(profile) == set()


def test_a_host_that_ignores_the_end_of_its_input_is_counted(unpacked: Path) -> None:
    with hosted(unpacked, IGNORES) as (chrome, profile):
        chrome.window()
        while not (hosts := counted(profile)):
            chrome.browser.settle()
        with watched(hosts) as handles:
            chrome.browser.kill()
            try:
                assert left(handles, ENDS_S) == hosts
                assert counted(profile) == hosts
            finally:
                for pid in hosts:
                    os.kill(pid, signal.SIGKILL)
            assert left(handles, GONE_S) == set()


PAGE = "<title>Shop</title><button onclick='document.title = `Sold`'>Buy</button><input aria-label=Name>"
EVERY = {
    "activate", "cancel", "focus", "list_targets", "locate", "scroll_into_view", "select_target", "set_value",
    "snapshot", "status",
}  # fmt: skip


async def every_verb(profile: Path, leave: Callable[[], None]) -> tuple[dict[str, Any], list[str], Mapping[str, Any]]:
    """(verb -> result, events that followed, the extension's hello) over the real host; leave: the page goes away."""
    told: list[str] = []
    host = server(profile)
    (endpoint,) = endpoints(host)
    bridge = await connect(host, endpoint, "1" * 32, lambda event, data: told.append(event))
    said: dict[str, Any] = {}
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(bridge.run)

        async def ask(verb: str, **params: Any) -> Any:
            said[verb] = await bridge.request(verb, params, 20_000)
            return said[verb]

        listed = await ask("list_targets")
        (tab,) = [row["tab_id"] for row in listed["targets"] if row.get("title") == "Shop"]
        await ask("status")
        await ask("select_target", tab_id=tab)
        seen = await ask("snapshot", tab_id=tab)
        refs = {node["name"]: {**seen["frames"][0]["ref"], "node": node["id"]} for node in seen["nodes"]}
        await ask("set_value", ref=refs["Name"], value="Ann")
        await ask("focus", ref=refs["Name"])
        await ask("scroll_into_view", ref=refs["Buy"])
        await ask("locate", ref=refs["Buy"])
        await ask("activate", ref=refs["Buy"])
        await ask("cancel", id="r0")
        leave()
        with anyio.fail_after(20):
            while "tab_navigated" not in told:
                await ask("status")
        with pytest.raises(BridgeError, match="stale_snapshot"):
            await bridge.request("activate", {"ref": refs["Buy"]}, 20_000)
        await bridge.aclose()
        tasks.cancel_scope.cancel()
    return said, told, bridge.extension


@pytest.mark.claim("CHR-PRO-01", tooth="the reference of the document that was left, which is refused")
def test_every_verb_and_an_event_pass_the_real_host(unpacked: Path) -> None:
    with hosted(unpacked) as (chrome, profile):
        chrome.connected()
        chrome.grant("http://a.test/*")
        session, _ = chrome.tab(chrome.pages.put("/shop", PAGE))
        other = chrome.pages.url(chrome.pages.put("/other", "<title>Other</title>"))
        said, told, hello = anyio.run(every_verb, profile, lambda: chrome.go(session, other))
        assert said.keys() == EVERY == set(hello["capabilities"])
        assert (said["set_value"]["value"], said["activate"]["effect"]) == ("Ann", ["content"])
        assert said["cancel"] == {"cancelled": False}
        assert "tab_navigated" in told


SAYS_TEXT = """import sys
sys.argv[0] = {folder!r}
print("ready", flush=True)
sys.stdin.read()"""


@pytest.mark.claim("CHR-HOST-01", tooth="a host that writes text to its standard output, which the browser closes")
def test_the_browser_takes_every_message_of_the_host_and_its_diagnostics_are_elsewhere(unpacked: Path) -> None:
    broken = "Error when communicating with the native messaging host"
    for runs, works in ((None, True), (SAYS_TEXT, False)):
        with hosted(unpacked, runs) as (chrome, profile):
            if works:
                chrome.connected()  # a second host looks whether the first is there, which that one tells as odd
            port = """new Promise((resolve) => { const seen = [];
              globalThis.port = chrome.runtime.connectNative('NAME');
              port.onMessage.addListener((message) => { seen.push(message.type); resolve(seen) });
              port.onDisconnect.addListener(() => resolve(chrome.runtime.lastError.message));
              port.postMessage(HELLO); setTimeout(() => resolve('silence'), 15000) })"""
            hello = json.dumps(HELLO_OF_A_TEST)
            seen = chrome.js(chrome.window(), port.replace("NAME", NAME).replace("HELLO", hello))
            assert seen == ["hello"] if works else broken in seen
            log = (profile / "stderr.txt").read_text(encoding="utf-8", errors="replace")
            assert ("trailcam browser-host: a server was refused" in log) is works


@pytest.mark.claim("CHR-HOST-03", tooth="our own extension, which the same registration lets in")
def test_another_extension_does_not_reach_the_host_that_is_registered(unpacked: Path, tmp_path: Path) -> None:
    other = {"manifest_version": 3, "name": "Other", "version": "1", "permissions": ["nativeMessaging"]}
    (tmp_path / "manifest.json").write_text(json.dumps(other))
    (tmp_path / "page.html").write_text("<!doctype html><title>Other</title>")
    with hosted(unpacked) as (chrome, profile):
        folder = profile / "NativeMessagingHosts"
        (registered,) = folder.iterdir()
        registered.write_bytes(manifest(str(profile / "host.sh")))
        chrome.connected()
        hosts = counted(profile)
        id = chrome.load(tmp_path)
        reach = """new Promise((resolve) => { globalThis.port = chrome.runtime.connectNative('NAME');
          port.onMessage.addListener(resolve);
          port.onDisconnect.addListener(() => resolve(chrome.runtime.lastError.message)) })"""
        page = chrome.show(f"chrome-extension://{id}/page.html")
        assert chrome.js(page, reach.replace("NAME", NAME)) == FORBIDDEN
        assert counted(profile) == hosts
        done = subprocess.run(
            [str(profile / "host.sh"), f"chrome-extension://{id}/"], input=b"", capture_output=True, check=False
        )
        assert (done.returncode, b'"reason":"unauthorised"' in done.stdout) == (REFUSED, True)
        assert json.loads(registered.read_text())["allowed_origins"] == [ORIGIN]


class Nobody:
    """A caller who is asked nothing."""

    modes: frozenset[str] = frozenset()

    async def ask(self, question: Any) -> Any:
        raise AssertionError(f"nobody was to be asked: {question}")

    async def tools_changed(self) -> None: ...


async def used(profile: Path) -> dict[str, Any]:
    """What a server of the stack comes to: the tabs, a page where one is called Shop, a value and a press there."""
    said: dict[str, Any] = {}
    async with stack.open(server(profile), stack.Settings()) as opened:

        async def call(name: str, tool: str, /, **arguments: Any) -> Any:
            said[name] = await opened.call(tool, arguments, Nobody())
            return said[name].structured

        said["tools"] = await opened.tools()
        listed = await call("targets", "ax_targets")
        for target in [row["target"] for row in listed["targets"] if row.get("title") == "Shop"]:
            read = await call("read", "ax_read", target=target)
            await call("set", "ax_set_value", snapshot_id=read["snapshot_id"], name="Name", role="textbox", value="Ann")
            await call("press", "ax_activate", snapshot_id=read["snapshot_id"], name="Buy")
        said["status"] = await opened.status()
    return said


@pytest.mark.claim("CHR-PKG-02", "CHR-FALL-03", tooth="the same run before the site was allowed, which does nothing")
def test_the_package_and_the_real_host_pass_a_smoke_run_of_both_together(unpacked: Path) -> None:
    with hosted(unpacked) as (chrome, profile):
        chrome.connected()
        session, _ = chrome.tab(chrome.pages.put("/shop", PAGE))
        assert anyio.run(used, profile).keys() == {"tools", "targets", "status"}
        assert chrome.js(session, "document.title") == "Shop"
        chrome.grant("http://a.test/*")
        said = anyio.run(used, profile)
        assert [said[name].outcome for name in ("targets", "read", "set", "press")] == ["done"] * 4
        assert said["press"].structured["route"] == "chrome_dom"
        assert chrome.js(session, "[document.title, document.querySelector('input').value]") == ["Sold", "Ann"]
        takes = {each for tool in said["tools"] for each in tool.input_schema["properties"]}
        assert takes == {"target", "title", "snapshot_id", "node_id", "name", "role", "value"}
        (connected,) = said["status"]["connected"]
        assert (connected["browser"], connected["extension"]) == ("chromium", "0.1.0")
