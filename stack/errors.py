"""The stack's one tree of errors.

The class says whose fault it is; the code is stable and is what a Reply carries; the advice says what to do next.
Where a program behind the stack gave a code and a text of its own they stand in `official`, unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass

from stack.contract import Json, Outcome


@dataclass(frozen=True, slots=True)
class Official:
    """The error as the official program gave it: its number where there is one, its text, and its data."""

    code: int | None
    text: str
    data: Json = None


class StackError(Exception):
    """The root. `outcome` is what is known about the effect of the call that ended with this error."""

    def __init__(self, code: str, seen: str, *, official: Official | None = None, outcome: Outcome = "refused") -> None:
        self.code = code
        self.seen = seen
        self.official = official
        self.outcome: Outcome = outcome
        super().__init__(f"{code}: {seen}. {self.advice}")

    @property
    def advice(self) -> str:
        """What to do about it, one sentence; the same for every error of this code."""
        return ADVICE[self.code]


class CallError(StackError):
    """The caller's doing: what was asked can't be done as it was asked."""


class SetupError(StackError):
    """The machine's doing: a program is missing, is not what it should be, or is set up in another way."""


class ProtocolError(StackError):
    """The app-server or the helper broke the protocol, or ended."""


class DeadlineError(StackError):
    """Time ran out."""


class OfficialError(StackError):
    """The official program refused or failed, and said so."""


class CleanupError(StackError):
    """What the stack started could not be shown to have ended."""


ADVICE: dict[str, str] = {
    # the caller's
    "unknown_tool": "Call one of the tools that are listed",
    "invalid_arguments": "Give the arguments that the tool's input schema asks for",
    "app_not_found": "Name an installed application by its name, full path or bundle identifier; list_apps shows some",
    "app_ambiguous": "Name the application by its bundle identifier",
    "app_busy": "Wait until the other work on this application has ended, then call again",
    "stack_closed": "Open the stack again",
    "cancelled": "If the outcome is unknown, look at the application's state before acting again",
    # the machine's
    "program_missing": "Install the official application at its standard place",
    "signature_invalid": "Reinstall the official application; nothing was dispatched",
    "signature_unreadable": "Run codesign by hand on the program named; nothing was dispatched",
    "applications_unreadable": "Check that the application folders can be read",
    "state_unwritable": "Check that the state folder exists, is yours, and is closed to others",
    "start_failed": "Run the program named by hand to see why it does not start",
    "policy_downgraded": "A managed requirement changes the policy on this machine; ask whoever manages it",
    "thread_not_attested": "This app-server does not start the thread that was asked for; nothing was dispatched",
    "inventory_drift": "The helper's tools are not the pinned ones; update this stack before using this helper",
    "helper_failed": "Open the official application once and check its Computer Use permissions",
    # the protocol's
    "line_too_long": "Report it: no message of this protocol should be so long",
    "not_json": "Report it with the version of the app-server",
    "not_a_frame": "Report it with the version of the app-server",
    "unexpected_response": "Report it with the version of the app-server",
    "unexpected_frame": "Report it with the version of the app-server",
    "unsupported_request": "Report it: the app-server asked for something that no call without a model needs",
    "too_many_elicitations": "Report it: one call asked more questions than is allowed",
    "model_activity": "Report it: a model was active although none may be",
    "connection_closed": "Look at the application's state before acting again",
    "helper_dead": "Call again: the next call starts the helper afresh",
    "invalid_result": "Look at the application's state before acting again",
    "request_refused": "Report it with the version of the app-server",
    # time's
    "initialize_timeout": "Call again; if it lasts, run the app-server by hand. Nothing was dispatched",
    "thread_start_timeout": "Call again; if it lasts, run the app-server by hand. Nothing was dispatched",
    "call_timeout": "If the outcome is unknown, look at the application's state before acting again",
    # the official programs'
    "screen_locked": "Unlock the screen; this stack can't",
    "window_not_found": "Open a window of the application, then read its state again",
    "no_windows": "Open a window of the application, then read its state again",
    "official_timeout": "Look at the application's state before acting again",
    "not_authenticated": "Use the helper that belongs to the official application, started by its own app-server",
    "approval_denied": "Allow the application in the official application's Computer Use settings",
    "app_not_allowed": "The official application excludes this target; use another way",
    "app_changed": "Read the application's state again, then act on what it shows",
    "element_gone": "Read the application's state again; element indices are of the latest state alone",
    "not_possible": "Choose an element that offers it, from the latest state",
    "app_not_running": "Start the application, then read its state",
    "not_active": "Read the application's state first, then act in the same sequence",
    "runtime_missing": "Reinstall or open the official application",
    "tool_disabled": "Report it: the tool is among the ten, yet was disabled",
    "invalid_parameters": "Give the arguments that the tool's input schema asks for",
    "overloaded": "Wait a little, then call again",
    "official_error": "Read the official text; look at the application's state before acting again",
    # the end's
    "cleanup_unverified": "Look for processes and folders that the stack has left, named in the evidence",
}
"""What to do about each code. Every code that the stack gives is a key here, and the test finds each one used."""
