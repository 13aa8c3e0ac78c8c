"""The decision loop over Safari's MCP server: `run --backend mcp`.

settings   what a stack of this package can be set to
program    the page program, as `evaluate_javascript` is given it, and its answers
tab        one tab as the loop drives it: looks, guarded actions under nonces, lost answers resolved
stack      the stack of safari_mcp with two tools more: `observe` and `run`

The choices, the floors and the refusals are those of the loop over Apple Events, since the loop, the page program and
the tables are the same. What is different is leave: here each action passes the consent gate before it is sent.
"""

from stack.safari_loop.settings import Settings
from stack.safari_loop.stack import open

__all__ = ["Settings", "open"]
