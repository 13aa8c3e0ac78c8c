"""Ending a tree: by number, in order, bounded, and with every doubt said."""

from __future__ import annotations

from collections.abc import Callable

import anyio
import pytest

from stack.computer_use.settings import Deadlines
from stack.computer_use.teardown import Tree
from stack.contract import Program
from tests.stack.scripted_host import Script, ScriptedHost, ScriptedProcess
from tests.stack.staging import play, staged

DEADLINES = Deadlines()


async def ends_at_eof(process: ScriptedProcess) -> int:
    while await process.line() is not None:
        pass
    await anyio.sleep(1)
    return 0


async def stays(process: ScriptedProcess) -> int:
    await anyio.sleep_forever()
    return 0


Change = Callable[[ScriptedHost, ScriptedProcess], None]


def child(ignores: set[int]) -> Change:
    def change(host: ScriptedHost, process: ScriptedProcess) -> None:
        host.spawn("helper", [], stays, parent=process.pid).ignores = ignores

    return change


def ignores(*numbers: int) -> Change:
    return lambda host, process: process.ignores.update(numbers)


def fails(name: str) -> Change:
    return lambda host, process: host.fails.add(name)


def nothing(host: ScriptedHost, process: ScriptedProcess) -> None:
    pass


LISTED = "processes can't be listed"
STILL = "a process still runs after it was killed"
CASES: list[tuple[Script, Change, list[str], float, list[list[int]]]] = [
    (ends_at_eof, nothing, [], 1, [[]]),
    (ends_at_eof, child(set()), [], 1, [[], [15]]),
    (ends_at_eof, child({15}), [], 3, [[], [15, 9]]),
    (ends_at_eof, child({15, 9}), [STILL], 5, [[], [15, 9]]),
    (stays, nothing, [], 5, [[15]]),
    (stays, ignores(15), [], 7, [[15, 9]]),
    (stays, ignores(15, 9), [STILL], 9, [[15, 9]]),
    (stays, child({15}), [], 7, [[15], [15, 9]]),
    (ends_at_eof, fails("tree"), [LISTED, STILL], 5, [[]]),
    (stays, fails("signal"), ["a process can't be signalled", STILL], 9, [[]]),
]


@pytest.mark.claim("CUA-CLN-01", "CUA-CLN-02")
@pytest.mark.parametrize(("script", "change", "problems", "seconds", "signals"), CASES)
def test_how_a_tree_ends(
    script: Script, change: Change, problems: list[str], seconds: float, signals: list[list[int]]
) -> None:
    async def main() -> None:
        async with staged() as (host, _):
            host.scripts[Program.CODEX] = script
            process = await host.start(Program.CODEX, [], env={}, cwd="/")
            change(host, process)
            tree = Tree(host, process, DEADLINES)
            await tree.end()
            assert tree.problems == problems
            assert anyio.current_time() == pytest.approx(seconds, abs=0.1)
            assert [each.signals for each in host.processes] == signals
            if not problems:
                assert host.running() == []
            await tree.close()
            assert process.closed is (process.returncode is not None), "a real one that has ended is reaped by that"

    play(main)


@pytest.mark.claim("CUA-CLN-02")
def test_a_child_of_an_early_exit_is_ended_and_not_verified() -> None:
    async def main() -> None:
        async with staged() as (host, _):
            host.scripts[Program.CODEX] = stays
            process = await host.start(Program.CODEX, [], env={}, cwd="/")
            orphan = host.spawn("helper", [], stays, parent=process.pid)
            tree = Tree(host, process, DEADLINES)
            assert tree.look() == {orphan.pid}
            process.exit(1)
            await tree.end()
            assert tree.problems == ["a child was orphaned by an early exit"]
            assert host.running() == []

    play(main)


def test_one_seen_earlier_is_looked_for_although_its_parent_has_gone() -> None:
    async def main() -> None:
        async with staged() as (host, _):
            host.scripts[Program.CODEX] = ends_at_eof
            process = await host.start(Program.CODEX, [], env={}, cwd="/")
            strayed = host.spawn("helper", [], stays, parent=process.pid)
            tree = Tree(host, process, DEADLINES)
            tree.look()
            strayed.parent = 1
            await tree.end()
            assert (tree.problems, strayed.signals) == ([], [15])

    play(main)


def test_an_early_exit_without_children_is_clean() -> None:
    async def main() -> None:
        async with staged() as (host, _):
            host.scripts[Program.CODEX] = stays
            process = await host.start(Program.CODEX, [], env={}, cwd="/")
            tree = Tree(host, process, DEADLINES)
            process.exit(1)
            await tree.end()
            assert tree.problems == []

    play(main)
