"""`codesign`: verification and display of a signature, with the exit codes and streams of the real tool.

Details go to standard error, as the real one has it. Source: trailcam facts on codex app-server, section 6. What
each path carries is a setting: the two signed programs by default, nothing else.
"""

from __future__ import annotations

from fakes.settings import SettingsProblem, read
from harness.faults.steps import At, Exit, Send, Until, Wait
from harness.serve.machine import Silent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fakes.settings import Table
    from harness.faults.steps import Handler
    from harness.serve.machine import Given
    from harness.wire.jsontext import Json

TEAM = "2DC432GLL2"
SIGNATURE_KEYS: Table = {
    "identifier": ("text", "com.openai.sky.CUAService.cli", "identifier of the signed code"),
    "team": ("text or null", TEAM, "team identifier; null where there is none"),
    "leaf": ("text or null", None, "first authority; made from the team where absent"),
    "valid": ("bool", True, "whether --verify succeeds"),
    "extra": ("texts", [], "further lines of the display, as they stand"),
}
KEYS: Table = {
    "signatures": ("object", {}, "path, or the last part of one, to what it carries; null: not signed"),
    "cost_ms": ("number", 8, "how long it takes"),
    "hangs": ("bool", False, "never ends"),
    "garbled": ("bool", False, "writes half a display, and exits with 0"),
}
SIGNED: dict[str, Json] = {
    "codex": {"identifier": "com.openai.codex"},
    "helper": {},
    "SkyComputerUseClient": {},
}
"""By last part of the path: what is signed where the run sheet says nothing. `helper` is its name in a run folder."""


class CodeSign(Silent):
    """`--verify --strict PATH` and `-dv --verbose=2 PATH` (flags in any order, several verbosities)."""

    wires: Mapping[str, str] = {"stdio": "lines"}
    moments: Sequence[str] = ("received",)

    def __init__(self, given: Given) -> None:
        super().__init__(given)
        self.settings = read(dict(given.settings), KEYS, "programs.codesign")
        self.signatures: dict[str, dict[str, Json] | None] = {}
        signatures = self.settings["signatures"]
        assert isinstance(signatures, dict)
        for path, signature in {**SIGNED, **signatures}.items():
            self.signatures[path] = (
                None if signature is None else read(signature, SIGNATURE_KEYS, f"signature of {path}")
            )

    def ended(self, wire: str) -> Handler:
        yield from ()  # it reads no input: the end of it means nothing

    def started(self, argv: list[str], env: Mapping[str, str]) -> Handler:
        flags = [each for each in argv if each.startswith("-")]
        paths = [each for each in argv if not each.startswith("-")]
        verify = any(flag in ("--verify", "-v") for flag in flags)
        display = any(flag in ("--display", "-d", "-dv", "-dvv", "-dvvv") for flag in flags)
        yield At("received", {"verb": "verify" if verify else "display"})
        yield Wait(self.settings["cost_ms"])
        if self.settings["hangs"]:
            yield Until("never")
        if len(paths) != 1 or verify == display:
            yield Send(
                b"Usage: codesign -s identity [-fv*] [-o flags] [-r reqs] [-i ident] path ... # sign\n", stream="err"
            )
            yield Exit(2)
        yield from self._verify(paths[0]) if verify else self._display(paths[0], any("verbose" in f for f in flags))

    def _signature(self, path: str) -> dict[str, Json] | None:
        if path in self.signatures:
            return self.signatures[path]
        name = path.rsplit("/", 1)[-1]
        return self.signatures.get(name)

    def _verify(self, path: str) -> Handler:
        signature = self._signature(path)
        if signature is None:
            yield Send(f"{path}: code object is not signed at all\n".encode(), stream="err")
            yield Exit(1)
        elif not signature["valid"]:
            yield Send(f"{path}: invalid signature (code or signature have been modified)\n".encode(), stream="err")
            yield Exit(1)
        yield Exit(0)

    def _display(self, path: str, verbose: bool) -> Handler:
        signature = self._signature(path)
        if signature is None:
            yield Send(f"{path}: code object is not signed at all\n".encode(), stream="err")
            yield Exit(1)
            return
        lines = _lines(path, signature) if verbose else _lines(path, signature)[:3]
        if self.settings["garbled"]:
            lines = [*lines[:1], lines[1][: len(lines[1]) // 2]]
        yield Send("".join(f"{line}\n" for line in lines).encode(), stream="err")
        yield Exit(0)


def _lines(path: str, signature: dict[str, Json]) -> list[str]:
    team = signature["team"]
    leaf = signature["leaf"] or (f"Developer ID Application: OpenAI OpCo, LLC ({team})" if team else "(unavailable)")
    extra = signature["extra"]
    if not isinstance(extra, list):
        raise SettingsProblem(f"{extra!r}", "a list of lines", "correct it")
    return [
        f"Executable={path}",
        f"Identifier={signature['identifier']}",
        "Format=Mach-O universal (x86_64 arm64)",
        "CodeDirectory v=20500 size=1093 flags=0x10000(runtime) hashes=24+7 location=embedded",
        "Signature size=9050",
        f"Authority={leaf}",
        "Authority=Developer ID Certification Authority",
        "Authority=Apple Root CA",
        "Timestamp=1 Dec 2025 at 09:00:00",
        "Info.plist=not bound",
        f"TeamIdentifier={team or 'not set'}",
        *(str(line) for line in extra),
    ]
