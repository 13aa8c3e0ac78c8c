"""codesign's words count as whole lines, once each."""

from __future__ import annotations

import pytest

from stack.computer_use.settings import LINUX, Settings
from stack.computer_use.signatures import check_details, values_of, verify_binaries
from stack.contract import Program
from stack.errors import SetupError
from tests.stack.scripted_programs import codesign
from tests.stack.staging import play, staged

GOOD = b"Executable=/x\nIdentifier=com.openai.codex\nAuthority=A (2DC432GLL2)\nTeamIdentifier=2DC432GLL2\n"


def test_the_right_lines_pass_wherever_they_stand() -> None:
    check_details(Program.CODEX, GOOD, "com.openai.codex")
    check_details(Program.CODEX, GOOD[:-1], "com.openai.codex")
    assert values_of("Authority", GOOD) == [b"A (2DC432GLL2)"]


BAD = [
    GOOD.replace(b"TeamIdentifier=2DC432GLL2", b"TeamIdentifier=2DC432GLL2X"),
    GOOD.replace(b"TeamIdentifier=2DC432GLL2", b"TeamIdentifier=X2DC432GLL2"),
    GOOD.replace(b"TeamIdentifier=2DC432GLL2", b"TeamIdentifier=2DC432GLL2 "),
    GOOD.replace(b"TeamIdentifier=2DC432GLL2", b"TeamIdentifier=not set"),
    GOOD.replace(b"TeamIdentifier=2DC432GLL2", b" TeamIdentifier=2DC432GLL2"),
    GOOD.replace(b"TeamIdentifier=2DC432GLL2\n", b""),
    GOOD.replace(b"\n", b"\r\n"),
    GOOD + b"TeamIdentifier=OTHER\n",
    GOOD + b"TeamIdentifier=2DC432GLL2\n",
    GOOD.replace(b"/x", b"/x/TeamIdentifier=2DC432GLL2").replace(b"\nTeamIdentifier=2DC432GLL2", b""),
    GOOD.replace(b"com.openai.codex", b"com.openai.codex.other"),
    GOOD.replace(b"com.openai.codex", b"com.openai.sky.CUAService.cli"),
    GOOD.replace(b"Identifier=com.openai.codex\n", b""),
    GOOD.replace(b"Identifier=com", b"identifier=com"),
    GOOD[: len(GOOD) // 2],
    b"\xff\xfe",
    b"",
]


@pytest.mark.claim("CUA-SIG-01")
@pytest.mark.parametrize("details", BAD)
def test_anything_else_is_refused(details: bytes) -> None:
    with pytest.raises(SetupError, match="signature_invalid: codex"):
        check_details(Program.CODEX, details, "com.openai.codex")


@pytest.mark.claim("CUA-SIG-01")
def test_both_binaries_are_verified_at_their_places() -> None:
    async def main() -> None:
        async with staged(signs=codesign()) as (host, _):
            await verify_binaries(host, Settings(platform=LINUX))
            assert [process.args for process in host.processes] == [
                ["--verify", "--strict", "/scripted/bin/codex"],
                ["-dv", "--verbose=2", "/scripted/bin/codex"],
                ["--verify", "--strict", "/scripted/bin/helper"],
                ["-dv", "--verbose=2", "/scripted/bin/helper"],
            ]

    play(main)
