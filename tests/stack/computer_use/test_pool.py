"""The open sequences: one an application, with turns, and an end for each."""

from __future__ import annotations

import anyio
import pytest

from stack.computer_use.pool import Pool
from stack.computer_use.settings import LINUX, Deadlines, Settings
from stack.errors import CallError
from tests.stack.staging import check_clean, play, staged

SETTINGS = Settings(platform=LINUX)


def test_turns_on_one_application_are_taken_one_at_a_time() -> None:
    async def main() -> None:
        async with staged() as (host, _), anyio.create_task_group() as tasks:
            pool = Pool(host, SETTINGS, tasks)
            turn = await pool.take_turn("a.b", anyio.current_time() + 30)
            other = await pool.take_turn("a.c", anyio.current_time() + 30)
            failed: list[str] = []

            async def wait() -> None:
                with pytest.raises(CallError) as caught:
                    await pool.take_turn("A.B", anyio.current_time() + 30)
                failed.append(str(caught.value))

            async with anyio.create_task_group() as waiting:
                waiting.start_soon(wait)
            assert "another call on A.B has not ended within 30000 ms" in failed[0]
            turn.release()
            other.release()

    play(main)


def test_a_sequence_is_found_again_in_any_case_and_with_the_same_announcement() -> None:
    async def main() -> None:
        async with staged() as (host, _), anyio.create_task_group() as tasks:
            pool = Pool(host, SETTINGS, tasks)
            sequence = await pool.make("a.b", openai_forms=False)
            assert pool.get("A.B", openai_forms=False) is sequence
            assert pool.get("a.b", openai_forms=True) is None
            assert pool.get("a.c", openai_forms=False) is None
            assert pool.get(None, openai_forms=False) is None
            other = await pool.make("a.b", openai_forms=True)
            assert sequence.ended.is_set()
            assert pool.get("a.b", openai_forms=True) is other
            loose = await pool.make(None, openai_forms=False)
            await pool.end_all()
            assert other.ended.is_set()
            assert loose.ended.is_set()
            assert (pool.verified, pool.problems) == (3, [])
            await pool.end(other)
            assert pool.verified == 3
            assert [record["event"] for record in host.audit] == ["sequence_ended"] * 3

    play(main)


def test_an_idle_end_waits_for_the_turn_and_looks_again() -> None:
    async def main() -> None:
        async with staged() as (host, _), anyio.create_task_group() as tasks:
            pool = Pool(host, Settings(platform=LINUX, deadlines=Deadlines(idle=1000)), tasks)
            turn = await pool.take_turn("a.b", anyio.current_time() + 30)
            sequence = await pool.make("a.b", openai_forms=False)
            await sequence.take(0)
            await sequence.begin()
            await anyio.sleep(5)
            assert not sequence.ended.is_set()
            sequence.used = anyio.current_time()
            turn.release()
            await anyio.sleep(0.5)
            assert not sequence.ended.is_set()
            await anyio.sleep(1)
            assert sequence.ended.is_set()
            check_clean(host)

    play(main)


def test_an_end_nobody_answers_for_keeps_its_problems() -> None:
    async def main() -> None:
        async with staged() as (host, _), anyio.create_task_group() as tasks:
            pool = Pool(host, SETTINGS, tasks)
            sequence = await pool.make("a.b", openai_forms=False)
            host.fails.add("release")
            await sequence.take(0)
            await pool.end_all()
            assert (pool.verified, pool.problems) == (0, ["the lease was not seen to be released"])
            record = host.audit[-1]
            assert (record["code"], record["cleanupVerified"]) == ("cleanup_unverified", False)
            assert record["leaseReleased"] is False

    play(main)
