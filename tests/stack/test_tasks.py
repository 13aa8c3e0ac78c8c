"""What comes out of a task group: the one exception, or all of them."""
from __future__ import annotations

import anyio
import pytest

from stack.tasks import task_group


class Ours(Exception):
    """What a caller raises and expects to catch."""


async def fails(error: Exception) -> None:
    raise error


def test_what_the_body_raises_comes_as_it_is() -> None:
    error = Ours("x")

    async def main() -> None:
        async with task_group():
            raise error

    with pytest.raises(Ours) as caught:
        anyio.run(main, backend="trio")
    assert caught.value is error
    assert caught.value.__suppress_context__


def test_what_a_task_raises_comes_as_it_is_and_ends_the_body() -> None:
    async def main() -> None:
        async with task_group() as tasks:
            tasks.start_soon(fails, Ours("y"))
            await anyio.sleep_forever()

    with pytest.raises(Ours, match="y"):
        anyio.run(main, backend="trio")


def test_two_come_as_a_group() -> None:
    async def main() -> None:
        async with task_group() as tasks:
            tasks.start_soon(fails, Ours("one"))
            tasks.start_soon(fails, Ours("two"))

    with pytest.raises(ExceptionGroup) as caught:
        anyio.run(main, backend="trio")
    assert sorted(str(error) for error in caught.value.exceptions) == ["one", "two"]


def test_without_an_error_nothing_comes() -> None:
    done: list[int] = []

    async def append() -> None:
        done.append(1)

    async def main() -> None:
        async with task_group() as tasks:
            tasks.start_soon(append)

    anyio.run(main, backend="trio")
    assert done == [1]
