"""`browser-extension install-host | uninstall-host | status`."""

from __future__ import annotations

import argparse
import json
from typing import Any

import anyio
import pytest

from stack.chrome.commands import BROKEN, COULD_NOT_RUN, OK, Machine, add, run
from stack.chrome.registration import FILE_NAME
from tests.stack.chrome.rig import Rig, play
from tests.stack.chrome.test_registration import Memory


def given(*words: str) -> argparse.Namespace:
    root = argparse.ArgumentParser()
    add(root.add_subparsers())
    return root.parse_args(["browser-extension", *words])


def machine(files: Any) -> Machine:
    return Machine(files, "linux", "/u", "/usr/bin/python3")


def ran(rig: Rig, files: Any, *words: str) -> Any:
    return run(given(*words), rig.host(), machine(files))


@pytest.mark.claim("CHR-HOST-02", tooth="a manifest that was damaged, and a host that refuses to tell")
def test_from_installation_to_removal() -> None:
    async def body(rig: Rig) -> None:
        files = Memory()
        files.files.clear()
        code, lines = await ran(rig, files, "status", "--browser", "edge")
        assert (code, len(lines)) == (BROKEN, 3)
        assert "not found: no manifest is there (no_manifest): /u/.config/microsoft-edge" in lines[1]
        assert lines[2] == "no browser is connected"
        code, lines = await ran(rig, files, "install-host", "--browser", "edge", "--browser", "chrome")
        assert code == OK
        assert sum(line.startswith("written /u/") for line in lines) == 3
        assert f"edge: registered: /u/.config/microsoft-edge/NativeMessagingHosts/{FILE_NAME}" in lines
        code, lines = await ran(rig, files, "install-host", "--browser", "edge")
        assert (code, lines[1]) == (OK, "nothing to be written")
        await rig.start()
        code, (line,) = await ran(rig, files, "status", "--browser", "edge", "--json")
        document = json.loads(line)
        assert code == OK
        assert document["host"] == "0.1.0"
        assert document["connected"] == [
            {"host": "0.1.0", "browser": "chrome", "browser_version": "156.0", "extension": "0.1.0"}
        ]
        assert document["registrations"][0]["found"] is True
        files.files[document["registrations"][0]["path"]] = b"{", 0o600
        code, lines = await ran(rig, files, "status", "--browser", "edge")
        assert (code, "not_json" in lines[1]) == (BROKEN, True)
        code, lines = await ran(rig, files, "uninstall-host")
        assert code == OK
        assert sum(line.startswith("removed ") for line in lines) == 3
        code, lines = await ran(rig, files, "uninstall-host")
        assert lines[1] == "nothing to be removed"

    play(body)


def test_a_host_that_does_not_tell_is_named_with_its_reason() -> None:
    async def body(rig: Rig) -> None:
        host = rig.host()
        host.is_mine = lambda stream: False
        await rig.start(host=host)
        asks = rig.host()
        _, (line,) = await run(given("status", "--json"), asks, machine(Memory()))
        assert json.loads(line)["connected"] == [{"host": "0.1.0", "reason": "unauthorised"}]

        async def dial(address: str) -> Any:
            raise ConnectionRefusedError(111, "no")

        asks.dial = dial
        _, (line,) = await run(given("status", "--json"), asks, machine(Memory()))
        assert json.loads(line)["connected"][0]["reason"] == "bridge_disconnected"

    play(body)


def test_a_host_that_was_asked_is_left_again() -> None:
    async def body(rig: Rig) -> None:
        await rig.start()
        asks = rig.host()
        dial, streams = asks.dial, []

        async def noted(address: str) -> Any:
            streams.append(await dial(address))
            return streams[-1]

        asks.dial = noted
        _, (line,) = await run(given("status", "--json"), asks, machine(Memory()))
        assert len(json.loads(line)["connected"]) == len(streams) == 1
        with pytest.raises(anyio.ClosedResourceError):
            await streams[0].send(b"more")

    play(body)


def test_files_that_can_not_be_used_are_said() -> None:
    class Closed(Memory):
        def write(self, path: str, data: bytes, mode: int) -> None:
            raise PermissionError(13, "Permission denied", path)

    async def body(rig: Rig) -> None:
        code, lines = await ran(rig, Closed(), "install-host")
        assert (code, "Permission denied" in lines[0]) == (COULD_NOT_RUN, True)

    play(body)


def test_this_machine_is_the_default() -> None:
    assert Machine().program.endswith("/browser-host")
