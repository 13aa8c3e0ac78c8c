"""What a tool that runs the loop takes, as its input schema says it; settings.py reads it strictly.

Separate from the settings, because it is only shown: to clients, by each stack that has such a tool.
"""

from __future__ import annotations

from typing import Any, Final

_TEXT: Final[dict[str, Any]] = {"type": "string"}
RUN: Final[dict[str, Any]] = {
    "goal": {**_TEXT, "description": "one goal"},
    "plan": {"type": "array", "items": _TEXT, "description": "the goals of its legs, in order"},
    "literals": {"description": "part of a control's label -> what a fill of it writes; or pairs of the two"},
    "execute": {"type": "boolean", "description": "act; without it actions are only proposed"},
    "expect": {**_TEXT, "description": "regular expression that the page's text must have at the end"},
    "min_confidence": {"type": "number", "minimum": 0, "maximum": 1, "description": "0.5 where absent"},
    "steady": {"type": "number", "description": "seconds between two looks while the model thinks; 0.2 if absent"},
}
"""Properties of one run."""
