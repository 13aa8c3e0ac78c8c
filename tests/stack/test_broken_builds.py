"""A build in which somebody from outside could name another executable fails: the check, and builds that it must catch.

Only code that makes a host in process gives it a table of programs. Nothing that an installed command is given does: no
option, no environment, no file where a configuration might lie, no argument of a tool.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stack import cli
from stack.cli import parser
from stack.computer_use import pinned
from stack.contract import Program
from stack.host import PROGRAMS, RealHost
from stack.systems import SYSTEMS
from tests.teeth import Break, check_tells_apart, replaced

OTHER = "/tmp/other"
NAMES = ("codex", "helper", "codesign", "lsappinfo", "safaridriver", "osascript")
ARGUMENTS = frozenset({
    "app", "click_count", "direction", "element_index", "from_x", "from_y", "key", "mouse_button", "pages", "prefix",
    "selection", "suffix", "text", "to_x", "to_y", "value", "x", "y", "action",
})  # fmt: skip
"""Every argument of the ten tools; `app` is looked up among applications, and none is a program's."""


def options_of_values() -> Iterator[str]:
    """COMMAND OPTION for every option of the command that takes a value."""
    commands = next(action for action in cli.parser(SYSTEMS)._actions if action.dest == "command").choices
    assert isinstance(commands, dict)
    for name in ("serve", "status"):
        for action in commands[name]._actions:
            if action.nargs != 0:
                yield from (f"{name} {word}" for word in action.option_strings)


def nobody_outside_names_an_executable(folder: Path) -> None:
    """Options, environment, files, and arguments, one after the other."""
    assert set(options_of_values()) == {
        "serve --system", "status --system", "serve --judge-style", "serve --judge-url", "serve --judge-model",
        "serve --judge-key-file", "status --session",
    }  # fmt: skip
    state = folder / "state"
    state.mkdir(mode=0o700)
    for place in (state, folder):
        for name in ("config.json", "settings.json", "trailcam.json", "programs"):
            (place / name).write_text(f'{{"codex": "{OTHER}", "programs": {{"codex": "{OTHER}"}}}}')
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name in NAMES:
            for form in (name, f"{name}_path", f"trailcam_{name}"):
                patch.setenv(form.upper(), OTHER)
        patch.setenv("PATH", str(folder))
        host = RealHost(folder=state)
        assert {program: host.path(program) for program in PROGRAMS} == PROGRAMS
    assert {name for tool in pinned.PINNED.values() for name in properties(tool)} == ARGUMENTS


def properties(tool: pinned.PinnedTool) -> list[str]:
    found = tool.input_schema["properties"]
    assert isinstance(found, dict)
    return [*found]


def from_environment(host: RealHost, program: Program) -> str:
    return os.environ.get(f"{program.name}_PATH") or PROGRAMS[program]


def from_a_file(host: RealHost, program: Program) -> str:
    return OTHER if (host.folder / "config.json").exists() else PROGRAMS[program]


def with_an_option(systems: Any) -> Any:
    made = parser(systems)
    commands = next(action for action in made._actions if action.dest == "command").choices
    assert isinstance(commands, dict)
    commands["serve"].add_argument("--codex")
    return made


TAKES_A_PROGRAM = replace(pinned.PINNED["click"], input_schema={"properties": {"program": {"type": "string"}}})
BUILDS: dict[str, Break] = {
    "an option": replaced(cli, "parser", with_an_option),
    "the environment": replaced(RealHost, "path", from_environment),
    "a file": replaced(RealHost, "path", from_a_file),
    "an argument of a tool": replaced(pinned, "PINNED", {**pinned.PINNED, "click": TAKES_A_PROGRAM}),
}


@pytest.mark.claim("CUA-SIG-02", tooth="builds that take an executable from an option, environment, file or argument")
@pytest.mark.parametrize("broken", BUILDS.values(), ids=BUILDS)
def test_a_build_in_which_somebody_else_names_an_executable_is_seen(broken: Break, tmp_path: Path) -> None:
    check_tells_apart(nobody_outside_names_an_executable, broken, tmp_path)
