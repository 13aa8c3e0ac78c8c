"""The tables of the profiles: whole, and right for what was recorded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.problem import UsageProblem
from harness.replay.pointers import parts_of
from harness.replay.profiles import OWNED_KINDS, PLACEHOLDERS, PROFILES, Profile, profile_of
from harness.wire import DIALECTS
from tests.harness.replay.test_recordings import FOLDER


def pointers(profile: Profile) -> list[str]:
    """Every pointer of a profile's tables."""
    tables = (profile.ignored, profile.refers, profile.repeats, profile.chosen, profile.subjects)
    found = [pointer for table in tables for row in table.values() for pointer in row]
    found += [pointer for row in profile.owned.values() for pointer in row]
    for pair in profile.pairs:
        found += [*pair.first.where, *pair.then.where, *(each.lstrip("?") for both in pair.same for each in both)]
    return found


@pytest.mark.parametrize("name", PROFILES)
def test_pointers_are_pointers_to_members_of_objects(name: str) -> None:
    profile = PROFILES[name]
    for pointer in pointers(profile):
        assert pointer.startswith("/") and all(parts_of(pointer)), pointer
        assert "~" not in pointer, "names without escapes, as `replaced` is made for"
    assert {kind for row in profile.owned.values() for kind in row.values()} <= set(OWNED_KINDS)
    assert profile.means and profile.name in PROFILES


@pytest.mark.parametrize("name", PROFILES)
def test_what_a_pair_keeps_may_move_at_all(name: str) -> None:
    profile = PROFILES[name]
    for pair in profile.pairs:
        for frames in (pair.first, pair.then):
            fixed = profile.movable is not None and (frames.kind, frames.method) not in profile.movable
            assert not fixed or frames.kind == "reply", f"{frames} is in a pair, and never moves"
        assert str(pair.first) and "?" not in str(pair.then)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_has_a_profile(dialect: str) -> None:
    expected = {"jsonrpc": "jsonrpc", "mcp": "mcp"}.get(dialect, "plain")
    assert profile_of(None, dialect).name == expected


def test_a_profile_by_its_name() -> None:
    assert profile_of("codex-0.171.0", "jsonrpc").name == "codex"
    with pytest.raises(UsageProblem, match=r"the profile 'codex-9'.*one of plain"):
        profile_of("codex-9", "jsonrpc")


def headers() -> list[dict[str, object]]:
    return [json.loads(path.read_text().partition("\n")[0]) for path in sorted(FOLDER.rglob("*.jsonl"))]


def test_the_recordings_name_profiles_that_there_are() -> None:
    assert {header["profile"] for header in headers()} == {None, "codex-0.144.2", "codex-0.171.0"}


def test_the_placeholders_of_the_recordings_are_known() -> None:
    import re

    found = set()
    for path in Path(FOLDER).rglob("*.jsonl"):
        found |= set(re.findall(r"<([A-Z][A-Z0-9]*)(?:-\d+)?>", path.read_text()))
    assert found <= set(PLACEHOLDERS)
    assert {"ROOT", "UUID7", "HOST"} <= found
