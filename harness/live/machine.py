"""This machine as a live run finds it: programs, their signatures, what runs. Looks only, and changes nothing.

Separate from the doctor, which judges what is seen and is tested on machines that nobody here has.
"""
from __future__ import annotations

import os
import platform
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import anyio
import trio

from harness.serve.dotted import resolve
from harness.serve.launch import remove_folder
from harness.serve.left import Left, processes_of
from harness.subjects import Subject

CODESIGN = "/usr/bin/codesign"
"""Where the system has it; a program of that name elsewhere verifies nothing."""
MAC = "darwin"
LIMIT_S = 20
SAID_BYTES = 4096
"""Of what a program says that it is asked."""


class Machine(Protocol):
    """What the doctor asks."""

    system: str
    """`sys.platform`."""
    release: str
    """In words, as `macOS 26.1`."""

    def is_there(self, path: str) -> bool:
        """Whether an executable file lies at this path."""

    def is_signed(self, path: str, requirement: str) -> bool:
        """Whether the system's codesign says that the file is whole and meets the requirement."""

    def said(self, path: str, words: Sequence[str]) -> str:
        """The first line that a program writes when it is asked with these words; "" where it fails or says nothing.
        Only for programs that are signed by who made them."""

    def running(self, mark: str) -> Sequence[Left]:
        """Processes whose arguments contain the mark."""


class ThisMachine:
    """The real one."""

    def __init__(self, subject: Subject, codesign: str = CODESIGN) -> None:
        self.system = sys.platform
        release = platform.mac_ver()[0]
        self.release = f"macOS {release}" if release else f"{platform.system()} {platform.release()}"
        self._subject = subject
        self._codesign = codesign

    def is_there(self, path: str) -> bool:
        return os.path.isfile(path) and os.access(path, os.X_OK)

    def is_signed(self, path: str, requirement: str) -> bool:
        if self.system != MAC:
            return False
        words = ["--verify", "--strict", f"-R={requirement}", path]
        status, _ = trio.run(self._ran, self._codesign, words)
        return status == 0

    def said(self, path: str, words: Sequence[str]) -> str:
        status, text = trio.run(self._ran, path, words)
        return text.decode("utf-8", "replace").partition("\n")[0].strip() if status == 0 else ""

    async def _ran(self, path: str, words: Sequence[str]) -> tuple[int | None, bytes]:
        """Exit status and the beginning of stdout; another status than 0 where it took too long."""
        state = Path(tempfile.mkdtemp(prefix="tc"))
        try:
            host: Any = resolve(self._subject.host)({"asked": path}, folder=state, locks=state)
            process = await host.start("asked", list(words), env={"LC_ALL": "C"}, cwd="/")
            text = b""
            async with process:
                with anyio.move_on_after(LIMIT_S) as limit:
                    await process.stdin.aclose()
                    async for data in process.stdout:
                        text = (text + data)[:SAID_BYTES]
                    await process.wait()
                if limit.cancelled_caught:
                    process.kill()
            return process.returncode, text
        finally:
            remove_folder(state)

    def running(self, mark: str) -> Sequence[Left]:
        return processes_of([mark])


CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
OTHERS: Mapping[str, str] = {"browser": CHROME, "channel": CHROME}
"""Programs that the stack does not start -> where they are. What a browser says to its native host is the browser's."""


def official_table(subject: Subject) -> dict[str, str]:
    """Program -> the one place where the stack's own host of production has it, or where it is else. What is nowhere on
    any system is not among them. Makes nothing."""
    module = subject.host.partition(":")[0]
    known = {**OTHERS, **resolve(f"{module}:PROGRAMS")}
    return {program: str(known[program]) for program in subject.uses if program in known}
