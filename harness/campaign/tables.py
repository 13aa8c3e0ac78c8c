"""Which tables of a stack are made of guards: their rows are taken out one at a time, like an `if` that refuses.

Separate as data, and complete: every constant of a stack that is a display of at least two rows stands here, as a
table of guards or with the reason why it is none, so that no rule can hide in a table (a test compares).
"""
from __future__ import annotations

from collections.abc import Mapping

GUARD_TABLES: Mapping[str, tuple[str, ...]] = {
    "stack/computer_use/attestation.py": ("ROWS",),
    "stack/computer_use/audit.py": ("NUMBERS", "FLAGS", "VERSIONS", "OUTCOMES"),
    "stack/computer_use/driver.py": ("ENDS_SEQUENCES",),
    "stack/computer_use/elicitation.py": ("ACTIONS", "MODES"),
    "stack/computer_use/inventory.py": ("ALIVE",),
    "stack/computer_use/launch.py": ("OVERRIDES",),
    "stack/computer_use/official.py": ("WORDS", "NUMBERS"),
    "stack/computer_use/pinned.py": ("PINNED", "DISCLOSED_FIRST"),
    "stack/computer_use/programs.py": ("GONE",),
    "stack/computer_use/protocol.py": (
        "SENDS", "REPLIED", "_EARLY", "_REPLY", "_THREAD", "_AFTER_CALL", "LEGAL", "FATAL", "NOTICES",
        "MODEL_ACTIVITY", "HELPER_STATUS",
    ),
    "stack/computer_use/settings.py": ("IDENTIFIERS",),
    "stack/computer_use/signatures.py": ("VERIFY",),
}  # fmt: skip
"""File -> its tables of guards."""

NO_GUARDS: Mapping[str, Mapping[str, str]] = {
    "stack/computer_use/focus.py": {"LISTEN": "the words of one command line"},
    "stack/computer_use/inventory.py": {"_UNORDERED": "allows an order, refuses nothing"},
    "stack/computer_use/keys.py": {
        "ALIASES": "spellings: a missing one is passed on as it is, and the helper decides",
        "OFFICIAL": "names that are passed on as they are, as unknown ones are",
    },
    "stack/computer_use/launch.py": {"PROGRAM_ENVIRONMENT": "values of an environment that is a constant"},
    "stack/computer_use/pinned.py": {
        "_APP": "one property of a schema, compared whole in PINNED",
        "_SELECT_TEXT_APP": "one property of a schema, compared whole in PINNED",
    },
    "stack/computer_use/session.py": {"SERVER_NAME_SINCE": "one version number"},
    "stack/computer_use/signatures.py": {"DETAILS": "the words of one command line"},
}
"""File -> table -> why its rows are no guards."""
