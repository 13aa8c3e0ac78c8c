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
    # a service's, asked over HTTP
    "http_url": "Give a plain http or https URL with a host, without a user or a fragment",
    "http_request": "Look at the key and the headers that are set for this endpoint",
    "http_unreachable": "Check that the endpoint runs, and that this host may reach it",
    "http_timeout": "Call again; if it lasts, look at why the endpoint is slow",
    "http_malformed": "Check that the URL is that of an HTTP endpoint",
    "http_too_long": "Check that the URL is that of the right endpoint: no answer to this should be so long",
    "http_closed": "Call again; if it lasts, look at why the endpoint ends the connection",
    # of Safari's own MCP server
    "safari_unsupported": "Use a Mac with Safari 27",
    "driver_missing": "Install Safari 27, and switch both developer settings on",
    "driver_too_old": "Update Safari to version 27, and switch both developer settings on",
    "driver_start_failed": "Run `safaridriver --mcp` by hand to see why it does not start",
    "driver_incompatible": "Update Safari, or this stack where Safari is newer; nothing was dispatched",
    "handshake_refused": "Update this stack, or Safari where it is older; nothing was dispatched",
    "automation_not_allowed": "Switch both developer settings of Safari on; this stack changes no setting",
    "capability_missing": "Update Safari, or this stack where Safari is newer; the other tools keep working",
    "driver_closed": "List the tabs and look at them before trying again: what was under way may have happened",
    "driver_malformed": "List the tabs and look at them before trying again; report it with the version of Safari",
    "message_too_long": "Ask for less at a time; list the tabs and look at them before trying again",
    "driver_failed": "Check Safari's automation permission, and list the tabs again before trying again",
    "operation_timeout": "List the tabs and look at them before trying again: what was under way may have happened",
    "operation_dropped": "Call again in the new session; nothing was dispatched",
    "consent_noninteractive": "Have the user do it: restricted actions need a user who could be asked",
    "consent_no_task": "Wait for a request of the user; only a fresh one of the user's own begins a task",
    "consent_asking": "Wait for the user's answer to the question that is open",
    "consent_denied": "Ask the user to say what is wanted; nothing was dispatched",
    "consent_timeout": "Call again; if it lasts, look at the judge's endpoint. Nothing was dispatched",
    "consent_retired": "Wait for the next request of the user; nothing was dispatched",
    "consent_too_large": "Ask the user for a shorter request, or use shorter values; nothing was shortened or sent",
    "consent_usage": "The command takes allow or revoke; nothing was changed",
    "consent_missing": "Open this stack with a consent provider; without one nothing restricted is done",
    "invalid_url": "Give an http or https URL of at most 8192 characters, without credentials, as a browser shows it",
    "stale_target": "List the tabs again, and use a target and epoch of that list",
    "target_gone": "List the tabs again; no other tab was used in its place",
    "tab_list_malformed": "Report it with the version of Safari; no tab of the list was used",
    "tab_unidentified": "List the tabs and look for one that was left before trying again; none was guessed or closed",
    "page_moved": "Read the page again, and act on what it shows at its URL of now",
    "node_not_shown": "Take a snapshot, and use a node id that stands in it; nothing was dispatched",
    "page_malformed": "Read the page again; it may have changed what scripts get to see",
    "load_timeout": "The tab stays open: look at it before trying again",
    "not_loaded": "Check the address; the tab stays open and shows an error page",
    "redirected": "Look at the tab, and give the final URL where it is the right one; nothing was undone",
    "no_single_match": "Give a selector that exactly one visible element matches",
    "invalid_selector": "Give a valid CSS selector",
    "wait_timeout": "Look at the page: it may be slow or show something else; only 2000 elements are scanned",
    "interaction_failed": "Take a snapshot and choose an element of it; nothing was repeated",
    "interaction_unclear": "Look at the page before trying again: the action may have happened",
    "context_changed": "List the tabs and look at them before acting again: the action has happened, or may have",
    "result_too_large": "Ask for less: fewer characters, links or matches, or a narrower selector or filter",
    # the browser's page, through its extension
    "extension_not_installed": "Install the browser extension, and open the browser once",
    "native_host_not_registered": "Run `trailcam-stack browser-extension install-host`",
    "bridge_disconnected": "Call again: the extension connects anew by itself",
    "protocol_mismatch": "Update the extension and this stack to versions of one protocol",
    "unauthorised": "Start the server as the user whose browser it is; if it lasts, restart the browser",
    "claim_held": "End the other server that is connected to this browser, or wait until it has ended",
    "site_permission_required": "Ask the user to allow this site by the extension's button",
    "unsupported_scheme": "Use another way: pages of this scheme are not read through the extension",
    "restricted_page": "Use another way: the browser lets no extension see this page",
    "tab_not_found": "List the targets, and choose one of them",
    "frame_not_accessible": "Read the page again; if it lasts, use another way for this frame",
    "stale_snapshot": "Read the page again, and act on what it shows now",
    "ambiguous_target": "Choose one of the candidates by its id",
    "needs_trusted_input": "Ask the user to click, or use a system with real input: the page heeds no other",
    "no_observed_effect": "Read the page again before you choose another way",
    "no_result": "Read the page again before acting again",
    "not_actionable": "Choose a node that has this action, from a new reading",
    "timed_out": "If the outcome is unknown, read the page again before acting again",
    "invalid_message": "Report it with the versions of extension and host",
    # Safari through Apple Events
    "several_safaris": "Quit all but one Safari, or name the process to use; nothing was sent",
    "safari_not_running": "Start Safari, then call again; this stack does not start it",
    "automation_denied": "Allow it in System Settings, Privacy & Security, Automation; this stack can't",
    "javascript_disabled": "Switch on Allow JavaScript from Apple Events in Safari's settings; this stack can't",
    "apple_event_failed": "Observe again; if it lasts, look at the window",
    "bridge_timeout": "Look whether Safari shows a dialog, then observe again",
    "bridge_failed": "Close the session and begin another",
    "page_unreadable": "Observe again",
    "page_not_loaded": "Look whether the address can be reached, then open it again; the window was closed",
    "open_failed": "Look for an empty window that may have been left",
    "no_such_window": "List the windows and name one of them",
    "no_session": "Open or attach a window first",
    "session_open": "Close the session first",
    "invalid_action": "Give an action exactly as the latest observation lists it; nothing was dispatched",
    "unknown_observation": "Observe again, and act on what that shows; nothing was dispatched",
    "stale_page": "Observe again, and act on what that shows",
    "action_blocked": "Observe again; scroll, or act on what is in the way",
    "never_ran": "Observe again, and decide anew",
    "scope_lost": "The session is over: close it. Attach or open another window if it is to go on",
    "delivery_unknown": "The session is over: look at the window yourself, and close the session",
    # the typed-choice model, and sessions behind a socket
    "model_missing": "Say where the model is; nothing was asked, and nothing was done",
    "model_busy": "Wait a little, then run again; nothing was done for want of an answer",
    "model_refused": "Check the model's address and key; nothing was done for want of an answer",
    "model_invalid": "Report it with the version of the model; nothing was done for want of an answer",
    "stale_ref": "Observe again, and use a ref that it lists; nothing was dispatched",
    "session_taken": "Close the session of this name first, or choose another name",
    "session_dead": "Open or attach a window again; what was under way may have happened",
    "session_unreachable": "Close the session, and open or attach a window again",
    # the end's
    "cleanup_unverified": "Look for processes and folders that the stack has left, named in the evidence",
}
"""What to do about each code. Every code that the stack gives is a key here, and the test finds each one used."""
