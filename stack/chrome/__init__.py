"""Page content of Chrome and its kin, through our extension and a native host; without them, what the system shows.

driver.py        the Stack: tools, calls, events, status; served.py the tools as data; settings.py
reading.py       ax_read: which browser is asked, and the ladder without it; snapshots.py what was shown
acting.py        the actions, each by the way its node came; mapping.py from a rectangle to the screen
desktop.py       the port of native accessibility, OCR, pictures and real clicks
bridges.py       the hosts that a server is connected to; bridge.py one of them
__main__.py      the program that a browser starts; process.py the native host that it runs
relay.py         what goes through a host; claim.py which server may have page data
endpoint.py      how servers find hosts; ipc.py what they say to each other; timing.py its numbers
framing.py       native messaging; schema.py and protocol.json the messages of extension and host; looks.json its button
reasons.py       the registry of reasons
registration.py  where browsers look for the host; files.py the files there; commands.py the commands
extension/       the extension
"""

from __future__ import annotations

from stack.chrome.driver import Chrome, open
from stack.chrome.settings import Settings

__all__ = ["Chrome", "Settings", "open"]
