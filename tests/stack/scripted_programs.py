"""codesign and lsappinfo of the scripted host."""

from __future__ import annotations

from collections.abc import Sequence

import anyio

from tests.stack.scripted_host import Script, ScriptedProcess

IDENTIFIERS = {"codex": "com.openai.codex", "helper": "com.openai.sky.CUAService.cli"}
FRONT = "ASN:0x0-0x39039:"
OTHER = "ASN:0x0-0xa40a4:"
BUNDLES = {FRONT: "com.apple.finder", OTHER: "com.apple.TextEdit"}


def codesign(details: bytes | None = None, *, verify: int = 0, show: int = 0, wait_s: float = 0) -> Script:
    async def script(process: ScriptedProcess) -> int:
        await anyio.sleep(wait_s)
        if "--verify" in process.args:
            return verify
        identifier = IDENTIFIERS[process.args[-1].rsplit("/", 1)[1]]
        usual = f"Executable={process.args[-1]}\nIdentifier={identifier}\nTeamIdentifier=2DC432GLL2\n".encode()
        await process.complain(usual if details is None else details)
        return show

    return script


def event_line(asn: str, bundle: str | None, other: str = FRONT) -> bytes:
    named = f', "CFBundleIdentifier"="{bundle}"' if bundle else ""
    return (
        f'Notification: kLSNotifyBecameFrontmost time=1 dataRef={{ "LSOtherASN"={other}, "LSMenuBarOwnerASN"={asn}, '
        f'"LSASN"={asn}, "LSFrontApplicationSeed"=495{named} }} affectedASN="X" {asn}  context=0x0 sessionID=1\n'
    ).encode()


class LsAppInfo:
    """The script of `lsappinfo`. fronts: what `front` prints, the last one from then on; events: what the listener
    says: (milliseconds to wait, bytes); dies: the listener ends after them."""

    def __init__(self, fronts: Sequence[str] = (FRONT,), events: Sequence[tuple[float, bytes]] = ()) -> None:
        self.fronts = list(fronts)
        self.events = list(events)
        self.bundles = dict(BUNDLES)
        self.macos = 26
        self.dies = False
        self.stubborn: set[int] = set()

    async def __call__(self, process: ScriptedProcess) -> int:
        if process.args[0] == "listen":
            process.ignores = self.stubborn
            for wait_ms, line in self.events:
                await anyio.sleep(wait_ms / 1000)
                await process.say(line)
            if not self.dies:
                await anyio.sleep_forever()
            return 0
        if process.args[0] == "front":
            front = self.fronts.pop(0) if len(self.fronts) > 1 else self.fronts[0]
            if front == "hang":
                await anyio.sleep_forever()
            await process.say(front.encode() + b"\n")
            return 0 if front else 1
        bundle = self.bundles.get(process.args[-1])
        if bundle == "hang":
            await anyio.sleep_forever()
        if bundle is not None and self.macos >= 27:
            await process.say(f'[ NULL ]  {process.args[-1]} (in front) \n\tbundleID="{bundle}"\n'.encode())
        elif bundle is not None:
            await process.say(f'"CFBundleIdentifier"="{bundle}"\n'.encode())
        return 0
