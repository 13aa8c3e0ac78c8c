"""Settings of the fake safaridriver, and what differs between its profiles."""

from __future__ import annotations

from fakes.settings import REQUIRED, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from fakes.settings import Table
    from harness.wire.jsontext import Json

PROFILES: dict[str, dict[str, str]] = {
    "27.0": {"version": "Included with Safari 27.0 (20624.1.16.11.4)", "loopback": "recorded"},
    "technology-preview": {
        "version": "Included with Safari Technology Preview (Release 249, 20625.1.9)",
        "loopback": "lost",
    },
}
"""Profile -> what is its own beside the argument of navigate_to_url (safaridriver_tools). version: text of --version;
loopback: whether requests to this machine are recorded, of which the sources disagree. Build numbers are ours."""
KEYS: Table = {
    "profile": ("|".join(PROFILES), "27.0", "which Safari it comes with"),
    "mcp": ("bool", True, "whether it knows --mcp; Safari 26 does not"),
    "server_version": ("text", "1.0.0", "version in serverInfo"),
    "revisions": (
        "texts",
        ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
        "protocol versions that it speaks, its latest first; which ones the real server speaks is not known",
    ),
    "refuses": ("text or null", None, "initialize fails with this message"),
    "discover": ("error|silent", "error", "what it does with server/discover"),
    "banner": ("text or null", None, "a line on standard output before the protocol"),
    "drift": ("object", {}, "tool -> members in place of those of tools/list; null drops it; a new name adds one"),
    "error_prefix": ("text", "Tool error: ", "what the text of a failed tool begins with"),
    "console": ("messages|list", "messages", "shape of console messages: an object with them, or the bare list"),
    "double": ("bool", False, "whether the value of evaluate_javascript is JSON text within JSON text"),
    "loopback": ("profile|recorded|lost", "profile", "what becomes of requests to this machine"),
    "spill_bytes": ("int", 32768, "content of this size or more goes to a file, and the reply names it"),
    "padding": ("int", 0, "characters added to every page content, to reach size bounds"),
    "says": (
        "list",
        [],
        "texts of results in place of its own, each `{tool, nth, text, ...}`: of the nth call of the tool, 0: of each",
    ),
    "navigates": ("loaded|begun", "loaded", "when navigate_to_url answers: not before the load has ended, or at once"),
    "stubborn": ("bool", False, "stays alive at the end of stdin and at SIGTERM"),
    "initialize_ms": ("number", 6, "cost of initialize"),
    "call_ms": ("number", 1, "cost of a call"),
    "browser_ms": ("number", 300, "cost of the first tab, for which the browser is started"),
    "settle_ms": ("number", 400, "rest after each step of page_interactions"),
    "exit_ms": ("number", 20, "from the end of stdin to the exit"),
}
SAYS: Table = {
    "tool": ("text", REQUIRED, "whose result"),
    "nth": ("int", 0, "of which call of it in this process, from 1; 0: of each"),
    "text": ("text", REQUIRED, "what it says"),
    "does": ("bool", True, "whether it has done what it does before it says so"),
    "fails": ("bool", False, "whether it says so as a failed tool"),
}


def says_of(settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of `says`. Raises SettingsProblem."""
    return [read(each, SAYS, "programs.safaridriver.says") for each in settings["says"]]


def settings_of(given: Mapping[str, Json]) -> dict[str, Any]:
    """Settings of a run sheet, with those of the profile where it says nothing. Raises SettingsProblem."""
    values = read(dict(given), KEYS, "programs.safaridriver")
    profile = PROFILES[values["profile"]]
    if values["loopback"] == "profile":
        values["loopback"] = profile["loopback"]
    values["version"] = profile["version"]
    return values
