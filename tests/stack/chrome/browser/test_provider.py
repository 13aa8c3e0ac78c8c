"""The provider over our own host and a real Chromium: who is asked, what comes next, and one real click.

What the system would give beside it is played: no program for that is there yet. Its windows are those of the real
browser's process, and its click is the browser's own real input, at the place of the page that lies below the point on
the screen.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from stack import chrome as stack
from stack.chrome.bridge import Bridge
from stack.chrome.desktop import DesktopError, Window
from stack.chrome.endpoint import endpoints
from stack.contract import Reply
from stack.host import RealHost
from tests.stack.chrome.browser.chrome import Chrome, running
from tests.stack.chrome.browser.hosts import RUNS, install, server
from tests.stack.chrome.rig import Nobody
from tests.stack.chrome.stand import SetDesktop, thing

pytestmark = pytest.mark.engine("chromium", stands_for=("browser", "extension", "page"))
PAGE = "<title>Shop</title><button onclick='this.textContent = `Sold`'>Buy</button>"
NO = DesktopError("unavailable", "no")


class Played(SetDesktop):
    """windows: of this browser's process alone, in front. A click is real input of the browser, where there is one."""

    def __init__(self, pid: int, chrome: Chrome | None = None, session: str = "") -> None:
        super().__init__()
        self.fronts = [Window(1, pid, "Chromium", True, "point")]
        self._chrome, self._session = chrome, session

    async def click(self, window: int, x: float, y: float) -> None:
        await super().click(window, x, y)
        assert self._chrome is not None
        of_window = self._chrome.js(
            self._session, "[screenX, screenY, outerWidth, outerHeight, innerWidth, innerHeight]"
        )
        left, top, width, height, inner, below = of_window
        side = (width - inner) / 2
        at = {"x": x - left - side, "y": y - top - (height - below - side)}
        for kind in ("mousePressed", "mouseReleased"):
            words = {"type": kind, "button": "left", "clickCount": 1, **at}
            self._chrome.browser.call("Input.dispatchMouseEvent", words, self._session)


class Server:
    """One server of the stack; short words for what tests ask of it."""

    def __init__(self, opened: Any, desktop: SetDesktop) -> None:
        self._opened = opened
        self.desktop = desktop

    async def call(self, tool: str, **arguments: Any) -> Reply:
        reply: Reply = await self._opened.call(tool, arguments, Nobody())
        return reply


def asked(host: RealHost, desktop: SetDesktop, body: Callable[[Server], Awaitable[None]]) -> None:
    """Run a test's body with a server of its own."""

    async def main() -> None:
        async with stack.open(host, stack.Settings(registered=lambda: ("chromium",))) as opened:
            opened._reader._desktop = opened._actor._desktop = desktop  # type: ignore[assignment]
            await body(Server(opened, desktop))

    anyio.run(main)


@contextmanager
def hosted(meeting: Path | None = None) -> Iterator[tuple[Chrome, Path]]:
    """A browser with the extension and our host, connected. meeting: where its host is met, else in its profile."""
    runs = RUNS if meeting is None else RUNS.replace('folder / "meet"', f"Path({str(meeting)!r})")
    with running(install=partial(install, runs=runs)) as chrome:
        chrome.connected()
        yield chrome, Path(chrome.browser.profile)


def pid_of(host: RealHost) -> int:
    (endpoint,) = endpoints(host)
    return endpoint.browser


def shown(reply: Reply) -> dict[str, Any]:
    assert isinstance(reply.structured, dict)
    return dict(reply.structured)


@pytest.mark.claim("CHR-FALL-01", "CHR-FALL-02", tooth="the site allowed, which the extension reads, and only then")
def test_the_extension_is_asked_first_and_then_the_system_with_the_reason_at_each_step() -> None:
    with hosted() as (chrome, profile):
        session, _ = chrome.tab(chrome.pages.put("/shop", PAGE))
        chrome.browser.call("Page.bringToFront", session=session)
        host = server(profile)
        played = Played(pid_of(host))
        first = {"provider": "chrome_extension", "reason": "site_permission_required"}

        async def denied(each: Server) -> None:
            played.browser, played.page = [thing("reload", "Reload")], [thing("buy", "Buy")]
            read = shown(await each.call("ax_read"))
            assert (read["provider"], read["coverage"], read["fallbacks"]) == ("native_ax", "partial", [first])
            assert [(node["name"], node["provider"]) for node in read["nodes"]] == [
                ("Reload", "native_ax"), ("Buy", "native_ax"),
            ]  # fmt: skip
            played.page, played.words = [], [thing("1", "Word")]
            read = shown(await each.call("ax_read"))
            native = {"provider": "native_ax", "reason": "nothing_found"}
            assert (read["provider"], read["fallbacks"]) == ("ocr", [first, native])
            played.words, played.image = NO, {"type": "image", "data": "AA==", "mimeType": "image/png"}
            read = shown(await each.call("ax_read"))
            words = {"provider": "ocr", "reason": "unavailable"}
            assert (read["provider"], read["fallbacks"]) == ("screenshot", [first, native, words])
            played.image = NO
            reply = await each.call("ax_read")
            assert (reply.outcome, reply.code) == ("refused", "site_permission_required")
            picture = {"provider": "screenshot", "reason": "unavailable"}
            assert shown(reply)["fallbacks"] == [first, native, words, picture]

        async def allowed(each: Server) -> None:
            read = shown(await each.call("ax_read"))
            assert (read["provider"], read["fallbacks"]) == ("chrome_extension", [])
            found = {node["name"]: node for node in read["nodes"]}
            assert (found["Reload"]["provider"], found["Buy"]["provider"]) == ("native_ax", "chrome_extension")
            of_it = {"snapshot_id": read["snapshot_id"]}
            played.after = lambda: played.browser.append(thing("more", "More"))
            pressed = shown(await each.call("ax_activate", node_id=found["Reload"]["id"], **of_it))
            assert (pressed["route"], played.done) == ("native_ax", [(1, "reload")])
            pressed = shown(await each.call("ax_activate", node_id=found["Buy"]["id"], **of_it))
            assert (pressed["route"], played.done) == ("chrome_dom", [(1, "reload")])

        asked(host, played, denied)
        chrome.grant("http://a.test/*")
        asked(host, played, allowed)
        assert chrome.js(session, "document.body.innerText.trim()") == "Sold"


@pytest.mark.claim("CHR-FALL-04", tooth="the same two browsers without a window that says whose it is")
def test_of_two_browsers_the_one_is_asked_whose_process_owns_the_window(tmp_path: Path) -> None:
    host = RealHost(folder=tmp_path / "server", meeting=tmp_path / "meet")
    with ExitStack() as both:
        pids: list[int] = []
        for name in ("First", "Second"):
            chrome, _ = both.enter_context(hosted(tmp_path / "meet"))
            chrome.grant("http://a.test/*")
            page = f"<title>{name}</title><button>Of the {name.lower()}</button>"
            session, _ = chrome.tab(chrome.pages.put("/page", page))
            chrome.browser.call("Page.bringToFront", session=session)
            pids += [each.browser for each in endpoints(host) if each.browser not in pids]

        async def body(each: Server) -> None:
            for pid, name in zip(pids, ("first", "second"), strict=True):
                each.desktop.fronts = [Window(1, pid, "Chromium", True, "point")]
                read = shown(await each.call("ax_read"))
                assert [node["name"] for node in read["nodes"]] == [f"Of the {name}"]
            notes = [Window(1, 1, "Notes", True, "point")]
            for fronts, code in ((NO, "ambiguous_target"), (notes, "extension_not_installed")):
                each.desktop.fronts = fronts
                reply = await each.call("ax_read")
                assert (reply.outcome, reply.code) == ("refused", code)
                assert "Of the" not in str(reply)

        asked(host, SetDesktop(), body)


TRUSTED = """<title>Till</title><body style="margin:0"><div style="height: 1500px"></div>
<button style="position:absolute;left:100px;top:1200px;width:80px;height:30px">Pay</button>
<script>document.querySelector("button").addEventListener("click", (event) => {
  if (event.isTrusted) event.target.textContent = "Paid"; else event.preventDefault(); });</script>"""


@pytest.mark.claim("CHR-ACT-06", tooth="a page that moves its button while the click is prepared: nothing is clicked")
def test_one_real_click_lands_in_the_centre_of_the_exact_node_and_is_read_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with hosted() as (chrome, profile):
        chrome.grant("http://a.test/*")
        session, _ = chrome.tab(chrome.pages.put("/till", TRUSTED))
        other, _ = chrome.tab(chrome.pages.put("/other", "<title>Other</title><button>Other</button>"))
        chrome.browser.call("Page.bringToFront", session=other)
        host = server(profile)
        played = Played(pid_of(host), chrome, session)

        said: list[Reply] = []
        request = Bridge.request

        async def moving(bridge: Bridge, verb: str, params: Any, deadline_ms: int) -> Any:
            if "keeps" in params:  # what the page shows just before a click, between the two looks at where it is
                chrome.js(session, "void (document.querySelector('button').style.left = '110px')")
            return await request(bridge, verb, params, deadline_ms)

        async def pay(each: Server) -> None:
            read = shown(await each.call("ax_read", title="Till"))
            said.append(await each.call("ax_activate", snapshot_id=read["snapshot_id"], name="Pay"))

        with monkeypatch.context() as patched:
            patched.setattr(Bridge, "request", moving)
            asked(host, played, pay)
        assert (said[0].outcome, said[0].code, played.done) == ("refused", "stale_snapshot", [])
        asked(host, played, pay)
        assert (said[1].outcome, shown(said[1])["route"]) == ("done", "chrome_trusted_input_fallback"), said[1]
        assert (shown(said[1])["effect"], len(played.done)) == (["content"], 1)
        assert chrome.js(session, "[document.visibilityState, document.querySelector('button').textContent]") == [
            "visible", "Paid",
        ]  # fmt: skip
