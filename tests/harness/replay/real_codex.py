"""The real codex app-server at home in a folder of a test, with a helper that answers as the recorded one did."""

from __future__ import annotations

import json
from pathlib import Path

from harness.engines import locate, select
from harness.serve.launch import CODE, PYTHON
from tests.harness.replay.fidelity import SERVERS
from tests.harness.replay.test_recordings import FOLDER

PROVIDER = '{ name = "none", base_url = "http://127.0.0.1:9/v1", wire_api = "responses", requires_openai_auth = false }'
CONFIG = {
    "model": '"direct-disabled"',
    "model_provider": '"direct_disabled"',
    "model_providers.direct_disabled": PROVIDER,
    "features.shell_snapshot": "false",
    "features.plugins": "false",
    "analytics.enabled": "false",
}
"""As the recorded sessions were set up, and nothing else: a model that nobody can reach."""


def tape(version: str, name: str) -> str:
    return str(FOLDER / version / f"{name}.jsonl")


def command(folder: Path, version: str, helper: str) -> list[str]:
    """The real app-server of a version. helper: name of the recording whose helper's side it talks to."""
    codex = locate(select("codex", version)[0])
    assert codex is not None
    for name in ("codex-home", "work", "tmp"):
        (folder / name).mkdir()
    words = ["-SE", str(SERVERS / "recorded_helper.py"), str(CODE), tape(version, f"{helper}.mcp")]
    server = f"{{ command = {json.dumps(PYTHON)}, args = {json.dumps(words)}, startup_timeout_sec = 30 }}"
    pairs = {**CONFIG, "mcp_servers.computer-use": server}
    environment = [
        f"HOME={folder}/codex-home", f"CODEX_HOME={folder}/codex-home", f"TMPDIR={folder}/tmp", "PATH=/usr/bin:/bin",
        "LANG=C.UTF-8",
    ]  # fmt: skip
    options = [word for key, value in pairs.items() for word in ("-c", f"{key}={value}")]
    return ["/usr/bin/env", "-i", *environment, str(codex), *options, "app-server"]
