"""What the helper says when it refuses: one row a reason, with the number that it carries and where its text is from.

Source of the texts that are marked observed: trailcam facts on codex app-server, sections 6 and 7, and the public
reports openai/codex#24086, #26743 and #37946. The others are our own words for cases nobody has published.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.wire.jsontext import Json

LOCKED = (
    "The Mac is locked and automatic unlock could not unlock it. Ask the user to unlock the Mac manually before "
    "continuing."
)
ERRORS: dict[str, tuple[int | None, str, bool]] = {
    "window_gone": (-10005, "cgWindowNotFound", True),
    "no_window": (-10005, "noWindowsAvailable", True),
    "unresponsive": (-10005, "timeoutReached", True),
    "locked": (-10005, "cgWindowNotFound", True),
    "locked_in_words": (
        -10005,
        LOCKED,
        True,
    ),
    "not_authenticated": (-10000, "Sender process is not authenticated", True),
    "denied": (None, "Computer Use approval denied via MCP elicitation for app '{bundle}'.", True),
    "blocked": (None, "Computer Use is not allowed to use the app '{bundle}' for safety reasons.", True),
    "user_changed": (
        None,
        "The user changed '{app}'. Re-query the latest state with get_app_state before sending more actions.",
        True,
    ),
    "runtime_missing": (None, "Computer Use can't start because its runtime app is missing.", True),
    "not_active": (None, "Computer Use is not active for '{app}'. Call get_app_state first.", True),
    "no_app": (None, "No app matches '{app}'.", False),
    "many_apps": (None, "Several apps match '{app}': {found}. Give the bundle identifier or the full path.", False),
    "no_element": (None, "There is no element {index} in the latest state of '{app}'.", False),
    "not_settable": (None, "The element can't be set.", False),
    "no_action": (None, "The element has no action '{action}'.", False),
    "no_text": (None, "The text was not found in the element.", False),
    "no_place": (None, "Give element_index, or x and y.", False),
}
"""Reason -> (error number, text, whether the text was observed). A number goes before the text in every carrier."""
CARRIERS = ("is_error", "code", "text")
"""How a number reaches the client: in the text of a result with isError, as the JSON-RPC code, or in the text of a
JSON-RPC error -32603. Which one the real helper uses is not known."""


def tells(reason: str) -> bool:
    """Whether a client can know from the words that nothing was done: they were observed, and say more than that the
    application gave no answer."""
    return ERRORS[reason][2] and reason != "unresponsive"


def answer(reason: str, facts: Mapping[str, str], carrier: str) -> dict[str, Json]:
    """The members of the JSON-RPC answer: `{"result": …}` or `{"error": …}`."""
    number, text, _ = ERRORS[reason]
    text = text.format(**facts)
    if number is not None:
        text = f"Computer Use server error {number}: {text}"
        if carrier != "is_error":
            return {"error": {"code": number if carrier == "code" else -32603, "message": text}}
    return {"result": {"content": [{"type": "text", "text": text}], "isError": True}}
