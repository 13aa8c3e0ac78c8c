"""The fake browser: a process that the user started, with our extension in it, which starts our native host.

It runs around a run (harness/subjects.py). Its worker connects when the browser starts, and again after whatever ended
the connection: after a backoff, since nothing else wakes it. `worker: idle` is the profile of a browser that stops the
worker 30 s after its start although a port is open; the measured Chromium, `persistent`, does not.
"""

from __future__ import annotations

from fakes.fronts.chrome_native import IDLE_MS, refusal
from fakes.settings import read
from harness.faults.steps import Exit, Signal, Start, Until, Wait
from harness.serve.machine import Silent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from fakes.settings import Table
    from fakes.worlds.chrome import Browser as Process
    from fakes.worlds.chrome import Chrome, Profile
    from harness.faults.steps import Handler
    from harness.serve.machine import Given

KEYS: Table = {
    "worker_ms": ("number", 100, "from the browser's start to its worker's"),
}
FIRST_BACKOFF_MS = 500
LONGEST_BACKOFF_MS = 30_000
HELLO_MS = 5000
"""How long the extension waits for the host's hello."""
CLOSES_MS = 60
"""From a browser's end to that of its process (row 21)."""
LOOKS = 130
"""So many times as long it is waited for, before it is ended as a user ends what does not react."""
SIGTERM, SIGKILL = 15, 9


class Browser(Silent):
    """One browser process: the first of the world's that has none, or else has one no more."""

    wires: Mapping[str, str] = {"stdio": "raw"}

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        self.world: Chrome = given.world
        self.p = given.p
        self.settings = read(dict(given.settings), KEYS, "programs.browser")
        self.browser: Process = self.world.next_browser(given.p)
        self._ports = 0
        self._next = False
        """Whether it has started the next browser of the world."""
        self._profiles: dict[str, Profile] = {}
        """Wire -> profile whose channel it is."""

    def started(self, argv: list[str], env: Mapping[str, str]) -> Handler:
        browser = self.browser
        browser.running = True
        if any(each.p is None for each in self.world.browsers):
            self._next = True
            yield Start("next", "browser", [])
        yield Wait(self.settings["worker_ms"])
        if not browser.values["extension"]:
            return
        for profile in browser.profiles[1:]:
            yield from self._connect(profile)
        for profile in browser.profiles[:1]:
            yield from self._connect(profile)
        yield from self._stay()

    def _connect(self, profile: Profile) -> Handler:
        """The worker starts, and connects to the host."""
        profile.worker = True
        profile.starts += 1
        profile.instance = f"{self.browser.number:08x}{profile.number:08x}{profile.starts:016x}"
        why = refusal(str(self.browser.values["registered"]))
        if why is not None:
            profile.errors.append(why)
            profile.gave_up = True
            return
        self._ports += 1
        wire = f"port{self._ports}"
        profile.opening = True
        self._profiles[wire] = profile
        profile.orders.clear()
        which = {"browser": str(self.browser.number), "profile": str(profile.number)}
        yield Start(wire, "channel", [str(self.browser.values["origin"])], which)

    def opened(self, wire: str) -> Handler:
        """A host that says no hello in time is none of ours."""
        profile = self._profiles.get(wire)
        if profile is not None:
            starts = profile.starts
            yield Wait(HELLO_MS)
            ours = self.browser.values["takes"] == "ours"
            if profile.starts == starts and profile.opening:  # the port was killed before it was one
                profile.opening = False
                self.world.wake(f"browser:{self.p}")
            if ours and profile.starts == starts and profile.channel is not None and not profile.connected:
                profile.orders.append("no hello")
                self.world.wake(f"channel:{profile.channel}")
            if self.browser.values["worker"] == "idle":
                yield Wait(IDLE_MS - HELLO_MS)
                if profile.starts == starts and profile.channel is not None:
                    profile.orders.append("kill worker")
                    self.world.wake(f"channel:{profile.channel}")

    def _stay(self) -> Handler:
        """Reconnect whatever was disconnected, with a backoff, for as long as the browser runs."""
        failures = connections = 0
        ours = self.browser.values["takes"] == "ours"
        while True:
            lost = [
                each
                for each in self.browser.profiles
                if ours and each.channel is None and not (each.opening or each.gave_up)
            ]
            if self.browser.closing:
                yield from self._end()
            elif lost:
                now = sum(profile.connections for profile in self.browser.profiles)
                failures, connections = (0, now) if now > connections else (failures, connections)
                yield Wait(min(FIRST_BACKOFF_MS << failures, LONGEST_BACKOFF_MS))
                failures = min(failures + 1, 16)
                for profile in lost:
                    if profile.channel is None and not self.browser.closing:  # a port may have opened late
                        yield from self._connect(profile)
                if not self.browser.closing:
                    yield Until(f"browser:{self.p}")
            else:
                yield Until(f"browser:{self.p}")

    def _end(self) -> Handler:
        """The browser ends: its channels with it, and nobody kills a host."""
        self.browser.running = False
        self.browser.closing = True
        if self._next:
            yield Signal("next", SIGTERM)
        for profile in self.browser.profiles:
            profile.orders[:] = ["close browser"]
            self.world.wake(f"channel:{profile.channel}")
        yield Wait(CLOSES_MS)
        for _ in range(LOOKS):
            if self._next:
                yield Wait(CLOSES_MS)
        if self._next:
            yield Signal("next", SIGKILL)
        while self._next or any(profile.hosts for profile in self.browser.profiles):
            yield Until(f"hosts:{self.browser.number}")
        yield Exit(0)

    def reaped(self, wire: str, status: int) -> Handler:
        """The next browser has ended."""
        self._next = False
        self.world.wake(f"hosts:{self.browser.number}")
        yield from ()

    def gone(self) -> None:
        """One that is killed tells nobody; the next browser of the world is then closed as a user closes it."""
        if self._next:
            self._next = False
            for each in self.world.browsers[self.browser.number + 1 :]:
                self.world.order(each, "close browser")

    def ended(self, wire: str) -> Handler:
        """Nobody reads a browser's standard input."""
        yield from ()

    def signalled(self, number: int) -> Handler | None:
        return self._end() if number == SIGTERM else None
