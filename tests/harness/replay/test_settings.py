"""What a player is told: every setting's check, and what a tape's header adds."""
from __future__ import annotations

from typing import Any

import pytest

from harness.problem import UsageProblem
from harness.replay.settings import ARGV, DEFAULTS, INCOMPLETE, MODES, SETTINGS, Settings, language_of, name_of
from harness.tape.header import Header
from tests.harness.replay.tapes import ORIGIN

GOOD: dict[str, list[Any]] = {
    "tape": ["t.jsonl"],
    "process": [1, 7, "codex", None],
    "seed": [0, 12345678901234567890, None],
    "pace": ["none", "recorded", 0, 0.25, 3],
    "mode": list(MODES),
    "profile": ["codex", "mcp", None],
    "argv": list(ARGV),
    "bind": [{}, {"ROOT": "/tmp", "UUID7-2": "x"}],
    "incomplete": list(INCOMPLETE),
}
BAD: dict[str, list[Any]] = {
    "tape": [1],
    "process": [0, -1, "", 1.5, True],
    "seed": [-1, 1.5, "7"],
    "pace": ["fast", -1, 1e9, True],
    "mode": ["loose"],
    "profile": ["nobody", ""],
    "argv": ["no"],
    "bind": [{"root": "/tmp"}, {"ROOT": ""}, {"ROOT": 1}, {"": "x"}, {"ROOT-x": "x"}, []],
    "incomplete": ["maybe"],
}


def test_every_setting_has_good_and_bad_values() -> None:
    assert set(GOOD) == set(BAD) == set(SETTINGS) == {"tape", *DEFAULTS}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in GOOD.items() for value in values])
def test_good_values(name: str, value: Any) -> None:
    settings = Settings({"tape": "t", name: value})
    if name == "pace":
        assert settings.pace == {"none": 0, "recorded": 1}.get(value, value)
    elif name == "bind":
        assert settings.bind == {f"<{token}>": meaning for token, meaning in value.items()}
    else:
        assert getattr(settings, name) == (DEFAULTS.get(name) if value is None else value)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in BAD.items() for value in values])
def test_bad_values(name: str, value: Any) -> None:
    with pytest.raises(UsageProblem, match=f"saw {name} "):
        Settings({"tape": "t", name: value})


def test_settings_of_other_backs_are_not_ours() -> None:
    assert Settings({"tape": "t", "path": "/usr/bin/codex", "dialect": "jsonrpc"}).tape == "t"
    with pytest.raises(UsageProblem, match="no tape"):
        Settings({})


@pytest.mark.parametrize(("text", "name"), [
    ("ROOT", "ROOT"), ("UUID7-12", "UUID7"), ("root", ""), ("ROOT-", ""), ("", ""), ("É", ""), ("A B", ""),
])  # fmt: skip
def test_names_of_placeholders(text: str, name: str) -> None:
    assert name_of(text) == name


def header(**fields: Any) -> Header:
    return Header(ORIGIN, **fields)


def test_the_tokens_of_a_tape() -> None:
    assert not language_of(header(), {})
    assert language_of(header(), {"<MINE-1>": "x"}).names == {"MINE"}
    assert "ROOT" in language_of(header(bytes="reconstructed"), {}).names
    assert language_of(header(redaction=[{"what": "a", "how": "b"}]), {}).pseudonyms


@pytest.mark.parametrize(("argv", "fidelity", "checks"), [
    ("auto", "verbatim", True), ("auto", "reconstructed", False), ("check", "reconstructed", True),
    ("free", "verbatim", False),
])  # fmt: skip
def test_whether_arguments_are_compared(argv: str, fidelity: str, checks: bool) -> None:
    assert Settings({"tape": "t", "argv": argv}).checks_argv(header(bytes=fidelity)) is checks
