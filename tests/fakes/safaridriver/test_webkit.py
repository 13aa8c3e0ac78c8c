"""Every check on real WebKit, where a page has a part in it; what is otherwise there stands in `differences`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fakes.engines.webkit import WebKit
from tests.fakes.safaridriver.client import Connect
from tests.fakes.safaridriver.test_checks import CHECKS, pictures, sizes_of
from tests.fakes.safaridriver.webkit import OnWebKit

pytestmark = [pytest.mark.engine("webkit"), pytest.mark.engine("xvfb")]


@pytest.fixture(scope="module")
def engine() -> Iterator[WebKit]:
    made = WebKit({}, waits=False)
    made.start()
    yield made
    made.close()


def test_pictures_are_webkits_own(engine: WebKit) -> None:
    back = OnWebKit(engine)
    taken: list[bytes] = []

    async def body(connect: Connect) -> None:
        await pictures(connect)
        taken.append(back.stages[-1].world.last_picture)  # type: ignore[attr-defined]

    back.check(body)
    assert sizes_of([event for event in back.stages[-1].events if event["e"] == "changed"]) == [
        [1200, 740], [1200, 740], [600, 400], [600, 1500],
    ]  # fmt: skip
    assert taken[0].startswith(b"\x89PNG") and len(taken[0]) > 1000


@pytest.mark.parametrize("name", CHECKS)
def test_check_on_webkit(name: str, engine: WebKit) -> None:
    OnWebKit(engine).check(CHECKS[name])
