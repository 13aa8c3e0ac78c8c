"""What differs between the versions of codex that are modelled: one row a difference, one column a version.

Source: trailcam facts on codex app-server (both measured) and its recordings. A new version is a new column.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VERSIONS = ("0.144.2", "0.171.0")

DIFFERENCES: dict[str, tuple[Any, Any, str]] = {
    "errors_pass": (
        False,
        True,
        "an MCP error keeps its code and data; else it becomes -32603 with all of it in the text",
    ),
    "stamps": (False, True, "notifications carry emittedAtMs"),
    "environments": (False, True, "environmentId in notifications about MCP servers and in elicitation requests"),
    "thread_shape": ("legacy", "paginated", "members of a thread: see codex_thread"),
    "status_members": (False, True, "runtimeStatus, serverCapabilities, toolsError and others in an inventory entry"),
    "server_name": (False, True, "mcpServerStatus/list heeds serverName, and then uses the thread's own connection"),
    "ready_reused": (False, True, "a list of tools alone uses the thread's own connection once that is up"),
    "cursor_first": (False, True, "a cursor is checked before any server is asked"),
    "auth_change": (False, True, "experimental capability codex/auth-change on the thread's MCP connection"),
    "openai_elicitation": (False, True, "openai/elicitation/create, and with it client mode openaiForm"),
    "bad_forms_named": (
        False,
        True,
        "a standard form that can't be read is refused with -32602 and why; else with -32601",
    ),
    "standard_form_input": (False, True, "extension openai/standard-form-input surfaces forms under never"),
    "extensions": (False, True, "initialize reads capabilities.extensions"),
    "line_limit_bytes": (None, 16777216, "a longer line from an MCP server is dropped without a word"),
    "handshake_repeats": (False, True, "the reason of a failed MCP handshake stands twice in the error"),
    "terminate_reaps": (False, True, "SIGTERM ends the MCP servers and exits with 0; else it kills codex alone"),
    "cancels": (False, True, "an MCP server is told with notifications/cancelled that its call timed out"),
    "logs_error_replies": (True, False, "an error in the place of an answer is logged twice"),
    "reload_announces": (False, True, "config/mcpServer/reload tells ready once more"),
    "warns_of_config": (
        False,
        True,
        "configWarning for unknown keys and for what requirements take away; else a warning at most",
    ),
    "config_error": (
        "error loading default config after config error: ",
        "",
        "goes before what is wrong with a key, without --strict-config",
    ),
    "thread_params": (25, 27, "elements of ThreadStartParams, as an error counts them"),
    "model": ("gpt-5.6-sol", "gpt-6.2-sol", "model where none is configured"),
}
"""Name -> (value in 0.144.2, value in 0.171.0, what it is)."""

COSTS_MS: dict[str, tuple[float, str]] = {
    "initialize_ms": (190, "initialize"),
    "thread_ms": (35, "thread/start"),
    "list_ms": (5, "mcpServerStatus/list, the MCP server's own time not counted"),
    "call_ms": (1, "a tool call, the MCP server's own time not counted"),
    "close_ms": (15, "from the end of stdin to the exit"),
}
"""Measured medians: initialize 180 to 210 ms, thread/start 50, list 60, call 3, close 15 to 70."""


LEFT_OUT: dict[str, str] = {
    "flood": "an overloaded real server also drops answers; the fake refuses with -32001 and drops none",
    "pipelining": "cheap requests that came together may be answered in another order; the fake keeps theirs",
    "end of stdin": "a request right before the end of stdin may stay unanswered; the fake answers what it read",
    "files": "the real server writes about a dozen files into CODEX_HOME; the fake writes none",
    "programs": "the real server starts a shell and small tools at thread/start; the fake starts MCP servers alone",
    "clock": "times in frames and in the log stand still, so that equal runs give equal bytes",
    "other methods": "methods that the fake does not serve are refused with -32603, and flagged",
    "resolved": "questions that were answered at once are resolved in the order of the answers",
    "configuration file": "config.toml in CODEX_HOME is not read; the setting `config` stands for it",
}
"""What the fakes of codex leave out or do otherwise, in both versions."""


class Profile:
    """The column of one version, as attributes."""

    version: str
    errors_pass: bool
    stamps: bool
    environments: bool
    thread_shape: str
    status_members: bool
    server_name: bool
    ready_reused: bool
    cursor_first: bool
    auth_change: bool
    openai_elicitation: bool
    bad_forms_named: bool
    standard_form_input: bool
    extensions: bool
    line_limit_bytes: int | None
    handshake_repeats: bool
    terminate_reaps: bool
    cancels: bool
    logs_error_replies: bool
    reload_announces: bool
    warns_of_config: bool
    config_error: str
    thread_params: int
    model: str

    def __init__(self, version: str) -> None:
        self.version = version
        column = VERSIONS.index(version)
        for name, row in DIFFERENCES.items():
            setattr(self, name, row[column])
