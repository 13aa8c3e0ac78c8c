"""The way to the real program is there: with the fake's own executable in its place, over pages on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from harness.serve.launch import make_folder, remove_folder
from tests.fakes.safaridriver import real
from tests.fakes.safaridriver.pages import LOCAL, SHOP, WORLD
from tests.fakes.safaridriver.real import Addresses, OnProgram, said, served
from tests.fakes.safaridriver.test_checks import CHECKS


@pytest.fixture(scope="module")
def back() -> Iterator[OnProgram]:
    with served() as addresses:
        sheet = {
            "v": 1, "seed": 1, "world": addresses.there(WORLD),
            "programs": {"safaridriver": {"browser_ms": 0}},
            "machines": {"safaridriver": "fakes.fronts.safaridriver:SafariDriver"},
            "world_factory": "fakes.worlds.safari:Safari",
        }  # fmt: skip
        folder = make_folder(["safaridriver"], sheet)
        yield OnProgram([str(folder / "safaridriver")], addresses)
        remove_folder(folder)


@pytest.mark.parametrize("name", ["version", "lists_17_tools", "navigates_a_named_tab", "text_tree"])
def test_a_check_is_asked_of_a_program(back: OnProgram, name: str) -> None:
    assert said(back, CHECKS[name]) == "holds"


def test_what_does_not_hold_is_said(back: OnProgram) -> None:
    other = OnProgram(back.command, back.addresses, "technology-preview")
    assert said(other, CHECKS["lists_17_tools"]).startswith("BROKEN: AssertionError")


def test_every_check_can_be_asked_but_those_of_a_world_of_their_own(back: OnProgram) -> None:
    nobody = OnProgram(["/nowhere/safaridriver"], back.addresses)
    asked = {name for name, check in CHECKS.items() if _starts(nobody, check)}
    assert set(CHECKS) - asked == {"handshake_without_permission", "own_tabs_only"}


def _starts(back: OnProgram, check: Any) -> bool:
    try:
        return not said(back, check).startswith("not asked")
    except OSError:
        return True


def test_the_pages_of_the_checks_are_on_loopback_and_read_as_theirs() -> None:
    here = Addresses("127.0.0.1:9")
    given = {SHOP: [f"{SHOP}second", 7], "text": f"at {LOCAL} and shop.test"}
    assert here.there(given) == {
        "http://127.0.0.1:9/": ["http://127.0.0.1:9/second", 7], "text": "at http://127.0.0.1:9/local/ and 127.0.0.1:9",
    }  # fmt: skip
    assert here.back(here.there(given)) == given


@pytest.mark.parametrize(
    ("command", "only", "status", "says"),
    [("{fake}", "handshake", 0, "handshake: holds"), ("/nowhere/safaridriver", "version", 3, "Safari 27")],
)
def test_the_command(
    back: OnProgram, capfd: pytest.CaptureFixture[str], command: str, only: str, status: int, says: str
) -> None:
    assert real.main(["--only", only, command.replace("{fake}", back.command[0])]) == status
    assert says in "".join(capfd.readouterr())
