"""codesign's command line, streams and exit codes. CUA-SIG-01 needs each of them."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from fakes.settings import SettingsProblem
from tests.fakes.drive import Run, run

CLIENT = "/Applications/X.app/Contents/SkyComputerUseClient"
VERIFY, SHOW = ("--verify", "--strict"), ("-dv", "--verbose=2")


def outputs(*lines: tuple[str, ...], **settings: Any) -> list[tuple[int, str, str]]:
    found: list[tuple[int, str, str]] = []

    async def body(made: Run) -> None:
        for line in lines:
            found.append(await made.output("codesign", *line))

    run(body, programs={"codesign": settings})
    return found


def test_a_good_signature_is_silent_and_its_display_is_on_standard_error() -> None:
    verified, shown = outputs((*VERIFY, CLIENT), (*SHOW, CLIENT))
    assert verified == (0, "", "")
    assert (shown[0], shown[1]) == (0, "")
    lines = shown[2].split("\n")
    assert lines[:2] == [f"Executable={CLIENT}", "Identifier=com.openai.sky.CUAService.cli"]
    assert "TeamIdentifier=2DC432GLL2" in lines
    assert "Authority=Developer ID Application: OpenAI OpCo, LLC (2DC432GLL2)" in lines


def test_the_display_without_verbosity_is_short() -> None:
    [(status, _, errors)] = outputs(("-d", CLIENT))
    assert (status, errors.count("\n")) == (0, 3)


@pytest.mark.parametrize(
    ("signature", "verified", "shown"),
    [
        (None, (1, f"{CLIENT}: code object is not signed at all\n"), (1, "code object is not signed at all")),
        (
            {"valid": False},
            (1, f"{CLIENT}: invalid signature (code or signature have been modified)\n"),
            (0, "2DC432GLL2"),
        ),
        ({"team": "2DC432GLL2X"}, (0, ""), (0, "TeamIdentifier=2DC432GLL2X\n")),
        ({"team": None}, (0, ""), (0, "TeamIdentifier=not set\n")),
        ({"identifier": "com.example.other"}, (0, ""), (0, "Identifier=com.example.other\n")),
        ({"extra": ["Note=TeamIdentifier=2DC432GLL2"]}, (0, ""), (0, "Note=TeamIdentifier=2DC432GLL2\n")),
        ({"leaf": "Apple Development: x"}, (0, ""), (0, "Authority=Apple Development: x\n")),
    ],
)
def test_a_signature_is_a_setting(signature: Any, verified: tuple[int, str], shown: tuple[int, str]) -> None:
    first, second = outputs((*VERIFY, CLIENT), (*SHOW, CLIENT), signatures={CLIENT: signature})
    assert (first[0], first[2]) == verified
    assert second[0] == shown[0]
    assert shown[1] in second[2]


def test_what_is_not_named_is_not_signed() -> None:
    for status, _, errors in outputs((*VERIFY, "/bin/other"), (*SHOW, "/bin/other")):
        assert (status, errors) == (1, "/bin/other: code object is not signed at all\n")


@pytest.mark.parametrize("line", [(), (CLIENT,), ("--verify", CLIENT, "/x"), ("--verify", "-d", CLIENT)])
def test_other_words_are_a_usage_error(line: tuple[str, ...]) -> None:
    [(status, _, errors)] = outputs(line)
    assert (status, errors[:6]) == (2, "Usage:")


def test_a_garbled_display_ends_with_0() -> None:
    [(status, _, errors)] = outputs((*SHOW, CLIENT), garbled=True)
    assert status == 0
    assert errors.startswith(f"Executable={CLIENT}\nIdent")
    assert "TeamIdentifier" not in errors


def test_it_may_hang() -> None:
    async def body(made: Run) -> None:
        peer = await made.start("codesign", *VERIFY, CLIENT)
        with trio.move_on_after(1000):
            await peer.process.wait()
        assert peer.process.returncode is None
        assert peer.process.stdin is not None
        await peer.process.stdin.aclose()

    assert len(run(body, programs={"codesign": {"hangs": True}}).stage.sessions) == 1


@pytest.mark.parametrize(
    "settings", [{"colour": 1}, {"signatures": {"x": {"teams": "y"}}}, {"signatures": {"x": {"extra": 1}}}]
)
def test_bad_settings_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(BaseExceptionGroup) as raised:
        outputs((*VERIFY, CLIENT), **settings)
    assert raised.group_contains(SettingsProblem)
