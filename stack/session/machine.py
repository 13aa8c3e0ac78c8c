"""What the session commands work on. Separate from them, because it is what their callers give and they only use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from stack import safari_jxa, safari_mcp
from stack.contract import Host
from stack.decide import Model
from stack.errors import StackError
from stack.session.client import Spawn


@dataclass
class Machine:
    """spawn: starts a session's server; say: prints a line; remark: one that is no answer.

    settings: of a driver of their own; mcp: of one of Safari's MCP server, None where there is none; model: where none
    is named; user: what the user answered at a terminal, None where none was there to answer; error: what the command
    ended with.
    """

    host: Host
    spawn: Spawn
    say: Callable[[str], None]
    remark: Callable[[str], None]
    settings: safari_jxa.Settings = field(default_factory=safari_jxa.Settings)
    mcp: safari_mcp.Settings | None = None
    model: Model | None = None
    user: str | None = None
    error: StackError | None = None
