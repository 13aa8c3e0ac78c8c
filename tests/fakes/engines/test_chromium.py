"""Driving a real Chromium: answers, events, errors and endings; nothing of it is left."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.engines import chromium
from fakes.engines.chromium import CdpError, Chromium, tree_of
from harness.engines import locate, select

pytestmark = pytest.mark.engine("chromium")


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Chromium]:
    (engine,) = select("chromium")
    found = Chromium(str(locate(engine)), str(tmp_path))
    yield found
    found.close()


def alive(pid: int) -> bool:
    return os.path.exists(f"/proc/{pid}") and b"Z (zombie)" not in Path(f"/proc/{pid}/status").read_bytes()


def test_values_promises_errors_and_events(browser: Chromium) -> None:
    session = browser.attach(browser.open())
    assert browser.evaluate(session, "Promise.resolve({a: [1, 'é']})") == {"a": [1, "é"]}
    with pytest.raises(CdpError, match="broken"):
        browser.evaluate(session, "throw new Error('broken')")
    with pytest.raises(CdpError, match="wasn't found"):
        browser.call("No.such")
    browser.call("Page.enable", session=session)
    browser.send("Page.navigate", {"url": "data:text/html,x"}, session)
    event = browser.wait(lambda each: each["method"] == "Page.loadEventFired", "a page")
    assert event["sessionId"] == session
    assert event not in browser.events
    assert [each["type"] for each in browser.targets("page")] == ["page", "page"]


def test_names_outside_are_nothing(browser: Chromium) -> None:
    session = browser.attach(browser.open())
    answer = browser.call("Page.navigate", {"url": "http://example.com/"}, session)
    assert answer["errorText"] == "net::ERR_NAME_NOT_RESOLVED"


def test_closing_ends_every_process(browser: Chromium) -> None:
    browser.open("about:blank")
    tree = tree_of(browser.pid)
    assert len(tree) > 2
    browser.close()
    assert [pid for pid in tree if alive(pid)] == []
    with pytest.raises(OSError, match="Bad file descriptor"):
        browser.call("Browser.getVersion")


def test_a_killed_browser_is_noticed(browser: Chromium) -> None:
    os.kill(browser.pid, 9)
    with pytest.raises((CdpError, BrokenPipeError)):
        browser.wait(lambda each: False, "what never comes")


def test_kill_ends_the_browsers_processes(browser: Chromium) -> None:
    browser.attach(browser.open("about:blank"))
    browser.settle()
    tree = tree_of(browser.pid)
    browser.kill()
    assert [pid for pid in tree if alive(pid) and b"chrom" in Path(f"/proc/{pid}/cmdline").read_bytes()] == []


def test_silence_has_an_end(browser: Chromium, monkeypatch: pytest.MonkeyPatch) -> None:
    browser.settle()
    monkeypatch.setattr(chromium, "PATIENCE_MS", 20)
    with pytest.raises(CdpError, match="nothing for 20 ms"):
        browser.wait(lambda each: False, "what never comes")
    monkeypatch.undo()


def test_a_process_that_is_gone_needs_no_end() -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    chromium.end(gone.pid)
    assert not alive(gone.pid)
