"""A real headless Chromium, driven by raw CDP over a pair of pipes: no port, and the browser ends when we do.

Separate from the WebKit engine, which speaks WebDriver through a keeper: here one file is enough, because Chromium ends
by itself when the pipe is closed, and whatever is left of its tree is ended by number. What waits, waits for an answer
or an event, at most `PATIENCE_MS` between two of them. Standard library only.

Flags and behaviour: trailcam facts, Chromium 156, measured on Debian.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import subprocess

from fakes.engines.processes import PATH, children_of
from harness.problem import Problem
from harness.wire import jsontext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-pipe",
    "--no-default-browser-check", "--disable-search-engine-choice-screen",
)  # fmt: skip
RESOLVER = "--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
"""Names under .test are this machine, and no other name is anything."""
PATIENCE_MS = 20_000
"""Longest silence while something is waited for; no call measured here needs a tenth of it."""
CHUNK = 1 << 16


class CdpError(Problem):
    """The browser refused a command, or said nothing in time."""


class Chromium:
    """One browser with a profile of its own. `close` ends it with all its processes."""

    def __init__(self, program: str, profile: str, flags: tuple[str, ...] = ()) -> None:
        """program: the executable. profile: an empty folder. flags: beside FLAGS and RESOLVER."""
        self.profile = profile
        self.events: list[dict[str, Any]] = []
        self._next = 0
        self._rest = b""
        self._answers: dict[int, dict[str, Any]] = {}
        self.log = os.path.join(profile, "stderr.txt")
        argv = [program, *FLAGS, RESOLVER, f"--user-data-dir={profile}", *flags, "about:blank"]
        down_read, self._down = os.pipe()
        self._up, up_write = os.pipe()
        with open(self.log, "ab") as log:
            self._process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                close_fds=False,
                start_new_session=True,
                preexec_fn=_plumb(down_read, up_write),
                env={"PATH": PATH, "HOME": profile},
            )
        os.close(down_read)
        os.close(up_write)

    @property
    def pid(self) -> int:
        return self._process.pid

    def call(self, method: str, params: Mapping[str, Any] | None = None, session: str | None = None) -> dict[str, Any]:
        """One CDP command and its result. Raises CdpError."""
        return self.answer(self.send(method, params, session), method)

    def send(self, method: str, params: Mapping[str, Any] | None = None, session: str | None = None) -> int:
        """A CDP command whose answer is fetched later, or never; its number."""
        self._next += 1
        message: dict[str, Any] = {"id": self._next, "method": method, "params": dict(params or {})}
        if session is not None:
            message["sessionId"] = session
        data = jsontext.encode(message) + b"\0"
        while data:
            data = data[os.write(self._down, data) :]
        return self._next

    def answer(self, number: int, method: str = "a command") -> dict[str, Any]:
        """The result of the command with this number."""
        while number not in self._answers:
            self._read(f"the answer to {method}")
        answer = self._answers.pop(number)
        if "error" in answer:
            raise CdpError(
                f"{method}: {answer['error'].get('message')}", "a result", "see the protocol's documentation"
            )
        result: dict[str, Any] = answer["result"]
        return result

    def wait(self, wanted: Callable[[dict[str, Any]], bool], what: str) -> dict[str, Any]:
        """The first event, kept or to come, that is wanted; it is taken out of `events`. Raises CdpError."""
        at = 0
        while True:
            while at < len(self.events):
                if wanted(self.events[at]):
                    return self.events.pop(at)
                at += 1
            self._read(what)

    def settle(self) -> None:
        """Take in what has arrived."""
        self.call("Browser.getVersion")

    def _read(self, what: str) -> None:
        ready, _, _ = select.select([self._up], [], [], PATIENCE_MS / 1000)
        if not ready:
            raise CdpError(f"nothing for {PATIENCE_MS} ms", what, f"see {self.log}")
        data = os.read(self._up, CHUNK)
        if not data:
            raise CdpError("the browser has ended", what, f"see {self.log}")
        *messages, self._rest = (self._rest + data).split(b"\0")
        for text in messages:
            message: Any = jsontext.loads(text.decode("utf-8", "surrogatepass"))
            if "id" in message:
                self._answers[message["id"]] = message
            else:
                self.events.append(message)

    def attach(self, target: str) -> str:
        """A session with a target."""
        answer = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})
        return str(answer["sessionId"])

    def targets(self, kind: str | None = None) -> list[dict[str, Any]]:
        """What there is, tabs included; of one kind where it is given."""
        found = self.call("Target.getTargets", {"filter": [{}]})["targetInfos"]
        return [each for each in found if kind in (None, each["type"])]

    def evaluate(self, session: str, expression: str, *, gesture: bool = False) -> Any:
        """The value of an expression in a target, promises awaited. Raises CdpError where it throws."""
        return self.value(self.begin(session, expression, gesture=gesture))

    def begin(self, session: str, expression: str, *, gesture: bool = False) -> int:
        """Start an evaluation; `value` has what comes of it."""
        params = {
            "expression": expression, "awaitPromise": True, "returnByValue": True, "userGesture": gesture,
            "allowUnsafeEvalBlockedByCSP": True,
        }  # fmt: skip
        return self.send("Runtime.evaluate", params, session)

    def value(self, number: int) -> Any:
        answer = self.answer(number, "Runtime.evaluate")
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            seen = details.get("exception", {}).get("description") or details.get("text")
            raise CdpError(str(seen), "an expression that does not throw", "correct the expression")
        return answer["result"].get("value")

    def open(self, url: str = "about:blank", *, background: bool = False, window: bool = False) -> str:
        """A new tab (or window); its page's target."""
        params = {"url": url, "background": background, "newWindow": window}
        return str(self.call("Target.createTarget", params)["targetId"])

    def close(self) -> None:
        """End the browser as a person would, and whatever is left of its processes."""
        tree = tree_of(self.pid)
        if self._process.poll() is None:
            try:
                self.send("Browser.close")
                self._process.wait(PATIENCE_MS / 1000)
            except (OSError, subprocess.TimeoutExpired):
                self._process.kill()
        self._finish(tree)

    def kill(self) -> None:
        """End the browser at once, and what it started, save hosts: those have to end by themselves."""
        tree = [pid for pid in tree_of(self.pid) if _is_browser(pid)]
        self._process.kill()
        self._finish(tree)

    def _finish(self, tree: list[int]) -> None:
        self._process.wait()
        for pid in tree:
            end(pid)
        for number in (self._down, self._up):
            if number >= 0:
                os.close(number)
        self._down = self._up = -1


def tree_of(pid: int) -> list[int]:
    """A process and all that descend from it."""
    found = [pid]
    for each in found:
        found += children_of(each)
    return found


def end(pid: int) -> None:
    """Kill a process, and wait until it has ended."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return  # it has ended, as it should
    try:
        signal.pidfd_send_signal(handle, signal.SIGKILL)
        select.select([handle], [], [], PATIENCE_MS / 1000)
    except ProcessLookupError:
        return  # it ended meanwhile
    finally:
        os.close(handle)


def _is_browser(pid: int) -> bool:
    """By its executable: a helper may call itself otherwise, and a host has the extension's address in its words."""
    try:
        return "chrom" in os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return False


def _plumb(read: int, write: int) -> Callable[[], None]:
    """In the child: CDP's two ends are the numbers 3 and 4, and no other of ours stays open."""

    def plumb() -> None:
        first, second = fcntl.fcntl(read, fcntl.F_DUPFD, 64), fcntl.fcntl(write, fcntl.F_DUPFD, 64)
        os.dup2(first, 3)
        os.dup2(second, 4)
        os.closerange(5, 256)

    return plumb
