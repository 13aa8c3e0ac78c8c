"""The command line of the session commands."""

from __future__ import annotations

import argparse
from typing import Any

import pytest

from stack.errors import CallError
from stack.session import arguments
from stack.session.arguments import COMMANDS, parse


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("open u --bounds 1,2,3,4", "bounds", [1, 2, 3, 4]), ("open u --side left", "side", "left"),
        ("attach 7", "window", 7), ("observe --settle 1.5", "settle", 1.5), ("observe --all", "all", True),
        ("run --goal g --literal a=b=c", "literal", [["a", "b=c"]]), ("run --plan a --plan b", "plan", ["a", "b"]),
        ("status", "session", "default"), ("windows --titles", "titles", True), ("act 3.e5 --text t", "text", "t"),
    ],
)  # fmt: skip
def test_words_are_read(line: str, name: str, value: Any) -> None:
    assert getattr(parse(line.split()), name) == value


@pytest.mark.claim("JXA-SES-09", tooth="an expression that is none")
@pytest.mark.parametrize(
    "line",
    [
        "observe --match (",
        "text --match [",
        "open u --bounds 1,2,x,4",
        "run",
        "--version",
        "attach x",
        "observe --settle nan",
        "status --session a/b",
        "observe --help",
    ],
)
def test_words_that_are_none_are_a_callers_mistake(line: str) -> None:
    with pytest.raises(CallError) as caught:
        parse(line.split())
    assert caught.value.code == "invalid_arguments"


def test_a_status_that_is_there_already_gets_the_name_of_a_session() -> None:
    root = argparse.ArgumentParser()
    commands = root.add_subparsers()
    arguments.add(commands, commands.add_parser("status"))
    assert root.parse_args(["status", "--session", "b"]).session == "b"
    assert set(commands.choices) == COMMANDS
