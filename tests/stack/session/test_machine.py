"""What commands work on where their caller says no more."""

from __future__ import annotations

from typing import Any

from stack import safari_jxa
from stack.session.machine import Machine


def test_nobody_and_no_backend_are_there_unless_given() -> None:
    nothing: Any = None
    machine = Machine(nothing, nothing, print, print)
    assert (machine.mcp, machine.user, machine.model, machine.error) == (None, None, None, None)
    assert machine.settings == safari_jxa.Settings()
