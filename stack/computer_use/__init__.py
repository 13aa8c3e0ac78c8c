"""Mac applications through the signed Computer Use helper, behind `codex app-server`, without a model turn.

driver.py        the Stack: tools, calls, events, status
call.py          one call, and what is known about its effect
pool.py          the open sequences, one an application
sequence.py      one sequence: lease, focus listener, app-server
session.py       one app-server process: home, reader, requests
protocol.py      the conversation as tables, without I/O; wire.py its bytes
launch.py        arguments and environment of the app-server; attestation.py what thread/start must echo
pinned.py        the ten tools as data; inventory.py compares the helper's with them
elicitation.py   questions passed on; official.py what official errors mean; keys.py spellings of keys
applications.py  which application is meant; lease.py exclusive work on it
signatures.py    codesign's verdict; focus.py what stayed in front; programs.py short programs
teardown.py      ending a process tree and seeing it end
evidence.py      what every reply says about how it ran; audit.py the content-free record
settings.py      deadlines, bounds, platform
"""

from __future__ import annotations

from stack.computer_use.driver import ComputerUse, open
from stack.computer_use.settings import Settings

__all__ = ["ComputerUse", "Settings", "open"]
