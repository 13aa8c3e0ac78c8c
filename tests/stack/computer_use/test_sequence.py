"""One sequence: its deadline, and its end."""

from __future__ import annotations

import anyio
import pytest

from stack.computer_use.sequence import Deadline, Sequence
from stack.computer_use.settings import LINUX, Settings
from stack.contract import Program
from tests.stack.staging import check_clean, play, staged


@pytest.mark.claim("CUA-RUN-05")
def test_a_deadline_stops_and_goes_on() -> None:
    async def main() -> None:
        deadline = Deadline(10_000)
        with deadline.scope:
            await anyio.sleep(6)
            deadline.stop()
            await anyio.sleep(1000)
            deadline.go_on()
            await anyio.sleep(100)
        assert deadline.scope.cancelled_caught
        assert anyio.current_time() == pytest.approx(6 + 1000 + 4)

    play(main)


@pytest.mark.claim("CUA-CLN-01")
def test_its_parts_end_in_the_reverse_order_and_once() -> None:
    async def main() -> None:
        async with staged() as (host, _), anyio.create_task_group() as tasks:
            sequence = Sequence(host, Settings(platform=LINUX), tasks, "a.b", openai_forms=False)
            await sequence.take(0)
            await sequence.begin()
            assert sequence.usable
            assert sorted(host.running()) == ["codex", "helper", "lsappinfo"]
            assert len(host.locks) == 1
            await sequence.end()
            check_clean(host)
            assert (sequence.problems, sequence.lease_released, sequence.usable) == ((), True, False)
            await sequence.end()

    play(main)


def test_one_without_a_target_has_no_lease_and_no_listener() -> None:
    async def main() -> None:
        async with staged() as (host, _), anyio.create_task_group() as tasks:
            sequence = Sequence(host, Settings(platform=LINUX), tasks, None, openai_forms=False)
            await sequence.take(0)
            await sequence.begin()
            assert host.of(Program.LSAPPINFO) == []
            assert host.locks == set()
            assert await sequence.focus() is None
            await sequence.end()
            assert sequence.lease_released is None

    play(main)


@pytest.mark.claim("CUA-CLN-01")
@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.5])
def test_taken_back_while_it_begins_it_still_ends_whole(seconds: float) -> None:
    async def main() -> None:
        async with staged() as (host, _), anyio.create_task_group() as tasks:
            sequence = Sequence(host, Settings(platform=LINUX), tasks, "a.b", openai_forms=False)
            with anyio.move_on_after(seconds):
                await sequence.take(0)
                await sequence.begin()
                await anyio.sleep_forever()
            await sequence.end()
            check_clean(host)

    play(main)
