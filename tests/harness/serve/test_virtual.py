"""The host of virtual runs: what starting costs, what signals do, and that everything repeats."""
from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import trio

from harness.serve.scheduler import run_virtual
from harness.serve.stage import Stage
from harness.serve.virtual import EPOCH, VirtualHost
from tests.harness.serve.drive import ask, leave
from tests.harness.serve.machines import MACHINES, Counter


def hosted(tmp_path: Path, play: Callable[[VirtualHost, Stage], Awaitable[Any]], **sheet: Any) -> Any:
    async def main() -> Any:
        stage = Stage({"v": 1, **sheet}, MACHINES, Counter, clock=trio.current_time)
        async with trio.open_nursery() as nursery:
            result = await play(VirtualHost(stage, nursery, 5), stage)
            nursery.cancel_scope.cancel()
        return result

    return run_virtual(main, 1)


def test_starting_a_program_costs_what_the_sheet_says(tmp_path: Path) -> None:
    async def play(host: VirtualHost, stage: Stage) -> float:
        program = await host.start("echo", [], env={}, cwd="/")
        await ask(program, 1, "two")
        return stage.now_ms()

    assert hosted(tmp_path, play, start_ms={"echo": 180}) == 180
    assert hosted(tmp_path, play) == 0


@pytest.mark.parametrize("number", [9, 15])
def test_a_program_can_be_killed_while_it_starts(tmp_path: Path, number: int) -> None:
    async def play(host: VirtualHost, stage: Stage) -> tuple[int, float, list[str]]:
        program = await host.start("echo", [], env={}, cwd="/")
        await trio.sleep(0.01)
        host.signal(program.pid, number)
        return await program.wait(), stage.now_ms(), [str(event["e"]) for event in stage.journal]

    assert hosted(tmp_path, play, start_ms={"echo": 180}) == (-number, 10, ["exited"])


def test_an_unknown_program_is_not_found(tmp_path: Path) -> None:
    async def play(host: VirtualHost, stage: Stage) -> None:
        with pytest.raises(FileNotFoundError, match="nope"):
            await host.start("nope", [], env={}, cwd="/")

    hosted(tmp_path, play)


def test_signals_go_to_one_process_and_miss_what_has_gone(tmp_path: Path) -> None:
    async def play(host: VirtualHost, stage: Stage) -> None:
        program = await host.start("parent", [], env={}, cwd="/")
        await ask(program, 1, "two")
        parent, kid = host.tree(program.pid)
        host.signal(kid, 9)
        await trio.sleep(1)
        assert host.tree(program.pid) == (parent,)
        with pytest.raises(ProcessLookupError):
            host.signal(kid, 15)
        assert await leave(program) == 0
        with pytest.raises(ProcessLookupError):
            host.signal(parent, 15)

    hosted(tmp_path, play)


@pytest.mark.parametrize(("taken_back", "status"), [(False, 0), (True, -9)])
def test_closing_a_process_waits_for_it_as_anyio_does(tmp_path: Path, taken_back: bool, status: int) -> None:
    """The end of its input ends it; it is killed only where the wait is taken back."""

    async def play(host: VirtualHost, stage: Stage) -> int | None:
        program = await host.start("echo", [], env={}, cwd="/")
        await ask(program, 1, "two")
        with trio.CancelScope() as scope:
            if taken_back:
                scope.cancel()
            await program.aclose()
        assert scope.cancelled_caught == taken_back
        return program.returncode

    assert hosted(tmp_path, play) == status


def test_names_dates_and_paths_repeat(tmp_path: Path) -> None:
    async def play(host: VirtualHost, stage: Stage) -> tuple[str, str, Any, str]:
        return host.token(16), host.token(16), host.date(), host.path("codex")

    first, second, date, path = hosted(tmp_path, play)
    assert (len(first), first != second, date, path) == (16, True, EPOCH, "/trailcam/bin/codex")
    assert hosted(tmp_path, play)[:2] == (first, second)


def test_nothing_outside_of_the_run_is_dialled(tmp_path: Path) -> None:
    async def play(host: VirtualHost, stage: Stage) -> None:
        with pytest.raises(ConnectionRefusedError, match=r"127\.0\.0\.1:80"):
            await host.dial("tcp:127.0.0.1:80")
        with pytest.raises(PermissionError, match=r"192\.0\.2\.1"):
            await host.dial("tcp:192.0.2.1:80")

    hosted(tmp_path, play)
