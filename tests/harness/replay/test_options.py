"""The command line of `trailcam replay`."""
from __future__ import annotations

from typing import Any

import pytest

from harness.problem import UsageProblem
from harness.replay.options import help_text, parse
from harness.replay.settings import SETTINGS, Settings

PARSED: list[tuple[list[str], dict[str, Any], list[str]]] = [
    (["t"], {"tape": "t", "process": 1, "argv": "free", "bind": {}}, []),
    (["t", "--"], {"argv": "check"}, []),
    (["t", "--", "--in", "x"], {"argv": "check"}, ["--in", "x"]),
    (["--seed", "7", "t", "--process=codex"], {"seed": 7, "process": "codex", "tape": "t"}, []),
    (["t", "--process", "3", "--pace", "0.5"], {"process": 3, "pace": 0.5}, []),
    (["t", "--pace", "recorded", "--mode=prefix"], {"pace": "recorded", "mode": "prefix"}, []),
    (["t", "--bind", "ROOT=/a=b", "--bind=PID-1=4"], {"bind": {"ROOT": "/a=b", "PID-1": "4"}}, []),
    (["t", "--argv", "free", "--", "x"], {"argv": "free"}, ["x"]),
]


@pytest.mark.parametrize(("words", "settings", "arguments"), PARSED)
def test_words(words: list[str], settings: dict[str, Any], arguments: list[str]) -> None:
    found, rest = parse(words)
    assert {name: found[name] for name in settings} == settings
    assert rest == arguments
    Settings(found)


@pytest.mark.parametrize(("words", "seen"), [
    ([], "0 tapes"), (["a", "b"], "2 tapes"), (["t", "--fast"], "the option --fast"), (["t", "--tape", "x"], "--tape"),
    (["t", "--seed"], "--seed without a value"), (["t", "--seed", "--", "x"], "--seed without a value"),
])  # fmt: skip
def test_wrong_words(words: list[str], seen: str) -> None:
    with pytest.raises(UsageProblem, match=f"saw .*{seen}"):
        parse(words)


@pytest.mark.parametrize("words", [["t", "--seed", "x"], ["t", "--pace", "x"], ["t", "--process", "0"]])
def test_wrong_values_are_found_by_the_table(words: list[str]) -> None:
    with pytest.raises(UsageProblem):
        Settings(parse(words)[0])


def test_the_help_names_every_option() -> None:
    text = help_text()
    assert all(f"--{name} " in text for name in SETTINGS if name != "tape")
    assert "--tape" not in text and "70" in text and "default: strict" in text
