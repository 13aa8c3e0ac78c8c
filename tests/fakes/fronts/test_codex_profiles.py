"""The table of differences between versions."""

from __future__ import annotations

import pytest

from fakes.fronts.codex_methods import METHODS
from fakes.fronts.codex_profiles import COSTS_MS, DIFFERENCES, VERSIONS, Profile


@pytest.mark.parametrize("version", VERSIONS)
def test_a_profile_is_one_column_of_the_table(version: str) -> None:
    profile = Profile(version)
    column = VERSIONS.index(version)
    assert {name: getattr(profile, name) for name in DIFFERENCES} == {
        name: row[column] for name, row in DIFFERENCES.items()
    }
    assert set(Profile.__annotations__) == {"version", *DIFFERENCES}


def test_every_row_is_a_difference_and_says_what_it_is() -> None:
    assert [name for name, (older, newer, _) in DIFFERENCES.items() if older == newer] == []
    assert all(meaning for _, _, meaning in DIFFERENCES.values())


def test_an_unknown_version_is_no_profile() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        Profile("0.1.0")


def test_the_methods_of_both_versions_are_known() -> None:
    assert {version: len(methods) for version, methods in METHODS.items()} == {"0.144.2": 125, "0.171.0": 192}
    assert all(len(set(methods)) == len(methods) for methods in METHODS.values())


def test_costs_are_milliseconds() -> None:
    assert all(name.endswith("_ms") and cost > 0 and meaning for name, (cost, meaning) in COSTS_MS.items())
