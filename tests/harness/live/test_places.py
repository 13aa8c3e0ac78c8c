"""The two tables of places: the official ones, and stubs that are gone again after their run."""
from __future__ import annotations

from pathlib import Path

import pytest
import trio

from harness.live.machine import official_table
from harness.live.places import Places, real, rehearsal
from harness.live.systems import SYSTEMS
from harness.subjects import subject
from tests.harness.live.machines import Told
from tests.harness.live.rehearsed import OF, ROW

TABLE = official_table(OF)
SHEET = {"seed": 1, "profile": "0.171.0", "world": {}, "programs": {}}


def test_the_real_places_are_the_official_ones_and_live_only_where_all_are_verified() -> None:
    signed = frozenset(TABLE.values())

    async def of(machine: Told) -> Places:
        async with real(ROW, OF, machine)(SHEET) as places:
            return places

    places = trio.run(of, Told(signed=signed))
    assert (places.table, places.back, places.settings) == (TABLE, "live", {"platform": "macos"})
    assert places.applications is None
    assert places.locks is None
    assert trio.run(of, Told(signed=signed - {TABLE["helper"]})).back == "model"
    assert trio.run(of, Told(system="linux", signed=signed)).back == "model"


def test_a_version_is_what_the_verified_program_says() -> None:
    path = "/usr/bin/safaridriver"
    of, row = subject("safari-mcp"), SYSTEMS["safari-mcp"]

    async def main(machine: Told) -> Places:
        async with real(row, of, machine)(SHEET) as places:
            return places

    says = {path: "Included with Safari 27.0 (1)"}
    assert trio.run(main, Told(signed=frozenset({path}), says=says)).versions == {"safaridriver": says[path]}
    unsigned = Told(says=says)
    assert trio.run(main, unsigned).versions == {}
    assert unsigned.asked == []


@pytest.mark.claim("HAR-LIVE-01")
def test_a_rehearsal_is_never_live_on_any_machine_and_leaves_nothing() -> None:
    """Also not on a Mac on which every file is signed."""

    async def main() -> Places:
        async with rehearsal(subject("computer-use"), Told(signed=frozenset(TABLE.values())))(SHEET) as places:
            assert all(Path(path).is_file() for path in places.table.values())
            assert places.locks is not None
            assert places.applications
            return places

    places = trio.run(main)
    assert places.back == "model"
    assert {proof.path for proof in places.proofs.values()} == set(places.table.values())
    assert not {*places.table.values()} & {*TABLE.values()}
    assert [folder for folder in places.folders if Path(folder).exists()] == []


def test_a_rehearsal_that_fails_leaves_nothing_either() -> None:
    seen: list[str] = []

    async def main() -> None:
        async with rehearsal(OF, Told())(SHEET) as places:
            seen.extend(places.folders)
            raise RuntimeError("in the middle")

    with pytest.raises(ExceptionGroup) as raised:
        trio.run(main)
    assert raised.value.subgroup(RuntimeError)
    assert seen
    assert [folder for folder in seen if Path(folder).exists()] == []
