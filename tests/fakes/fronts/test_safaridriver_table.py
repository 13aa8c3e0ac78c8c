"""The table of handlers: every one is a generator of steps."""

from __future__ import annotations

import inspect

from fakes.fronts.safaridriver_table import HANDLERS


def test_handlers_are_generators() -> None:
    for name, handler in HANDLERS.items():
        assert inspect.isgeneratorfunction(handler), name
