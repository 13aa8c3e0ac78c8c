"""Safari through Apple's own MCP server, `safaridriver --mcp`: a bounded set of tools, each action with consent.

driver.py        the Stack: tools, calls, events, status
listing.py         the tools as they are listed, with every bound; arguments.py holds a call against them
drivers.py       the one driver of now: whose turn it is, its start, its end when idle
connection.py    one driver process, one epoch: handshake, requests, end; wire.py its bytes
pinned.py        the driver's tools as data; capabilities.py what a driver proves to have of them
operation.py     one operation's way to the driver, and what is known of its effect
observing.py     the tools that look; acting.py those that change; searching.py the one that searches
loading.py       whether a tab has come to show what it was told to
tabs.py          tabs and targets; addresses.py URLs; results.py what a call answers
page_programs.py the fixed programs of programs/, and a caller's words as their data
gate.py          the gate of a stack without consent
observed.py      what consent is decided with, and what may be named; nodes.py the ids that a snapshot shows
settings.py      deadlines, bounds, platform, gate
"""

from __future__ import annotations

from stack.safari_mcp.driver import SafariMcp, open
from stack.safari_mcp.settings import Settings

__all__ = ["SafariMcp", "Settings", "open"]
