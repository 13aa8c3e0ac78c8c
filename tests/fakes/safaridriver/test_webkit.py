"""Every check on real WebKit, where a page has a part in it; what is otherwise there stands in `differences`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fakes.engines.webkit import WebKit
from tests.fakes.safaridriver.test_checks import CHECKS
from tests.fakes.safaridriver.webkit import OnWebKit

pytestmark = [pytest.mark.engine("webkit"), pytest.mark.engine("xvfb")]


@pytest.fixture(scope="module")
def engine() -> Iterator[WebKit]:
    made = WebKit({}, waits=False)
    made.start()
    yield made
    made.close()


@pytest.mark.parametrize("name", CHECKS)
def test_check_on_webkit(name: str, engine: WebKit) -> None:
    OnWebKit(engine).check(CHECKS[name])
