"""A stranger's process and its surroundings: nothing of this machine but its interpreter, and the fakes in place.

It has a working folder of its own, which is its HOME too, and of the variables of this process none. It ends as clients
of MCP end a server: stdin is closed; then SIGTERM; then SIGKILL, each after its time.
"""
from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import trio
from anyio.abc import Process

from harness.problem import Problem
from harness.strangers.adapter import NAMED, ON_PATH, Adapter
from harness.strangers.problem import StrangerError

ROOT = Path(__file__).resolve().parents[2]
SYSTEM = "/usr/bin:/bin"
"""Where a stranger finds what is not faked."""
NOWHERE = "http://127.0.0.1:9"
NO_WAY_OUT = {"HTTP_PROXY": NOWHERE, "HTTPS_PROXY": NOWHERE, "ALL_PROXY": NOWHERE, "NO_PROXY": "localhost,127.0.0.1"}
"""A stranger that heeds proxies reaches loopback alone. One that does not is not held by anything here."""
GRACE_S = 3
"""How long a stranger may take to end after its stdin was closed, and again after SIGTERM."""
STDERR_KEPT = 60_000
STDERR = "stderr.txt"
"""Where its last words are after its end: law 6 looks there too."""
EXECUTABLE = "#!"


class Surroundings:
    """The host of a stranger, made by the runner. table: program -> path of its stub; folder: the working folder."""

    def __init__(self, table: Mapping[str, str], *, folder: Path, locks: Path, meeting: Path) -> None:
        self.folder = folder
        self._table = table

    @asynccontextmanager
    async def running(self, adapter: Adapter) -> AsyncIterator[Running]:
        """The stranger's process, until the end of the block. Raises Problem where it is not installed."""
        words = [self.fill(text, adapter) for text in adapter.command]
        program = shutil.which(words[0])
        for needed in [*(self.fill(text, adapter) for text in adapter.needs), *([] if program else words[:1])]:
            if not os.path.exists(needed):
                raise Problem(f"no {needed.removeprefix(f'{ROOT}/')}", f"the stack {adapter.stack} {adapter.version}",
                              "`make engines` installs it")
        assert program is not None
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, text in adapter.files.items():
            path = self.folder / name
            path.write_text(self.fill(text, adapter), encoding="utf-8")
            path.chmod(0o700 if text.startswith(EXECUTABLE) else 0o600)
        try:
            process = await anyio.open_process(
                [os.path.abspath(program), *words[1:]], env=self.variables(adapter, os.path.dirname(program)),
                cwd=str(self.folder), start_new_session=True,
            )
            async with trio.open_nursery() as nursery:
                running = Running(process)
                nursery.start_soon(running.read_errors)
                try:
                    yield running
                finally:
                    with trio.CancelScope(shield=True):
                        await running.end()
                        (self.folder / STDERR).write_bytes(running.said)
                    nursery.cancel_scope.cancel()
        finally:
            for name in adapter.files:
                (self.folder / name).unlink(missing_ok=True)

    def fill(self, text: str, adapter: Adapter) -> str:
        """A text of the adapter with its places."""
        places = {"root": str(ROOT), "here": str(self.folder), **self._table}
        return NAMED.sub(lambda match: places.get(match[1], match[0]), text)

    def variables(self, adapter: Adapter, beside: str) -> dict[str, str]:
        """The stranger's environment. The folder of the fakes is on PATH only where it finds one of them there; beside:
        the folder of its own interpreter."""
        on_path = [os.path.dirname(self._table[program]) for program, way in adapter.finds.items() if way == ON_PATH]
        path = ":".join(dict.fromkeys([*on_path, beside, *SYSTEM.split(":")]))
        named = {way.partition(":")[2]: self._table[program] for program, way in adapter.finds.items() if ":" in way}
        given = {name: self.fill(text, adapter) for name, text in adapter.env.items()}
        return {"PATH": path, "HOME": str(self.folder), "LANG": "C.UTF-8", **NO_WAY_OUT, **named, **given}


class Running:
    """A stranger that runs: its pipes, and the end of it."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None and process.stdout is not None
        self.stdin = process.stdin
        self.stdout = process.stdout
        self._process = process
        self.said = b""
        """The end of what it wrote on stderr."""

    async def read_errors(self) -> None:
        """Read its stderr to the end: a server whose stderr nobody reads may block."""
        assert self._process.stderr is not None
        try:
            while True:
                self.said = (self.said + await self._process.stderr.receive())[-STDERR_KEPT:]
        except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
            return

    async def end(self) -> None:
        """Close its stdin, and end it where that does not."""
        await self.stdin.aclose()
        for end in (self._process.terminate, self._process.kill):
            with trio.move_on_after(GRACE_S):
                await self._process.wait()
            if self._process.returncode is not None:
                return
            end()
        await self._process.wait()


def died(running: Running, error: StrangerError) -> Problem:
    """A stranger that can't be talked to at all: nothing was shown of it."""
    last = running.said.decode("utf-8", "replace").strip()
    words = f"; its last words: {last[-300:]!r}" if last else ""
    return Problem(f"{error}{words}", "an MCP server on stdin and stdout", "correct `command` of the adapter")
