"""One real Chromium with the extension, the host that a test speaks for, and pages: what the browser tests stand on."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fakes.engines.chromium import Chromium
from fakes.fronts import chrome_host
from harness.engines import locate, select
from tests.stack.chrome.browser.bridge import PROTOCOL, ROOT, Bridge, Connection
from tests.stack.chrome.browser.pages import Pages

ID: str = PROTOCOL["extension_id"]
ORIGIN = f"chrome-extension://{ID}/"
EXTENSION = ROOT / "stack/chrome/extension"
SOURCE = EXTENSION / "src"
"""What is built."""
TURNS = 40
TOOLS = ROOT / "build/extension-tools/node_modules"


@cache
def built() -> Path:
    """The folder of the extension, built now from the source: what is tested is what is there."""
    node = shutil.which("node")
    if node is None or not TOOLS.is_dir():
        pytest.skip("the extension can't be built: `make extension` installs what it needs")
    goal = Path(tempfile.mkdtemp(prefix="trailcam-extension-"))
    words = [node, str(EXTENSION / "build.js"), str(goal), str(SOURCE)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, timeout=120)
    return goal


def install_host(profile: Path, bridge: Bridge) -> None:
    """Register the host for one profile: trailcam facts, Chromium 156."""
    program = profile / "host.sh"
    program.write_text(chrome_host.script(sys.executable, str(bridge.path)), encoding="ascii")
    program.chmod(0o700)
    folder = profile / "NativeMessagingHosts"
    folder.mkdir(exist_ok=True)
    (folder / f"{chrome_host.NAME}.json").write_text(json.dumps(chrome_host.manifest(str(program), ORIGIN)))


class Chrome:
    """A browser, its one connection, and the pages; short words for what tests do with them."""

    def __init__(self, browser: Chromium, bridge: Bridge, pages: Pages) -> None:
        self.browser = browser
        self.bridge = bridge
        self.pages = pages
        self.connection: Connection
        self._settings: str | None = None
        self._window: str | None = None
        self._opened: list[str] = []

    def clear(self) -> None:
        """Close what `tab` and `tab_with` have opened, and forget events."""
        there = {each["targetId"] for each in self.browser.targets("page")}
        for target in there.intersection(self._opened):
            self.browser.call("Target.closeTarget", {"targetId": target})
        self._opened.clear()
        self.browser.settle()
        self.browser.events.clear()
        self.connection.events.clear()

    def load(self, folder: Path) -> str:
        return str(self.browser.call("Extensions.loadUnpacked", {"path": str(folder)})["id"])

    def greet(self) -> Connection:
        self.connection = self.bridge.accept().greet()
        return self.connection

    def worker(self, id: str = ID) -> str:
        """A session with the service worker, when there is one. It stays alive while the session lasts."""
        start = f"chrome-extension://{id}/"

        def found() -> list[str]:
            return [
                each["targetId"] for each in self.browser.targets("service_worker") if each["url"].startswith(start)
            ]

        if not found():
            self.browser.call("Target.setDiscoverTargets", {"discover": True})
            self.browser.wait(
                lambda event: event["method"] == "Target.targetCreated"
                and event["params"]["targetInfo"]["url"].startswith(start), "a service worker",
            )  # fmt: skip
        return self.browser.attach(found()[0])

    def connected(self) -> None:
        """Wait until the extension has a host. Its own window asks, which wakes its worker too; on a busy machine the
        start of a host may take longer than the browser may be silent, so it is asked in turns."""
        told = """new Promise((resolve) => { const end = Date.now() + 2000; const look = async () => {
          const late = new Promise((soon) => setTimeout(soon, 500));
          const asked = chrome.runtime.sendMessage({ask: 'state', tab_id: 0});
          const said = await Promise.race([late, asked]).catch(() => null);
          const open = said?.ok === true && said.answer.state !== 'disconnected';
          open || Date.now() > end ? resolve(open) : setTimeout(look, 20) }; look() })"""
        assert any(self.js(self.window(), told) for _ in range(TURNS)), "the extension has found no host"

    def settings(self) -> str:
        """A session with the page on which a user manages extensions."""
        if self._settings is None:
            self._settings = self.show("chrome://extensions", background=True)
            # Without it an extension of a developer's stays off when the browser loads it anew.
            self.js(self._settings, "chrome.developerPrivate.updateProfileConfiguration({inDeveloperMode: true})")
        return self._settings

    def window(self) -> str:
        """A session with the extension's own window, shown in a tab."""
        if self._window is None:
            self._window = self.show(f"{ORIGIN}popup.html", background=True)
        return self._window

    def show(self, url: str, *, background: bool = False, window: bool = False) -> str:
        """Open a tab with a page; a session with it, when the page has loaded."""
        target = self.browser.open("about:blank", background=background, window=window)
        session = self.browser.attach(target)
        self.browser.call("Page.enable", session=session)
        self.go(session, url)
        return session

    def go(self, session: str, url: str) -> None:
        """Show another page in a tab, and wait until it has loaded."""
        self.browser.call("Page.navigate", {"url": url}, session)
        self.loaded(session)

    def loaded(self, session: str) -> None:
        self.browser.wait(
            lambda event: event["method"] == "Page.loadEventFired" and event.get("sessionId") == session,
            "a page that loads",
        )

    def js(self, session: str, expression: str, **more: Any) -> Any:
        return self.browser.evaluate(session, expression, **more)

    def reload(self, **settings: Any) -> Connection:
        """Change settings for which the browser loads the extension anew; its window wakes it before its alarm does."""
        update = json.dumps({"extensionId": ID, **settings})
        self.js(
            self.settings(),
            f"""new Promise((resolve) => {{
          const all = chrome.developerPrivate.onItemStateChanged;
          const note = (event) => event.event_type === "LOADED" && (all.removeListener(note), resolve(1));
          all.addListener(note);
          chrome.developerPrivate.updateExtensionConfiguration({update});
        }})""",
        )
        self._window = None
        self.window()
        return self.greet()

    def grant(self, *patterns: str) -> None:
        """Allow sites as the user does in the extension's window, without the browser's question (facts, section 3)."""
        for each in patterns:
            self.js(self.settings(), f"chrome.developerPrivate.addHostPermission({json.dumps(ID)}, {json.dumps(each)})")
        asked = f"chrome.permissions.request({json.dumps({'origins': list(patterns)})})"
        assert self.js(self.window(), asked, gesture=True) is True

    def revoke(self, *patterns: str) -> None:
        assert self.js(self.window(), f"chrome.permissions.remove({json.dumps({'origins': list(patterns)})})") is True

    def tab(self, path: str, host: str = "a.test", **more: Any) -> tuple[str, int]:
        """Open one of the pages; its session and the extension's number of the tab."""
        return self.tab_with(self.pages.url(path, host), **more)

    def tab_with(self, url: str, **more: Any) -> tuple[str, int]:
        """Open a tab with any page; its session and the extension's number of the tab: the one that was not there."""
        before = self.tab_ids()
        old = {each["targetId"] for each in self.browser.targets("page")}
        session = self.show(url, **more)
        self._opened += [each["targetId"] for each in self.browser.targets("page") if each["targetId"] not in old]
        (tab_id,) = self.tab_ids() - before
        return session, tab_id

    def tab_ids(self) -> set[int]:
        return set(self.js(self.window(), "chrome.tabs.query({}).then((tabs) => tabs.map((tab) => tab.id))"))

    def snapshot(self, tab_id: int, **more: Any) -> Snapshot:
        return Snapshot(self.connection.ask("snapshot", tab_id=tab_id, **more))


class Snapshot:
    """A snapshot, and how tests find what is in it."""

    def __init__(self, result: dict[str, Any]) -> None:
        self.result = result
        self.nodes: list[dict[str, Any]] = result["nodes"]

    def find(self, role: str, name: str) -> dict[str, Any]:
        """The only node with this role and name."""
        (node,) = self.all(role, name)
        return node

    def all(self, role: str, name: str) -> list[dict[str, Any]]:
        return [each for each in self.nodes if each["role"] == role and each["name"] == name]

    def ref(self, node: dict[str, Any]) -> dict[str, Any]:
        """The reference to a node."""
        (frame,) = [each for each in self.result["frames"] if each["frame_id"] == node["frame_id"]]
        return {**frame["ref"], "node": node["id"]}

    def ref_of(self, role: str, name: str) -> dict[str, Any]:
        return self.ref(self.find(role, name))

    def names(self, role: str | None = None) -> list[str]:
        return [each["name"] for each in self.nodes if role in (None, each["role"])]


@contextmanager
def running(
    *flags: str, extension: Path | None = None, greet: bool = True, install: Callable[[Path], None] | None = None
) -> Iterator[Chrome]:
    """A browser with the extension, connected; everything is ended and removed at the end. install: registers another
    host than the test's own, which is then not greeted."""
    (engine,) = select("chromium")
    program = locate(engine)
    assert program is not None
    folder = extension or built() / "unpacked"
    profile = Path(tempfile.mkdtemp(prefix="trailcam-chrome-"))
    bridge = Bridge(profile / "bridge.sock")
    pages = Pages()
    if install is None:
        install_host(profile, bridge)
    else:
        install(profile)
    browser = Chromium(os.fspath(program), os.fspath(profile), flags)
    try:
        chrome = Chrome(browser, bridge, pages)
        chrome.load(folder)
        if greet and install is None:
            chrome.greet()
        yield chrome
    finally:
        browser.close()
        pages.close()
        bridge.close()
        shutil.rmtree(profile, ignore_errors=True)
