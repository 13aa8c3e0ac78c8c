"""Consent: whether a restricted action may be done, and by whose word.

- `gate`: what a driver asks (the port `Gate`): a full grant, or a judge's word on this very action, or no.
- `grants`: what the user has allowed, and what ends it: a table, in memory only.
- `judge`: the one separate model call that decides on one action: its instruction, its request, its strict reply.
- `styles`: how the two styles of endpoint carry that call, as a table.
- `settings`: where the judge is; nothing in them turns a check off.
- `options`: the same on a command line, with the key in a file.
- `served`: a served stack's tool by which the user is asked for the task.
"""

from stack.consent.gate import ConsentGate, opener
from stack.consent.settings import Settings, from_sheet
from stack.consent.styles import STYLES

__all__ = ["STYLES", "ConsentGate", "Settings", "from_sheet", "opener"]
