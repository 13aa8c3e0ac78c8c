"""Settings are read strictly: unknown, missing and misfit keys are said, with their place."""

from __future__ import annotations

from typing import Any

import pytest

from fakes.settings import KINDS, REQUIRED, SettingsProblem, read

TABLE = {"name": ("text", REQUIRED, "a name"), "size": ("int", 3, "a size"), "mode": ("slow|fast", "slow", "a mode")}


def test_defaults_fill_what_is_not_said() -> None:
    assert read({"name": "x"}, TABLE, "here") == {"name": "x", "size": 3, "mode": "slow"}
    assert read({"name": "x", "size": 0, "mode": "fast"}, TABLE, "here")["mode"] == "fast"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"name": "x", "other": 1}, "unknown key 'other' in here"),
        ({}, "no 'name' in here"),
        ({"name": 3}, "3 for 'name' in here"),
        ({"name": "x", "size": True}, "True for 'size' in here"),
        ({"name": "x", "mode": "medium"}, "'medium' for 'mode' in here"),
        ({"name": "x", "mode": 1}, "1 for 'mode' in here"),
        ([], "an object for here"),
    ],
)
def test_a_bad_setting_is_refused_with_its_place(given: Any, words: str) -> None:
    with pytest.raises(SettingsProblem, match=words) as raised:
        read(given, TABLE, "here")
    assert raised.value.exit_code == 2


SAMPLES: dict[str, tuple[Any, Any]] = {
    "bool": (True, 1),
    "int": (1, 1.0),
    "number": (1.5, True),
    "text": ("", None),
    "texts": (["a"], ["a", 1]),
    "list": ([1], {}),
    "object": ({}, []),
    "object or null": (None, 1),
    "int or null": (None, False),
    "text or null": (None, 1),
    "texts or null": (None, "a"),
}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "any"])
def test_each_kind_takes_its_own_and_nothing_else(kind: str) -> None:
    fits, misfit = SAMPLES[kind]
    assert KINDS[kind](fits)
    assert not KINDS[kind](misfit)
    assert KINDS["any"](misfit)
