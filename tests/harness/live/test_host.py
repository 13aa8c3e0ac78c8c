"""The host with taps: what is started, what stays the real one, and what of a tree is the tap's own."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import trio

from harness.live import host as under_test
from harness.live.host import TappedHost
from harness.serve.left import Left
from harness.serve.private import InstalledApp

CHESS = InstalledApp("com.apple.Chess", "/Chess.app", ("Chess",))


class Plain:
    """A host that says what was asked of it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def path(self, program: str) -> str:
        return f"{self.name}/{program}"

    async def start(self, program: str, args: Sequence[str], *, env: Any, cwd: str) -> str:
        return f"{self.name} starts {program} {' '.join(args)} {env} {cwd}"

    def tree(self, pid: int) -> tuple[int, ...]:
        return (pid, 21, 22) if pid else ()

    def applications(self, path: str | None = None) -> str:
        return f"{self.name} applications {path}"


def tapped(applications: Any = None) -> TappedHost:
    return TappedHost(Plain("real"), Plain("tap"), ("codex",), "/run/taps", applications)


@pytest.mark.parametrize(("program", "by"), [("codex", "tap"), ("helper", "real")])
def test_only_what_is_tapped_starts_through_the_tap(program: str, by: str) -> None:
    async def start() -> Any:
        return await tapped().start(program, ["a"], env={}, cwd="/")

    assert trio.run(start) == f"{by} starts {program} a {{}} /"


def test_the_place_of_a_program_is_the_real_one() -> None:
    assert tapped().path("codex") == "real/codex"


def test_the_taps_writer_is_not_of_the_programs_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Sequence[str]] = []

    def processes_of(folders: Sequence[str]) -> list[Left]:
        looked.append(folders)
        return [Left(20, "codex"), Left(22, "codex")]

    monkeypatch.setattr(under_test, "processes_of", processes_of)
    assert tapped().tree(20) == (20, 21)
    assert tapped().tree(0) == ()
    assert looked == [["/run/taps"]]


def test_applications_are_the_machines_or_a_worlds() -> None:
    assert tapped().applications("/x") == "real applications /x"
    assert tapped((CHESS,)).applications() == (CHESS,)
    assert tapped((CHESS,)).applications("/Other.app") == ()
