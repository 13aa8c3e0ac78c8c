"""Whether the two official binaries are what they should be: codesign's verdict, and its words as whole lines.

A substring would accept a longer team identifier, or one that stands inside a path. So each value must be the whole
rest of exactly one line. Anything else (missing, hanging, too long, garbled) refuses.
Source: codex app-server facts, section 6: the check is silent with status 0, the details go to stderr.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stack.computer_use.programs import RunFailed, run_program
from stack.computer_use.settings import TEAM, Settings
from stack.contract import Host, Program
from stack.errors import SetupError

VERIFY: Final[Sequence[str]] = ("--verify", "--strict")
DETAILS: Final[Sequence[str]] = ("-dv", "--verbose=2")


def values_of(name: str, details: bytes) -> list[bytes]:
    """The rest of every line that begins with `NAME=`."""
    start = name.encode("ascii") + b"="
    return [line[len(start) :] for line in details.split(b"\n") if line.startswith(start)]


def check_details(program: Program, details: bytes, identifier: str) -> None:
    """SetupError unless the details name our team and the pinned identifier, each on one line of its own."""
    for name, wanted in (("TeamIdentifier", TEAM), ("Identifier", identifier)):
        seen = values_of(name, details)
        if seen != [wanted.encode("ascii")]:
            shown = ", ".join(repr(value[:80].decode("ascii", "replace")) for value in seen[:3]) or "no line"
            raise SetupError("signature_invalid", f"{program}: {name} is {shown}; expected {wanted!r} once")


async def verify_program(host: Host, program: Program, settings: Settings) -> None:
    """SetupError unless the program at its place passes both checks."""
    try:
        path = host.path(program)
    except LookupError as error:
        raise SetupError("program_missing", f"{program} is not in the host's table") from error
    limits = (settings.deadlines.signature, settings.bounds.output_bytes)
    try:
        verified = await run_program(
            host, Program.CODESIGN, [*VERIFY, path], limit_ms=limits[0], output_bytes=limits[1]
        )
        if verified.status != 0:
            raise SetupError("signature_invalid", f"{program}: codesign refuses it (status {verified.status})")
        shown = await run_program(host, Program.CODESIGN, [*DETAILS, path], limit_ms=limits[0], output_bytes=limits[1])
    except RunFailed as error:
        raise SetupError("signature_unreadable", f"{program}: {error}") from error
    if shown.status != 0:
        raise SetupError("signature_unreadable", f"{program}: codesign shows no details (status {shown.status})")
    check_details(program, shown.err, settings.platform.identifiers[program])


async def verify_binaries(host: Host, settings: Settings) -> None:
    """Both binaries, one after the other."""
    for program in settings.platform.identifiers:
        await verify_program(host, program, settings)
