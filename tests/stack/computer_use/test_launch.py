"""The app-server's command line and environment: one policy, one server, nothing of the caller's."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stack.computer_use.launch import OVERRIDES, PROGRAM_ENVIRONMENT, arguments, environment
from stack.computer_use.pinned import PINNED
from stack.computer_use.settings import LINUX, Deadlines, Settings

SETTINGS = Settings(platform=LINUX)


def overrides(words: list[str]) -> dict[str, Any]:
    assert words[-2:] == ["app-server", "--strict-config"]
    assert set(words[:-2:2]) == {"-c"}
    tree: dict[str, Any] = {}
    for pair in words[1:-2:2]:
        key, _, value = pair.partition("=")
        tree[key] = tomllib.loads(f"value = {value}")["value"]
    return tree


@pytest.mark.claim("CUA-RUN-01", "CUA-TOOL-05")
def test_there_is_one_server_with_the_ten_tools_and_no_way_to_a_model() -> None:
    tree = overrides(arguments("/bin/helper", "/work", SETTINGS))
    assert tree["mcp_servers"] == {
        "computer-use": {
            "command": "/bin/helper",
            "args": ["mcp"],
            "cwd": "/work",
            "enabled": True,
            "enabled_tools": list(PINNED),
            "startup_timeout_sec": 30,
            "tool_timeout_sec": 120,
        }
    }
    assert tree["plugins"] == {}
    assert tree["model_provider"] == "direct_disabled"
    provider = tree["model_providers.direct_disabled"]
    assert provider["base_url"].startswith("http://127.0.0.1:9/")
    assert provider["requires_openai_auth"] is False
    off = [key for key, value in tree.items() if key.startswith("features.") and value is False]
    for feature in ("shell_tool", "shell_snapshot", "memories", "plugins", "remote_control", "hooks", "remote_plugin"):
        assert f"features.{feature}" in off
    assert tree["history.persistence"] == "none"
    assert tree["project_doc_max_bytes"] == 0
    assert {key for key, _ in OVERRIDES} | {"mcp_servers", "plugins"} == set(tree)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_any_path_survives_the_quoting(path: str) -> None:
    server = overrides(arguments(path, path, SETTINGS))["mcp_servers"]["computer-use"]
    assert (server["command"], server["cwd"]) == (path, path)


def test_the_tool_timeout_is_the_settings() -> None:
    settings = Settings(platform=LINUX, deadlines=Deadlines(tool_timeout=2_500))
    assert overrides(arguments("/h", "/w", settings))["mcp_servers"]["computer-use"]["tool_timeout_sec"] == 2.5


@pytest.mark.claim("CUA-RUN-08")
def test_the_environment_is_constants_and_the_private_home() -> None:
    assert environment("/home") == {
        "HOME": "/home",
        "CODEX_HOME": "/home",
        "TMPDIR": "/home",
        "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
        "LANG": "en_US.UTF-8",
        "NO_COLOR": "1",
    }
    assert set(PROGRAM_ENVIRONMENT) == {"PATH", "LANG", "LC_ALL"}
