"""The page is watched while the model thinks."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from stack.decide.port import Failed
from stack.decide.watch import READS, Watch
from tests.stack.decide.deciding import Driven, page, play


def watched(driver: Driven, seconds: float) -> Watch:
    """A watch that ran until the model answered after so many seconds."""

    async def main() -> Watch:
        watch = Watch(driver, page(), 200)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watch.run)
            await anyio.sleep(seconds)
            watch.stop()
        return watch

    return play(main)


@pytest.mark.claim("JXA-RUN-08", tooth="a watch that does not read")
def test_a_page_at_rest_is_read_more_and_more_rarely() -> None:
    driver = Driven()
    assert watched(driver, 3.5).moved is None
    assert driver.reads == pytest.approx([0.2, 0.6, 1.4, 3.0])


def test_a_page_that_moves_is_read_every_time_and_the_newest_is_in_hand() -> None:
    driver = Driven(pages=[page(text="a"), page(text="b"), page(text="c")])
    found = watched(driver, 0.7)
    assert found.moved is not None and found.moved.text == "c"
    assert driver.reads == pytest.approx([0.2, 0.4, 0.6])


def test_a_page_that_came_back_to_what_it_was_has_not_moved() -> None:
    assert watched(Driven(pages=[page(text="a"), page()]), 0.5).moved is None


def test_it_never_reads_so_often_that_the_page_is_forgotten() -> None:
    driver = Driven(pages=[page(text=str(n)) for n in range(40)])
    watched(driver, 60)
    assert len(driver.reads) == READS < 16


@pytest.mark.parametrize(("code", "kept"), [("page_unreadable", False), ("scope_lost", True)])
def test_what_ends_it_is_kept(code: str, kept: bool) -> None:
    pages: Any = [Failed(code, "x", "refused"), page()]
    found = watched(Driven(pages=pages), 1)
    assert (found.error is not None) == kept
