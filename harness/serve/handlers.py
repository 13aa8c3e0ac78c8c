"""Handlers made of others: what is left of nested ones, and a list of steps.

Separate from the session, which carries handlers out: here none is taken a step further.
"""
from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.faults.steps import Handler, Step


def rest(stack: list[Handler]) -> Handler:
    """What is left of nested handlers, the innermost last, as one handler."""
    return stack[0] if len(stack) == 1 else _nested(list(stack))


def _nested(stack: list[Handler]) -> Handler:
    while stack:
        yield from stack.pop()


def in_order(steps: Sequence[Step]) -> Handler:
    """A handler that gives these steps."""
    yield from steps
