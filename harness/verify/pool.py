"""Workers that work units off, each a process that takes the next unit as soon as it has answered the last.

Runs on the real clock mostly wait, so there are as many workers for them again as for the others, which step aside for
them: a deadline that passes because something else was computed says nothing of the stack. A worker that dies is a
finding: what it was at could not be run.
"""
from __future__ import annotations

import json
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import trio

from harness.scenario.runner import ROOT
from harness.verify.units import Unit
from harness.verify.work import Finding, Result

COMMAND = (sys.executable, "-m", "harness.verify.worker")
READ = 65536
ASIDE = 10
"""Niceness of a worker whose runs are in virtual time, where nothing waits for them."""


class Pool:
    """done: called with each result as it comes."""

    def __init__(
        self, claims: Path, folder: Path | None, done: Callable[[Result], None], command: Sequence[str] = COMMAND
    ) -> None:
        kept = None if folder is None else str(folder.resolve())
        self._shared: dict[str, Any] = {"claims": str(claims.resolve()), "folder": kept}
        self._done = done
        self._command = list(command)

    def work(self, units: Sequence[Unit], jobs: int) -> None:
        """Work all units off with `jobs` workers, and as many again for runs on the real clock as there are."""
        real = deque(unit for unit in units if unit.mode != "virtual")
        virtual = deque(unit for unit in units if unit.mode == "virtual")

        async def main() -> None:
            async with trio.open_nursery() as nursery:
                for _ in range(min(jobs, len(real))):
                    nursery.start_soon(self._worker, real, virtual, 0)
                for _ in range(min(jobs, len(virtual))):
                    nursery.start_soon(self._worker, virtual, real, ASIDE)

        trio.run(main)

    async def _worker(self, units: deque[Unit], others: deque[Unit], nice: int) -> None:
        """One worker, from its own kind of units first."""
        while units or others:
            process = await trio.lowlevel.open_process(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=str(ROOT)
            )
            try:
                await self._feed(process, units, others, nice)
            finally:
                with trio.CancelScope(shield=True):
                    assert process.stdin is not None
                    await process.stdin.aclose()
                    if process.returncode is None:
                        process.terminate()
                    await process.wait()

    async def _feed(self, process: trio.Process, units: deque[Unit], others: deque[Unit], nice: int) -> None:
        """Until no unit is left, or the worker has died."""
        lines = _Lines(process)
        await lines.send({**self._shared, "nice": nice})
        while units or others:
            unit = (units or others).popleft()
            answer = await lines.ask(unit.as_json())
            if answer is None:
                status = await process.wait()
                lost = Finding("unknown", unit.words, f"could not run: the worker ended with {status}", "")
                self._done(Result(unit, findings=[lost]))
                return
            self._done(Result.from_json(answer))


class _Lines:
    """JSON lines to and from a worker."""

    def __init__(self, process: trio.Process) -> None:
        self._process = process
        self._held = b""

    async def send(self, value: Any) -> None:
        assert self._process.stdin is not None
        await self._process.stdin.send_all(json.dumps(value).encode() + b"\n")

    async def ask(self, value: Any) -> Any:
        """The answer; None where the worker has gone."""
        assert self._process.stdout is not None
        try:
            await self.send(value)
        except trio.BrokenResourceError:
            return None
        while b"\n" not in self._held:
            data = await self._process.stdout.receive_some(READ)
            if not data:
                return None
            self._held += data
        line, _, self._held = self._held.partition(b"\n")
        return json.loads(line)
