"""One WebKitGTK browser: started, driven and ended by us. Its windows are what Safari calls tabs.

Every method blocks, and is called where nothing else has to go on meanwhile (a step `Ask` of a machine in a process
run). A window never is a tab of another one, because WebKitGTK does not draw those: each is its own top window, in the
order in which it came. The first window of the browser belongs to nobody and is never shown, so that closing the last
one does not end the session.
"""
from __future__ import annotations

import posix
import sys

from fakes.engines.inspector import Inspector, InspectorError, Target
from fakes.engines.processes import PATH, SHARED, children_of, environment_of, free_port, pause
from fakes.engines.webdriver import Driver, DriverError, Hung
from harness.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from fakes.engines.processes import Keeper

PAGES = __file__.rpartition("/")[0] + "/pages.py"
DRIVER = "WebKitWebDriver"
STARTS = 3
"""How often a port is chosen: another process may take it before the driver does."""
UP_TRIES = 1000
MARK = "window[Symbol.for('engine')]"
SCRIPT_MS = 30_000
"""How long a script may take: what Safari's own driver has."""
ENVIRONMENT = {
    "PATH": PATH,
    "LC_ALL": "C.UTF-8",
    "GDK_BACKEND": "x11",
    "NO_AT_BRIDGE": "1",
    "GSETTINGS_BACKEND": "memory",
    "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
}
"""The sandbox wants rights that containers lack; the pages are ours, and there is no network behind them."""
BROWSERS = "/usr/lib/*/webkit2gtk-4.1/MiniBrowser"
BROWSER = """#!/bin/sh
export http_proxy={proxy} https_proxy={proxy} no_proxy="$WEBKIT_INSPECTOR_SERVER"
exec {path} "$@"
"""
"""Pages come by a proxy in the browser's environment: the one of WebDriver's capabilities can't be asked for secure
pages in plain text. The browser's connection to its own inspector must not go through it."""


class Window:
    """One window. target: its page as the inspector knows it."""

    def __init__(self, handle: str, target: Target | None) -> None:
        self.handle = handle
        self.target = target


INNER = "return [innerWidth, innerHeight]"
LOOK_S = 0.005
RESIZED_LOOKS = 100
"""How often a page is looked at until it has another size: half a second, which only a very busy machine needs."""


class WebKit:
    """See the module. pages: the table of `pages.py`. timeout_s: after that long without an answer the browser hangs,
    is ended with all its processes, and the call raises Hung, as does every later one. waits: whether a navigation is
    over when the call is; otherwise it has only begun."""

    def __init__(
        self, pages: Mapping[str, Any], *, timeout_s: float = 40, inspected: bool = True, waits: bool = True
    ) -> None:
        self._pages = pages
        self._timeout_s = timeout_s
        self._inspected = inspected
        self._waits = waits
        self._keeper: Keeper | None = None
        self._roots: list[int] = []
        self._driver = Driver(0, timeout_s)
        self._inspector: Inspector | None = None
        self._windows: dict[str, Window] = {}
        self._anchor = ""
        self._current = ""
        self._next_target = 3
        self.version = ""
        self.folder = ""

    # Start and end

    def start(self) -> None:
        """Start the browser. Raises Problem where a program of it is missing or does not come up."""
        from tempfile import mkdtemp

        self._keeper, display = SHARED.take()
        self.folder = mkdtemp(prefix="tc")
        try:
            self.serve(self._pages)
            pages = [sys.executable, "-SE", PAGES, f"{self.folder}/pages.json"]
            pid, port = self._keeper.start_and_listen(pages, {"PATH": PATH})
            self._roots.append(pid)
            own = {"DISPLAY": display, "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder}
            self._start_driver({**ENVIRONMENT, **own})
            self._start_session(self._browser(f"http://127.0.0.1:{port}"))
        except (Problem, Hung, DriverError, OSError) as error:
            self.close()
            if isinstance(error, Problem):
                raise
            raise Problem(f"WebKit did not start: {error}", "a browser", "`trailcam doctor` shows engines") from error

    def serve(self, pages: Mapping[str, Any]) -> None:
        """The pages from now on, in place of those before; what is counted of their loads begins anew."""
        from json import dumps

        self._pages = pages
        for name in posix.listdir(self.folder):
            if name.endswith(".asked"):
                posix.unlink(f"{self.folder}/{name}")
        with open(f"{self.folder}/pages.new", "w", encoding="utf-8") as file:
            file.write(dumps(dict(pages)))
        posix.rename(f"{self.folder}/pages.new", f"{self.folder}/pages.json")

    def close(self) -> None:
        """End everything that belongs to this browser; a second call does nothing."""
        if self._keeper is None:
            return
        keeper, self._keeper = self._keeper, None
        self._driver.close()
        if self._inspector is not None:
            self._inspector.close()
        try:
            for pid in self._roots:
                keeper.end(pid)
        finally:
            from shutil import rmtree

            SHARED.give_back()
            rmtree(self.folder, ignore_errors=True)

    @property
    def is_up(self) -> bool:
        """Whether it has been started, and not been ended."""
        return self._keeper is not None

    def processes(self) -> list[int]:
        """Its own processes: the driver, the server of pages."""
        return list(self._roots)

    def _start_driver(self, environment: Mapping[str, str]) -> None:
        assert self._keeper is not None
        for _ in range(STARTS):
            port = free_port()
            pid = self._keeper.start([DRIVER, f"--port={port}"], environment)
            self._driver = Driver(port, self._timeout_s)
            for _ in range(UP_TRIES):
                if self._driver.is_up():
                    self._roots.append(pid)
                    return
                pause(0.003)
            self._keeper.end(pid)
        raise Hung(f"{DRIVER} does not answer")

    def _browser(self, proxy: str) -> str:
        """The executable of a browser that has this proxy as its only network."""
        from glob import glob

        found = sorted(glob(BROWSERS))
        if not found:
            raise Problem(f"no {BROWSERS}", "the browser that comes with the driver", "`make engines` installs it")
        path = f"{self.folder}/browser"
        with open(path, "w", encoding="ascii") as file:
            file.write(BROWSER.format(proxy=proxy, path=found[0]))
        posix.chmod(path, 0o700)
        return path

    def _start_session(self, browser: str) -> None:
        wanted = {
            "webkitgtk:browserOptions": {"binary": browser, "args": ["--automation"]},
            "acceptInsecureCerts": True,
            "unhandledPromptBehavior": "ignore",
            "timeouts": {"script": SCRIPT_MS},
            "pageLoadStrategy": "normal" if self._waits else "none",
        }
        said = self._driver.ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self._driver.session = said["sessionId"]
        self.version = said["capabilities"]["browserVersion"]
        self._anchor = self._current = self._driver.do("GET", "/window")
        if self._inspected:
            browsers = [pid for root in self._roots for pid in children_of(root)]
            addresses = [environment_of(pid).get("WEBKIT_INSPECTOR_SERVER", "") for pid in browsers]
            self._inspector = Inspector(next(filter(None, addresses)), self._timeout_s)

    def do(self, method: str, path: str, body: Any = None) -> Any:
        """One WebDriver command of the session. Raises DriverError, and Hung, after which nothing is left running."""
        if self._keeper is None:
            raise Hung("the browser has been ended")
        try:
            return self._driver.do(method, path, body)
        except Hung:
            self.close()
            raise

    def on(self, handle: str, method: str, path: str, body: Any = None) -> Any:
        """The same in a window. Raises DriverError with `no such window` where it is gone."""
        if self._current != handle:
            self.do("POST", "/window", {"handle": handle})
            self._current = handle
        return self.do(method, path, body)

    # Windows

    def handles(self) -> list[str]:
        """The windows, in the order in which they came; those that pages opened or closed are taken note of."""
        there = [handle for handle in self.do("GET", "/window/handles") if handle != self._anchor]
        for gone in [handle for handle in self._windows if handle not in there]:
            self._forget(gone)
        self._note([handle for handle in reversed(there) if handle not in self._windows])
        return list(self._windows)

    def open(self, url: str = "") -> str:
        """A new window; its handle."""
        self.on(self._anchor, "POST", "/window/new", {"type": "window"})
        before = set(self._windows)
        new = [handle for handle in self.handles() if handle not in before]
        if url:
            self.go(new[-1], url)
        return new[-1]

    def close_window(self, handle: str) -> None:
        """Close a window; dialogs that are open in it are dismissed, since no window closes under one."""
        while self.dialog(handle) is not None:
            self.answer_dialog(handle, False)
        self.on(handle, "DELETE", "/window")
        self._forget(handle)

    def _forget(self, handle: str) -> None:
        window = self._windows.pop(handle)
        if self._current == handle:
            self._current = ""
        if self._inspector is not None and window.target is not None:
            self._inspector.detach(window.target)

    def _note(self, handles: Sequence[str]) -> None:
        """Windows that are new: each is found among the targets that came since."""
        if self._inspector is None:
            self._windows.update({handle: Window(handle, None) for handle in handles})
            return
        targets = {}
        if len(handles) > 1:  # which is which, only their pages can tell
            for handle in handles:
                self.evaluate(handle, MARK + "= arguments[0]", handle)
        for handle in handles:
            target = self._inspector.attach(self._next_target)
            self._next_target += 1
            targets[handle if len(handles) == 1 else self._mark_of(target)] = target
        for handle in handles:
            self._windows[handle] = Window(handle, targets[handle])

    def _mark_of(self, target: Target) -> str:
        assert self._inspector is not None
        said = self._inspector.ask(target, "Runtime.evaluate", expression=MARK, returnByValue=True)
        return str(said["result"].get("value"))

    # A page

    def go(self, handle: str, url: str) -> None:
        """Navigate; an address that has no page leads to the engine's own empty one."""
        self.on(handle, "POST", "/url", {"url": url})

    def back(self, handle: str) -> None:
        self.on(handle, "POST", "/back")

    def reload(self, handle: str) -> None:
        self.on(handle, "POST", "/refresh")

    def info(self, handle: str) -> tuple[str, str, str]:
        """(address, title, ready state) as the page itself says them."""
        url, title, ready = self.evaluate(handle, "return [location.href, document.title, document.readyState]")
        return url, title, ready

    def evaluate(self, handle: str, script: str, *arguments: Any) -> Any:
        """What a function with this body gives, awaited: JSON as WebDriver makes it (undefined, NaN and infinities are
        null, functions {}, elements references). Raises DriverError with `javascript error`, `script timeout`."""
        return self.on(handle, "POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def perform(self, handle: str, actions: Sequence[Mapping[str, Any]]) -> None:
        """A list of `gestures`."""
        self.on(handle, "POST", "/actions", {"actions": list(actions)})

    def viewport(self, handle: str, width: int, height: int) -> None:
        """Make the page's own part of a window this large, and wait until the page knows; not for a size that no window
        can have."""
        outer = self.on(handle, "GET", "/window/rect")
        inner = self.evaluate(handle, INNER)
        size = {"width": outer["width"] - inner[0] + width, "height": outer["height"] - inner[1] + height}
        self.on(handle, "POST", "/window/rect", size)
        for _ in range(RESIZED_LOOKS):
            if self.evaluate(handle, INNER) == [width, height]:
                return
            pause(LOOK_S)

    def dialog(self, handle: str) -> str | None:
        """The text of the dialog that is open, None where there is none."""
        try:
            return str(self.on(handle, "GET", "/alert/text"))
        except DriverError as error:
            if error.code == "no such alert":
                return None
            raise

    def answer_dialog(self, handle: str, accept: bool, text: str | None = None) -> None:
        """Answer the dialog that is open. Raises DriverError with `no such alert`."""
        if text is not None:
            self.on(handle, "POST", "/alert/text", {"text": text})
        self.on(handle, "POST", "/alert/accept" if accept else "/alert/dismiss")

    def screenshot(self, handle: str, full: bool = False) -> bytes:
        """A PNG of what is shown, or of the whole page."""
        from binascii import a2b_base64

        if not full:
            return a2b_base64(self.on(handle, "GET", "/screenshot"))
        size = self.evaluate(handle, "let e = document.documentElement; return [e.scrollWidth, e.scrollHeight]")
        said = self._ask(handle, "Page.snapshotRect", x=0, y=0, width=size[0], height=size[1], coordinateSystem="Page")
        return a2b_base64(said["dataURL"].partition(",")[2])

    # The inspector's part

    def events(self, handle: str) -> list[dict[str, Any]]:
        """What the inspector has said of a window since the last call: `{"method", "params"}` in order."""
        inspector, target = self._target(handle)
        return inspector.take(target)

    def body(self, handle: str, request: str) -> str | None:
        """The body of the answer to a request, None where there is none, or none that is text."""
        try:
            said = self._ask(handle, "Network.getResponseBody", requestId=request)
        except InspectorError:
            return None
        return None if said["base64Encoded"] else str(said["body"])

    def emulate(self, handle: str, media: str) -> None:
        """The media type that the page is told; empty for its own."""
        self._ask(handle, "Page.setEmulatedMedia", media=media)

    def _target(self, handle: str) -> tuple[Inspector, Target]:
        window = self._windows.get(handle)
        if window is None:
            raise DriverError("no such window", handle)
        if self._inspector is None or window.target is None:
            raise Problem("a browser without its inspector", "one that was started with it", "ask for `inspected`")
        return self._inspector, window.target

    def _ask(self, handle: str, method: str, **params: Any) -> dict[str, Any]:
        inspector, target = self._target(handle)
        try:
            return inspector.ask(target, method, **params)
        except Hung:
            self.close()
            raise
