"""`lsappinfo`: front, info and listen, with the output of macOS up to 26 and of macOS 27.

Source: trailcam facts on codex app-server, section 6 (observed lines; the cost of a start is measured elsewhere).
"""

from __future__ import annotations

from fakes.settings import read
from harness.faults.steps import At, Exit, Send, Until, Wait
from harness.serve.machine import Silent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fakes.settings import Table
    from fakes.worlds.desktop_apps import App
    from harness.faults.steps import Handler
    from harness.serve.machine import Given

KEYS: Table = {
    "cost_ms": ("number", 5, "how long front and info take"),
    "deaf": ("bool", False, "listen starts, and never says anything"),
}
USAGE = b"lsappinfo: usage: lsappinfo <command> [<args>]\n"


class LsAppInfo(Silent):
    """`front`, `info -only KEY ASN`, `listen +becameFrontmost forever`; anything else is a usage error, exit 1."""

    wires: Mapping[str, str] = {"stdio": "lines"}
    moments: Sequence[str] = ("listening", "event")

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        self.settings = read(dict(given.settings), KEYS, "programs.lsappinfo")

    def started(self, argv: list[str], env: Mapping[str, str]) -> Handler:
        if argv == ["listen", "+becameFrontmost", "forever"]:
            yield from self._listen()
            return
        yield Wait(self.settings["cost_ms"])
        if argv == ["front"]:
            front = self.world.front
            yield Send((front.asn if front else "[ NULL ]").encode() + b"\n")
        elif len(argv) == 4 and argv[0] == "info" and argv[1] == "-only":
            yield Send(self._info(argv[2], argv[3]).encode())
        else:
            yield Send(USAGE, stream="err")
            yield Exit(1)
        yield Exit(0)

    def ended(self, wire: str) -> Handler:
        yield from ()  # it reads no input: the end of it means nothing

    def _info(self, key: str, asn: str) -> str:
        found = [app for app in self.world.apps if app.running and app.asn == asn]
        if not found or key not in ("bundleID", "bundleid", "name"):
            return ""
        app = found[0]
        if self.world.macos >= 27:
            place = " (in front)" if app is self.world.front else ""
            field = "name" if key == "name" else "bundleID"
            return f'[ NULL ]  {app.asn}{place} \n\t{field}="{app.name if key == "name" else app.bundle}"\n'
        return f'"LSDisplayName"="{app.name}"\n' if key == "name" else f'"CFBundleIdentifier"="{app.bundle}"\n'

    def _listen(self) -> Handler:
        told = len(self.world.fronts)
        yield At("listening")
        while True:
            if told == len(self.world.fronts) or self.settings["deaf"]:
                yield Until("front")
                continue
            now, before = self.world.fronts[told]
            told += 1
            yield At("event", {"app": now.key})
            yield Send(_event(now, before, told))


def _event(now: App, before: App | None, number: int) -> bytes:
    other = f'"LSOtherASN"={before.asn}, ' if before else ""
    return (
        f"Notification: kLSNotifyBecameFrontmost time=12/01/25 09:00:{number % 60:02d} "
        f'dataRef={{ {other}"LSMenuBarOwnerASN"={now.asn}, "LSFrontApplicationSeed"={494 + number}, "LSASN"={now.asn}, '
        f'"CFBundleIdentifier"="{now.bundle}" }} affectedASN="{now.name}" {now.asn}  '
        f"context=0x0 sessionID=100016 notificationID=0x{0xD0 + number:x}\n"
    ).encode()
