"""Which tables of the stack's JavaScript are made of guards, and which functions give reasons, as data.

As for Python (harness/campaign/tables.py): every constant that is a display of at least two rows stands here, as a
table of guards or with the reason why it is none (a test compares).
"""
from __future__ import annotations

from collections.abc import Mapping

CONTENT = "stack/chrome/extension/src/content/"
WORKER = "stack/chrome/extension/src/worker/"

GUARD_TABLES: Mapping[str, tuple[str, ...]] = {
    "stack/safari_jxa/bridge.js": ("GONE",),
    "stack/safari_jxa/page.js": ("PARTS",),
    "stack/safari_jxa/snapshot.js": ("WIDE",),
    f"{CONTENT}actions.js": ("BROWSER_WINDOWS",),
    f"{CONTENT}agent.js": ("CONFIRMED",),
    f"{CONTENT}redaction.js": ("SECRET_WORDS", "NAMING"),
    f"{CONTENT}tree.js": ("WITHOUT_CONTENT",),
    f"{WORKER}actions.js": ("OWN",),
    f"{WORKER}injection.js": ("MEANING",),
    f"{WORKER}schema.js": ("BROKEN",),
    f"{WORKER}sites.js": ("INHERITING", "STORES"),
}
"""File -> its tables of guards."""

_ROLE = "a role more or less: what is named is the same, and the names have a table of cases of their own"
_MORE = "each row is one more {} that is understood"
NO_GUARDS: Mapping[str, Mapping[str, str]] = {
    "stack/safari_jxa/bridge.js": {"METHODS": _MORE.format("method")},
    "stack/safari_jxa/names.js": dict.fromkeys(
        ("BUTTON_DEFAULTS", "CONTENT_ROLES", "INPUT_ROLES", "RANGES", "ROLES", "TAG_ROLES"), _ROLE
    ),
    "stack/safari_jxa/page.js": {"BOUND": _MORE.format("request"), "KINDS": _MORE.format("kind of action")},
    "stack/safari_jxa/snapshot.js": {
        "CLICKED": _MORE.format("role that is offered"),
        "PRESSED": _MORE.format("type that is offered"),
        "WRITTEN": _MORE.format("type that is offered"),
    },
    "stack/safari_mcp/programs/find.js": {"KEPT": "each row is one more attribute that is told"},
    f"{CONTENT}agent.js": {
        "NEEDS": "a missing row refuses more",
        "OPERATIONS": _MORE.format("operation"),
        "PERFORM": "a row for each verb: a missing one is an error at once",
    },
    f"{CONTENT}effects.js": {"EVERYTHING": "what is looked at: a missing row sees fewer effects"},
    f"{CONTENT}identity.js": {
        "ITEM_KEYS": "each row makes one more difference seen",
        "ITEM_ROLES": "each row makes one more difference seen",
    },
    f"{CONTENT}names.js": dict.fromkeys(
        ("BUTTONS", "DEFAULTS", "LABELABLE", "NATIVE", "NATIVE_CONTENTS", "RANGES"), _ROLE
    ),
    f"{CONTENT}redaction.js": {
        "FIELDS": "which elements are fields at all",
        "WIDGETS": "which roles are fields at all",
    },
    f"{CONTENT}roles.js": dict.fromkeys(
        ("IMPLICIT", "INPUTS", "LISTED", "OWNERS", "SECTIONING", "SECTIONING_ROLES", "TABLE_PARTS"), _ROLE
    ),
    f"{CONTENT}snapshot.js": {
        "BY_PARTS": "which roles are shown part by part",
        "CLOSED_HOSTS": "which elements may have a closed root: a missing row says less of what was left out",
        "NOWHERE": "one rectangle",
        "UNSAID": "which roles are said",
    },
    f"{CONTENT}states.js": dict.fromkeys(
        ("ACTIVE", "CHECKABLE", "FIELDS", "RANGES", "SELECTABLE", "STATES"), "each row is one more state or action told"
    ),
    "stack/chrome/extension/src/popup/popup.js": {
        "ALL": "two patterns of one permission",
        "DOES": "a button of the window each",
        "WORDS": "words that the user reads",
    },
    f"{WORKER}actions.js": {"LOOKS_MS": "lengths of pauses"},
    f"{WORKER}indicator.js": {"LOOKS": "what the user sees"},
    f"{WORKER}injection.js": {"INSIDE": "words of errors"},
    f"{WORKER}schema.js": {
        "KNOWN": "a missing row refuses the schema when it is loaded",
        "TYPES": "a missing row is an error at once",
    },
    f"{WORKER}sites.js": {"SAYS": "words of errors", "SCHEMES": "each row is one more scheme that is understood"},
    f"{WORKER}window.js": {"ASKED": _MORE.format("question of the window")},
}
"""File -> table -> why its rows are no guards."""

REASONS: Mapping[str, tuple[str, ...]] = {
    "stack/safari_jxa/names.js": ("hidden", "hiddenAnywhere"),
    "stack/safari_jxa/page.js": ("blocked",),
    "stack/safari_jxa/snapshot.js": ("disabled",),
    f"{CONTENT}redaction.js": ("isSecret", "isDigitBox"),
}
"""File -> its functions that give, in a text or as true, the reason why something may not be done or told."""


def tables_of(file: str) -> tuple[str, ...]:
    """The constants of a file whose rows are guards."""
    return GUARD_TABLES.get(file, ())
