"""The back with a real Chromium: an extension of our own that only connects, and a host that follows a script.

Each port is a host of its own name, registered just before. Times are the machine's, so a kill is as late as the system
sees it; what is not there has `after_ms` to come, and longer where a check asks again.
"""

from __future__ import annotations

import base64
import json
import os
import shlex
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fakes.engines.chromium import Chromium
from fakes.fronts.chrome_host import manifest
from harness.engines import locate, select
from tests.fakes.conformance.checks_browser import Seen

MANIFEST = {
    "manifest_version": 3, "name": "Connects", "version": "1", "permissions": ["nativeMessaging"],
    "background": {"service_worker": "worker.js"},
}  # fmt: skip
WORKER = """chrome.runtime.onMessage.addListener(() => false);
globalThis.reach = (name) => {
  const seen = globalThis.seen = {delivered: [], error: null, open: true};
  const port = globalThis.port = chrome.runtime.connectNative(name);
  port.onMessage.addListener((message) => seen.delivered.push(message));
  port.onDisconnect.addListener(() => {
    seen.open = false; seen.error = chrome.runtime.lastError ? chrome.runtime.lastError.message : null });
  try { port.postMessage({type: "hello"}) } catch (error) { /* it is closed already */ }
};"""
HOST = """import base64, json, os, struct, sys, time
script, log = sys.argv[1:3]
def note(what):
    with open(log, "a") as file:
        file.write(json.dumps([what, time.monotonic(), os.getpid()]) + "\\n")
def hear():
    head = sys.stdin.buffer.read(4)
    return bool(head) and bool(sys.stdin.buffer.read(struct.unpack("=I", head)[0]) or True)
note("started")
hear()
for step, value in json.load(open(script)):
    if step == "raw":
        sys.stdout.buffer.write(base64.b64decode(value)); sys.stdout.buffer.flush()
    elif step == "wait":
        time.sleep(value / 1000)
    elif step == "exit":
        note("leaves"); os._exit(value)
    elif step == "complain":
        os.write(2, b"x" * value)
    elif step == "close output":
        note("closes"); os.close(1)
    elif step == "until end":
        while hear():
            pass
        note("eof"); note("leaves"); os._exit(0)
    else:
        while hear():
            pass
        note("eof"); note("stays")
        while True:
            time.sleep(60)
note("leaves")
"""
WRONG: Mapping[str, Callable[[dict[str, Any]], Any]] = {
    "well": lambda found: found,
    "forbidden": lambda found: {**found, "allowed_origins": [f"chrome-extension://{'p' * 32}/"]},
    "no_manifest": lambda found: None,
    "not_json": lambda found: "{",
    "no_description": lambda found: {key: found[key] for key in found if key != "description"},
    "wrong_type": lambda found: {**found, "type": "socket"},
    "wrong_name": lambda found: {**found, "name": "com.trailcam.other"},
    "wildcard_origin": lambda found: {**found, "allowed_origins": ["chrome-extension://*/"]},
    "origin_without_slash": lambda found: {**found, "allowed_origins": [found["allowed_origins"][0].rstrip("/")]},
    "relative_path": lambda found: {**found, "path": "host.sh"},
    "program_missing": lambda found: {**found, "path": found["path"] + "-none"},
}
"""How a host is registered -> its manifest; a text is written as it is, None not at all."""
LONGEST_S = 20.0
LOOK_S = 0.005


class RealBrowser:
    """See `checks_browser.Back`. slower: how many times longer than asked what may come is waited for."""

    late_ms = 3000.0

    def __init__(self) -> None:
        self.slower = 1.0
        self._ports = 0
        self._browser: Chromium | None = None

    def close(self) -> None:
        if self._browser is not None:
            self._browser.close()
            shutil.rmtree(self._browser.profile, ignore_errors=True)
            self._browser = None

    def _running(self) -> Chromium:
        if self._browser is None:
            (engine,) = select("chromium")
            profile = Path(tempfile.mkdtemp(prefix="trailcam-port-"))
            folder = profile / "extension"
            folder.mkdir()
            (folder / "manifest.json").write_text(json.dumps(MANIFEST))
            (folder / "worker.js").write_text(WORKER)
            (folder / "wakes.html").write_text("<!doctype html><title>Wakes</title>")
            (profile / "host.py").write_text(HOST)
            (profile / "NativeMessagingHosts").mkdir()
            self._browser = Chromium(os.fspath(locate(engine) or ""), os.fspath(profile))
            self._id = str(self._browser.call("Extensions.loadUnpacked", {"path": str(folder)})["id"])
        return self._browser

    def _worker(self) -> tuple[str, str]:
        """Target and session of the extension's worker, which has run its script."""
        browser = self._running()
        until = time.monotonic() + LONGEST_S
        while time.monotonic() < until:
            found = [each["targetId"] for each in browser.targets("service_worker") if self._id in each["url"]]
            if found:
                session = browser.attach(found[0])
                if browser.evaluate(session, "typeof globalThis.reach") == "function":
                    return found[0], session
                browser.call("Target.detachFromTarget", {"sessionId": session})
            else:  # a page of the extension's own wakes it
                page = browser.attach(browser.open(f"chrome-extension://{self._id}/wakes.html"))
                browser.evaluate(page, "globalThis.chrome?.runtime?.sendMessage?.({}).catch(() => 0), 0")
                time.sleep(20 * LOOK_S)
            time.sleep(LOOK_S)
        raise AssertionError("the extension has no worker")

    def _register(self, registered: str, script: tuple[tuple[str, Any], ...]) -> tuple[str, Path]:
        """Name and log of a new host."""
        profile = Path(self._running().profile)
        self._ports += 1
        name = f"com.trailcam.port{self._ports}"
        steps, log, program = (profile / f"{name}.{kind}" for kind in ("json", "log", "sh"))
        steps.write_text(json.dumps([_step(*each) for each in script]))
        words = shlex.join([sys.executable, "-SE", str(profile / "host.py"), str(steps), str(log)])
        program.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        program.chmod(0o700)
        if registered != "invalid_name":
            made = WRONG[registered](dict(manifest(str(program), f"chrome-extension://{self._id}/", name)))
            if made is not None:
                path = profile / "NativeMessagingHosts" / f"{name}.json"
                path.write_text(made if isinstance(made, str) else json.dumps(made))
        return (name if registered != "invalid_name" else f"{name}..bad"), log

    def port(self, *script: tuple[str, Any], registered: str = "well", then: str = "", after_ms: float = 400) -> Seen:
        target, session = self._worker()
        browser = self._running()
        name, log = self._register(registered, script)
        browser.evaluate(session, f"reach({json.dumps(name)})")
        until = time.monotonic() + LONGEST_S
        while not noted(log) and browser.evaluate(session, "seen.open") and time.monotonic() < until:
            time.sleep(LOOK_S)
        acted = None
        if then:
            acted = time.monotonic()
            self._act(then, target, session)
        pids = {pid for _, _, pid in noted(log)}
        gone = watch(pids, after_ms * self.slower / 1000 + 0.2)
        seen: dict[str, Any] = {"delivered": [], "error": None, "open": False}
        if then not in ("kill_worker", "close_browser"):
            seen = json.loads(browser.evaluate(session, "JSON.stringify(seen)"))
            browser.evaluate(session, "port.disconnect()")
            browser.call("Target.detachFromTarget", {"sessionId": session})
        at = {what: when for what, when, _ in noted(log)}
        for pid in pids - gone.keys():
            end(pid)
        if then == "close_browser":
            self.close()
        killed = None
        if gone and "leaves" not in at:
            killed = (min(gone.values()) - (acted or at.get("closes", at["started"]))) * 1000
        return Seen(seen["error"], seen["open"], tuple(seen["delivered"]), int(bool(pids)), killed, "eof" in at)

    def _act(self, then: str, target: str, session: str) -> None:
        browser = self._running()
        if then == "disconnect":
            browser.evaluate(session, "port.disconnect()")
        elif then == "kill_worker":
            browser.call("Target.closeTarget", {"targetId": target})
        else:
            browser.send("Browser.close")


def _step(step: str, value: Any) -> list[Any]:
    """A step as the host's script has it."""
    if step == "say":
        body = json.dumps(value).encode()
        step, value = "raw", len(body).to_bytes(4, sys.byteorder) + body
    return [step, base64.b64encode(value).decode() if isinstance(value, bytes) else value]


def noted(log: Path) -> list[tuple[str, float, int]]:
    """What a host has noted: (what, when, its number)."""
    return [tuple(json.loads(line)) for line in log.read_text().splitlines()] if log.exists() else []


def watch(pids: set[int], seconds: float) -> dict[int, float]:
    """The processes that ended within so long, and when."""
    gone: dict[int, float] = {}
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for pid in pids - gone.keys():
            if not alive(pid):
                gone[pid] = time.monotonic()
        time.sleep(LOOK_S)
    return gone


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def end(pid: int) -> None:
    """End a host that was to stay."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
