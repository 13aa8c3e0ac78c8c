"""What an official error means: a table from its text and number to our code and to what is known of the effect.

One error comes in three carriers: as a JSON-RPC code (0.171.0), inside the text of -32603 (0.144.2), or as a result
with isError. The number is read out of all three; the text is carried unchanged. -10005 alone says nothing: the same
number stands for a locked screen, a missing window and a timeout, so the words decide, and where they are not known
the outcome of a tool that acts is unknown.
Source: codex app-server facts, sections 5 to 7 (measured; the helper's texts from public reports of its users).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from stack.contract import Json, Outcome
from stack.errors import Official, OfficialError


@dataclass(frozen=True, slots=True)
class Meaning:
    """code: ours; outcome: refused where the error can only come before an effect, else unknown."""

    code: str
    outcome: Outcome


WORDS: Final[Sequence[tuple[str, Meaning]]] = (
    ("transport closed", Meaning("helper_dead", "unknown")),
    ("timed out awaiting tools/call", Meaning("official_timeout", "unknown")),
    ("timeoutreached", Meaning("official_timeout", "unknown")),
    ("unexpected response type", Meaning("invalid_result", "unknown")),
    ("failed to get client", Meaning("helper_failed", "refused")),
    ("is disabled for mcp server", Meaning("tool_disabled", "refused")),
    ("mcp tool arguments must be a json object", Meaning("invalid_parameters", "refused")),
    ("server overloaded", Meaning("overloaded", "refused")),
    ("sender process is not authenticated", Meaning("not_authenticated", "refused")),
    ("approval denied", Meaning("approval_denied", "refused")),
    ("is not allowed to use the app", Meaning("app_not_allowed", "refused")),
    ("the user changed", Meaning("app_changed", "refused")),
    ("is no longer valid", Meaning("element_gone", "refused")),
    ("invalid element", Meaning("element_gone", "refused")),
    ("that is not settable", Meaning("not_possible", "refused")),
    ("is not a valid secondary action", Meaning("not_possible", "refused")),
    ("scroll direction", Meaning("invalid_parameters", "refused")),
    ("application not found", Meaning("app_not_running", "refused")),
    ("computer use is not active", Meaning("not_active", "refused")),
    ("runtime app is missing", Meaning("runtime_missing", "refused")),
    ("cgwindownotfound", Meaning("window_not_found", "refused")),
    ("nowindowsavailable", Meaning("no_windows", "refused")),
)
"""Words of an official text, in lower case, in the order in which they are looked for."""

LOCKED: Final = re.compile(r"(?<![a-z])locked(?![a-z])")
"""The one word that makes it a locked screen; it is looked for last, since other texts quote names of apps."""
LOCKED_MEANING: Final = Meaning("screen_locked", "refused")

NUMBERS: Final[Mapping[int, Meaning]] = {
    -32602: Meaning("invalid_parameters", "refused"),
    -32601: Meaning("invalid_parameters", "refused"),
    -32001: Meaning("overloaded", "refused"),
}
"""Numbers that JSON-RPC or the app-server gives one meaning: the request was not carried out."""

UNKNOWN: Final = Meaning("official_error", "unknown")
_INSIDE: Final = tuple(re.compile(rf"{words}:? (-?[0-9]{{1,10}})") for words in ("server error", "Mcp error"))
"""The helper's own number before that of the protocol that wraps it: 0.144.2 may put both into one text."""


def number(official: Official) -> int | None:
    """The official number: the one inside the text where there is one (0.144.2 wraps it), else the code itself."""
    for pattern in _INSIDE:
        inside = pattern.search(official.text)
        if inside:
            return int(inside[1])
    return official.code


def meaning(official: Official) -> Meaning:
    """The row of the table, by words, then by number."""
    text = official.text.casefold()
    for words, row in WORDS:
        if words in text:
            return row
    if LOCKED.search(text):
        return LOCKED_MEANING
    found = number(official)
    return NUMBERS.get(found, UNKNOWN) if found is not None else UNKNOWN


def official_error(official: Official, *, reads: bool) -> OfficialError:
    """The typed error for an official one. reads: the tool can have no effect, so nothing about it is unknown."""
    row = meaning(official)
    carried = Official(number(official), official.text, official.data)
    outcome: Outcome = "refused" if reads else row.outcome
    shown = f"the official error {carried.code}" if carried.code is not None else "an official error"
    return OfficialError(row.code, f"{shown}: {carried.text}", official=carried, outcome=outcome)


def failed_result_text(content: Sequence[Mapping[str, Json]]) -> str:
    """The text of a result with isError: its text blocks, a line each."""
    texts = (block.get("text") for block in content if block.get("type") == "text")
    return "\n".join(text for text in texts if isinstance(text, str))
