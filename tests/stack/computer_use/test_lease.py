"""Waiting for the lock on one application."""

from __future__ import annotations

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stack.computer_use.lease import lock_name, take_lease
from stack.computer_use.settings import Deadlines
from stack.errors import CallError, SetupError
from tests.stack.staging import play, staged


@pytest.mark.claim("CUA-LOCK-01")
@given(st.text(max_size=400), st.text(max_size=400))
def test_a_name_is_a_short_file_name_of_its_own(one: str, other: str) -> None:
    assert len(lock_name(one).encode()) <= 255
    assert lock_name(one).isascii()
    assert "/" not in lock_name(one)
    assert (lock_name(one) == lock_name(other)) == (one.casefold() == other.casefold())


@pytest.mark.claim("CUA-LOCK-01")
@pytest.mark.parametrize(("freed_s", "got"), [(0.0, True), (29.9, True), (30.2, False)])
def test_the_wait_is_the_stated_time(freed_s: float, got: bool) -> None:
    async def main() -> None:
        async with staged() as (host, _):
            held = await take_lease(host, "a.b", Deadlines(), anyio.current_time() + 30)

            async def free() -> None:
                await anyio.sleep(freed_s)
                held.release()

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(free)
                if got:
                    (await take_lease(host, "A.B", Deadlines(), anyio.current_time() + 30)).release()
                else:
                    with pytest.raises(CallError, match=r"app_busy: other work on A\.B"):
                        await take_lease(host, "A.B", Deadlines(), anyio.current_time() + 30)
            assert anyio.current_time() <= 30.2 + freed_s

    play(main)


@pytest.mark.claim("CUA-LOCK-02")
def test_two_applications_do_not_wait_for_each_other() -> None:
    async def main() -> None:
        async with staged() as (host, _):
            began = anyio.current_time()
            await take_lease(host, "a.b", Deadlines(), anyio.current_time() + 30)
            await take_lease(host, "a.c", Deadlines(), anyio.current_time() + 30)
            assert anyio.current_time() == began

    play(main)


def test_a_lock_that_can_not_be_taken_is_an_error() -> None:
    async def main() -> None:
        async with staged() as (host, _):
            host.fails.add("try_lock")
            with pytest.raises(SetupError, match="state_unwritable"):
                await take_lease(host, "a.b", Deadlines(), anyio.current_time() + 30)

    play(main)
