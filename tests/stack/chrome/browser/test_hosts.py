"""The stack's own host under a real Chromium: none is left over, whatever ends first, and the whole of it works.

The extension is the package: its zip, unpacked. Restarts are counted in one browser, since each of them costs the start
of an interpreter; the extension waits longer after each host that lasted less than five seconds, so a killed host is
followed by a new worker, which begins anew.
"""

from __future__ import annotations

import io
import os
import signal
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from stack import chrome as stack
from tests.stack.chrome.browser.chrome import ID, Chrome, built, running
from tests.stack.chrome.browser.hosts import IGNORES, counted, install, left, server, watched

pytestmark = pytest.mark.engine("chromium", stands_for=("browser", "extension", "page"))
RESTARTS, HOST_KILLS, BROWSER_KILLS = 100, 20, 10
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


@pytest.mark.claim("CHR-LIFE-01", tooth="a host that ignores the end of its input, which is counted")
def test_no_host_is_left_after_restarts_of_the_worker_and_kills_of_the_host(unpacked: Path) -> None:
    with hosted(unpacked) as (chrome, profile):
        chrome.connected()
        seen: set[int] = set()
        kills = 0
        for number in range(RESTARTS):
            hosts = counted(profile)
            assert len(hosts) == 1, number
            assert not hosts & seen
            seen |= hosts
            with watched(hosts) as handles:
                if number * HOST_KILLS // RESTARTS == kills:
                    kills += 1
                    os.kill(*hosts, signal.SIGKILL)
                    assert left(handles, GONE_S) == set()
                    chrome.connected()
                    hosts = counted(profile)
                    assert len(hosts) == 1 and not hosts & seen
                    seen |= hosts
            with watched(hosts) as handles:
                kill_worker(chrome)
                assert left(handles, ENDS_S) == set(), number
            chrome.connected()
        last = counted(profile)
        assert (len(last), kills, len(seen)) == (1, HOST_KILLS, RESTARTS + HOST_KILLS)
        with watched(last) as handles:
            chrome.browser.kill()
            assert left(handles, GONE_S) == set()
        assert counted(profile) == set()


@pytest.mark.claim("CHR-LIFE-01", tooth="a host that ignores the end of its input, which is counted")
def test_no_host_is_left_after_kills_of_the_browser(unpacked: Path) -> None:
    for _ in range(BROWSER_KILLS):
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

        async def call(name: str, tool: str, **arguments: Any) -> Any:
            said[name] = await opened.call(tool, arguments, Nobody())
            return said[name].structured

        listed = await call("targets", "ax_targets")
        for target in [row["target"] for row in listed["targets"] if row.get("title") == "Shop"]:
            read = await call("read", "ax_read", target=target)
            await call("set", "ax_set_value", snapshot_id=read["snapshot_id"], name="Name", role="textbox", value="Ann")
            await call("press", "ax_activate", snapshot_id=read["snapshot_id"], name="Buy")
        said["status"] = await opened.status()
    return said


@pytest.mark.claim("CHR-PKG-02", tooth="the same run before the site was allowed, in which nothing is read or done")
def test_the_package_and_the_real_host_pass_a_smoke_run_of_both_together(unpacked: Path) -> None:
    with hosted(unpacked) as (chrome, profile):
        chrome.connected()
        session, _ = chrome.tab(chrome.pages.put("/shop", PAGE))
        assert anyio.run(used, profile).keys() == {"targets", "status"}
        assert chrome.js(session, "document.title") == "Shop"
        chrome.grant("http://a.test/*")
        said = anyio.run(used, profile)
        assert {name: reply.outcome for name, reply in said.items() if name != "status"} == dict.fromkeys(
            ("targets", "read", "set", "press"), "done"
        )
        assert said["press"].structured["route"] == "chrome_dom"
        assert chrome.js(session, "[document.title, document.querySelector('input').value]") == ["Sold", "Ann"]
        (connected,) = said["status"]["connected"]
        assert (connected["browser"], connected["extension"]) == ("chromium", "0.1.0")
