"""The values of the ports, and that the driver and the real host have their shapes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from stack.computer_use.driver import ComputerUse
from stack.contract import Caller, Content, Host, Json, Program, Reply, Stack
from stack.host import PROGRAMS, RealHost
from tests.stack.scripted_host import ScriptedCaller, ScriptedHost


@pytest.mark.parametrize(
    ("block", "text"),
    [
        ({"type": "text", "text": "a"}, "a"),
        ({"type": "text", "text": 3}, None),
        ({"type": "text"}, None),
        ({"type": "image", "text": "a"}, None),
        ({}, None),
    ],
)
def test_the_text_of_a_block(block: Mapping[str, Json], text: str | None) -> None:
    assert Content(block).text == text


def test_a_reply_is_plain_until_something_is_said() -> None:
    reply = Reply("done")
    assert (reply.code, reply.content, reply.structured, reply.is_error, reply.meta) == (None, (), None, False, None)
    assert reply.evidence == {}
    with pytest.raises(AttributeError):
        reply.outcome = "refused"  # type: ignore[misc]


def test_programs_are_named_as_the_tables_name_them() -> None:
    assert {str(program) for program in Program} == {
        "codex", "helper", "codesign", "lsappinfo", "safaridriver", "osascript", "desktop", "session",
    }  # fmt: skip
    assert set(PROGRAMS) == set(Program) - {Program.DESKTOP}  # a port without a real program yet
    assert all(Path(path).is_absolute() for path in PROGRAMS.values())


def members(kind: Any) -> set[str]:
    return {name for each in kind.__mro__ if each is not object for name in vars(each) if not name.startswith("_")}


@pytest.mark.parametrize(
    ("port", "kind"), [(Host, RealHost), (Host, ScriptedHost), (Stack, ComputerUse), (Caller, ScriptedCaller)]
)
def test_what_stands_for_a_port_has_all_of_it(port: Any, kind: Any) -> None:
    instance = {"folder", "modes"}  # set by __init__
    assert members(port) <= members(kind) | instance


def as_ports(host: RealHost, scripted: ScriptedHost, stack: ComputerUse, caller: ScriptedCaller) -> None:
    """For the type checker alone: each is its port."""
    ports: tuple[Host, Host, Stack, Caller] = (host, scripted, stack, caller)
    assert ports
