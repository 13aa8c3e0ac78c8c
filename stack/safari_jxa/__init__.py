"""One window of the user's Safari through Apple Events: lent or opened, looked at, acted on, and never another one.

driver.py        the Stack: ten tools as calls with outcomes; catalogue.py lists them
opening.py       how a session begins: attach, open; windows.py windows, displays, and where a window goes
session.py       one session: observe, act, fresh, text, status, close
scope.py         what was given and what ends it, as tables
action.py        which action of which observation is meant; page.py what the page answers
delivery.py      what became of a mutation whose reply was lost
bridge.py        the osascript process; wire.py its lines
errors.py        one tree of errors; settings.py deadlines and bounds
scripts.py       the JavaScript: bridge.js for osascript; names.js, snapshot.js, page.js for the page
"""

from __future__ import annotations

from stack.safari_jxa.driver import SafariJxa, open
from stack.safari_jxa.settings import Settings

__all__ = ["SafariJxa", "Settings", "open"]
