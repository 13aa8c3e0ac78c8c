"""How the app-server is started: its arguments and its environment, as data.

Separate because it is the policy (CUA-RUN-01, CUA-RUN-08): a fresh private home, one MCP server with the ten tools
and no other, a model provider that cannot be reached, and everything else off. Each key is known to the real
app-servers 0.144.2 and 0.171.0 under --strict-config, which makes a renamed key an error instead of a silence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final

from stack.computer_use.settings import SERVER, Settings

MODEL_PROVIDER: Final = "direct_disabled"
APPROVAL_POLICY: Final = "never"
SANDBOX: Final = "danger-full-access"
SANDBOX_ECHO: Final = "dangerFullAccess"
CLIENT_NAME: Final = "trailcam_stack"
CLIENT_VERSION: Final = "0.1.0"
HELPER_STARTUP_S: Final = 30

_UNREACHABLE: Final = (
    '{ name = "No model", base_url = "http://127.0.0.1:9/v1", wire_api = "responses", request_max_retries = 0, '
    "stream_max_retries = 0, supports_websockets = false, requires_openai_auth = false }"
)
"""Port 9 of loopback is the discard service, which nothing serves; no turn is started that could dial it."""

OVERRIDES: Final[Sequence[tuple[str, str]]] = (
    ("model_provider", f'"{MODEL_PROVIDER}"'),
    ("model", '"direct-disabled"'),
    (f"model_providers.{MODEL_PROVIDER}", _UNREACHABLE),
    ("approval_policy", f'"{APPROVAL_POLICY}"'),
    ("sandbox_mode", f'"{SANDBOX}"'),
    ("features.shell_tool", "false"),
    ("features.shell_snapshot", "false"),
    ("features.unified_exec", "false"),
    ("features.multi_agent", "false"),
    ("features.memories", "false"),
    ("memories.use_memories", "false"),
    ("memories.generate_memories", "false"),
    ("features.remote_plugin", "false"),
    ("features.plugins", "false"),
    ("features.remote_control", "false"),
    ("features.hooks", "false"),
    ("analytics.enabled", "false"),
    ("otel.exporter", '"none"'),
    ("web_search", '"disabled"'),
    ("history.persistence", '"none"'),
    ("project_root_markers", "[]"),
    ("project_doc_max_bytes", "0"),
)
"""Key and TOML value of each override. features.shell_snapshot off: otherwise thread/start runs a login shell.
The last two: a home folder that is itself a checkout would else lend the thread its instruction files."""


def _toml(text: str) -> str:
    """A TOML basic string: JSON's escapes are TOML's, as long as nothing beyond ASCII is escaped; TOML wants one
    more of them, for DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml_list(texts: Iterable[str]) -> str:
    return "[" + ", ".join(_toml(text) for text in texts) + "]"


def arguments(helper: str, folder: str, settings: Settings) -> list[str]:
    """The command line after the program. helper: its absolute path; folder: where the helper is started."""
    seconds = settings.deadlines.tool_timeout / 1000
    server = (
        f'{{ "{SERVER}" = {{ command = {_toml(helper)}, args = ["mcp"], cwd = {_toml(folder)}, enabled = true, '
        f"enabled_tools = {_toml_list(settings.inventory)}, startup_timeout_sec = {HELPER_STARTUP_S}, "
        f"tool_timeout_sec = {seconds:g} }} }}"
    )
    pairs = [*OVERRIDES, ("mcp_servers", server), ("plugins", "{}")]
    return [*(word for key, value in pairs for word in ("-c", f"{key}={value}")), "app-server", "--strict-config"]


def environment(home: str) -> dict[str, str]:
    """All that the app-server sees of the environment: constants, and its private home for everything it keeps."""
    return {
        "HOME": home,
        "CODEX_HOME": home,
        "TMPDIR": home,
        "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
        "LANG": "en_US.UTF-8",
        "NO_COLOR": "1",
    }


PROGRAM_ENVIRONMENT: Final = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "en_US.UTF-8", "LC_ALL": "C"}
"""All that the short programs (codesign, lsappinfo) see of the environment."""
