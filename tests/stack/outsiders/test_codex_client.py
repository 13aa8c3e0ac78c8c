"""The fake codex spoken to by a client of other people, in both versions."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
import trio

from tests.stack.outsiders.staging import play, staged


@pytest.mark.claim("HAR-FAKE-03")
@pytest.mark.parametrize("profile", ["0.144.2", "0.171.0"])
def test_it_is_an_app_server_to_a_client_of_other_people(profile: str) -> None:
    async def main() -> None:
        async with staged(profile) as served:
            programs = [str(served.folder / name) for name in ("codex", "helper")]
            command = [sys.executable, str(Path(__file__).with_name("codex_client.py")), *programs]
            run = partial(trio.run_process, command, capture_stdout=True, capture_stderr=True, check=False)
            done: subprocess.CompletedProcess[bytes] = await run()
            assert done.returncode == 0, done.stderr.decode()
            seen = json.loads(done.stdout)
            assert f"/{profile} (" in seen["agent"]
            assert [block["type"] for block in seen["state"]["content"]] == ["text", "image"]
            (server,) = seen["servers"]["data"]
            assert (server["name"], len(server["tools"])) == ("computer-use", 10)
            assert "-32600" in seen["no_thread"]
            assert "JSON-RPC error" in seen["no_method"]

    play(main)
