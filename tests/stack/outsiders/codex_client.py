"""A session of the package codex-app-server-client with a codex, as a process of its own, since its client has threads.

Started as `codex_client.py CODEX HELPER`; prints one JSON document of what it got.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from codex_app_server_client import SyncCodexClient
from codex_app_server_client.types.common import ApprovalPolicySimple
from codex_app_server_client.types.misc import ListMcpServerStatusParams
from codex_app_server_client.types.threads import ThreadStartParams

CALL = "mcpServer/tool/call"


def failure(client: SyncCodexClient, method: str, params: Mapping[str, Any]) -> str:
    """How the client tells an error of the server; "" where there was none."""
    try:
        client.request(method, dict(params), timeout_s=60)
    except RuntimeError as error:
        return str(error)
    return ""


def session(codex: str, helper: str) -> dict[str, Any]:
    server = f'mcp_servers={{"computer-use"={{command={json.dumps(helper)}, args=["mcp"]}}}}'
    client = SyncCodexClient(codex_bin=codex, extra_args=["-c", server], env={"HOME": "/nowhere"})
    hello = client.start()
    try:
        thread = client.thread_start(
            ThreadStartParams(cwd="/", approval_policy=ApprovalPolicySimple.NEVER, ephemeral=True)
        ).thread.id
        call = {"threadId": thread, "server": "computer-use", "tool": "get_app_state"}
        return {
            "agent": hello.user_agent,
            "state": client.request(CALL, {**call, "arguments": {"app": "com.apple.Chess"}}, timeout_s=60),
            "servers": client.mcp_server_status_list(ListMcpServerStatusParams()).model_dump(mode="json"),
            "no_thread": failure(client, CALL, {**call, "threadId": "none", "arguments": {}}),
            "no_method": failure(client, "no/such", {}),
        }
    finally:
        client.close()


if __name__ == "__main__":
    print(json.dumps(session(*sys.argv[1:])))
